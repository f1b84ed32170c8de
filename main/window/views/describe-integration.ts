import { notesOf } from '../../../shared/compatibility-notes.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import { isAbout, wayOutOf } from '../../../shared/error-facts.ts';
import type { WayOut } from '../../../shared/error-facts.ts';
import type { IntegrationStatus, IntegrationView } from '../../../shared/integration-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayPlace } from '../../address/display-text.ts';
import { isFailing, keptFailure } from '../../engine/kept/kept-failure.ts';
import type { RefreshStatus } from '../../engine/refresh/refresh-scheduler.ts';
import { PosternError, remedyOf, toPlainError } from '../../errors/postern-error.ts';
import { keyHost, publishedIssuer } from '../../issuer-key.ts';
import { endedStatus, keptStatus } from '../../kept-status.ts';
import type { LocalStatus } from '../../local-ports.ts';
import type { Refusal } from '../../mcp/http/credential-gate.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { IconMarks } from '../../window-ports.ts';
import type { Attempt } from '../connections/connections.ts';

export type Busy = NonNullable<IntegrationView['busy']>;

/** What this run has seen of an integration; what lasts stands in the list. */
export interface Observation {
  readonly error?: PosternError | undefined;
  /** Milliseconds since 1970 at which that was seen. */
  readonly seenAt?: number;
  /** What the server demanded of the credential that it refused: the next sign-in answers it. */
  readonly refusal?: Refusal | undefined;
  /** The program whose call was refused for it. */
  readonly wantedBy?: string | undefined;
  readonly busy?: Busy | undefined;
  readonly lastSignIn?: Attempt | undefined;
}

export interface Circumstances extends Observation {
  readonly storageProblem?: PosternError | undefined;
  /** Nobody answered at its address last, whichever entry of it was asked for. */
  readonly unanswered?: PosternError | undefined;
  /** What the list says, unless this run has seen something more recent. */
  readonly remembered?: PosternError | undefined;
  readonly refresh?: RefreshStatus | undefined;
  readonly connectionId?: string | undefined;
  /** Milliseconds since 1970; left out: nothing has ended by itself. */
  readonly now?: number | undefined;
  readonly icons?: IconMarks | undefined;
  /** Of its process, where it is a command. */
  readonly local?: Pick<LocalStatus, 'state' | 'failure'> | undefined;
}

/** An integration with its one truthful state. */
export function describeIntegration(integration: Integration, seen: Circumstances): IntegrationView {
  const { connectionId, refresh, icons } = seen;
  const { issuerKey, failure: _shown, allowedCommand: _allowed, ...listed } = integration;
  const issuer = publishedIssuer(integration, integration.options.endpoints?.token);
  const nextRefreshAt = refresh?.nextRefreshAt;
  const status = describeStatus(integration, seen);
  const wantedBy = isPersonal(status) ? seen.wantedBy : undefined;
  const busy = seen.busy ?? (refresh?.isRefreshing === true ? 'refreshing' : undefined);
  return {
    ...listed,
    notes: notesOf(integration),
    ...(issuerKey !== undefined && { signInHost: keyHost(issuerKey) }),
    ...(issuer !== undefined && { issuer }),
    host: displayPlace(new URL(integration.url)),
    status,
    ...(icons && { icons }),
    ...(wantedBy !== undefined && { wantedBy }),
    missingScopes: missingScope(integration.scopeRequested, integration.scope),
    ...(nextRefreshAt !== undefined && { nextRefreshAt }),
    ...(connectionId !== undefined && { connectionId }),
    ...(connectionId !== undefined ? { busy: 'signingIn' } : busy && { busy }),
  };
}

/** Only the person can help: by signing in, granting more, or with another key. */
function isPersonal({ name }: IntegrationStatus): boolean {
  return name === 'signIn' || name === 'signInAgain' || name === 'needsAccess';
}

type Kept = Pick<Integration, 'state'> & Partial<Integration>;

/** What stops everything comes first: no storage, then no sign-in, then what the server said last. */
export function describeStatus(integration: Kept, seen: Circumstances): IntegrationStatus {
  const { storageProblem, refresh, local, now = 0 } = seen;
  const met = local?.failure ?? seen.error ?? refresh?.error ?? seen.unanswered ?? seen.remembered;
  const error = met && local && isAbout(met, 'local-state') ? undefined : met;
  const kept = keptStatus(integration, now, local && endedStatus(local.state));
  const retryAt = refresh?.error ? refresh.nextRefreshAt : kept === 'offline' ? integration.retryAt : undefined;
  if (storageProblem) return { name: 'storageProblem', error: toPlainError(storageProblem) };
  if (kept === 'signIn' || kept === 'notAllowed' || kept === 'stopped') return { name: kept };
  if (kept === 'signInAgain') {
    const told = error ? toPlainError(error) : (renewalRefusal(integration) ?? keptFailure(integration));
    return { name: 'signInAgain', ...(told && { error: told }) };
  }
  const seenName = error && statusOf(error);
  const name = seenName ?? kept;
  if (name === 'ready') return { name };
  const given = (seenName ? error : integration.failure)?.remedy;
  const told = seenName ? toPlainError(error) : name === 'failing' ? keptFailure(integration) : undefined;
  return {
    name,
    ...(told && { error: told }),
    // Where more is known, that helps: whom a server shuts out, its owner knows.
    ...(name === 'failing' && told && isAbout(told, 'not-mcp') && !given && { mayHaveMoved: true as const }),
    ...(name === 'offline' && retryAt !== undefined && { retryAt }),
  };
}

/** That the sign-in has most likely ended, where the list keeps that. */
function renewalRefusal({ state, renewalRefused, issuerKey }: Kept): PlainError | undefined {
  if (state !== 'integrated' || renewalRefused !== true) return undefined;
  const detail = issuerKey === undefined ? {} : { host: keyHost(issuerKey) };
  return toPlainError(new PosternError('REFRESH_REFUSED', { stage: 'refresh', detail }));
}

const statusOfWayOut: Readonly<Record<WayOut, IntegrationStatus['name']>> = {
  'sign-in': 'signInAgain',
  key: 'signInAgain',
  permissions: 'needsAccess',
};

/** `undefined`: an error of one operation, which says nothing of the integration. */
function statusOf(error: PosternError): IntegrationStatus['name'] | undefined {
  const way = wayOutOf(remedyOf(error));
  if (way !== undefined) return statusOfWayOut[way];
  if (isAbout(error, 'keychain') || isAbout(error, 'profile')) return 'storageProblem';
  if (isAbout(error, 'passing') || error instanceof ServerOutage) return 'offline';
  return isFailing(error) ? 'failing' : undefined;
}
