import { Check, CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { isSameError } from '../../shared/error-traits.ts';
import { describeScope, useKnownServer } from '../catalog/catalog.ts';
import type { ScopeContext } from '../catalog/catalog.ts';
import { Button } from '../components/button.tsx';
import { Chips } from '../components/chips.tsx';
import { Facts, hostOfAddress } from '../components/facts.tsx';
import { initialsOf } from '../components/initials.ts';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { formatRelative, formatMoment, useNow, words } from '../words.ts';

export function AccountFacts({ integration }: { readonly integration: IntegrationView }) {
  const storage = useSnapshots((state) => state.desktop?.storage);
  const now = useNow(30_000);
  const { method, issuer, signInHost, url, scope, missingScopes, options, state, expiresAt, nextRefreshAt, notes } =
    integration;
  const signsIn = method !== 'NoAuth';
  const isSignedIn = signsIn && state === 'integrated';
  // No `scope` in the response means that the requested scope was granted (RFC 6749 section 5.1).
  const scopes = (scope ?? integration.scopeRequested)?.split(' ').filter(Boolean) ?? [];
  const remarks = [
    ...(integration.issuerFallback ? [words.account.issuerFallback[integration.issuerFallback]] : []),
    ...notes.map((note) => words.notes[note]),
  ];
  const moment = (at: number): string => `${formatMoment(at, now)} (${formatRelative(at, now)})`;
  return (
    <Facts
      facts={[
        signsIn &&
          signInHost !== undefined && {
            term: isSignedIn ? words.account.signedInAt : words.account.signsInAt,
            value: <span className="address">{signInHost}</span>,
          },
        { term: words.account.server, value: <span className="address">{hostOfAddress(url, integration.host)}</span> },
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
          value: expiresAt === undefined ? words.account.lifetimeUnknown : moment(expiresAt),
        },
        isSignedIn && integration.boundToKey === true && { term: words.account.bound, value: words.account.boundToKey },
        isSignedIn && {
          term: words.account.nextRefresh,
          value: nextRefreshAt === undefined ? words.account.noRefresh : moment(nextRefreshAt),
        },
        method === 'OAuth' &&
          integration.clientSecretExpiresAt !== undefined && {
            term: words.account.secretExpires,
            value: moment(integration.clientSecretExpiresAt),
          },
        (isSignedIn || options.headerName !== undefined) &&
          storage !== undefined && {
            term: words.account.storedIn,
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

interface AccountSummaryProps {
  readonly integration: IntegrationView;
  /** Actions for the account. */
  readonly children: ReactNode;
}

/**
 * Whose account this is, as reported by the service, and how long access lasts. For display only. If the service did
 * not report it, the user can ask it with a button.
 */
export function AccountSummary({ integration, children }: AccountSummaryProps) {
  const now = useNow(30_000);
  const call = useCall<{ readonly isKnown: boolean }>();
  const [isUnknown, setUnknown] = useState(false);
  const { id, account, user, expiresAt, nextRefreshAt, signedInAt, signInHost, options } = integration;
  const named = user?.name ?? user?.email;
  const label = named ?? account ?? user?.organization;
  const ends =
    expiresAt === undefined ? words.account.expiryUnknown : words.account.signInExpires(formatRelative(expiresAt, now));
  const byKey = options.headerName !== undefined && words.account.apiKey(options.headerName);
  const ask = async (): Promise<void> => {
    const result = await call.run(() => postern.integration.identifyAccount({ id }));
    setUnknown(result?.isKnown === false);
  };
  return (
    <section className="fact-card" aria-label={words.account.who}>
      <span className="fact-card-letter" aria-hidden="true">
        {label === undefined ? '?' : initialsOf(label)}
      </span>
      <div className="fact-card-text">
        <p className="fact-card-name">{label ?? words.account.accountUnnamed}</p>
        {user?.name !== undefined && user.email !== undefined && <p className="soft small">{user.email}</p>}
        {user?.organization !== undefined && user.organization !== label && (
          <p className="soft small">{user.organization}</p>
        )}
        <p className="soft small">
          {byKey || (nextRefreshAt === undefined ? ends : words.account.renews)}
          {signedInAt !== undefined && ` ${words.account.signedInSince(formatRelative(signedInAt, now), signInHost)}`}
        </p>
        <p className="small" role="status">
          {isUnknown && named === undefined && words.account.accountUnknown}
          {call.error &&
            !isSameError(call.error, integration.status.error) &&
            words.account.notAsked(words.errors.message(call.error))}
        </p>
      </div>
      <div className="row">
        {named === undefined && !isUnknown && (
          <Button busy={call.busy} onClick={() => void ask()}>
            {words.account.askService}
          </Button>
        )}
        {children}
      </div>
    </section>
  );
}

interface PermissionListProps {
  readonly integration: IntegrationView;
  readonly onGrant: () => void;
}

/** Further scopes are counted, not listed. */
const maxListed = 50;

/** What the access token allows, and what was requested but not granted. */
export function PermissionList({ integration, onGrant }: PermissionListProps) {
  const { url, issuer, scope, scopeRequested, missingScopes, status } = integration;
  const service = useKnownServer(url)?.name;
  // No `scope` in the response means that the requested scope was granted (RFC 6749 section 5.1).
  const granted = (scope ?? scopeRequested)?.split(' ').filter(Boolean) ?? [];
  const context = { service, issuer, among: [...granted, ...missingScopes] };
  return (
    <section className="stack-tight">
      <h2>{words.account.permissions}</h2>
      {granted.length + missingScopes.length === 0 && <p className="soft">{words.account.grantedNone}</p>}
      {granted.length + missingScopes.length > 0 && (
        <ul className="permissions">
          {missingScopes.slice(0, maxListed).map((name, index) => (
            <li key={`missing ${name}`}>
              <CircleAlert className="permission-missing" aria-hidden="true" size={15} />
              <Scope context={context} name={name} isMissing />
              {/* One sign-in requests all of them. If the server demanded it, the header has the button. */}
              {index === 0 && status.name !== 'needsAccess' && <Button onClick={onGrant}>{words.account.grant}</Button>}
            </li>
          ))}
          {granted.slice(0, maxListed).map((name) => (
            <li key={name}>
              <Check className="permission-granted" aria-hidden="true" size={15} />
              <Scope context={context} name={name} />
            </li>
          ))}
        </ul>
      )}
      {granted.length > maxListed && (
        <p className="faint small">{words.account.morePermissions(granted.length - maxListed)}</p>
      )}
    </section>
  );
}

interface ScopeProps {
  readonly context: ScopeContext;
  readonly name: string;
  readonly isMissing?: boolean;
}

/** In plain words where known, followed by the scope's name. */
function Scope({ context, name, isMissing = false }: ScopeProps) {
  const description = describeScope(context, name);
  const missing = isMissing && <span className="soft small"> {words.scopes.missing}</span>;
  if (description === undefined)
    return (
      <span className="permission-name">
        {name}
        {missing}
      </span>
    );
  return (
    <>
      <span>
        {description}
        {missing}
      </span>
      <span className="permission-scope faint small">{name}</span>
    </>
  );
}
