import { createHash } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { holdsChanges, withChangedToolRule } from '../../../shared/tool-permissions.ts';
import type { ChangedToolRule, ToolPermissions } from '../../../shared/tool-permissions.ts';
import { displayText } from '../../address/display-text.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { integrationPolicy, storedAddress } from '../../engine/records/integration-policy.ts';
import { recordUse } from '../../engine/records/server-failure.ts';
import { credentialSource } from '../../engine/use/credential-source.ts';
import { localConnection } from '../../engine/use/local-connection.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import type { CatalogStore } from '../../gateway-ports.ts';
import { displayNameLength, gatewayMessage, mostUnusableParts } from '../../limits.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { createMcpFetch } from '../../mcp/http/mcp-fetch.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { withOlderSessionRevisions } from '../../mcp/http/older-revisions.ts';
import { eitherTransport } from '../../mcp/sse/sse-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { Refusal } from '../responses/responses.ts';
import { judgeFailure } from '../responses/judge-failure.ts';
import type { Judgement } from '../responses/judge-failure.ts';
import { actionableFailure } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { Catalog } from '../messages/catalog.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { ParameterHeaders } from '../messages/parameter-headers.ts';
import { Capabilities } from '../capabilities/capabilities.ts';
import { KnownTools, seenForm, SeenTools } from '../capabilities/seen-tools.ts';
import type { SeenPage, UnreviewedTools } from '../capabilities/seen-tools.ts';
import { resultWithoutTools, toolsIn } from '../capabilities/without-tools.ts';
import { OwnRequests } from './own-requests.ts';

export type ServedPorts = EnginePorts &
  Pick<GatewayPorts, 'onActionNeeded' | 'user' | 'command'> & {
    /** How to treat changed tools, for servers without a setting of their own. */
    readonly changedTools: () => ChangedToolRule | undefined;
  };

/** A response that was not requested or came twice, from the server or the app; or a list that is too long. */
export type UnexpectedMessage = 'server-answer' | 'app-answer' | 'long-listing';

/** Transport to a server, for one session. */
export interface ServerTransport {
  readonly fetch: McpFetch;
  /** Nothing is sent afterwards. Never rejects. */
  close(): Promise<void>;
}

/** One integration, shared by all sessions: its credential with a single renewal at a time, and its cached lists. */
export class ServedServer {
  readonly catalog: Catalog;
  readonly parameters = new ParameterHeaders();
  readonly own: OwnRequests;
  readonly tools: ServerTools;
  /** Resolves when what apps found out about the server is saved, or cannot be. Never rejects. */
  noted = Promise.resolve();
  readonly #ports: ServedPorts;
  readonly #end: AbortSignal;
  #integration: Integration;
  #permissionsFingerprint: string;
  #credentials: CredentialSource;
  #isGone = false;
  #isStatelessOnly = false;
  /** Already logged. */
  readonly #unusable = new Set<string>();
  readonly #running = new Set<StdioTransport>();

