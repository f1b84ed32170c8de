import type { IntegrationView } from '../../shared/integration-view.ts';
import { formatDistance, formatMoment, useNow } from '../moments.ts';
import { Chips } from '../parts/chips.tsx';
import { Facts } from '../parts/facts.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';

export function AccountFacts({ integration }: { readonly integration: IntegrationView }) {
  const storage = useSnapshots((state) => state.app?.storage);
  const now = useNow(30_000);
  const { method, issuer, signInHost, url, scope, missingScopes, options, state, expiresAt, nextRefreshAt, notes } =
    integration;
  const signsIn = method !== 'NoAuth';
  const isSignedIn = signsIn && state === 'integrated';
  // Without a word on it, what was requested was granted (RFC 6749 section 5.1).
  const scopes = (scope ?? integration.scopeRequested)?.split(' ').filter(Boolean) ?? [];
  const remarks = [
    ...(integration.issuerFallback ? [words.account.issuerFallback[integration.issuerFallback]] : []),
    ...notes.map((note) => words.notes[note]),
  ];
  const moment = (at: number): string => `${formatMoment(at, now)} (${formatDistance(at, now)})`;
  return (
    <Facts
      facts={[
        signsIn &&
          signInHost !== undefined && {
            term: isSignedIn ? words.account.signedInAt : words.account.signsInAt,
            value: <span className="address">{signInHost}</span>,
          },
        { term: words.account.server, value: <span className="address">{placeOfAddress(url, integration.host)}</span> },
        signsIn &&
          issuer !== undefined && { term: words.account.issuer, value: <span className="address">{issuer}</span> },
        {
          term: words.account.method,
          value:
            options.headerName === undefined
              ? options.grant === undefined
                ? words.account.methods[method]
                : words.account.grants[options.grant]
              : words.account.apiKey([options.headerName, ...(options.furtherHeaders ?? [])].join(', ')),
        },
        isSignedIn && {
          term: words.account.granted,
          value: scopes.length > 0 ? <Chips items={scopes} /> : words.account.grantedNone,
        },
        missingScopes.length > 0 && {
          term: words.account.missing,
          value: <Chips items={[]} missing={missingScopes} />,
        },
        isSignedIn &&
          integration.signedInAt !== undefined && { term: words.account.since, value: moment(integration.signedInAt) },
        isSignedIn && {
          term: words.account.expires,
          value: expiresAt === undefined ? words.account.noLifetime : moment(expiresAt),
        },
        isSignedIn && integration.boundToKey === true && { term: words.account.bound, value: words.account.boundToKey },
        isSignedIn && {
          term: words.account.nextRefresh,
          value: nextRefreshAt === undefined ? words.account.noRefresh : moment(nextRefreshAt),
        },
        method === 'OAuth' &&
          integration.clientSecretExpiresAt !== undefined && {
            term: words.account.secretEnds,
            value: moment(integration.clientSecretExpiresAt),
          },
        (isSignedIn || options.headerName !== undefined) &&
          storage !== undefined && {
            term: words.account.kept,
            value: storage.memoryOnly
              ? words.account.memoryOnly
              : (words.account.backends[storage.backend] ?? storage.backend),
          },
        remarks.length > 0 && {
          term: words.account.notes,
          value: (
            <ul>
              {remarks.map((remark) => (
                <li key={remark}>{remark}</li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  );
}
