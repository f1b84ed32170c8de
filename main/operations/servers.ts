import { keyHeaderValue } from '../../shared/header-name.ts';
import type { Integration } from '../../shared/integration.ts';
import { displayPlace, nameProblem, serverName } from '../address/display-text.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { hasSignIn, requireTokens, usesApiKey } from '../engine/kept/api-key.ts';
import { checkEndpoints, defaultOptions, withoutSecretMethod } from '../engine/kept/integration-policy.ts';
import { notingProblem } from '../engine/kept/kept-failure.ts';
import type { ProblemHistory } from '../engine/kept/kept-failure.ts';
import { saveCredentials } from '../engine/kept/stored-secrets.ts';
import { deleteEverything, readList } from '../engine/leave/delete-everything.ts';
import type { Deleted } from '../engine/leave/delete-everything.ts';
import { storedTokens } from '../engine/refresh/access-token.ts';
import { renewStoredTokens } from '../engine/refresh/refresh-stored-tokens.ts';
import type { Renewal } from '../engine/refresh/refresh-stored-tokens.ts';
import { reauthenticate } from '../engine/sign-in/reauthenticate.ts';
import { Trace } from '../engine/trace/trace.ts';
import type { Access } from '../engine/use/use-server.ts';
import { PosternError, wantsSignIn } from '../errors/postern-error.ts';
import { readTypedClient } from '../oauth/client/client-credentials.ts';
import type { HistoryStore, KeptData } from '../ports.ts';
import { Secret } from '../secret.ts';
import { removeWithEntries } from './app-changes.ts';
import type { RemovalScope } from './app-changes.ts';
import type { SignInScope } from './connect.ts';
import { noSignIn, readServer, readServers } from './operation.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/** A refresh that somebody asked for: done, or of no use while the access token lives and nothing can renew it. */
type IntegrationRenewal =
  | { readonly kind: 'renewed'; readonly integration: Integration }
  | { readonly kind: 'not-renewable'; readonly error: PosternError };

/**
 * Refreshes now, whatever the token's age. Whoever loses a race takes the winner's tokens. Where the user can
 * sign in, they do so when that fails; the old tokens stay until it has brought new ones.
 * Errors: SIGN_IN_REQUIRED, REFRESH_*, KC_*.
 */
