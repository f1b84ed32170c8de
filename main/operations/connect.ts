import { notesOf } from '../../shared/compatibility-notes.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { TracedSignIn } from '../../shared/trace.ts';
import { displayHostAndPort, displayText } from '../address/display-text.ts';
import { classifyHost } from '../address/host.ts';
import { parseTypedAddress } from '../address/typed-address.ts';
import { connectServer } from '../engine/connect/connect-server.ts';
import type { ConnectResult, ConnectRequest } from '../engine/connect/connect-server.ts';
import { connectWithKey } from '../engine/connect/connect-with-key.ts';
import { inspectServer } from '../engine/connect/inspect-server.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { hasKeysInAddress, requireSignIn, usesApiKey } from '../engine/records/api-key.ts';
import { findIntegration, ServerIndex } from '../engine/records/find-integration.ts';
import { withDefaultOptions } from '../engine/records/integration-policy.ts';
import { keysIn } from '../engine/records/stored-secrets.ts';
import { removeIntegration } from '../engine/removal/remove-integration.ts';
import type { RemovalResult } from '../engine/removal/remove-integration.ts';
import { hostsToAgree, signInHosts } from '../engine/sign-in/agree-to-hosts.ts';
import { discoverServer } from '../engine/sign-in/discover-server.ts';
import type { DiscoverRequest } from '../engine/sign-in/discover-server.ts';
import { Flow } from '../engine/sign-in/flow.ts';
import type { Inspection } from '../engine/sign-in/flow.ts';
import { reauthenticate } from '../engine/sign-in/reauthenticate.ts';
import type { ReauthenticationOptions } from '../engine/sign-in/reauthenticate.ts';
import { traceHttp } from '../engine/trace/trace.ts';
import type { Trace } from '../engine/trace/trace.ts';
import { isExpectedError, PosternError } from '../errors/postern-error.ts';
import { isSubdomainException } from '../issuer-key.ts';
import type { FixedHeader } from '../mcp/http/credential-gate.ts';
import { listsPkce } from '../oauth/authorization/authorization-request.ts';
import type { Discovery, DiscoveryStep } from '../oauth/discovery/discovery.ts';
import { metadataEndpoints } from '../oauth/http/metadata-schemas.ts';
import type { Clock, HistoryStore } from '../ports.ts';
import { splitAddress, withoutKeys } from '../secret.ts';
import type { Secret } from '../secret.ts';
import type { User } from './operation.ts';

/** Ports and user of a sign-in. */
interface SignInContext {
  readonly ports: EnginePorts;
  readonly user: Required<Pick<User, 'signIn'>>;
}

/** Runs a sign-in with its requests traced. `server`: the listed server it is for, if any. */
type TraceSignIn = <Result extends { readonly integration?: Integration | undefined }>(
  server: Integration | undefined,
  work: (traced: SignInContext) => Promise<Result>,
) => Promise<Result>;

export interface SignInScope extends SignInContext {
  readonly signal: AbortSignal;
  /** Left out: the caller has already traced the ports and the user. */
  readonly traceSignIn?: TraceSignIn;
}

function runTraced<Result extends { readonly integration?: Integration | undefined }>(
  scope: SignInScope,
  server: Integration | undefined,
  work: (traced: SignInContext) => Promise<Result>,
): Promise<Result> {
  return scope.traceSignIn ? scope.traceSignIn(server, work) : work(scope);
}

interface DiscoverInput extends Pick<DiscoverRequest, 'url' | 'isTyped' | 'hasKey'> {
  readonly options: Partial<IntegrationOptions>;
  readonly flow?: Flow;
  /** Only metadata is read; left out, a server without a sign-in also has to list its tools. */
  readonly isMetadataOnly?: true;
}

/** Returns the known options for a catalog address; the user's own choices override them. */
export async function loadKnownOptions(): Promise<(url: string) => NonNullable<KnownServer['options']>> {
  const { findKnownServer } = await import('../../shared/known-servers.ts');
  return (url) => findKnownServer(url)?.options ?? {};
}

/**
 * Discovers how a server handles sign-in. Opens and stores nothing. Errors: those of `inspectServer`, with
 * `isMetadataOnly` of `discoverServer`.
 */
