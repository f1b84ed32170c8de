import { notesOf } from '../../../shared/compatibility-notes.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import { hasTrait, userActionFor } from '../../../shared/error-traits.ts';
import type { UserAction } from '../../../shared/error-traits.ts';
import type { IntegrationStatus, IntegrationView } from '../../../shared/integration-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { isServerFailure, storedFailure } from '../../engine/records/server-failure.ts';
import type { RefreshStatus } from '../../engine/refresh/refresh-scheduler.ts';
import { PosternError, remedyOf, toPlainError } from '../../errors/postern-error.ts';
import { keyHost, publishedIssuer } from '../../issuer-key.ts';
import { endedStatus, storedStatus } from '../../stored-status.ts';
import type { LocalStatus } from '../../local-ports.ts';
import type { Refusal } from '../../mcp/http/credential-gate.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { IconDigests } from '../../window-ports.ts';
import type { AttemptRun } from '../attempts/sign-in-attempts.ts';

export type Busy = NonNullable<IntegrationView['busy']>;

/** What this process has observed about an integration. Persistent state is in the list. */
export interface Observation {
  readonly error?: PosternError | undefined;
  /** When the error was seen, in milliseconds since 1970. */
  readonly seenAt?: number;
  /** What the server demanded when it refused the credential. The next sign-in satisfies it. */
  readonly refusal?: Refusal | undefined;
  /** The app whose call failed because of the refusal. */
  readonly wantedBy?: string | undefined;
  readonly busy?: Busy | undefined;
  readonly lastSignIn?: AttemptRun | undefined;
}

interface StatusInputs extends Observation {
  readonly storageProblem?: PosternError | undefined;
  /** Why its URL was unreachable last, through any entry with that URL. */
  readonly unreachable?: PosternError | undefined;
  /** The error in the stored entry. */
  readonly storedError?: PosternError | undefined;
  readonly refresh?: RefreshStatus | undefined;
  readonly connectionId?: string | undefined;
  /** Milliseconds since 1970. If omitted, nothing counts as expired. */
  readonly now?: number | undefined;
  readonly icons?: IconDigests | undefined;
  /** For a command, the status of its process. */
  readonly local?: Pick<LocalStatus, 'state' | 'failure'> | undefined;
}

/** An integration with its single, authoritative status. */
export function describeIntegration(integration: Integration, inputs: StatusInputs): IntegrationView {
  const { connectionId, refresh, icons } = inputs;
  const { issuerKey, failure: _failure, allowedCommand: _allowedCommand, ...listed } = integration;
  const issuer = publishedIssuer(integration, integration.options.endpoints?.token);
  const nextRefreshAt = refresh?.nextRefreshAt;
  const status = describeStatus(integration, inputs);
  const wantedBy = needsUser(status) ? inputs.wantedBy : undefined;
  const busy = inputs.busy ?? (refresh?.isRefreshing === true ? 'refreshing' : undefined);
  return {
    ...listed,
    notes: notesOf(integration),
    ...(issuerKey !== undefined && { signInHost: keyHost(issuerKey) }),
    ...(issuer !== undefined && { issuer }),
    host: displayHostAndPort(new URL(integration.url)),
    status,
    ...(icons && { icons }),
    ...(wantedBy !== undefined && { wantedBy }),
    missingScopes: missingScope(integration.scopeRequested, integration.scope),
    ...(nextRefreshAt !== undefined && { nextRefreshAt }),
    ...(connectionId !== undefined && { connectionId }),
    ...(connectionId !== undefined ? { busy: 'signingIn' } : busy && { busy }),
  };
}

/** True if only the user can fix it: by signing in, granting more scopes, or entering another key. */
function needsUser({ name }: IntegrationStatus): boolean {
  return name === 'signIn' || name === 'signInAgain' || name === 'needsAccess';
}

type StoredEntry = Pick<Integration, 'state'> & Partial<Integration>;

/** Precedence: storage problem, then missing sign-in, then the last error of the server. */
export function describeStatus(integration: StoredEntry, inputs: StatusInputs): IntegrationStatus {
  const { storageProblem, refresh, local, now = 0 } = inputs;
  const latestError = local?.failure ?? inputs.error ?? refresh?.error ?? inputs.unreachable ?? inputs.storedError;
  const error = latestError && local && hasTrait(latestError, 'local-state') ? undefined : latestError;
  const stored = storedStatus(integration, now, local && endedStatus(local.state));
  const retryAt = refresh?.error ? refresh.nextRefreshAt : stored === 'offline' ? integration.retryAt : undefined;
  if (storageProblem) return { name: 'storageProblem', error: toPlainError(storageProblem) };
  if (stored === 'signIn' || stored === 'notAllowed' || stored === 'stopped') return { name: stored };
  if (stored === 'signInAgain') {
    const plainError = error ? toPlainError(error) : (refreshRefusal(integration) ?? storedFailure(integration));
    return { name: 'signInAgain', ...(plainError && { error: plainError }) };
  }
  const errorStatus = error && statusOf(error);
  const name = errorStatus ?? stored;
  if (name === 'ready') return { name };
  const remedy = (errorStatus ? error : integration.failure)?.remedy;
  const plainError = errorStatus ? toPlainError(error) : name === 'failing' ? storedFailure(integration) : undefined;
  return {
    name,
    ...(plainError && { error: plainError }),
    // Only without a more specific remedy.
    ...(name === 'failing' &&
      plainError &&
      hasTrait(plainError, 'not-mcp') &&
      !remedy && { mayHaveMoved: true as const }),
    ...(name === 'offline' && retryAt !== undefined && { retryAt }),
  };
}

/** The stored refresh refusal: the sign-in has most likely ended. */
function refreshRefusal({ state, renewalRefused, issuerKey }: StoredEntry): PlainError | undefined {
  if (state !== 'integrated' || renewalRefused !== true) return undefined;
  const detail = issuerKey === undefined ? {} : { host: keyHost(issuerKey) };
  return toPlainError(new PosternError('REFRESH_REFUSED', { stage: 'refresh', detail }));
}

const statusOfAction: Readonly<Record<UserAction, IntegrationStatus['name']>> = {
  'sign-in': 'signInAgain',
  key: 'signInAgain',
  permissions: 'needsAccess',
};

/** `undefined`: an error of a single operation, which says nothing about the integration. */
function statusOf(error: PosternError): IntegrationStatus['name'] | undefined {
  const action = userActionFor(remedyOf(error));
  if (action !== undefined) return statusOfAction[action];
  if (hasTrait(error, 'keychain') || hasTrait(error, 'profile')) return 'storageProblem';
  if (hasTrait(error, 'passing') || error instanceof ServerOutage) return 'offline';
  return isServerFailure(error) ? 'failing' : undefined;
}