export async function renewIntegration(
  ports: EnginePorts,
  integration: Integration,
  { user, signal }: Access,
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

/** Errors: those that a sign-in would meet as well. */
async function renewNow(ports: EnginePorts, integration: Integration, signal: AbortSignal): Promise<Renewal> {
  try {
    const stored = await storedTokens(ports, integration);
    return await renewStoredTokens(ports, integration, stored, 'asked', signal);
  } catch (error) {
    if (!(error instanceof PosternError) || !wantsSignIn(error)) throw error;
    return { kind: 'ended', error };
  }
}

type Left = OperationOutput<'integration:signOut'>;

/** How servers are signed out of and removed: a window can undo it for a while, the command line does it at once. */
export interface LeavePort {
  signOut(servers: readonly Integration[]): Promise<Left>;
  /** `changes`: ids of those of app files that were made for it. */
  remove(servers: readonly Integration[], changes: readonly string[]): Promise<Left>;
  /** Nothing of this server waits for an undo any more. */
  finish(id: string): Promise<void>;
}

/** Shows that a server is used meanwhile, and how that went. */
export type UsePort = <Result>(server: Integration, work: () => Promise<Result>) => Promise<Result>;

/**
 * Gives a server another name, or other options for its next sign-in. Errors: NOT_FOUND, NAME_TAKEN, NAME_INVALID, those
 * of the address rule, CFG_*.
 */
export async function updateServer(
  { ports, changed }: Pick<Surface, 'changed'> & { readonly ports: Pick<EnginePorts, 'store' | 'locks'> },
  { id, name, options }: OperationInput<'integration:update'>,
): Promise<OperationOutput<'integration:update'>> {
  const before = await readServer(ports, id);
  if (name !== undefined && nameProblem(name)) throw new PosternError('NAME_INVALID', { stage: 'app' });
  if (options) checkEndpoints(before.url, defaultOptions({ ...before.options, ...options }));
  if (name !== undefined) await renameIntegration(ports, before, name);
  if (options)
    await ports.store.update(id, (server) => ({
      ...server,
      options: defaultOptions({ ...server.options, ...options }),
    }));
  await changed('integrations');
  return null;
}

/**
 * Gives an integration another name; its alias stays, since files of programs hold it. `serverName` leaves something of `name`.
 * Errors: NAME_TAKEN where another one has it in whatever case, also one that may still come back; NOT_FOUND; CFG_*.
 */
export async function renameIntegration(
  { store, locks }: Pick<EnginePorts, 'store' | 'locks'>,
  { id }: Integration,
  name: string,
): Promise<Integration> {
  const shown = serverName(name);
  const plain = shown.toLocaleLowerCase('en');
  return await locks.hold('names', async () => {
    const leaving = (await store.pendingDeletions()).map(({ integration }) => integration);
    const other = [...(await store.list()), ...leaving].find(
      (one) => one.id !== id && one.name.toLocaleLowerCase('en') === plain,
    );
    if (other) {
      const place = displayPlace(new URL(other.url));
      throw new PosternError('NAME_TAKEN', { stage: 'app', detail: { name: other.name, place } });
    }
    const renamed = await store.update(id, (kept) => ({ ...kept, name: shown }));
    if (!renamed) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
    return renamed;
  });
}

/** Renews the access token now, whatever its age. Errors: SIGN_IN_REQUIRED, REFRESH_*, NO_SIGN_IN, API_KEY_INSTEAD, NOT_FOUND, KC_*. */
export async function refreshServer(
  {
    ports,
    access,
    history,
    during,
    changed,
  }: Pick<Surface, 'changed'> & {
    readonly ports: EnginePorts;
    readonly access: Access;
    readonly history: ProblemHistory;
    readonly during: UsePort;
  },
  { id }: OperationInput<'integration:refresh'>,
): Promise<OperationOutput<'integration:refresh'>> {
  const server = await readServer(ports, id);
  requireTokens(server);
  const { clock } = ports;
  const renewal = await during(server, () =>
    notingProblem({ history, clock }, server, () => renewIntegration(ports, server, access)),
  );
  await changed('integrations');
  // Nothing is wrong with the server, so only the caller is told.
  if (renewal.kind === 'not-renewable') throw renewal.error;
  return null;
}

/**
 * Deletes sign-ins; the servers stay. Null: the user said no. Where none can have a sign-in, there is no service. Errors:
 * NOT_FOUND, KC_*, CFG_*.
 */
export async function signOutServers(
  {
    ports,
    user,
    leave,
    changed,
  }: Surface & { readonly ports: Pick<EnginePorts, 'store'>; readonly leave: Pick<LeavePort, 'signOut'> },
  { ids }: OperationInput<'integration:signOut'>,
): Promise<OperationOutput<'integration:signOut'>> {
  // Another answers without a credential, and saying that it was deleted would be a lie. One that is signed out may still
  // have its tokens: after a sign-out that failed halfway, or while a window can undo it.
  const servers = (await readServers(ports, ids)).filter(hasSignIn);
  if (servers.length === 0) return { services: [] };
  if (!(await user.confirm({ kind: 'sign-out', servers }))) return null;
  const left = await leave.signOut(servers);
  await changed('integrations');
  return left;
}

/**
 * Deletes servers and all that is stored of them, after their entries in the files of apps. Null: the user said no. Errors:
 * NOT_FOUND, KC_*, CFG_*, those of `removeWithEntries`.
 */
export async function removeServers(
  scope: Surface &
    RemovalScope & { readonly ports: Pick<EnginePorts, 'store'>; readonly leave: Pick<LeavePort, 'remove'> },
  { ids, entries = [] }: OperationInput<'integration:remove'>,
): Promise<OperationOutput<'integration:remove'>> {
  const { user, leave, changed } = scope;
  const servers = await readServers(scope.ports, ids);
  if (!(await user.confirm({ kind: 'remove', servers, entries }))) return null;
  const left = await removeWithEntries(scope, { kind: 'servers', servers }, entries, (changes) =>
    leave.remove(servers, changes),
  );
  await changed('integrations', 'programs');
  return left;
}

/**
 * Deletes all that Postern stores of the user, after the entries in the files of apps. `undefined`: the user said no. What
 * could not be deleted is in `failure`. Errors: CFG_NEWER, CFG_*, those of `removeWithEntries`.
 */
export async function removeEverything(
  scope: Surface &
    RemovalScope & {
      readonly ports: EnginePorts;
      readonly access: Pick<Access, 'signal'>;
      /** Ends what else uses the data in this process, runs `work` on it, and begins anew. */
      readonly alone: (work: (kept: KeptData) => Promise<Deleted>) => Promise<Deleted>;
      /** A server is gone; its service may still be waited for. */
      readonly onForgotten: (id: string) => void;
    },
  { entries = [] }: OperationInput<'storage:deleteEverything'>,
): Promise<Deleted | undefined> {
  const { ports, user, access, alone, onForgotten, changed } = scope;
  const servers = await readList(ports);
  if (!(await user.confirm({ kind: 'remove-everything', servers: servers?.length, entries }))) return undefined;
  const remove = async (): Promise<Deleted> =>
    await alone((kept) => deleteEverything(ports, kept, { signal: access.signal, onForgotten }));
  // A list that cannot be read names nobody, and everything can be deleted all the same.
  const deleted = servers
    ? await removeWithEntries(scope, { kind: 'everything', servers }, entries, remove)
    : await remove();
  await changed('app', 'integrations', 'programs', 'collections');
  return deleted;
}

/** Stores a client that the user has typed, for the next sign-in. Errors: SIGN_IN_REQUIRED before the first one, those of `readTypedClient`, KC_*. */
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
  // What was said of the secret before, and what reminds of its end, was of the old one.
  await ports.store.update(id, ({ clientSecretExpiresAt: _old, ...server }) => ({
    ...server,
    options: withoutSecretMethod(server.options),
    ...(secretExpiresAt !== undefined && { clientSecretExpiresAt: secretExpiresAt }),
  }));
  await changed('integrations');
  return null;
}

