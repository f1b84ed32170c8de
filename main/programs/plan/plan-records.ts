import type { UsedServer } from '../used-server.ts';
import { PosternError } from '../../postern-error.ts';
import type { ProgramFile } from '../../program-ports.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { recordOf, withoutUse, withUse } from '../records/program-records.ts';
import type { Program } from '../table/program.ts';
import type { PlannedChange } from './planned-change.ts';

interface Uses {
  /** Of the record that the entries name. */
  readonly id: string;
  readonly integrations: readonly UsedServer[];
  readonly file: ProgramFile;
}

/**
 * With the right to use them. Errors: PROGRAM_FILE_CHANGED where the program was revoked, or got another record, since
 * the entries were planned: they would name what nobody knows.
 */
export function withUses(
  { clock }: Pick<ProgramEngine, 'clock'>,
  program: Program,
  { id, integrations, file }: Uses,
): PlannedChange['records'] {
  return (records) => {
    const standing = recordOf(records, program)?.id ?? (records.some((record) => record.id === id) ? undefined : id);
    if (standing !== id)
      throw new PosternError('PROGRAM_FILE_CHANGED', {
        stage: 'programs',
        ...(file.path !== '' && { detail: { file: file.path } }),
      });
    const now = clock.now();
    return integrations.reduce(
      (known, { id: integration }) => withUse(known, { id, program, integration, now }),
      records,
    );
  };
}

/** Takes it out. A server that is gone is still known by the id in its entries. */
export function withoutUses(program: Program, servers: readonly (UsedServer | string)[]): PlannedChange['records'] {
  return (records) =>
    servers.reduce(
      (known, server) => withoutUse(known, program, typeof server === 'string' ? server : server.id),
      records,
    );
}
