// One integration as the gateway serves it: state that all of its sessions share.

import { createHash } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { holdsChanges, withChangedToolRule } from '../../../shared/tool-permissions.ts';
import type { ChangedToolRule } from '../../../shared/tool-permissions.ts';
import { displayText } from '../../address/display-text.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { integrationPolicy, storedAddress } from '../../engine/records/integration-policy.ts';
import { recordUse } from '../../engine/records/server-failure.ts';
import { credentialSource } from '../../engine/use/credential-source.ts';
import { localConnection } from '../../engine/use/local-connection.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { CatalogStore } from '../../gateway-ports.ts';
import { displayNameLength, gatewayMessage, maxUnusableParts } from '../../limits.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { createMcpFetch } from '../../mcp/http/mcp-fetch.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { withOlderSessionRevisions } from '../../mcp/http/older-revisions.ts';
import { withSseFallback } from '../../mcp/sse/sse-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { Refusal } from '../responses/responses.ts';
import { judgeFailure } from '../responses/judge-failure.ts';
import type { Judgment } from '../responses/judge-failure.ts';
import { actionableFailure } from '../gateway-dependencies.ts';
import type { GatewayPorts } from '../gateway-dependencies.ts';
import { Catalog } from '../messages/catalog.ts';
import { ServerTools } from '../capabilities/server-tools.ts';
import { OwnRequests } from './own-requests.ts';

export type ServedServerPorts = EnginePorts &
  Pick<GatewayPorts, 'onActionNeeded' | 'command'> & {
    /** How to treat changed tools, for servers without a setting of their own. */
    readonly changedTools: () => ChangedToolRule | undefined;
  };

/** A response that matches no request, from the server or the app; or a list that is too long. */
export type UnexpectedMessageType = 'server-answer' | 'app-answer' | 'long-listing';

/** Transport to a server, for one session. */
export interface ServerTransport {
  readonly fetch: McpFetch;
  /** Stops sending. Never rejects. */
  close(): Promise<void>;
}

/** One integration, shared by all sessions: its credential with a single renewal at a time, and its cached lists. */
export class ServedServer {
  readonly catalog: Catalog;
  readonly own: OwnRequests;
  readonly tools: ServerTools;
  /** Resolves when the results of use are saved, or cannot be. Never rejects. */
  saved = Promise.resolve();
  readonly #ports: ServedServerPorts;
  readonly #closeSignal: AbortSignal;
  #integration: Integration;
  #permissionsFingerprint: string;
  #credentials: CredentialSource;
  #isRemoved = false;
  #isStatelessOnly = false;
  /** Keys of unusable parts that were logged. */
  readonly #unusable = new Set<string>();
  readonly #transports = new Set<StdioTransport>();

