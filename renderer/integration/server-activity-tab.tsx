import { useEffect, useMemo, useState } from 'react';
import { isSameError } from '../../shared/error-facts.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import '../activity/activity.css';
import type { ServerEventView } from '../../shared/trace.ts';
import { CallDialog, CallList, RecentRows, rowOfCall } from '../activity/call-list.tsx';
import type { RecentRow } from '../activity/call-list.tsx';
import { everyCall, filterCalls, useActivity } from '../activity/calls.ts';
import type { NumberedCall } from '../activity/calls.ts';
import { TracePart } from '../diagnosis/trace-part.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { useNow, words } from '../words.ts';

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

/** What is noted of a server, newest first, also from before this start; read anew when the server has changed. */
function useEvents(integration: IntegrationView): readonly ServerEventView[] {
  const [events, setEvents] = useState<readonly ServerEventView[]>([]);
  const { id } = integration;
  useEffect(() => {
    let isOver = false;
    void postern.integration.events({ id }).then((answer) => !isOver && answer.ok && setEvents(answer.value.events));
    return () => void (isOver = true);
  }, [id, integration]);
  return events;
}

/**
 * What happened to a server beside the calls of programs, and what its entry says that has ended. What is wrong now
 * stands above, and is not said again: a row with the same is left out, or says only what became of it.
 */
function happeningsOf(
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
  const saidAbove = events.find((event) => isSameError(event, status.error));
  // Its entry also tells of what was before anything was noted.
  const isNoted = (key: string, at: number): boolean => events.some((each) => each.kind === key && each.at === at);
  return [
    ...dated.flatMap(([key, at, where]) =>
      at === undefined || at > now || isNoted(key, at) ? [] : [{ key, what: happened[key], who: [where], at }],
    ),
    ...events.flatMap((event, index) => {
      const { kind, at, code, failure } = event;
      if (event === saidAbove && kind === 'problem') return [];
      return {
        key: `event ${index}`,
        what: happened[kind],
        ...(code && event !== saidAbove && { failure: words.errors.ofCode(code) ?? failure ?? code }),
        who: [kind === 'added' ? host : signInHost],
        at,
      };
    }),
  ];
}

function newestFirst(rows: readonly RecentRow[]): readonly RecentRow[] {
  return rows.toSorted((one, other) => other.at - one.at);
}
