import { notesOf } from '../../shared/compatibility-notes.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { KeptSignIn } from '../../shared/trace.ts';
import { displayPlace, displayText } from '../address/display-text.ts';
import { classifyHost } from '../address/host.ts';
import { parseTypedAddress } from '../address/typed-address.ts';
import { connectServer } from '../engine/connect/connect-server.ts';
import type { Connected, ConnectRequest } from '../engine/connect/connect-server.ts';
import { connectWithKey } from '../engine/connect/connect-with-key.ts';
import { inspectServer } from '../engine/connect/inspect-server.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { hasKeysInAddress, requireSignIn, usesApiKey } from '../engine/kept/api-key.ts';
import { findIntegration, ServerIndex } from '../engine/kept/find-integration.ts';
import { defaultOptions } from '../engine/kept/integration-policy.ts';
import { keysIn } from '../engine/kept/stored-secrets.ts';
import { removeIntegration } from '../engine/leave/remove-integration.ts';
import type { Removed } from '../engine/leave/remove-integration.ts';
import { hostsToAgree, signInHosts } from '../engine/sign-in/agree-to-hosts.ts';
import { discoverServer } from '../engine/sign-in/discover-server.ts';
import type { DiscoverRequest } from '../engine/sign-in/discover-server.ts';
import { Flow } from '../engine/sign-in/flow.ts';
import type { Inspection } from '../engine/sign-in/flow.ts';
import { reauthenticate } from '../engine/sign-in/reauthenticate.ts';
import type { NewSignIn } from '../engine/sign-in/reauthenticate.ts';
import { traceHttp } from '../engine/trace/trace.ts';
import type { Trace } from '../engine/trace/trace.ts';
import { isOutcome, PosternError } from '../errors/postern-error.ts';
import { isUnderException } from '../issuer-key.ts';
import type { FixedHeader } from '../mcp/http/credential-gate.ts';
import { listsPkce } from '../oauth/authorization/authorization-request.ts';
import type { Discovery, DiscoveryStep } from '../oauth/discovery/discovery.ts';
import { metadataEndpoints } from '../oauth/wire/messages.ts';
import type { Clock, HistoryStore } from '../ports.ts';
import { splitAddress, withoutKeys } from '../secret.ts';
import type { Secret } from '../secret.ts';
import type { User } from './operation.ts';

/** What sends the requests of a sign-in, and who signs in. */
interface SigningIn {
  readonly ports: EnginePorts;
  readonly user: Required<Pick<User, 'signIn'>>;
}

/** Runs a sign-in with its requests written down. `server`: the one of the list that it is for, if there is one. */
type NotePort = <Result extends { readonly integration?: Integration | undefined }>(
  server: Integration | undefined,
  work: (traced: SigningIn) => Promise<Result>,
) => Promise<Result>;

export interface SignInScope extends SigningIn {
  readonly signal: AbortSignal;
  /** Left out: whoever calls the operation has traced its ports and its user. */
  readonly noted?: NotePort;
}

function noted<Result extends { readonly integration?: Integration | undefined }>(
  scope: SignInScope,
  server: Integration | undefined,
  work: (traced: SigningIn) => Promise<Result>,
): Promise<Result> {
  return scope.noted ? scope.noted(server, work) : work(scope);
}

interface LookRequest extends Pick<DiscoverRequest, 'url' | 'isTyped' | 'bringsKey'> {
  readonly options: Partial<IntegrationOptions>;
  readonly flow?: Flow;
  /** What is published is enough; left out, a server without a sign-in has to list its tools as well. */
  readonly isDocumentsOnly?: true;
}

/** Answers what the service at an address is known to need: what the user chooses comes before it. */
export async function loadKnownOptions(): Promise<(url: string) => NonNullable<KnownServer['options']>> {
  const { findKnownServer } = await import('../../shared/known-servers.ts');
  return (url) => findKnownServer(url)?.options ?? {};
}

/**
 * Finds out how a server handles sign-in. Opens and stores nothing. Errors: those of `inspectServer`, with
 * `isDocumentsOnly` of `discoverServer`.
 */
