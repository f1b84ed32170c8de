import type { IntegrationView } from '../../shared/integration-view.ts';
import type { RecentRow } from '../activity/recent-rows.tsx';
import { words } from '../words.ts';

/** What is kept of a server beside the calls of programs: when it was added, signed in to, renewed, and what ended. */
export function happeningsOf(integration: IntegrationView, now: number): readonly RecentRow[] {
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
  return [
    ...(failure === undefined ? [] : [{ key: 'failed', what: happened.failed, failure, who: [] }]),
    ...dated.flatMap(([key, at, where]) =>
      at === undefined || at > now ? [] : [{ key, what: happened[key], who: [where], at }],
    ),
  ];
}

/** What is so now, then the newest. */
export function newestFirst(rows: readonly RecentRow[]): readonly RecentRow[] {
  return rows.toSorted((one, other) => (other.at ?? Infinity) - (one.at ?? Infinity));
}
