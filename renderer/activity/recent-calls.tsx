import { hasFailed } from '../../shared/has-failed.ts';
import { formatDistance, useNow } from '../moments.ts';
import { describeOutcome, nameOfProgram } from './describe-call.ts';
import type { NumberedCall } from './use-activity.ts';
import './recent-calls.css';

interface RecentCallsProps {
  /** Newest first. */
  readonly calls: readonly NumberedCall[];
  /** What the server of a call is called, where more than one may be meant. */
  readonly nameOfServer?: (call: NumberedCall) => string;
}

const shown = 5;

/** The newest calls of programs, in two lines each. */
export function RecentCalls({ calls, nameOfServer }: RecentCallsProps) {
  const now = useNow(60_000);
  return (
    <ul className="recent-calls">
      {calls.slice(0, shown).map((call) => (
        <li key={call.number} className="recent-call">
          <span className="recent-call-what">
            <span className="recent-call-name">{call.tool ?? call.method}</span>
            {hasFailed(call) && <span className="recent-call-failed">{describeOutcome(call)}</span>}
          </span>
          <span className="recent-call-who">
            {[nameOfProgram(call), nameOfServer?.(call)].filter((part) => part !== undefined).join(' · ')}
          </span>
          <span className="recent-call-time">{formatDistance(Math.min(call.at, now), now)}</span>
        </li>
      ))}
    </ul>
  );
}
