import { keyHeaderValue } from '../../shared/header-name.ts';
import type { Integration } from '../../shared/integration.ts';
import { displayHostAndPort, nameProblem, serverName } from '../address/display-text.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { hasSignIn, requireTokens, usesApiKey } from '../engine/records/api-key.ts';
import {
  checkEndpoints,
  withDefaultOptions,
  withoutClientAuthentication,
} from '../engine/records/integration-policy.ts';
import { runWithHistory } from '../engine/records/server-failure.ts';
import type { ProblemHistory } from '../engine/records/server-failure.ts';
import { saveCredentials } from '../engine/records/stored-secrets.ts';
import { deleteEverything, readList } from '../engine/removal/delete-everything.ts';
import type { DeletionReport } from '../engine/removal/delete-everything.ts';
import { storedTokens } from '../engine/refresh/access-token.ts';
import { renewStoredTokens } from '../engine/refresh/refresh-stored-tokens.ts';
import type { Renewal } from '../engine/refresh/refresh-stored-tokens.ts';
import { reauthenticate } from '../engine/sign-in/reauthenticate.ts';
import { Trace } from '../engine/trace/trace.ts';
import type { UseOptions } from '../engine/use/use-server.ts';
import { PosternError, requiresSignIn } from '../errors/postern-error.ts';
import { readTypedClient } from '../oauth/client/client-credentials.ts';
import type { HistoryStore, StoredData } from '../ports.ts';
import { Secret } from '../secret.ts';
import { removeWithEntries } from './app-changes.ts';
import type { RemovalScope } from './app-changes.ts';
import type { SignInScope } from './connect.ts';
import { noSignIn, readServer, readServers } from './operation.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/** Result of a requested refresh. `not-renewable`: nothing can refresh the access token, which is still valid. */
type IntegrationRenewal =
  | { readonly kind: 'renewed'; readonly integration: Integration }
  | { readonly kind: 'not-renewable'; readonly error: PosternError };

/**
 * Refreshes now, whatever the token's age; if another process was faster, uses its tokens. If that fails and the user
 * can sign in, they do; the old tokens stay until there are new ones. Errors: SIGN_IN_REQUIRED, REFRESH_*, KC_*.
 */
export async function renewIntegration(
  ports: EnginePorts,
  integration: Integration,
  { user, signal }: UseOptions,
): Promise<IntegrationRenewal> {
  const renewal = await renewNow(ports, integration, signal);
  if (renewal.kind === 'fresh')
    return { kind: 'renewed', integration: (await ports.store.read(integration.id)) ?? integration };
  if (user?.signIn) {
    const { error: reason } = renewal;
    return { kind: 'renewed', integration: await reauthenticate(ports, integration, { reason }, user.signIn, signal) };
  }
  if (renewal.kind === 'not-renewable') return renewal;
  throw renewal.error;
}

/** Errors: those that would also affect a sign-in. */
async function renewNow(ports: EnginePorts, integration: Integration, signal: AbortSignal): Promise<Renewal> {
  try {
    const stored = await storedTokens(ports, integration);
    return await renewStoredTokens(ports, integration, stored, 'requested', signal);
  } catch (error) {
    if (!(error instanceof PosternError) || !requiresSignIn(error)) throw error;
    return { kind: 'ended', error };
  }
}

type SignOutOutput = OperationOutput<'integration:signOut'>;

/** Signs out of and removes servers: undoably in a window, at once on the command line. */
export interface RemovalPort {
  signOut(servers: readonly Integration[]): Promise<SignOutOutput>;
  /** `changes`: IDs of the app file changes made for the removal. */
  remove(servers: readonly Integration[], changes: readonly string[]): Promise<SignOutOutput>;
  /** Finishes a pending deletion of this server. */
  finish(id: string): Promise<void>;
}

/** Shows that a server is in use, and the outcome. */
export type UsePort = <Result>(server: Integration, work: () => Promise<Result>) => Promise<Result>;

/**
 * Changes a server's name, or its options for the next sign-in. Errors: NOT_FOUND, NAME_TAKEN, NAME_INVALID, those of
 * the address rule, CFG_*.
 */
export async function updateServer(
  { ports, changed }: Pick<Surface, 'changed'> & { readonly ports: Pick<EnginePorts, 'store' | 'locks'> },
  { id, name, options }: OperationInput<'integration:update'>,
): Promise<OperationOutput<'integration:update'>> {
  const before = await readServer(ports, id);
  if (name !== undefined && nameProblem(name)) throw new PosternError('NAME_INVALID', { stage: 'postern' });
  if (options) checkEndpoints(before.url, withDefaultOptions({ ...before.options, ...options }));
  if (name !== undefined) await renameIntegration(ports, before, name);
  if (options)
    await ports.store.update(id, (server) => ({
      ...server,
      options: withDefaultOptions({ ...server.options, ...options }),
    }));
  await changed('integrations');
  return null;
}

