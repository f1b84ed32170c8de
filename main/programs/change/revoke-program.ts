import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { withRevoked } from '../records/program-records.ts';
import type { Program } from '../table/program.ts';

/**
 * From now on nothing that the program asks for is answered. Answers its records that are revoked. Errors: CFG_*.
 */
export async function revokeProgram(
  { records, locks, clock }: Pick<ProgramEngine, 'records' | 'locks' | 'clock'>,
  program: Pick<Program, 'id'>,
): Promise<readonly ProgramRecord[]> {
  const now = clock.now();
  const revoke = (): Promise<readonly ProgramRecord[]> => records.change((before) => withRevoked(before, program, now));
  await revoke();
  // A change that is under way meanwhile puts back the rights of before where it fails.
  const after = await locks.hold('programs', revoke);
  return after.filter((record) => record.program === program.id && record.revokedAt === now);
}
