import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery-context.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import { OldTransport } from '../../oauth/discovery/old-transport.ts';
import { wantsSignIn } from '../../error-remedy.ts';
import { type CheckedAddress, checkAddress } from '../../address/check-address.ts';
import { unusedSignIn } from '../kept/api-key.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { PosternError } from '../../postern-error.ts';
import { callbackAddress } from '../sign-in/callback-address.ts';
import { leaseSignIn } from '../sign-in/lease-sign-in.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { Flow } from '../sign-in/flow.ts';
import type { Inspection } from '../sign-in/flow.ts';
import { noteListed } from '../kept/note-tools.ts';
import { saveHeaderValue } from '../kept/stored-secrets.ts';
import { install } from '../sign-in/install.ts';
import { holdGreeting } from './hold-greeting.ts';
import { inspectServer } from './inspect-server.ts';
import type { EarlyListing } from './list-tools-early.ts';
import { listToolsEarly } from './list-tools-early.ts';
import { removeIntegration } from '../leave/remove-integration.ts';
import { signIn } from '../sign-in/sign-in.ts';
import type { OwnApp, SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import { spendTicket } from '../sign-in/spend-ticket.ts';
import { sweepOrphans } from '../leave/sweep-orphans.ts';
import { describeOpenServer } from './try-without-sign-in.ts';
import { unpublished } from '../sign-in/discover-server.ts';
import { withFreeName } from './with-free-name.ts';
import { Secret } from '../../secret.ts';
import { splitAddress } from '../../secret-words.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import { listTools } from '../use/use-server.ts';

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
  const { options, credentials: typed } = request;
  flow.advance({ type: 'discover' });
  const isTyped = request.again === undefined;
  const typedCredentials = typed !== undefined || options.grant !== undefined;
  const question = { url: request.url, options, typedCredentials, isTyped };
  const onStep = (step: DiscoveryStep): void => flow.report(step);
  const inspection = request.inspection ?? (await inspectServer(ports, question, onStep, signal));
  const { discovery, open, refusal } = inspection;
  const { again } = request;
  const id = again?.id ?? crypto.randomUUID();
  const entry = { id, url: discovery.url, options };
  const named = <Result>(chosen: string | undefined, write: (name: string) => Promise<Result>): Promise<Result> =>
    again ? write(again.name) : withFreeName(ports, { ...request, name: chosen, url: entry.url }, write);

  if (discovery.method === 'NoAuth') {
    if (!open) throw refusal ?? unpublished(discovery);
    const now = again?.createdAt ?? ports.clock.now();
    const sealed = await sealAddress(ports, entry);
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
      : listToolsEarly({ ...ports, onGreeting }, entry, tokens, era, signal);
    const { assertNewest } = leased;
    const installed = await named(finished.name ?? request.name, (name) =>
      install(ports, { id, name, existing: again, assertNewest, era: early?.knownEra }, finished.signedIn),
    );
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

type SealedEntry = Pick<Integration, 'id' | 'options'> & { readonly url: CheckedAddress };

/** A key that an open server was given in its address goes to the vault, as one in a header does. Errors: KC_*, CFG_*. */
async function sealAddress(ports: EnginePorts, entry: SealedEntry): Promise<SealedEntry> {
  const { href, parts } = splitAddress(entry.url);
  const [first, ...further] = parts.map(({ name, value }) => ({ name, value: new Secret(value) }));
  if (!first) return entry;
  const url = checkAddress(new URL(href), integrationPolicy(href, entry.options), 'address');
  const names = further.map(({ name }) => name);
  const options = { ...entry.options, headerName: first.name, ...(names.length > 0 && { furtherHeaders: names }) };
  await saveHeaderValue(await ports.vault(), { id: entry.id, url }, { value: first.value, further });
  return { ...entry, url, options };
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
