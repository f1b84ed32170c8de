import { useMemo } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { everyCall, filterCalls } from '../activity/filter-calls.ts';
import { RecentCalls } from '../activity/recent-calls.tsx';
import { useActivity } from '../activity/use-activity.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** Milliseconds: nobody waits here for the next call. */
const longest = 5_000;

/** The newest calls of this server by programs, and the way to all of them. */
export function LatelyPart({ integration }: { readonly integration: Pick<IntegrationView, 'id'> }) {
  const { id } = integration;
  const calls = useActivity(true, longest);
  const isOff = useSnapshots((state) => state.app?.settings.activity === 'off');
  const found = useMemo(() => filterCalls(calls ?? [], { ...everyCall, server: id }), [calls, id]);
  if (calls === undefined) return null;
  return (
    <section className="stack-tight" aria-label={words.account.lately}>
      <h2>{words.account.lately}</h2>
      {found.length === 0 ? (
        <p className="soft">{isOff ? words.activity.off : words.activity.noneOfServer}</p>
      ) : (
        <>
          <RecentCalls calls={found} />
          <div>
            <Button onClick={() => show({ name: 'integration', id, tab: 'activity' })}>{words.home.allCalls}</Button>
          </div>
        </>
      )}
    </section>
  );
}
