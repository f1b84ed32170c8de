import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { AppUser, ProgramRecords, UseQuestion } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import { isObject } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { admit, findById, mayUse } from './program-access.ts';

interface AskingPorts {
  readonly programs: ProgramRecords;
  readonly clock: Pick<Clock, 'now'>;
  readonly allowUnknown?: boolean;
  readonly user: AppUser;
}

/** How a program was let in. */
export interface Admitted {
  readonly program: ProgramRecord | undefined;
  /** For this session alone. */
  readonly isOnce: boolean;
}

/** Whether a person may be asked for this program. One that was revoked asks nobody. */
export function canAsk(
  { user, allowUnknown }: Pick<AskingPorts, 'user' | 'allowUnknown'>,
  record: ProgramRecord | undefined,
  { id }: Pick<Integration, 'id'>,
): boolean {
  return user.allowUse !== undefined && !allowUnknown && record?.revokedAt === undefined && !mayUse(record, id);
}

/** Lets a program in as the person says. Errors: PROGRAM_UNKNOWN also where nobody answers, PROGRAM_REVOKED, CFG_*. */
export async function askForUse({ programs, clock, user }: AskingPorts, question: UseQuestion): Promise<Admitted> {
  const { entry, integration } = question;
  const answer = (await user.allowUse?.(question)) ?? { kind: 'no' };
  const records =
    answer.kind === 'always'
      ? await programs.change((before) => withUse(before, { entry, integration, program: answer.program, clock }))
      : await programs.list();
  // It may have been revoked meanwhile.
  const isOnce = answer.kind === 'once';
  return { program: admit(findById(records, entry), integration, { allowUnknown: isOnce }), isOnce };
}

/** What the program says it is, in the order in which it is believed. */
export function ownNamesOf({ params }: RequestEnvelope): readonly string[] {
  const { _meta } = params;
  const info = params['clientInfo'] ?? (isObject(_meta) ? _meta['io.modelcontextprotocol/clientInfo'] : undefined);
  if (!isObject(info)) return [];
  return [info['title'], info['name']].filter((name) => typeof name === 'string');
}

function withUse(
  records: readonly ProgramRecord[],
  {
    entry,
    integration,
    program,
    clock,
  }: Pick<UseQuestion, 'entry' | 'integration'> & {
    readonly program: { readonly id: string; readonly name: string };
    readonly clock: Pick<Clock, 'now'>;
  },
): readonly ProgramRecord[] {
  if (entry === undefined) return records;
  const known = findById(records, entry);
  // Another one meanwhile: what was shown is what is granted.
  if (known && known.program !== program.id) return records;
  if (!known) {
    const made = { id: entry, program: program.id, name: program.name, createdAt: clock.now() };
    return [...records, { ...made, integrations: [integration.id] }];
  }
  return records.map((record) =>
    record.id === entry && !record.integrations.includes(integration.id)
      ? { ...record, integrations: [...record.integrations, integration.id] }
      : record,
  );
}
