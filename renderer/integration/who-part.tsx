import { useState } from 'react';
import type { ReactNode } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { formatDistance, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { letterOf } from '../parts/service-letter.ts';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

interface WhoPartProps {
  readonly integration: IntegrationView;
  /** What can be done about it. */
  readonly children: ReactNode;
}

/**
 * Whose access this is, as the service said it, and how long it lasts. A label for the person; nothing is decided by
 * it. A service that did not say is asked when the person wants it.
 */
export function WhoPart({ integration, children }: WhoPartProps) {
  const now = useNow(30_000);
  const call = useCall<{ readonly isKnown: boolean }>();
  const [isUnknown, setUnknown] = useState(false);
  const { id, account, person, expiresAt, nextRefreshAt, signedInAt, signInHost, options } = integration;
  const named = person?.name ?? person?.email;
  const label = named ?? account ?? person?.organisation;
  const ends =
    expiresAt === undefined ? words.account.endsSometime : words.account.endsAt(formatDistance(expiresAt, now));
  const byKey = options.headerName !== undefined && words.account.apiKey(options.headerName);
  const ask = async (): Promise<void> => {
    const answer = await call.run(() => postern.integration.askWho({ id }));
    setUnknown(answer?.isKnown === false);
  };
  return (
    <section className="who" aria-label={words.account.who}>
      <span className="who-letter" aria-hidden="true">
        {label === undefined ? '?' : letterOf(label)}
      </span>
      <div className="who-text">
        <p className="who-name">{label ?? words.account.unnamed}</p>
        {person?.name !== undefined && person.email !== undefined && <p className="soft small">{person.email}</p>}
        {person?.organisation !== undefined && person.organisation !== label && (
          <p className="soft small">{person.organisation}</p>
        )}
        <p className="soft small">
          {byKey || (nextRefreshAt === undefined ? ends : words.account.renews)}
          {signedInAt !== undefined && ` ${words.account.signedInSince(formatDistance(signedInAt, now), signInHost)}`}
        </p>
        <p className="small" role="status">
          {isUnknown && named === undefined && words.account.askedInVain}
          {call.error &&
            call.error.message !== integration.status.error?.message &&
            words.account.notAsked(words.errors.message(call.error))}
        </p>
      </div>
      <div className="row">
        {named === undefined && !isUnknown && (
          <Button busy={call.busy} onClick={() => void ask()}>
            {words.account.ask}
          </Button>
        )}
        {children}
      </div>
    </section>
  );
}