  constructor(ports: ServedServerPorts, store: CatalogStore, integration: Integration, end: AbortSignal) {
    this.#ports = ports;
    this.#closeSignal = end;
    this.#integration = integration;
    this.#permissionsFingerprint = permissionsFingerprint(integration, ports.changedTools());
    this.#credentials = credentialSource(ports, integration, end);
    this.own = new OwnRequests(ports.random);
    this.catalog = new Catalog(integration.id, store, () => listOwner(this.#integration));
    this.tools = new ServerTools({
      ...ports,
      catalog: this.catalog,
      integration: () => this.#integration,
      onPermissions: (changed) => (this.#integration = changed),
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
    this.#isRemoved = integration === undefined;
    if (!integration) {
      this.#restartProcesses();
      return false;
    }
    const before = signInFingerprint(this.#integration);
    const owner = listOwner(this.#integration);
    this.#integration = integration;
    // The lists belong to another account.
    if (owner !== listOwner(integration)) {
      this.catalog.forget();
      this.tools.forget();
    }
    const fingerprint = permissionsFingerprint(integration, this.#ports.changedTools());
    if (fingerprint !== this.#permissionsFingerprint) this.tools.changed();
    this.#permissionsFingerprint = fingerprint;
    if (before === signInFingerprint(integration)) return false;
    this.#credentials = credentialSource(this.#ports, integration, this.#closeSignal);
    this.#restartProcesses();
    return true;
  }

  get isLocal(): boolean {
    return this.#integration.command !== undefined;
  }

  /** Opens a transport for one session, with the integration's credential or to a local process. */
  openTransport(): ServerTransport {
    return this.isLocal
      ? this.#openProcess()
      : { fetch: withOlderSessionRevisions(this.#openFetch()), close: async () => {} };
  }

  #openProcess(): ServerTransport {
    const transport = localConnection(this.#ports, () => {
      const { id, command } = this.#integration;
      if (this.#isRemoved || !command) throw new PosternError('NOT_FOUND', { stage: 'gateway', detail: { count: 0 } });
      return { id, command };
    });
    this.#transports.add(transport);
    return {
      fetch: withOlderSessionRevisions(transport.fetch),
      close: async () => {
        this.#transports.delete(transport);
        await transport.close();
      },
    };
  }

  /** Restarts local processes, whose command or credential has changed. */
  #restartProcesses(): void {
    for (const transport of this.#transports) void transport.restart();
  }

  #openFetch(): McpFetch {
    const { http, clock } = this.#ports;
    const current: CredentialSource = {
      current: async () => {
        if (this.#isRemoved) throw new PosternError('NOT_FOUND', { stage: 'gateway', detail: { count: 0 } });
        return await this.#credentials.current();
      },
      renew: (refused, doubt) => this.#credentials.renew(refused, doubt),
      onAccepted: async (credential) => await this.#credentials.onAccepted?.(credential),
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
    const known = protocol === 'sse' ? 'sse' : 'unknown';
    const onTransport = (detected: 'sse' | 'streamable-http'): void => {
      if (detected === 'sse' || known === 'sse') void this.noteProtocol(detected === 'sse' ? 'sse' : 'session');
    };
    return withSseFallback({ fetch, clock, known, onTransport }).fetch;
  }

  /** How to report a failure to this app; also notifies the window if only the user can help. */
  refuse(app: string | undefined, thrown: unknown): Refusal {
    const failure = actionableFailure(this.#integration, thrown);
    const name = displayText(app ?? 'An app', displayNameLength);
    if (failure) this.#ports.onActionNeeded?.({ integration: this.#integration, app: name, ...failure });
    if (thrown instanceof PosternError) this.noteUse(thrown);
    return this.judge(thrown).refusal;
  }

  /** Records a successful use by an app, or a failure. */
  noteUse(failure?: PosternError): void {
    this.saved = this.saved.then(() => recordUse(this.#ports, this.#integration, failure));
  }

  judge(thrown: unknown): Judgment {
    return judgeFailure(this.#integration, thrown, this.#ports.command);
  }

  /** Whether it refused a handshake and reported that it is stateless only. */
  get isStatelessOnly(): boolean {
    return this.#integration.protocol === 'stateless' && this.#isStatelessOnly;
  }

  noteStatelessOnly(): void {
    this.#isStatelessOnly = true;
  }

  /** Logs a message that was not expected and is ignored. */
  logUnexpected(type: UnexpectedMessageType): void {
    this.#ports.log.write('session-event-ignored', { integration: this.#integration.id, type });
  }

  /** Logs an unusable element of a list or result once, without any text from the server. */
  readonly noteUnusable = ({ list, index, member }: UnusablePart): void => {
    // A path within a schema contains names chosen by the server.
    const [named] = member?.split('.') ?? [];
    const key = `${list} ${index} ${named}`;
    if (this.#unusable.has(key) || this.#unusable.size >= maxUnusableParts) return;
    this.#unusable.add(key);
    this.#ports.log.write('element-unusable', { integration: this.#integration.id, type: list, index, member: named });
  };

  /** Saves which protocol the server uses, if that has changed. Never rejects. */
  async noteProtocol(protocol: NonNullable<Integration['protocol']>): Promise<void> {
    if (this.#integration.protocol === protocol) return;
    const changed = this.#ports.store.update(this.#integration.id, (stored) => ({ ...stored, protocol }));
    const updated = await changed.catch(() => undefined);
    if (updated) this.#integration = updated;
  }
}

/** All servers that sessions use or have used, each once. */
export class ServedServers implements Iterable<ServedServer> {
  readonly #ports: ServedServerPorts;
  readonly #store: CatalogStore;
  readonly #closeSignal: AbortSignal;
  readonly #byId = new Map<string, ServedServer>();

  constructor(ports: ServedServerPorts, store: CatalogStore, closeSignal: AbortSignal) {
    this.#ports = ports;
    this.#store = store;
    this.#closeSignal = closeSignal;
  }

  [Symbol.iterator](): Iterator<ServedServer> {
    return this.#byId.values();
  }

  get(id: string): ServedServer | undefined {
    return this.#byId.get(id);
  }

  /** The server of this integration. One that is known stays as it is: `integration` may have been read long ago. */
  serve(integration: Integration): ServedServer {
    const known = this.#byId.get(integration.id);
    if (known) return known;
    const server = new ServedServer(this.#ports, this.#store, integration, this.#closeSignal);
    this.#byId.set(integration.id, server);
    return server;
  }

  /** Forgets all others. */
  retain(isNeeded: (server: ServedServer) => boolean): void {
    for (const [id, server] of this.#byId) if (!isNeeded(server)) this.#byId.delete(id);
  }
}

/** `defaultRule`: the setting for changed tools of all servers. */
function permissionsFingerprint(
  { permissions: own, toolReview }: Integration,
  defaultRule: ChangedToolRule | undefined,
): string {
  const permissions = withChangedToolRule(own, defaultRule);
  return JSON.stringify([permissions, holdsChanges(permissions) && toolReview?.reviewedAt]);
}

/** Excludes the lifetime of a local process, which applies only to later processes. */
function signInFingerprint(integration: Integration): string {
  return JSON.stringify([integration.state, signInFields(integration)]);
}

/**
 * Fingerprint of everything that determines a server's lists: sign-in, key, address and command. An expired sign-in
 * counts as the same one; `undefined`: signed out.
 */
function listOwner(integration: Integration): string | undefined {
  if (integration.state === 'signedOut') return undefined;
  const access = JSON.stringify([integration.allowedCommand, signInFields(integration)]);
  return createHash('sha256').update(access).digest('hex');
}

function signInFields(integration: Integration): readonly unknown[] {
  const { url, command, issuerKey, method, account, signedInAt, keySavedAt, options } = integration;
  const runs = command && { ...command, lifetime: undefined };
  return [url, runs, issuerKey, method, account, signedInAt, keySavedAt, options];
}