export async function discover(
  scope: SignInScope,
  { flow: currentFlow, isMetadataOnly, options: chosen, ...request }: DiscoverInput,
): Promise<Inspection> {
  const { signal } = scope;
  const flow = currentFlow ?? new Flow(scope.ports.log);
  const discoverRequest = { ...request, options: await resolveOptions(request.url, chosen, currentFlow) };
  const onStep = (step: DiscoveryStep): void => flow.report(step);
  const { inspection } = await runTraced(scope, undefined, async ({ ports, user: { signIn } }) => {
    flow.begin(signIn);
    if (isMetadataOnly) {
      const published: Inspection = { discovery: await discoverServer(ports, discoverRequest, onStep, signal) };
      flow.show(published);
      return { integration: undefined, inspection: published };
    }
    flow.advance({ type: 'discover' });
    const found = await inspectServer(ports, discoverRequest, onStep, signal);
    flow.setStartingPoint(found);
    return { integration: undefined, inspection: found };
  });
  return inspection;
}

export interface ConnectInput extends Pick<
  ConnectRequest,
  | 'url'
  | 'name'
  | 'usesOwnName'
  | 'existing'
  | 'inspection'
  | 'credentials'
  | 'registrationToken'
  | 'timeout'
  | 'surface'
  | 'flow'
> {
  /** With `existing`, all options. For a server with the same name, options for reaching its address stay. */
  readonly options: Partial<IntegrationOptions>;
  /** A key to use instead of a sign-in, in the header named by `options`. */
  readonly key?: { readonly value: Secret; readonly further?: readonly FixedHeader[] | undefined } | undefined;
  /** Keys of the imported entry that the address came from. */
  readonly listedKeys?: readonly FixedHeader[] | undefined;
  /** Reference to its identity provider (`grant: enterprise`). */
  readonly identityProvider?: string | undefined;
  /**
   * What to do if the name is taken: the same server is signed in to again; another one is refused or replaced. Left
   * out, the new one gets a number after its name.
   */
  readonly onSameName?: 'refuse' | 'replace';
}

export interface ConnectedServer extends ConnectResult {
  /** Already listed with this entry's keys: nothing was done. */
  readonly isListed: boolean;
  /** The server that gave up its name and was removed. */
  readonly replaced?: RemovalResult | undefined;
  /** Other servers at the same address, which stay. */
  readonly beside: readonly Integration[];
}

/** The server is not an identity provider. */
export class NotIdentityProvider extends PosternError {
  constructor() {
    super('IPC_SCHEMA', { stage: 'postern' });
  }
}

/**
 * Connects a server from its address, by a sign-in or with a key. A failure leaves nothing behind, and the server that
 * had the name stays. Errors: those of `connectServer` and `connectWithKey`, NAME_TAKEN, as `NotIdentityProvider`,
 * NOT_FOUND for a missing identity provider, CFG_*.
 */
export async function connect(scope: SignInScope, input: ConnectInput): Promise<ConnectedServer> {
  const { ports, signal } = scope;
  const { key, listedKeys, identityProvider, onSameName, ...request } = input;
  // Fail before the sign-in if the list cannot be read.
  const list = await ports.store.list();
  const provider = identityProvider === undefined ? undefined : await findProvider(ports, identityProvider);
  const chosen = { ...input.options, ...(provider && { identityProvider: provider }) };
  const before = onSameName ? await findSameName(ports, { ...input, options: chosen, onSameName }) : undefined;
  const { existing = input.existing, replaced } = before ?? {};
  const options = input.existing
    ? withDefaultOptions(chosen)
    : await resolveOptions(input.url, { ...(existing && addressOptions(existing)), ...chosen }, input.flow);
  const connecting = { ...request, options, existing, takesNameOf: replaced?.id };

  const work = async (): Promise<Omit<ConnectedServer, 'replaced' | 'beside'>> => {
    const same = await findListed(scope, input);
    if (same) return { integration: same, tools: [], warnings: [], isListed: true };
    const { flow } = input;
    const connected = await runTraced(scope, existing, async (traced) => {
      if (!key) return await connectServer(traced.ports, connecting, traced.user.signIn, signal);
      flow?.begin(traced.user.signIn, flow.state);
      const result = await connectWithKey(
        traced.ports,
        { ...connecting, key: key.value, further: key.further },
        signal,
      );
      flow?.advance({ type: 'keyAccepted', integrationId: result.integration.id });
      return result;
    });
    return { ...connected, isListed: false };
  };
  // Entries for the same server may be connected in parallel.
  const isShared = key !== undefined && listedKeys !== undefined;
  const connected = await (isShared ? ports.locks.hold(`listed ${withoutKeys(input.url)}`, work, signal) : work());
  const { id, url } = connected.integration;
  return {
    ...connected,
    replaced: replaced && (await removeIntegration(ports, replaced, signal)),
    beside: list.filter((server) => server.url === url && server.id !== id && server.id !== replaced?.id),
  };
}