export async function discover(
  scope: SignInScope,
  { flow: shown, isDocumentsOnly, options: chosen, ...request }: LookRequest,
): Promise<Inspection> {
  const { signal } = scope;
  const flow = shown ?? new Flow(scope.ports.log);
  const question = { ...request, options: await settledOptions(request.url, chosen, shown) };
  const onStep = (step: DiscoveryStep): void => flow.report(step);
  const { inspection } = await noted(scope, undefined, async ({ ports, user: { signIn } }) => {
    flow.begin(signIn);
    if (isDocumentsOnly) {
      const published: Inspection = { discovery: await discoverServer(ports, question, onStep, signal) };
      flow.show(published);
      return { integration: undefined, inspection: published };
    }
    flow.advance({ type: 'discover' });
    const found = await inspectServer(ports, question, onStep, signal);
    flow.rest(found);
    return { integration: undefined, inspection: found };
  });
  return inspection;
}

export interface WantedServer extends Pick<
  ConnectRequest,
  'url' | 'name' | 'again' | 'inspection' | 'credentials' | 'registrationToken' | 'timeout' | 'surface' | 'flow'
> {
  /** With `again` all of them. Of a server that has the name already, what its address is reached by stays. */
  readonly options: Partial<IntegrationOptions>;
  /** Instead of a sign-in, in the header that `options` names. */
  readonly key?: { readonly value: Secret; readonly further?: readonly FixedHeader[] | undefined } | undefined;
  /** Keys of the entry of a list that the address came from. */
  readonly listedKeys?: readonly FixedHeader[] | undefined;
  /** Refers to the server whose sign-in it goes with (`grant: enterprise`). */
  readonly identityProvider?: string | undefined;
  /**
   * A name stands for one server: the same server is signed in again, another one refused or replaced. Left out, the new
   * one gets a number behind its name.
   */
  readonly onSameName?: 'refuse' | 'replace';
}

export interface ConnectedServer extends Connected {
  /** It was in the list, with the keys of this entry: nothing was done. */
  readonly isListed: boolean;
  /** What gave its name up, and is removed. */
  readonly replaced?: Removed | undefined;
  /** Others with its address, which stay. */
  readonly beside: readonly Integration[];
}

/** The server is not one that others sign in with. */
export class NotIdentityProvider extends PosternError {
  constructor() {
    super('IPC_SCHEMA', { stage: 'app' });
  }
}

/**
 * The whole way from an address to a server that works, by a sign-in or with a key. A failure leaves nothing behind, and
 * whatever had the name. Errors: those of `connectServer` and `connectWithKey`, NAME_TAKEN, as `NotIdentityProvider`,
 * NOT_FOUND for an identity provider that is not there, CFG_*.
 */
export async function connect(scope: SignInScope, wanted: WantedServer): Promise<ConnectedServer> {
  const { ports, signal } = scope;
  const { key, listedKeys, identityProvider, onSameName, ...request } = wanted;
  // Fail before the sign-in where the list cannot be read.
  const list = await ports.store.list();
  const provider = identityProvider === undefined ? undefined : await findProvider(ports, identityProvider);
  const chosen = { ...wanted.options, ...(provider && { identityProvider: provider }) };
  const before = onSameName ? await findBefore(ports, { ...wanted, options: chosen, onSameName }) : undefined;
  const { again = wanted.again, replaced } = before ?? {};
  const options = wanted.again
    ? defaultOptions(chosen)
    : await settledOptions(wanted.url, { ...(again && reachOf(again)), ...chosen }, wanted.flow);
  const connecting = { ...request, options, again, takesNameOf: replaced?.id };

  const work = async (): Promise<Omit<ConnectedServer, 'replaced' | 'beside'>> => {
    const same = await findListed(scope, wanted);
    if (same) return { integration: same, tools: [], warnings: [], isListed: true };
    const { flow } = wanted;
    const connected = await noted(scope, again, async (traced) => {
      if (!key) return await connectServer(traced.ports, connecting, traced.user.signIn, signal);
      flow?.begin(traced.user.signIn, flow.state);
      const tried = await connectWithKey(traced.ports, { ...connecting, key: key.value, further: key.further }, signal);
      flow?.advance({ type: 'keyTaken', integrationId: tried.integration.id });
      return tried;
    });
    return { ...connected, isListed: false };
  };
  // Entries that are the same server may be connected side by side.
  const isShared = key !== undefined && listedKeys !== undefined;
  const connected = await (isShared ? ports.locks.hold(`listed ${withoutKeys(wanted.url)}`, work, signal) : work());
  const { id, url } = connected.integration;
  return {
    ...connected,
    replaced: replaced && (await removeIntegration(ports, replaced, signal)),
    beside: list.filter((one) => one.url === url && one.id !== id && one.id !== replaced?.id),
  };
}

