import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';

/** Whether a program on this computer uses a server through Postern. */
export function isUsedByPrograms(records: readonly ProgramRecord[]): boolean {
  return records.some(({ integrations, revokedAt }) => revokedAt === undefined && integrations.length > 0);
}

/** Whether Postern goes on without its window: as the person says, else as soon as a program needs it. */
export function keepsRunning({ keepRunning }: Settings, records: readonly ProgramRecord[]): boolean {
  return keepRunning ?? isUsedByPrograms(records);
}
