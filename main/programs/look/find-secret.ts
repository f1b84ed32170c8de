import type { ProgramRecord } from '../../../shared/program-record.ts';
import { Secret } from '../../secret.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import { readBearer, readEntry } from '../entry/read-entry.ts';
import { filesOfLeaving } from '../plan/plan-leaving.ts';
import { readFile } from '../plan/planned-change.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { hashOfSecret } from '../records/program-secret.ts';
import type { Program } from '../table/program.ts';

/**
 * The secret of a record whose vault is gone, where an entry of its program shows it still: so the entries that are there
 * go on. Errors: CFG_*.
 */
export async function findSecret(
  engine: ProgramEngine,
  program: Program,
  { secretHash }: Pick<ProgramRecord, 'secretHash'>,
): Promise<Secret | undefined> {
  if (secretHash === undefined) return undefined;
  for (const { file } of await filesOfLeaving(engine, { kind: 'program', program })) {
    try {
      const { content } = await readFile(engine, program, file);
      const bearers = (content.entries ?? []).flatMap(([, value]) => readBearer(readEntry(value)) ?? []);
      const found = bearers.find((bearer) => hashOfSecret(bearer) === secretHash);
      if (found !== undefined) return new Secret(found);
    } catch (error) {
      if (!(error instanceof ProgramFileFault)) throw error;
    }
  }
  return undefined;
}
