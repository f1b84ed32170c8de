import { RecentCalls } from '../activity/recent-calls.tsx';
import { useActivity } from '../activity/use-activity.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** Milliseconds: nobody waits here for the next call. */
const longest = 5_000;

/** The newest calls of programs, and the way to all of them. */
export function LastCalls() {
  const calls = useActivity(true, longest);
  const integrations = useSnapshots((state) => state.integrations);
  const isOff = useSnapshots((state) => state.app?.settings.activity === 'off');
  if (calls === undefined) return null;
  const nameOf = (id: string | undefined): string | undefined => integrations?.find((each) => each.id === id)?.name;
  return (
    <section className="section" aria-labelledby="calls-title">
      <h2 id="calls-title">{words.home.calls}</h2>
      {calls.length === 0 ? (
        <p className="soft">{isOff ? words.activity.off : words.activity.none}</p>
      ) : (
        <>
          <RecentCalls calls={calls} nameOfServer={(call) => nameOf(call.integration) ?? call.server} />
          <div>
            <Button onClick={() => show({ name: 'activity' })}>{words.home.allCalls}</Button>
          </div>
        </>
      )}
    </section>
  );
}
