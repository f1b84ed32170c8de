import { useMemo, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { CallDialog } from '../activity/call-dialog.tsx';
import { CallList } from '../activity/call-list.tsx';
import { everyCall, filterCalls } from '../activity/filter-calls.ts';
import { RecentRows } from '../activity/recent-rows.tsx';
import { useActivity } from '../activity/use-activity.ts';
import type { NumberedCall } from '../activity/use-activity.ts';
import { TracePart } from '../diagnosis/trace-part.tsx';
import { useNow } from '../moments.ts';
import { words } from '../words.ts';
import { happeningsOf, newestFirst, useEvents } from './happenings.ts';
import '../activity/activity.css';

/** Which programs called this server, what else happened to it, and how its last sign-ins went. */
export function ServerActivityTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, name } = integration;
  const [opened, setOpened] = useState<NumberedCall>();
  const calls = useActivity(true);
  const now = useNow(60_000);
  const events = useEvents(integration);
  const found = useMemo(() => filterCalls(calls ?? [], { ...everyCall, server: id }), [calls, id]);
  return (
    <div className="stack server-activity">
      <section className="section">
        <h2>{words.activity.calls}</h2>
        {calls !== undefined && found.length === 0 && <p className="soft">{words.activity.noneOfServer}</p>}
        {found.length > 0 && <CallList calls={found} nameOfServer={() => name} onOpen={setOpened} />}
      </section>
      <section className="section">
        <h2>{words.account.lately}</h2>
        <RecentRows rows={newestFirst(happeningsOf(integration, events, now))} />
      </section>
      <section className="section">
        <h2>{words.diagnosis.lastSignIn}</h2>
        <TracePart id={id} integration={integration} />
      </section>
      {opened && <CallDialog call={opened} server={name} onClose={() => setOpened(undefined)} />}
    </div>
  );
}