/** Of what is in sight all was chosen as it was discovered, and what the user has taken back since stays so. */
async function settledOptions(
  url: string,
  chosen: Partial<IntegrationOptions>,
  flow: Flow | undefined,
): Promise<IntegrationOptions> {
  return defaultOptions({ ...(!flow && (await loadKnownOptions())(url)), ...chosen });
}

/** What the address of a server needs to be reached; how it is signed in to is chosen anew. */
function reachOf({ options }: Integration): Partial<IntegrationOptions> {
  const { local, allowHttp, allowedHosts, agreedHosts } = options;
  return { local, allowHttp, allowedHosts, ...(agreedHosts && { agreedHosts }) };
}

/**
 * Signs in to a server again, with `freshLogin` as another account. The sign-in that is there stays until that has
 * worked. Errors: those of `reauthenticate` and `requireSignIn`.
 */
export async function signInAgain(scope: SignInScope, server: Integration, demand: NewSignIn): Promise<Integration> {
  requireSignIn(server);
  const { integration } = await noted(scope, server, async ({ ports, user }) => ({
    integration: await reauthenticate(ports, server, demand, user.signIn, scope.signal),
  }));
  return integration;
}

/**
 * Runs a sign-in with its requests written down in `trace`, and stores them in the history of its server; of one that
 * failed only where the server was in the list before. Without `history` nothing is stored. Errors: those of `work`.
 */
export async function runNoted<Result extends { readonly integration?: Integration | undefined }>(
  { ports, user }: SigningIn,
  { trace, history }: { readonly trace: Trace; readonly history: (() => Promise<HistoryStore>) | undefined },
  server: Integration | undefined,
  work: (traced: SigningIn) => Promise<Result>,
): Promise<Result> {
  const { clock } = ports;
  const at = clock.now();
  const note = async (id: string | undefined, error?: unknown): Promise<void> => {
    if (!history || id === undefined) return;
    try {
      await noteSignIn({ history: await history(), clock }, id, { at, entries: [...trace.entries()] }, error);
    } catch {
      // The work is done, or has failed for a reason of its own.
    }
  };
  try {
    const result = await work({ ports: { ...ports, http: traceHttp(ports.http, trace) }, user });
    await note(result.integration?.id);
    return result;
  } catch (error) {
    trace.conclude(error);
    await note(server?.id, error);
    throw error;
  }
}

/**
 * Stores a sign-in in the history of its server, request by request, and why it failed where it did. `ended`: what it
 * threw, for a server that was in the list before. Errors: CFG_*.
 */
export async function noteSignIn(
  { history, clock }: { readonly history: HistoryStore; readonly clock: Pick<Clock, 'now'> },
  id: string,
  signIn: KeptSignIn,
  ended?: unknown,
): Promise<void> {
  if (isOutcome(ended)) await history.note(id, [{ kind: 'signInFailed', at: clock.now(), code: ended.code }]);
  await history.keepSignIn(id, signIn);
}

/**
 * Whether a verdict can be followed without asking: the user wants that, Postern comes by its client itself, everything
 * is encrypted or stays on this computer, nothing is a warning or a choice, and the server is not in the list yet.
 * `brought`: a key or a client that came along, which is looked at first. Errors: CFG_*.
 */