/**
 * Another key for a server that has one, under the same header. The server has to take it first: until then the old key,
 * and what is known of it, stay. Errors: API_KEY_INVALID, API_KEY_REFUSED and the others of `connect`.
 */
export async function replaceKey(
  {
    ports,
    history,
    leave,
    keyReplaced,
    changed,
  }: Pick<Surface, 'changed'> & {
    readonly ports: EnginePorts;
    readonly history: HistoryStore;
    readonly leave: Pick<LeavePort, 'finish'>;
    /** What was wrong with the old key is over. */
    readonly keyReplaced: (server: Integration) => void;
  },
  { id, value: typed }: OperationInput<'integration:replaceKey'>,
): Promise<OperationOutput<'integration:replaceKey'>> {
  await leave.finish(id);
  const server = await readServer(ports, id);
  const value = keyHeaderValue(typed);
  if (!usesApiKey(server) || value === undefined) throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
  const kept = { trace: new Trace(ports.clock), history: async () => history };
  const signing = { ports, user: { signIn: noSignIn } };
  const { connect, runNoted } = await import('./connect.ts');
  const noted: SignInScope['noted'] = (again, work) => runNoted(signing, kept, again, work);
  const scope = { ...signing, signal: new AbortController().signal, noted };
  const { url, options } = server;
  await connect(scope, { url, options, again: server, key: { value: new Secret(value) }, surface: 'window' });
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