/**
 * Renames an integration. Its alias stays, since app files contain it. Requires that `serverName` leaves something of
 * `name`. Errors: NAME_TAKEN if another one has it in any case, including one that can still be restored; NOT_FOUND;
 * CFG_*.
 */
export async function renameIntegration(
  { store, locks }: Pick<EnginePorts, 'store' | 'locks'>,
  { id }: Integration,
  name: string,
): Promise<Integration> {
  const shown = serverName(name);
  const plain = shown.toLocaleLowerCase('en');
  return await locks.hold('names', async () => {
    const pending = (await store.pendingDeletions()).map(({ integration }) => integration);
    const other = [...(await store.list()), ...pending].find(
      (one) => one.id !== id && one.name.toLocaleLowerCase('en') === plain,
    );
    if (other) {
      const place = displayHostAndPort(new URL(other.url));
      throw new PosternError('NAME_TAKEN', { stage: 'postern', detail: { name: other.name, place } });
    }
    const renamed = await store.update(id, (entry) => ({ ...entry, name: shown }));
    if (!renamed) throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
    return renamed;
  });
}

/**
 * Refreshes the access token now, whatever its age. Errors: SIGN_IN_REQUIRED, REFRESH_*, NO_SIGN_IN, API_KEY_INSTEAD,
 * NOT_FOUND, KC_*.
 */
export async function refreshServer(
  {
    ports,
    access,
    history,
    trackUse,
    changed,
  }: Pick<Surface, 'changed'> & {
    readonly ports: EnginePorts;
    readonly access: UseOptions;
    readonly history: ProblemHistory;
    readonly trackUse: UsePort;
  },
  { id }: OperationInput<'integration:refresh'>,
): Promise<OperationOutput<'integration:refresh'>> {
  const server = await readServer(ports, id);
  requireTokens(server);
  const { clock } = ports;
  const renewal = await trackUse(server, () =>
    runWithHistory({ history, clock }, server, () => renewIntegration(ports, server, access)),
  );
  await changed('integrations');
  // Nothing is wrong with the server, so only the caller gets the error.
  if (renewal.kind === 'not-renewable') throw renewal.error;
  return null;
}

/**
 * Signs out of servers; the servers stay. Null: the user declined. No services are returned for servers without a
 * sign-in. Errors: NOT_FOUND, KC_*, CFG_*.
 */
export async function signOutServers(
  {
    ports,
    user,
    removal,
    changed,
  }: Surface & { readonly ports: Pick<EnginePorts, 'store'>; readonly removal: Pick<RemovalPort, 'signOut'> },
  { ids }: OperationInput<'integration:signOut'>,
): Promise<OperationOutput<'integration:signOut'>> {
  // An open server has no sign-in, and reporting a deletion would be false. A signed-out one may still have tokens:
  // after a sign-out that failed halfway, or while a window can undo it.
  const servers = (await readServers(ports, ids)).filter(hasSignIn);
  if (servers.length === 0) return { services: [] };
  if (!(await user.confirm({ kind: 'sign-out', servers }))) return null;
  const outcome = await removal.signOut(servers);
  await changed('integrations');
  return outcome;
}

/**
 * Deletes servers and everything stored for them, after their entries in app files. Null: the user declined. Asked
 * although it can be undone at first: a page can end that time, and then settings, keys and variables are gone for
 * good. After a sign-out, a new sign-in is all that is needed. Errors: NOT_FOUND, KC_*, CFG_*, those of `removeWithEntries`.
 */
export async function removeServers(
  scope: Surface &
    RemovalScope & { readonly ports: Pick<EnginePorts, 'store'>; readonly removal: Pick<RemovalPort, 'remove'> },
  { ids, entries = [] }: OperationInput<'integration:remove'>,
): Promise<OperationOutput<'integration:remove'>> {
  const { user, removal, changed } = scope;
  const servers = await readServers(scope.ports, ids);
  if (!(await user.confirm({ kind: 'remove', servers, entries }))) return null;
  const outcome = await removeWithEntries(scope, { kind: 'servers', servers }, entries, (changes) =>
    removal.remove(servers, changes),
  );
  await changed('integrations', 'apps');
  return outcome;
}

/**
 * Deletes everything Postern stores, after the entries in app files. `undefined`: the user declined. What could not be
 * deleted is in `failure`. Errors: CFG_NEWER, CFG_*, those of `removeWithEntries`.
 */