  constructor(ports: ServedPorts, store: CatalogStore, integration: Integration, end: AbortSignal) {
    this.#ports = ports;
    this.#end = end;
    this.#integration = integration;
    this.#permissionsFingerprint = permissionsFingerprint(integration, ports.changedTools());
    this.#credentials = credentialSource(ports, integration, end);
    this.own = new OwnRequests(ports.random);
    this.catalog = new Catalog(integration.id, store, () => listOwner(this.#integration));
    this.tools = new ServerTools({
      ...ports,
      catalog: this.catalog,
      integration: () => this.#integration,
      onChange: (changed) => (this.#integration = changed),
    });
  }

  get integration(): Integration {
    return this.#integration;
  }

  /** Host and port of its address. */
  get host(): string {
    return new URL(storedAddress(this.#integration)).host;
  }

  /** Applies the stored integration. Returns whether the sign-in has changed, so that the server may respond again. */
  update(integration: Integration | undefined): boolean {
    this.#isGone = integration === undefined;
    if (!integration) {
      this.#endProcesses();
      return false;
    }
    const before = signInFingerprint(this.#integration);
    const owner = listOwner(this.#integration);
    this.#integration = integration;
    if (owner !== listOwner(integration)) this.#forgetLists();
    const fingerprint = permissionsFingerprint(integration, this.#ports.changedTools());
    if (fingerprint !== this.#permissionsFingerprint) this.tools.changed();
    this.#permissionsFingerprint = fingerprint;
    if (before === signInFingerprint(integration)) return false;
    this.#credentials = credentialSource(this.#ports, integration, this.#end);
    this.#endProcesses();
    return true;
  }

  /**
   * Learns from one page of `tools/list`, in slices. `response`: as it came, of limited length. Returns its
   * `nextCursor`. Never rejects.
   */
  async learnTools(response: Buffer): Promise<unknown> {
    const { nextCursor } = await resultWithoutTools(response);
    const seen: SeenPage = { tools: [], forms: [], isLast: typeof nextCursor !== 'string' };
    for await (const [tool, raw] of toolsIn(response)) {
      this.parameters.learn(tool);
      this.tools.see(tool, raw, seen);
      await yieldIfBusy();
    }
    this.parameters.isKnown = true;
    await this.tools.learn(seen);
    return nextCursor;
  }

  /** Lists of another account are no longer shown or relied on. */
  #forgetLists(): void {
    this.catalog.forget();
    this.parameters.forget();
    this.tools.forget();
  }

  get isLocal(): boolean {
    return this.#integration.command !== undefined;
  }

  /** Opens a transport for one session: with the integration's credential, or to a process of its own. */
  openTransport(): ServerTransport {
    return this.isLocal
      ? this.#openProcess()
      : { fetch: withOlderSessionRevisions(this.#openFetch()), close: async () => {} };
  }

  #openProcess(): ServerTransport {
    const transport = localConnection(this.#ports, () => {
      const { id, command } = this.#integration;
      if (this.#isGone || !command) throw new PosternError('NOT_FOUND', { stage: 'gateway', detail: { count: 0 } });
      return { id, command };
    });
    this.#running.add(transport);
    return {
      fetch: withOlderSessionRevisions(transport.fetch),
      close: async () => {
        this.#running.delete(transport);
        await transport.close();
      },
    };
  }

  /** What runs is outdated; sessions that need it start it again. */
  #endProcesses(): void {
    for (const transport of this.#running) void transport.restart();
  }

  #openFetch(): McpFetch {
    const { http, clock } = this.#ports;
    const current: CredentialSource = {
      current: async () => {
        if (this.#isGone) throw new PosternError('NOT_FOUND', { stage: 'gateway', detail: { count: 0 } });
        return await this.#credentials.current();
      },
      renew: (refused, doubt) => this.#credentials.renew(refused, doubt),
      accepted: async (credential) => await this.#credentials.accepted?.(credential),
    };
    const { url, options, protocol } = this.#integration;
    const { deadline, size, stream } = gatewayMessage;
    const fetch = createMcpFetch({
      http,
      clock,
      policy: integrationPolicy(url, options),
      credentials: current,
      bounds: { deadline, limits: { message: size, stream } },
    });
    if (protocol !== undefined && protocol !== 'sse') return fetch;
    const known = protocol === 'sse' ? 'old' : 'unknown';
    const onTransport = (spoken: 'old' | 'newer'): void => {
      if (spoken === 'old' || known === 'old') void this.noteProtocol(spoken === 'old' ? 'sse' : 'session');
    };
    return eitherTransport({ fetch, clock, known, onTransport }).fetch;
  }

  /** Reports a failure to this app, and to the window if only the user can help. */
  refuse(app: string | undefined, thrown: unknown): Refusal {
    const failure = actionableFailure(this.#integration, thrown);
    const name = displayText(app ?? 'An app', displayNameLength);
    if (failure) this.#ports.onActionNeeded?.({ integration: this.#integration, app: name, ...failure });
    if (thrown instanceof PosternError) this.noteUse(thrown);
    return this.judge(thrown).refusal;
  }

  /** Records that an app could use the server, or why not. */
  noteUse(failure?: PosternError): void {
    this.noted = this.noted.then(() => recordUse(this.#ports, this.#integration, failure));
  }

  judge(thrown: unknown): Judgement {
    return judgeFailure(this.#integration, thrown, this.#ports.command);
  }

  /** Whether it refused a handshake and reported that it is stateless only. */
  get isStatelessOnly(): boolean {
    return this.#integration.protocol === 'stateless' && this.#isStatelessOnly;
  }

  noteStatelessOnly(): void {
    this.#isStatelessOnly = true;
  }

  /** Logs a message that came at the wrong time and is ignored. */
  logUnexpected(type: UnexpectedMessage): void {
    this.#ports.log.write('session-event-ignored', { integration: this.#integration.id, type });
  }

  /** Logs, once, an element of a list or result that no app can use, without any of the server's own words. */
  readonly noteUnusable = ({ list, index, member }: UnusablePart): void => {
    // A path within a schema contains names chosen by the server.
    const [named] = member?.split('.') ?? [];
    const key = `${list} ${index} ${named}`;
    if (this.#unusable.has(key) || this.#unusable.size >= mostUnusableParts) return;
    this.#unusable.add(key);
    this.#ports.log.write('element-unusable', { integration: this.#integration.id, type: list, index, member: named });
  };

  /** Saves which protocol form the server uses, if that is new. Never rejects. */
  async noteProtocol(protocol: NonNullable<Integration['protocol']>): Promise<void> {
    if (this.#integration.protocol === protocol) return;
    const changed = this.#ports.store.update(this.#integration.id, (stored) => ({ ...stored, protocol }));
    const updated = await changed.catch(() => undefined);
    if (updated) this.#integration = updated;
  }
}

interface ServerToolsOptions extends Pick<GatewayPorts, 'clock' | 'user' | 'pins' | 'store'> {
  readonly catalog: Catalog;
  readonly integration: () => Integration;
  readonly changedTools: () => ChangedToolRule | undefined;
  readonly onChange: (integration: Integration) => void;
}

/** The tools of one server: what it lists, and what the user has allowed. */
class ServerTools {
  readonly #options: ServerToolsOptions;
  readonly #known = new KnownTools();
  readonly #seen: SeenTools;
  /** Listeners of sessions, called when the user has changed permissions. */
  readonly #open = new Set<() => void>();

  constructor(options: ServerToolsOptions) {
    this.#options = options;
    this.#seen = new SeenTools(options, options.integration);
  }

  get permissions(): ToolPermissions | undefined {
    return withChangedToolRule(this.integration.permissions, this.#options.changedTools());
  }

  get integration(): Integration {
    return this.#options.integration();
  }

  /**
   * What one app may see and call in one session. `onChange` is called when the user changes that, until the session is
   * closed.
   */
  open(app: AppRecord | undefined, onChange: () => void): { capabilities: Capabilities; close: () => void } {
    const { clock, user } = this.#options;
    const capabilities = new Capabilities({ server: this, app, clock, ask: user.allowCall });
    const changed = (): void => {
      capabilities.changed();
      onChange();
    };
    this.#open.add(changed);
    return { capabilities, close: () => void this.#open.delete(changed) };
  }

  /** The user has changed the permissions. */
  changed(): void {
    this.#seen.forgetPins();
    for (const changed of this.#open) changed();
  }

  /** Forgets everything that the server has listed. */
  forget(): void {
    this.#known.forget();
    this.#seen.forget();
  }

  /** Adds one tool to a page of `tools/list`. `raw`: as it came. */
  see({ name, annotations, ...more }: JsonObject, raw: Buffer, page: SeenPage): void {
    page.tools.push({ name, annotations });
    page.forms.push(...seenForm({ name, annotations, ...more }, raw));
  }

  /** Learns from such a page. Never rejects. */
  async learn(page: SeenPage): Promise<void> {
    this.#known.learn(page);
    await this.#seen.learn(page);
  }

  /** Tools that the user has not reviewed in their current form. Never rejects. */
  async unreviewed(): Promise<UnreviewedTools> {
    await this.#recall();
    return await this.#seen.unreviewed();
  }

  /** Whether the server marks the tool as read-only; false if unknown. */
  async readsOnly(tool: string): Promise<boolean> {
    await this.#recall();
    return this.#known.isReadOnly(tool);
  }

  /** Loads cached lists if the server has not been asked since the start. */
  async #recall(): Promise<void> {
    if (!this.#known.isEmpty) return;
    for (const result of await this.#options.catalog.resultsOf('tools/list')) {
      this.#known.learn(result);
      await this.#seen.recall(result);
    }
  }

  /** Saves what the user has chosen. Errors: CFG_*. */
  async setPermissions(change: (before: ToolPermissions | undefined) => ToolPermissions | undefined): Promise<void> {
    const { store, onChange } = this.#options;
    const updated = await store.update(this.integration.id, ({ permissions, ...rest }) => {
      const changed = change(permissions);
      return { ...rest, ...(changed && { permissions: changed }) };
    });
    if (updated) onChange(updated);
  }
}

/** Fingerprint of the permissions. `forAll`: the setting for changed tools of all servers. */
function permissionsFingerprint(
  { permissions: own, toolReview }: Integration,
  forAll: ChangedToolRule | undefined,
): string {
  const permissions = withChangedToolRule(own, forAll);
  return JSON.stringify([permissions, holdsChanges(permissions) && toolReview?.reviewedAt]);
}

/** Fingerprint of the sign-in. Excludes the lifetime of a process, which applies only to later ones. */
function signInFingerprint(integration: Integration): string {
  return JSON.stringify([integration.state, accessFields(integration)]);
}

/**
 * Fingerprint of the access that determines a server's lists: another sign-in, key, address or command may see others.
 * An expired sign-in counts as the same one; `undefined`: signed out.
 */
function listOwner(integration: Integration): string | undefined {
  if (integration.state === 'signedOut') return undefined;
  const access = JSON.stringify([integration.allowedCommand, accessFields(integration)]);
  return createHash('sha256').update(access).digest('hex');
}

function accessFields(integration: Integration): readonly unknown[] {
  const { url, command, issuerKey, method, account, signedInAt, keySavedAt, options } = integration;
  const runs = command && { ...command, lifetime: undefined };
  return [url, runs, issuerKey, method, account, signedInAt, keySavedAt, options];
}
