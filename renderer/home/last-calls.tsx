import { hasFailed } from '../../shared/has-failed.ts';
import { describeOutcome, nameOfProgram } from '../activity/describe-call.ts';
import { useActivity } from '../activity/use-activity.ts';
import { formatDistance, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

const shown = 5;
/** Milliseconds: nobody waits here for the next call. */
const longest = 5_000;

/** The newest calls of programs, and the way to all of them. */
export function LastCalls() {
  const calls = useActivity(true, longest);
  const integrations = useSnapshots((state) => state.integrations);
  const isOff = useSnapshots((state) => state.app?.settings.activity === 'off');
  const now = useNow(60_000);
  if (calls === undefined) return null;
  const nameOf = (id: string | undefined): string | undefined => integrations?.find((each) => each.id === id)?.name;
  return (
    <section className="section" aria-labelledby="calls-title">
      <h2 id="calls-title">{words.home.calls}</h2>
      {calls.length === 0 ? (
        <p className="soft">{isOff ? words.activity.off : words.activity.none}</p>
      ) : (
        <>
          <ul className="home-list">
            {calls.slice(0, shown).map((call) => (
              <li key={call.number} className="home-call">
                <span className="home-call-what">
                  <span className="home-call-name">{call.tool ?? call.method}</span>
                  {hasFailed(call) && <span className="home-call-failed">{describeOutcome(call)}</span>}
                </span>
                <span className="home-call-who">
                  {nameOfProgram(call)} · {nameOf(call.integration) ?? call.server}
                </span>
                <span className="home-call-time">{formatDistance(Math.min(call.at, now), now)}</span>
              </li>
            ))}
          </ul>
          <div>
            <Button onClick={() => show({ name: 'activity' })}>{words.home.allCalls}</Button>
          </div>
        </>
      )}
    </section>
  );
}