/** Adds known options, unless the sign-in is already shown: then the user has seen them and may have changed some. */
async function resolveOptions(
  url: string,
  chosen: Partial<IntegrationOptions>,
  flow: Flow | undefined,
): Promise<IntegrationOptions> {
  return withDefaultOptions({ ...(!flow && (await loadKnownOptions())(url)), ...chosen });
}

/** Options needed to reach a server's address; those for its sign-in are chosen again. */
function addressOptions({ options }: Integration): Partial<IntegrationOptions> {
  const { local, allowHttp, allowedHosts, agreedHosts } = options;
  return { local, allowHttp, allowedHosts, ...(agreedHosts && { agreedHosts }) };
}

/**
 * Signs in to a server again; `freshLogin`: with another account. The current sign-in stays until that has worked.
 * Errors: those of `reauthenticate` and `requireSignIn`.
 */
export async function signInAgain(
  scope: SignInScope,
  server: Integration,
  options: ReauthenticationOptions,
): Promise<Integration> {
  requireSignIn(server);
  const { integration } = await runTraced(scope, server, async ({ ports, user }) => ({
    integration: await reauthenticate(ports, server, options, user.signIn, scope.signal),
  }));
  return integration;
}

/**
 * Runs a sign-in with its requests traced, and stores the trace in the server's history; for a failed one, only if the
 * server was already listed. Without `history` nothing is stored. Errors: those of `work`.
 */
export async function runTracedSignIn<Result extends { readonly integration?: Integration | undefined }>(
  { ports, user }: SignInContext,
  { trace, history }: { readonly trace: Trace; readonly history: (() => Promise<HistoryStore>) | undefined },
  server: Integration | undefined,
  work: (traced: SignInContext) => Promise<Result>,
): Promise<Result> {
  const { clock } = ports;
  const at = clock.now();
  const storeTrace = async (id: string | undefined, error?: unknown): Promise<void> => {
    if (!history || id === undefined) return;
    try {
      await recordSignIn({ history: await history(), clock }, id, { at, entries: [...trace.entries()] }, error);
    } catch {
      // Best effort: the sign-in's own result counts.
    }
  };
  try {
    const result = await work({ ports: { ...ports, http: traceHttp(ports.http, trace) }, user });
    await storeTrace(result.integration?.id);
    return result;
  } catch (error) {
    trace.conclude(error);
    await storeTrace(server?.id, error);
    throw error;
  }
}

/**
 * Stores a sign-in in the server's history, request by request, with its error if it failed. `ended`: the error, for a
 * server that was already listed. Errors: CFG_*.
 */
export async function recordSignIn(
  { history, clock }: { readonly history: HistoryStore; readonly clock: Pick<Clock, 'now'> },
  id: string,
  signIn: TracedSignIn,
  ended?: unknown,
): Promise<void> {
  if (isExpectedError(ended)) await history.record(id, [{ kind: 'signInFailed', at: clock.now(), code: ended.code }]);
  await history.saveSignIn(id, signIn);
}

/**
 * True if the server can be connected without asking: the user enabled that, Postern gets the client itself, everything
 * is encrypted or on this computer, there are no warnings or choices, and the server is not listed yet.
 * `suppliedCredential`: a key or client from an imported entry, which the user reviews first. Errors: CFG_*.
 */
