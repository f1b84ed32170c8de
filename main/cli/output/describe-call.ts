import type { ActivityCall } from '../../../shared/activity.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { programName } from '../../programs/records/other-program.ts';
import { printableLine } from '../text/printable.ts';

export const headings: readonly string[] = ['WHEN', 'PROGRAM', 'SERVER', 'CALL', 'OUTCOME', 'TIME'];

/** What gives servers, and the programs that people have added, their names. */
export interface KnownNames {
  readonly integrations: readonly Integration[];
  readonly records: readonly ProgramRecord[];
}

/** A call in columns. A server that was removed has the name that it had then. */
export function describeCall(call: ActivityCall, { integrations, records }: KnownNames): readonly string[] {
  const { at, program, integration, server, method, tool, outcome, ms } = call;
  const name = integrations.find(({ id }) => id === integration)?.name ?? server;
  return [
    describeTime(at),
    program === undefined ? 'not known' : printableLine(programName(program, records) ?? program),
    printableLine(name),
    printableLine(tool ?? method),
    outcome === 'toolError' ? 'tool error' : /^-?\d/u.test(outcome) ? `error ${outcome}` : outcome,
    `${ms} ms`,
  ];
}

/** To the second, as the clock on the wall has it. */
function describeTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'unknown';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
