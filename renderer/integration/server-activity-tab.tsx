import { useEffect, useMemo, useState } from 'react';
import { isSameError } from '../../shared/error-traits.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import '../activity/activity.css';
import type { ServerEventView } from '../../shared/trace.ts';
import { CallDialog, CallList, RecentRows, rowOfCall } from '../activity/call-list.tsx';
import type { RecentRow } from '../activity/call-list.tsx';
import { allCalls, filterCalls, useActivity, useTitles } from '../activity/use-activity.ts';
import type { NumberedCall } from '../activity/use-activity.ts';
import { TracePanel } from '../diagnosis/trace-panel.tsx';
import { Button } from '../components/button.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { useNow, words } from '../words.ts';

/** Calls of this server, its events, and traces of its last sign-ins. */
export function ServerActivityTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, name } = integration;
  const [opened, setOpened] = useState<NumberedCall>();
  const calls = useActivity(true);
  const now = useNow(60_000);
  const events = useEvents(integration);
  const found = useMemo(() => filterCalls(calls ?? [], { ...allCalls, server: id }), [calls, id]);
  return (
    <div className="stack server-activity">
      <section className="section">
        <h2>{words.activity.calls}</h2>
        {calls !== undefined && found.length === 0 && <p className="soft">{words.activity.noneOfServer}</p>}
        {found.length > 0 && <CallList calls={found} nameOfServer={() => name} onOpen={setOpened} />}
      </section>
      <section className="section">
        <h2>{words.account.recentActivity}</h2>
        <RecentRows rows={newestFirst(eventRows(integration, events, now))} />
      </section>
      <section className="section">
        <h2>{words.diagnosis.lastSignIn}</h2>
        <TracePanel id={id} integration={integration} />
      </section>
      {opened && <CallDialog call={opened} server={name} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

const maxShown = 8;

interface RecentActivityProps {
  readonly integration: IntegrationView;
  /** Of all servers, newest first; `undefined` until the first read. */
  readonly calls: readonly NumberedCall[] | undefined;
}

/** Recent sign-in events and calls of this server, with a link to all calls. */
export function RecentActivity({ integration, calls }: RecentActivityProps) {
  const { id } = integration;
  const now = useNow(60_000);
  const isOff = useSnapshots((state) => state.desktop?.settings.activity === 'off');
  const titleOf = useTitles();
  const events = useEvents(integration);
  const found = useMemo(() => filterCalls(calls ?? [], { ...allCalls, server: id }), [calls, id]);
  if (calls === undefined) return null;
  const rows = newestFirst([
    ...eventRows(integration, events, now),
    ...found.slice(0, maxShown).map((call) => rowOfCall(call, titleOf)),
  ]).slice(0, maxShown);
  return (
    <section className="stack-tight" aria-label={words.account.recentActivity}>
      <h2>{words.account.recentActivity}</h2>
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

/** The server's logged events, newest first, including earlier runs of Postern. Read again when the server changes. */
function useEvents(integration: IntegrationView): readonly ServerEventView[] {
  const [events, setEvents] = useState<readonly ServerEventView[]>([]);
  const { id } = integration;
  useEffect(() => {
    let isStopped = false;
    void postern.integration.events({ id }).then((result) => !isStopped && result.ok && setEvents(result.value.events));
    return () => void (isStopped = true);
  }, [id, integration]);
  return events;
}

/**
 * Events of a server other than calls, plus what its own record says has ended. The current problem is already shown in
 * the header, so its event is omitted or shown without the error.
 */
function eventRows(
  integration: IntegrationView,
  events: readonly ServerEventView[],
  now: number,
): readonly RecentRow[] {
  const { createdAt, signedInAt, refreshedAt, expiresAt, clientSecretExpiresAt, signInHost, host } = integration;
  const { status, state } = integration;
  const { happened } = words.account;
  const dated: readonly (readonly [key: keyof typeof happened, at: number | undefined, where: string | undefined])[] = [
    ['secretEnded', clientSecretExpiresAt, signInHost],
    ['accessEnded', state === 'signedOut' ? undefined : expiresAt, signInHost],
    ['renewed', refreshedAt, signInHost],
    ['signedIn', signedInAt, signInHost],
    ['added', createdAt, host],
  ];
  const shownInHeader = events.find((event) => isSameError(event, status.error));
  // The record also covers what happened before events were logged.
  const isLogged = (key: string, at: number): boolean => events.some((each) => each.kind === key && each.at === at);
  return [
    ...dated.flatMap(([key, at, where]) =>
      at === undefined || at > now || isLogged(key, at) ? [] : [{ key, what: happened[key], source: [where], at }],
    ),
    ...events.flatMap((event, index) => {
      const { kind, at, code, failure } = event;
      if (event === shownInHeader && kind === 'problem') return [];
      return {
        key: `event ${index}`,
        what: happened[kind],
        ...(code && event !== shownInHeader && { failure: words.errors.ofCode(code) ?? failure ?? code }),
        source: [kind === 'added' ? host : signInHost],
        at,
      };
    }),
  ];
}

function newestFirst(rows: readonly RecentRow[]): readonly RecentRow[] {
  return rows.toSorted((one, other) => other.at - one.at);
}
