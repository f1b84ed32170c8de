import { useEffect, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { ServerEventView } from '../../shared/server-history.ts';
import type { RecentRow } from '../activity/recent-rows.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';

/** What is noted of a server, newest first, also from before this start; read anew when the server has changed. */
export function useEvents(integration: IntegrationView): readonly ServerEventView[] {
  const [events, setEvents] = useState<readonly ServerEventView[]>([]);
  const { id } = integration;
  useEffect(() => {
    let isOver = false;
    void postern.integration.events({ id }).then((answer) => !isOver && answer.ok && setEvents(answer.value.events));
    return () => void (isOver = true);
  }, [id, integration]);
  return events;
}

/** What happened to a server beside the calls of programs, and what its entry says that has ended or is wrong now. */
export function happeningsOf(
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
  const failure = status.error && words.errors.message(status.error);
  // Its entry also tells of what was before anything was noted.
  const isNoted = (key: string, at: number): boolean => events.some((each) => each.kind === key && each.at === at);
  return [
    ...(failure === undefined ? [] : [{ key: 'now', what: happened.problem, failure, who: [] }]),
    ...dated.flatMap(([key, at, where]) =>
      at === undefined || at > now || isNoted(key, at) ? [] : [{ key, what: happened[key], who: [where], at }],
    ),
    ...events.map(({ kind, at, code, failure: failed }, index) => ({
      key: `event ${index}`,
      what: happened[kind],
      ...(code && { failure: words.errors.ofCode(code) ?? failed ?? code }),
      who: [kind === 'added' ? host : signInHost],
      at,
    })),
  ];
}

/** What is true now, then the newest. */
export function newestFirst(rows: readonly RecentRow[]): readonly RecentRow[] {
  return rows.toSorted((one, other) => (other.at ?? Infinity) - (one.at ?? Infinity));
}
