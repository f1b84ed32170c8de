import type { Integration, IntegrationOptions, ServerProtocol } from '../../../shared/integration.ts';
import { PosternError, requiresSignIn } from '../../errors/postern-error.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { SseTransportError } from '../../oauth/discovery/probe-response.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import { splitAddress } from '../../secret.ts';
import type { Secret } from '../../secret.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { unusedSignIn } from '../records/api-key.ts';
import { keysOfAddress, sealAddress } from '../records/address-keys.ts';
import { saveAddressKeys } from '../records/stored-secrets.ts';
import { recordListedTools } from '../records/tool-pins.ts';
import { removeIntegration, sweepOrphans } from '../removal/remove-integration.ts';
import { leaseSignIn, redeemTicket } from '../sign-in/auth-tickets.ts';
import { callbackAddress } from '../sign-in/callback-address.ts';
import { missingMetadata } from '../sign-in/discover-server.ts';
import { Flow } from '../sign-in/flow.ts';
import type { Inspection } from '../sign-in/flow.ts';
import { install } from '../sign-in/install.ts';
import type { OwnOAuthApp, SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { tokenCredential } from '../use/credential-source.ts';
import { inSession, openServer } from '../use/open-server.ts';
import { listTools, ownName } from '../use/use-server.ts';
import { describeOpenServer, inspectServer } from './inspect-server.ts';
import { deferServerIcons, withFreeName } from './with-free-name.ts';

export interface ConnectRequest {
  /** As typed. */
  readonly url: string;
  readonly name?: string | undefined;
  /** Without a name, it gets the one that it calls itself; otherwise its host. */
  readonly usesOwnName?: true;
  readonly options: IntegrationOptions;
  /** The listed server to sign in to again, under its ID and name. */
  readonly existing?: Integration | undefined;
  /** ID of the integration that gives up its name. */
  readonly takesNameOf?: string | undefined;
  /** The inspection the user accepted; it is not repeated. */
  readonly inspection?: Inspection | undefined;
  readonly credentials?: OwnOAuthApp | undefined;
  /** Initial access token for registration (RFC 7591 section 3). */
  readonly registrationToken?: Secret | undefined;
  /** Milliseconds to wait for the callback. */
  readonly timeout?: number | undefined;
  /** Where the user is; only this surface can redeem the auth ticket. */
  readonly surface: string;
  /** Reuses the flow of a sign-in that is already shown. */
  readonly flow?: Flow;
}

export interface ConnectResult {
  readonly integration: Integration;
  readonly tools: readonly Tool[];
  /** Problems after the tokens were stored: worth reporting, no reason to undo. */
  readonly warnings: readonly PosternError[];
}

/**
 * Connects a server from its typed address (spec 1). A failure leaves no integration and no token behind. Errors: every
 * code of the stages address to install.
 */
export async function connectServer(
  ports: EnginePorts,
  request: ConnectRequest,
  interaction: SignInInteraction,
  signal: AbortSignal,
): Promise<ConnectResult> {
  const flow = request.flow ?? new Flow(ports.log);
  flow.begin(interaction);
  // The profile's callback port is chosen early, since the disk takes its time; some servers need none.
  const choosingPort = callbackAddress(ports).catch(() => {});
  try {
    return await connect(ports, request, flow, interaction, signal);
  } catch (error) {
    throw flow.end(error, signal);
  } finally {
    await choosingPort;
  }
}

async function connect(
  ports: EnginePorts,
  request: ConnectRequest,
  flow: Flow,
  interaction: SignInInteraction,
  signal: AbortSignal,
): Promise<ConnectResult> {
  const { credentials: typed } = request;
  flow.advance({ type: 'discover' });
  const isTyped = request.existing === undefined;
  const typedCredentials = typed !== undefined || request.options.grant !== undefined;
  const inspectRequest = { url: request.url, options: request.options, typedCredentials, isTyped };
  const onStep = (step: DiscoveryStep): void => flow.report(step);
  const inspection = request.inspection ?? (await inspectServer(ports, inspectRequest, onStep, signal));
  const { discovery, open, refusal, keys } = inspection;
  const options = { ...request.options, ...(keys && { furtherHeaders: keys.map(({ name }) => name) }) };
  const { existing } = request;
  const id = existing?.id ?? crypto.randomUUID();
  const entry = { id, url: discovery.url, options };
  const listed = keys ? { ...entry, url: keysOfAddress(entry).url } : entry;
  const withName = <Result>(chosen: string | undefined, write: (name: string) => Promise<Result>): Promise<Result> =>
    existing ? write(existing.name) : withFreeName(ports, { ...request, name: chosen, url: entry.url }, write);

  if (discovery.method === 'NoAuth') {
    if (!open) throw refusal ?? missingMetadata(discovery);
    const now = existing?.createdAt ?? ports.clock.now();
    const sealed = splitAddress(entry.url).parts.length > 0 ? await sealAddress(await ports.vault(), entry) : entry;
    const integration = await withName(request.name ?? (request.usesOwnName && open.ownName), async (name) => {
      const described = describeOpenServer({ ...sealed, name }, discovery, now);
      return await ports.store.write({ ...described, ...unusedSignIn(existing), protocol: open.protocol });
    });
    ports.onServerIcons?.(sealed, open.icons);
    await recordListedTools(ports, integration, open.tools);
    announce(flow, inspection);
    flow.advance({ type: 'installed', integrationId: id });
    return { integration, tools: open.tools, warnings: [] };
  }
  announce(flow, inspection);
  const holder = { surface: request.surface, integrationId: id };
  const { registrationToken, timeout } = request;
  const signInRequest = { integrationId: id, options, discovery, typed, registrationToken, timeout };
  const { integration, listing, isUnnamed } = await leaseSignIn(ports, id, signal, async (leased) => {
    const exchanged = await signIn(ports, signInRequest, flow, interaction, leased);
    const redeemed = await redeemTicket(ports, flow, interaction, holder, exchanged, leased.signal);
    const { onServerIcons, release } = deferServerIcons(ports);
    const protocol = discovery.protocol ?? existing?.protocol;
    const { tokens } = redeemed.signedIn;
    // An identity provider is not an MCP server, so it has no tools to list.
    const early = options.isIdentityProvider
      ? undefined
      : listToolsEarly({ ...ports, onServerIcons }, listed, { ...tokens, keys }, protocol, signal);
    const { assertNewest } = leased;
    const chosenName = redeemed.name ?? request.name;
    const installed = await withName(chosenName, async (name) => {
      await saveAddressKeys(ports.vault, listed, keys);
      return await install(
        ports,
        { id, name, existing, assertNewest, protocol: early?.knownProtocol },
        redeemed.signedIn,
      );
    });
    release();
    return { integration: installed, listing: early, isUnnamed: chosenName === undefined && !existing };
  });
  flow.advance({ type: 'installed', integrationId: id });
  const [connected] = await Promise.all([
    withTools(ports, integration, listing, { signal, awaitsName: request.usesOwnName === true && isUnnamed }),
    sweepOrphans(ports),
  ]);
  const unusable = connected.warnings.find((warning) => warning instanceof SseTransportError);
  if (!unusable) return connected;
  // Before the sign-in it spoke the newer transport, and now the old one: the tokens could never be used.
  if (!existing) await removeIntegration(ports, connected.integration, signal);
  throw unusable;
}

function announce(flow: Flow, inspection: Inspection): void {
  flow.advance({ type: 'methodDecided', method: inspection.discovery.method });
  flow.show(inspection);
}

interface ToolsOptions {
  readonly signal: AbortSignal;
  /** It has its host's name until it has told its own. */
  readonly awaitsName: boolean;
}

/** Adds the tools. The tokens are stored by now, so a failed listing is only a warning. */
async function withTools(
  ports: EnginePorts,
  integration: Integration,
  listing: EarlyListing | undefined,
  { signal, awaitsName }: ToolsOptions,
): Promise<ConnectResult> {
  const warnings = scopeWarning(integration);
  if (!listing) return { integration, tools: [], warnings };
  try {
    const savingProtocol = listing.protocol.then(async (protocol) => {
      const name = awaitsName ? await listing.ownName : undefined;
      const save = (part: Partial<Integration>) =>
        ports.store.update(integration.id, (stored) => ({ ...stored, ...part, protocol }));
      if (name !== undefined)
        return await withFreeName(ports, { name, url: integration.url }, (free) => save({ name: free }));
      return protocol === integration.protocol ? integration : await save({});
    });
    const [tools, updated] = await Promise.all([
      listing.tools.then(async (listed) => (await recordListedTools(ports, integration, listed), listed)),
      savingProtocol.catch(() => undefined),
    ]);
    return { integration: updated ?? integration, tools, warnings };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    if (!requiresSignIn(error)) return { integration, tools: [], warnings: [error, ...warnings] };
  }
  // Refreshing a refused new token may help: some servers accept tokens only after a while.
  try {
    const tools = await listTools(ports, integration, { signal });
    return { integration: (await ports.store.read(integration.id)) ?? integration, tools, warnings };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { integration, tools: [], warnings: [error, ...warnings] };
  }
}

/** The service granted fewer scopes than requested (RFC 6749 section 5.1): warn before a tool fails. */
function scopeWarning({ scope, scopeRequested }: Integration): readonly PosternError[] {
  const isReduced = missingScope(scopeRequested, scope).length > 0;
  return isReduced ? [new PosternError('SCOPE_REDUCED', { stage: 'install' })] : [];
}

interface EarlyListing {
  /** The protocol form that the server speaks; known before the tools are. */
  readonly protocol: Promise<ServerProtocol>;
  /** What the server calls itself. */
  readonly ownName: Promise<string | undefined>;
  /** The same, if known by now. */
  knownProtocol(): ServerProtocol | undefined;
  readonly tools: Promise<readonly Tool[]>;
}

/**
 * Lists a server's tools with new tokens while they are being stored, so that the request need not wait for the disk.
 * Its failure is ignored until the result is awaited. Errors: as `listTools`, but nothing is refreshed.
 */
function listToolsEarly(
  ports: Pick<EnginePorts, 'http' | 'clock' | 'onServerIcons' | 'vault' | 'store' | 'local'>,
  address: ServerAddress,
  tokens: Pick<TokenSet, 'accessToken' | 'binding'> & Pick<Inspection, 'keys'>,
  known: ServerProtocol | undefined,
  signal: AbortSignal,
): EarlyListing {
  const credentials: CredentialSource = {
    current: async () => tokenCredential(tokens, address, tokens.keys),
    renew: async () => undefined,
  };
  const server = openServer(ports, address, credentials);
  const opening = server.connect(known, signal);
  const list = async (): Promise<readonly Tool[]> => {
    try {
      const work = async ({ client }: McpConnection) =>
        await (await import('../../mcp/client/call-tool.ts')).listToolsOf(client, signal);
      return await inSession(server, known, signal, work, opening);
    } catch (error) {
      throw await server.failure(error);
    }
  };
  let protocol: ServerProtocol | undefined;
  const negotiated = opening.then((connection) => (protocol = connection.protocol));
  const named = opening.then(ownName);
  const listing = { protocol: negotiated, ownName: named, knownProtocol: () => protocol, tools: list() };
  listing.protocol.catch(() => {});
  named.catch(() => {});
  listing.tools.catch(() => {});
  return listing;
}
