import { formatDistance, useNow } from '../moments.ts';
import './recent-calls.css';

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