export async function leavesNothingToDecide(
  { store }: Pick<EnginePorts, 'store'>,
  { discovery, open }: Inspection,
  { url, options, brought }: Pick<ConnectRequest, 'url' | 'options'> & { readonly brought: unknown },
): Promise<boolean> {
  const { connectAtOnce = false } = await store.settings();
  if (!connectAtOnce || (await store.list()).some((server) => server.url === withoutKeys(url))) return false;
  if (brought ?? options.grant ?? options.isIdentityProvider) return false;
  const { method, metadata } = discovery;
  const signsIn = method !== 'NoAuth';
  const addresses = [discovery.url, ...metadataEndpoints.flatMap((name) => metadata?.[name] ?? [])];
  // A path that answers so may be mistyped, and still finds the sign-in of the whole host.
  const isDoubtful = signsIn && (discovery.probeStatus === 404 || discovery.probeStatus === 405);
  return (
    (signsIn ? method !== 'OAuth' : open !== undefined) &&
    isSettled(discovery, options) &&
    signInHosts(discovery)?.differentOwner !== true &&
    discovery.alternatives.length === 0 &&
    !isDoubtful &&
    (!signsIn || listsPkce(metadata) || options.pkce === 'always') &&
    addresses.every((address) => isSheltered(new URL(address), options.local))
  );
}

/** Whether what was found has nothing that the user has to agree to or to read first. */
export function isSettled(discovery: Discovery, options: IntegrationOptions): boolean {
  const { issuerKey } = discovery;
  const isExcepted = issuerKey !== undefined && isUnderException(issuerKey);
  const hasHosts = hostsToAgree(discovery, { options }).length > 0;
  return !isExcepted && !hasHosts && !notesOf(discovery).includes('host-confusable');
}

/** On this computer, or encrypted and outside the user's network, which `local` would let it lead into. */
function isSheltered({ protocol, hostname }: URL, local: boolean): boolean {
  const place = classifyHost(hostname);
  return place === 'loopback' || (!local && protocol === 'https:' && (place === 'name' || place === 'public'));
}

/**
 * The server that an entry of a list is, however it came there since the list was read: the one with its address and its
 * keys, which the attempt then ends with. An entry without keys is none of them. Errors: CFG_*, KC_*.
 */
export async function findListed(
  { ports: { store, vault }, user: { signIn } }: SigningIn,
  { url, listedKeys: headers, flow }: Pick<WantedServer, 'url' | 'listedKeys' | 'flow'>,
): Promise<Integration | undefined> {
  const address = headers === undefined ? null : URL.parse(url);
  if (!address || !headers) return undefined;
  if (headers.length === 0 && splitAddress(address.href).parts.length === 0) return undefined;
  const same = await new ServerIndex(await store.list(), keysIn(vault)).findSame({ address, headers }, () => false);
  if (same) {
    flow?.begin(signIn, flow.state);
    flow?.advance({ type: 'keyTaken', integrationId: same.id });
  }
  return same;
}

/** What was in the list before: the same server, which keeps its id, or one that gives up its name. */
interface Before {
  readonly again?: Integration;
  readonly replaced?: Integration;
}

/**
 * Scripts know a server by its name, and a second one of that name would leave them with the first one's sign-in. Errors:
 * NAME_TAKEN, those of the address rule, CFG_*.
 */
async function findBefore(
  { store }: Pick<EnginePorts, 'store'>,
  { name: typed, url, options, onSameName }: Pick<WantedServer, 'name' | 'url' | 'options' | 'onSameName'>,
): Promise<Before> {
  if (typed === undefined) return {};
  const { href, parts } = splitAddress(parseTypedAddress(url).href);
  const name = displayText(typed);
  const existing = (await store.list()).find((one) => one.name === name);
  if (existing === undefined) return {};
  // The same server with an API key and with a sign-in is two.
  const usesKey = parts.length > 0 || options.headerName !== undefined;
  if (existing.url === href && (usesApiKey(existing) || hasKeysInAddress(existing)) === usesKey)
    return { again: existing };
  if (onSameName === 'replace') return { replaced: existing };
  const place = new URL(existing.url);
  throw new PosternError('NAME_TAKEN', {
    stage: 'address',
    detail: { name: existing.name, place: `${displayPlace(place)}${place.pathname}`.slice(0, 200) },
  });
}

/** By the id that is stored: a name may change. Errors: NOT_FOUND, as `NotIdentityProvider`, CFG_*. */
async function findProvider({ store }: Pick<EnginePorts, 'store'>, reference: string): Promise<string> {
  const { id, options } = await findIntegration(store, reference);
  if (options.isIdentityProvider) return id;
  throw new NotIdentityProvider();
}
