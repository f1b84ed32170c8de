import { useMemo } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { everyCall, filterCalls } from '../activity/filter-calls.ts';
import { rowOfCall } from '../activity/recent-calls.tsx';
import { RecentRows } from '../activity/recent-rows.tsx';
import type { NumberedCall } from '../activity/use-activity.ts';
import { useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { happeningsOf, newestFirst, useEvents } from './happenings.ts';

const shown = 8;

interface LatelyPartProps {
  readonly integration: IntegrationView;
  /** Of all servers, newest first; `undefined` until they were read. */
  readonly calls: readonly NumberedCall[] | undefined;
}

/** What happened to this server lately: its sign-in, and the calls of programs, with the way to all of those. */
export function LatelyPart({ integration, calls }: LatelyPartProps) {
  const { id } = integration;
  const now = useNow(60_000);
  const isOff = useSnapshots((state) => state.app?.settings.activity === 'off');
  const events = useEvents(integration);
  const found = useMemo(() => filterCalls(calls ?? [], { ...everyCall, server: id }), [calls, id]);
  if (calls === undefined) return null;
  const rows = newestFirst([
    ...happeningsOf(integration, events, now),
    ...found.slice(0, shown).map((call) => rowOfCall(call)),
  ]).slice(0, shown);
  return (
    <section className="stack-tight" aria-label={words.account.lately}>
      <h2>{words.account.lately}</h2>
      <RecentRows rows={rows} />
      {found.length === 0 ? (
        <p className="soft small">{isOff ? words.activity.off : words.activity.noneOfServer}</p>
      ) : (
        <div>
          <Button onClick={() => show({ name: 'integration', id, tab: 'activity' })}>{words.home.allCalls}</Button>
        </div>
      )}
    </section>
  );
}