export async function removeEverything(
  scope: Surface &
    RemovalScope & {
      readonly ports: EnginePorts;
      readonly access: Pick<UseOptions, 'signal'>;
      /** Stops other users of the data in this process, runs `work` on it, and restarts them. */
      readonly runExclusively: (work: (data: StoredData) => Promise<DeletionReport>) => Promise<DeletionReport>;
      /** A server was deleted locally; its service may still be awaited. */
      readonly onDeletedLocally: (id: string) => void;
    },
  { entries = [] }: OperationInput<'storage:deleteEverything'>,
): Promise<DeletionReport | undefined> {
  const { ports, user, access, runExclusively, onDeletedLocally, changed } = scope;
  const servers = await readList(ports);
  if (!(await user.confirm({ kind: 'remove-everything', servers: servers?.length, entries }))) return undefined;
  const remove = async (): Promise<DeletionReport> =>
    await runExclusively((data) =>
      deleteEverything(ports, data, { signal: access.signal, onForgotten: onDeletedLocally }),
    );
  // An unreadable list names no servers, but everything can still be deleted.
  const deleted = servers
    ? await removeWithEntries(scope, { kind: 'everything', servers }, entries, remove)
    : await remove();
  await changed('desktop', 'integrations', 'apps', 'collections');
  return deleted;
}

/**
 * Stores a client that the user entered, for the next sign-in. Errors: SIGN_IN_REQUIRED before the first one, those of
 * `readTypedClient`, KC_*.
 */
export async function setCredentials(
  { ports, changed }: Pick<Surface, 'changed'> & { readonly ports: Pick<EnginePorts, 'store' | 'vault'> },
  { id, clientId, clientSecret, clientAuthentication, secretExpiresAt }: OperationInput<'integration:setCredentials'>,
): Promise<OperationOutput<'integration:setCredentials'>> {
  const { issuerKey, redirectUri } = await readServer(ports, id);
  if (issuerKey === undefined || redirectUri === undefined)
    throw new PosternError('SIGN_IN_REQUIRED', { stage: 'credentials' });
  await saveCredentials(await ports.vault(), id, {
    ...readTypedClient({ clientId, clientSecret }),
    ...(clientAuthentication && { authentication: clientAuthentication }),
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
    source: 'typed',
    issuerKey,
    redirectUri,
  });
  // The old secret's expiry and authentication method no longer apply.
  await ports.store.update(id, ({ clientSecretExpiresAt: _old, ...server }) => ({
    ...server,
    options: withoutClientAuthentication(server.options),
    ...(secretExpiresAt !== undefined && { clientSecretExpiresAt: secretExpiresAt }),
  }));
  await changed('integrations');
  return null;
}

/**
 * Replaces a server's key under the same header, once the server has accepted the new one; until then the old key
 * stays. Errors: API_KEY_INVALID, API_KEY_REFUSED and the others of `connect`.
 */
export async function replaceKey(
  {
    ports,
    history,
    removal,
    keyReplaced,
    changed,
  }: Pick<Surface, 'changed'> & {
    readonly ports: EnginePorts;
    readonly history: HistoryStore;
    readonly removal: Pick<RemovalPort, 'finish'>;
    /** Clears problems of the old key. */
    readonly keyReplaced: (server: Integration) => void;
  },
  { id, value: typed }: OperationInput<'integration:replaceKey'>,
): Promise<OperationOutput<'integration:replaceKey'>> {
  await removal.finish(id);
  const server = await readServer(ports, id);
  const value = keyHeaderValue(typed);
  if (!usesApiKey(server) || value === undefined) throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
  const tracing = { trace: new Trace(ports.clock), history: async () => history };
  const signInContext = { ports, user: { signIn: noSignIn } };
  const { connect, runTracedSignIn } = await import('./connect.ts');
  const traceSignIn: SignInScope['traceSignIn'] = (listed, work) =>
    runTracedSignIn(signInContext, tracing, listed, work);
  const scope = { ...signInContext, signal: new AbortController().signal, traceSignIn };
  const { url, options } = server;
  await connect(scope, { url, options, existing: server, key: { value: new Secret(value) }, surface: 'window' });
  keyReplaced(server);
  await changed('integrations');
  return null;
}

export const serverOperations = {
  'integration:refresh': refreshServer,
  'integration:remove': removeServers,
  'integration:replaceKey': replaceKey,
  'integration:setCredentials': setCredentials,
  'integration:signOut': signOutServers,
  'integration:update': updateServer,
} as const;