export async function canConnectAtOnce(
  { store }: Pick<EnginePorts, 'store'>,
  { discovery, open }: Inspection,
  {
    url,
    options,
    suppliedCredential,
  }: Pick<ConnectRequest, 'url' | 'options'> & { readonly suppliedCredential: unknown },
): Promise<boolean> {
  const { connectAtOnce = false } = await store.settings();
  if (!connectAtOnce || (await store.list()).some((server) => server.url === withoutKeys(url))) return false;
  if (suppliedCredential ?? options.grant ?? options.isIdentityProvider) return false;
  const { method, metadata } = discovery;
  const signsIn = method !== 'NoAuth';
  const addresses = [discovery.url, ...metadataEndpoints.flatMap((name) => metadata?.[name] ?? [])];
  // With these statuses the path may be mistyped, and discovery still finds the whole host's sign-in.
  const isDoubtful = signsIn && (discovery.probeStatus === 404 || discovery.probeStatus === 405);
  return (
    (signsIn ? method !== 'OAuth' : open !== undefined) &&
    needsNoConfirmation(discovery, options) &&
    signInHosts(discovery)?.differentOwner !== true &&
    discovery.alternatives.length === 0 &&
    !isDoubtful &&
    (!signsIn || listsPkce(metadata) || options.pkce === 'always') &&
    addresses.every((address) => isSafeAddress(new URL(address), options.local))
  );
}

/** True if the discovery has nothing that the user must consent to or read first. */
export function needsNoConfirmation(discovery: Discovery, options: IntegrationOptions): boolean {
  const { issuerKey } = discovery;
  const isExcepted = issuerKey !== undefined && isSubdomainException(issuerKey);
  const hasHosts = hostsToAgree(discovery, { options }).length > 0;
  return !isExcepted && !hasHosts && !notesOf(discovery).includes('host-confusable');
}

/** True on this computer, or if encrypted and outside the user's network, into which `local` would let it lead. */
function isSafeAddress({ protocol, hostname }: URL, local: boolean): boolean {
  const hostKind = classifyHost(hostname);
  return hostKind === 'loopback' || (!local && protocol === 'https:' && (hostKind === 'name' || hostKind === 'public'));
}

/**
 * The listed server that an imported entry matches by address and keys, even if it was added since the list was read;
 * the attempt ends with it. An entry without keys matches none. Errors: CFG_*, KC_*.
 */
export async function findListed(
  { ports: { store, vault }, user: { signIn } }: SignInContext,
  { url, listedKeys: headers, flow }: Pick<ConnectInput, 'url' | 'listedKeys' | 'flow'>,
): Promise<Integration | undefined> {
  const address = headers === undefined ? null : URL.parse(url);
  if (!address || !headers) return undefined;
  if (headers.length === 0 && splitAddress(address.href).parts.length === 0) return undefined;
  const same = await new ServerIndex(await store.list(), keysIn(vault)).findSame({ address, headers }, () => false);
  if (same) {
    flow?.begin(signIn, flow.state);
    flow?.advance({ type: 'keyAccepted', integrationId: same.id });
  }
  return same;
}

/** Listed servers concerned: the same server, which keeps its ID, or one that gives up its name. */
interface ExistingServers {
  readonly existing?: Integration;
  readonly replaced?: Integration;
}

/**
 * Looks for the name: scripts refer to a server by name, and a second one of that name would leave them with the first
 * one's sign-in. Errors: NAME_TAKEN, those of the address rule, CFG_*.
 */
async function findSameName(
  { store }: Pick<EnginePorts, 'store'>,
  { name: typed, url, options, onSameName }: Pick<ConnectInput, 'name' | 'url' | 'options' | 'onSameName'>,
): Promise<ExistingServers> {
  if (typed === undefined) return {};
  const { href, parts } = splitAddress(parseTypedAddress(url).href);
  const name = displayText(typed);
  const existing = (await store.list()).find((server) => server.name === name);
  if (existing === undefined) return {};
  // One address with an API key and with a sign-in counts as two servers.
  const usesKey = parts.length > 0 || options.headerName !== undefined;
  if (existing.url === href && (usesApiKey(existing) || hasKeysInAddress(existing)) === usesKey) return { existing };
  if (onSameName === 'replace') return { replaced: existing };
  const address = new URL(existing.url);
  throw new PosternError('NAME_TAKEN', {
    stage: 'address',
    detail: { name: existing.name, place: `${displayHostAndPort(address)}${address.pathname}`.slice(0, 200) },
  });
}

/** Resolves the reference to an ID, since a name may change. Errors: NOT_FOUND, as `NotIdentityProvider`, CFG_*. */
async function findProvider({ store }: Pick<EnginePorts, 'store'>, reference: string): Promise<string> {
  const { id, options } = await findIntegration(store, reference);
  if (options.isIdentityProvider) return id;
  throw new NotIdentityProvider();
}
