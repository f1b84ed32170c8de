import type { Integration, IntegrationOptions, WireEra } from '../../../shared/integration.ts';
import { PosternError, wantsSignIn } from '../../errors/postern-error.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { OldTransport } from '../../oauth/discovery/probe-answer.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import { splitAddress } from '../../secret.ts';
import type { Secret } from '../../secret.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { unusedSignIn } from '../kept/api-key.ts';
import { keysOfAddress, sealAddress } from '../kept/address-keys.ts';
import { saveAddressKeys } from '../kept/stored-secrets.ts';
import { noteListed } from '../kept/tool-pins.ts';
import { removeIntegration, sweepOrphans } from '../leave/remove-integration.ts';
import { leaseSignIn, spendTicket } from '../sign-in/auth-tickets.ts';
import { callbackAddress } from '../sign-in/callback-address.ts';
import { unpublished } from '../sign-in/discover-server.ts';
import { Flow } from '../sign-in/flow.ts';
import type { Inspection } from '../sign-in/flow.ts';
import { install } from '../sign-in/install.ts';
import type { OwnApp, SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { tokenCredential } from '../use/credential-source.ts';
import { inSession, openServer } from '../use/open-server.ts';
import { listTools } from '../use/use-server.ts';
import { describeOpenServer, inspectServer } from './inspect-server.ts';
import { holdGreeting, withFreeName } from './new-integration.ts';

export interface ConnectRequest {
  /** As typed. */
  readonly url: string;
  readonly name?: string | undefined;
  readonly options: IntegrationOptions;
  /** The same server, to be signed in again under its id and name. */
  readonly again?: Integration | undefined;
  /** Id of the integration that gives its name up. */
  readonly takesNameOf?: string | undefined;
  /** What a person has been shown and said yes to: it is not asked for again. */
  readonly inspection?: Inspection | undefined;
  readonly credentials?: OwnApp | undefined;
  /** With which a person may register programs at the service. */
  readonly registrationToken?: Secret | undefined;
  /** Milliseconds to wait for the callback. */
  readonly timeout?: number | undefined;
  /** Who asks; nobody else can redeem an auth ticket that was given to them. */
  readonly surface: string;
  /** Of a connection that is in sight already, and goes through its states once more. */
  readonly flow?: Flow;
}

export interface Connected {
  readonly integration: Integration;
  readonly tools: readonly Tool[];
  /** What went wrong after the tokens were safe: worth saying, no reason to undo. */
  readonly warnings: readonly PosternError[];
}

/**
 * From a typed address to a working connection (spec 1). A failure leaves no integration and no token behind.
 * Errors: every code of the stages address to install.
 */
export async function connectServer(
  ports: EnginePorts,
  request: ConnectRequest,
  interaction: SignInInteraction,
  signal: AbortSignal,
): Promise<Connected> {
  const flow = request.flow ?? new Flow(ports.log);
  flow.begin(interaction);
  // The callback port is chosen once for a profile, and first, since the disk takes its time; some servers need none.
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
): Promise<Connected> {
  const { credentials: typed } = request;
  flow.advance({ type: 'discover' });
  const isTyped = request.again === undefined;
  const typedCredentials = typed !== undefined || request.options.grant !== undefined;
  const question = { url: request.url, options: request.options, typedCredentials, isTyped };
  const onStep = (step: DiscoveryStep): void => flow.report(step);
  const inspection = request.inspection ?? (await inspectServer(ports, question, onStep, signal));
  const { discovery, open, refusal, keys } = inspection;
  const options = { ...request.options, ...(keys && { furtherHeaders: keys.map(({ name }) => name) }) };
  const { again } = request;
  const id = again?.id ?? crypto.randomUUID();
  const entry = { id, url: discovery.url, options };
  const listed = keys ? { ...entry, url: keysOfAddress(entry).url } : entry;
  const named = <Result>(chosen: string | undefined, write: (name: string) => Promise<Result>): Promise<Result> =>
    again ? write(again.name) : withFreeName(ports, { ...request, name: chosen, url: entry.url }, write);

  if (discovery.method === 'NoAuth') {
    if (!open) throw refusal ?? unpublished(discovery);
    const now = again?.createdAt ?? ports.clock.now();
    const sealed = splitAddress(entry.url).parts.length > 0 ? await sealAddress(await ports.vault(), entry) : entry;
    const integration = await named(request.name, async (name) => {
      const described = describeOpenServer({ ...sealed, name }, discovery, now);
      return await ports.store.write({ ...described, ...unusedSignIn(again), era: open.era });
    });
    ports.onGreeting?.(sealed, open.icons);
    await noteListed(ports, integration, open.tools);
    announce(flow, inspection);
    flow.advance({ type: 'installed', integrationId: id });
    return { integration, tools: open.tools, warnings: [] };
  }
  announce(flow, inspection);
  const holder = { surface: request.surface, integrationId: id };
  const { registrationToken, timeout } = request;
  const wanted = { integrationId: id, options, discovery, typed, registrationToken, timeout };
  const { integration, listing } = await leaseSignIn(ports, id, signal, async (leased) => {
    const exchanged = await signIn(ports, wanted, flow, interaction, leased);
    const finished = await spendTicket(ports, flow, interaction, holder, exchanged, leased.signal);
    const { onGreeting, added } = holdGreeting(ports);
    const era = discovery.era ?? again?.era;
    const { tokens } = finished.signedIn;
    // An identity provider is no MCP server, and has no tools to list.
    const early = options.isIdentityProvider
      ? undefined
      : listToolsEarly({ ...ports, onGreeting }, listed, { ...tokens, keys }, era, signal);
    const { assertNewest } = leased;
    const installed = await named(finished.name ?? request.name, async (name) => {
      await saveAddressKeys(ports.vault, listed, keys);
      return await install(ports, { id, name, existing: again, assertNewest, era: early?.knownEra }, finished.signedIn);
    });
    added();
    return { integration: installed, listing: early };
  });
  flow.advance({ type: 'installed', integrationId: id });
  const [connected] = await Promise.all([withTools(ports, integration, listing, signal), sweepOrphans(ports)]);
  const unusable = connected.warnings.find((warning) => warning instanceof OldTransport);
  if (!unusable) return connected;
  // Before the sign-in it spoke the newer transport, and now the old one: the tokens could never be used.
  if (!again) await removeIntegration(ports, connected.integration, signal);
  throw unusable;
}

function announce(flow: Flow, inspection: Inspection): void {
  flow.advance({ type: 'methodDecided', method: inspection.discovery.method });
  flow.show(inspection);
}

/** Tokens are safe by now, so a server whose tools cannot be listed yet is worth a warning and no more. */
async function withTools(
  ports: EnginePorts,
  integration: Integration,
  listing: EarlyListing | undefined,
  signal: AbortSignal,
): Promise<Connected> {
  const warnings = scopeWarning(integration);
  if (!listing) return { integration, tools: [], warnings };
  try {
    const remembering = listing.era.then((era) =>
      era === integration.era ? integration : ports.store.update(integration.id, (kept) => ({ ...kept, era })),
    );
    const [tools, known] = await Promise.all([
      listing.tools.then(async (listed) => (await noteListed(ports, integration, listed), listed)),
      remembering.catch(() => undefined),
    ]);
    return { integration: known ?? integration, tools, warnings };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    if (!wantsSignIn(error)) return { integration, tools: [], warnings: [error, ...warnings] };
  }
  // A fresh token that is refused: refreshing it may help (some servers know it only after a while).
  try {
    const tools = await listTools(ports, integration, { signal });
    return { integration: (await ports.store.read(integration.id)) ?? integration, tools, warnings };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { integration, tools: [], warnings: [error, ...warnings] };
  }
}

/** Fewer permissions than asked for (RFC 6749 section 5.1): worth saying before a tool fails for it. */
function scopeWarning({ scope, scopeRequested }: Integration): readonly PosternError[] {
  const isReduced = missingScope(scopeRequested, scope).length > 0;
  return isReduced ? [new PosternError('SCOPE_REDUCED', { stage: 'install' })] : [];
}

interface EarlyListing {
  /** The wire that the server speaks; known before the tools are. */
  readonly era: Promise<WireEra>;
  /** The same, once it is known. */
  knownEra(): WireEra | undefined;
  readonly tools: Promise<readonly Tool[]>;
}

/**
 * Lists a server's tools with tokens that have just come, while they are being stored: the server need not wait for
 * the disk. A failure counts for nothing until somebody asks for the answer. Errors: as `listTools`, but nothing is
 * refreshed.
 */
function listToolsEarly(
  ports: Pick<EnginePorts, 'http' | 'clock' | 'onGreeting' | 'vault' | 'store' | 'local'>,
  address: ServerAddress,
  tokens: Pick<TokenSet, 'accessToken' | 'binding'> & Pick<Inspection, 'keys'>,
  known: WireEra | undefined,
  signal: AbortSignal,
): EarlyListing {
  const atHand: CredentialSource = {
    current: async () => tokenCredential(tokens, address, tokens.keys),
    renew: async () => undefined,
  };
  const server = openServer(ports, address, atHand);
  const opening = server.connect(known, signal);
  const list = async (): Promise<readonly Tool[]> => {
    try {
      const work = async ({ client }: McpConnection) =>
        await (await import('../../mcp/client/use-tools.ts')).listToolsOf(client, signal);
      return await inSession(server, known, signal, work, opening);
    } catch (error) {
      throw await server.failure(error);
    }
  };
  let era: WireEra | undefined;
  const spoken = opening.then((connection) => (era = connection.era));
  const listing = { era: spoken, knownEra: () => era, tools: list() };
  listing.era.catch(() => {});
  listing.tools.catch(() => {});
  return listing;
}
