import { hasFailed } from '../../shared/status-words.ts';
import { formatDistance, useNow } from '../moments.ts';
import { describeOutcome, nameOfProgram } from './calls.ts';
import type { NumberedCall } from './calls.ts';
import './recent-calls.css';

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

/** Something that happened. */
export interface RecentRow {
  readonly key: string;
  readonly what: string;
  /** How it failed, where it did. */
  readonly failure?: string | undefined;
  /** Who did it, and where. */
  readonly who: readonly (string | undefined)[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Newest first, in two lines each. */
export function RecentRows({ rows }: { readonly rows: readonly RecentRow[] }) {
  const now = useNow(60_000);
  return (
    <ul className="recent-calls">
      {rows.map(({ key, what, failure, who, at }) => (
        <li key={key} className="recent-call">
          <span className="recent-call-what">
            <span className="recent-call-name">{what}</span>
            {failure !== undefined && <span className="recent-call-failed">{failure}</span>}
          </span>
          <span className="recent-call-who">{who.filter((part) => part !== undefined).join(' · ')}</span>
          <span className="recent-call-time">{formatDistance(Math.min(at, now), now)}</span>
        </li>
      ))}
    </ul>
  );
}
