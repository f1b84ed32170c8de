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

/**
 * What happened to a server beside the calls of programs, and what its entry says that has ended. What is wrong now
 * stands above, and is not said again: a row with the same is left out, or says only what became of it.
 */
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
  const saidAbove = status.error && events.find(({ code }) => code === status.error?.code);
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

export function newestFirst(rows: readonly RecentRow[]): readonly RecentRow[] {
  return rows.toSorted((one, other) => other.at - one.at);
}
