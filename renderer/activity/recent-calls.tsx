import { hasFailed } from '../../shared/has-failed.ts';
import { describeOutcome, nameOfProgram } from './describe-call.ts';
import type { RecentRow } from './recent-rows.tsx';
import { RecentRows } from './recent-rows.tsx';
import type { NumberedCall } from './use-activity.ts';

interface RecentCallsProps {
  /** Newest first. */
  readonly calls: readonly NumberedCall[];
  /** What the server of a call is called. */
  readonly nameOfServer: (call: NumberedCall) => string;
}

const shown = 5;

/** The newest calls of programs. */
export function RecentCalls({ calls, nameOfServer }: RecentCallsProps) {
  return <RecentRows rows={calls.slice(0, shown).map((call) => rowOfCall(call, nameOfServer(call)))} />;
}

/** `server`: its name, where more than one could be meant. */
export function rowOfCall(call: NumberedCall, server?: string): RecentRow {
  return {
    key: `call ${call.number}`,
    what: call.tool ?? call.method,
    failure: hasFailed(call) ? describeOutcome(call) : undefined,
    who: [nameOfProgram(call), server],
    at: call.at,
  };
}
