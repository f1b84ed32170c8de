import { hasFailed } from '../../shared/has-failed.ts';
import type { NumberedCall } from './use-activity.ts';

export interface CallFilter {
  /** Empty: all of them. */
  readonly program: string;
  readonly server: string;
  readonly outcome: 'all' | 'failed';
  /** Part of the name of a tool or a method. */
  readonly tool: string;
}

export const everyCall: CallFilter = { program: '', server: '', outcome: 'all', tool: '' };

export function filterCalls(calls: readonly NumberedCall[], filter: CallFilter): readonly NumberedCall[] {
  const { program, server, outcome } = filter;
  const tool = filter.tool.trim().toLocaleLowerCase('en');
  if (program === '' && server === '' && outcome === 'all' && tool === '') return calls;
  return calls.filter(
    (call) =>
      (program === '' || programOf(call) === program) &&
      (server === '' || serverOf(call) === server) &&
      (outcome === 'all' || hasFailed(call)) &&
      (tool === '' || (call.tool ?? call.method).toLocaleLowerCase('en').includes(tool)),
  );
}

/** Of those that nobody has added, none is told from another. */
export function programOf({ program = '?' }: Pick<NumberedCall, 'program'>): string {
  return program;
}

/** By its id; one that is not there, by what it was called. */
export function serverOf({ integration, server }: Pick<NumberedCall, 'integration' | 'server'>): string {
  return integration ?? `? ${server}`;
}
