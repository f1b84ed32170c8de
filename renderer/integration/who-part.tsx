import type { IntegrationView } from '../../shared/integration-view.ts';
import { formatDistance, useNow } from '../moments.ts';
import { letterOf } from '../parts/service-letter.ts';
import { words } from '../words.ts';

/** Whose access this is, as the service said it, and how long it lasts. A label for the person; nothing is decided by it. */
export function WhoPart({ integration }: { readonly integration: IntegrationView }) {
  const now = useNow(30_000);
  const { account, expiresAt, nextRefreshAt, signedInAt, signInHost } = integration;
  const ends =
    expiresAt === undefined ? words.account.endsSometime : words.account.endsAt(formatDistance(expiresAt, now));
  return (
    <section className="who" aria-label={words.account.who}>
      <span className="who-letter" aria-hidden="true">
        {account === undefined ? '?' : letterOf(account)}
      </span>
      <div>
        <p className="who-name">{account ?? words.account.unnamed}</p>
        <p className="soft small">
          {nextRefreshAt === undefined ? ends : words.account.renews}
          {signedInAt !== undefined && ` ${words.account.signedInSince(formatDistance(signedInAt, now), signInHost)}`}
        </p>
      </div>
    </section>
  );
}
