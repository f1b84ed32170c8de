import type { Integration, ServerProtocol } from '../../../shared/integration.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { passThrough, sessionEndTimeout } from '../../limits.ts';
import type { ToolListing, McpConnection } from '../../mcp/client/connect-mcp.ts';
import { EndedSession, SessionEndDetector } from '../../mcp/http/ended-session.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import type { Clock, IntegrationStore } from '../../ports.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { storedKeySource, usesApiKey } from '../records/api-key.ts';
import { serverAddress } from '../records/integration-policy.ts';
import { untilAborted } from '../work-queue.ts';
import { credentialSource } from './credential-source.ts';
import { openServer } from './open-server.ts';
import type { OpenServer, OpenServerOptions } from './open-server.ts';

/** What a connection was opened with: another sign-in, account or option needs a connection of its own. */
function signInFingerprint(integration: Integration): string {
  const { url, command, method, state, issuerKey, account, signedInAt, keySavedAt, options } = integration;
  return JSON.stringify([url, command, method, state, issuerKey, account, signedInAt, keySavedAt, options]);
}

type ConnectionOptions = Omit<OpenServerOptions, 'sessionEnds'>;

interface ServerPoolOptions extends Pick<ConnectionOptions, 'canAskUser' | 'verbatim'> {
  readonly isExclusive?: boolean;
}

/**
 * Pools connections, and with them sessions, between a user's commands, so that server-side session state lasts while
 * they work. A session ends after idle time, when the sign-in or an option changes, and when Postern exits.
 */
export class ServerPool {
  readonly #always: Pick<ConnectionOptions, 'canAskUser' | 'verbatim'>;
  /** By server ID and how it was opened. */
  readonly #pooled = new Map<string, { readonly id: string; readonly signIn: string; readonly server: PooledServer }>();
  /** Opened with an earlier sign-in, and in use when last checked. */
  #retired: readonly PooledServer[] = [];

  readonly #isExclusive: boolean;

  /**
   * `always`: options for all of them. `isExclusive`: one user per connection at a time, since a server's questions and
   * logs do not name the call they belong to; another user gets an unpooled one.
   */
  constructor({ isExclusive = false, ...always }: ServerPoolOptions) {
    this.#always = always;
    this.#isExclusive = isExclusive;
  }

  /** Returns the pooled server if its sign-in is the same, else a new one. The most recently used comes last. */
  open(ports: EnginePorts, integration: Integration, { canAskUser = false, verbatim }: ConnectionOptions): OpenServer {
    const { id } = integration;
    // Texts can be extracted for one command only, and later ones share the connection: it takes them as they are.
    const longTexts = verbatim?.texts && { verbatim: { maxBytes: passThrough.message } };
    const options = { canAskUser, ...this.#always, ...longTexts };
    const key = JSON.stringify([id, options]);
    const signIn = signInFingerprint(integration);
    const known = this.#pooled.get(key);
    if (this.#isExclusive && known?.server.isInUse === true) {
      const other = this.#serve(ports, integration, options);
      other.retire();
      return other;
    }
    this.#pooled.delete(key);
    if (known !== undefined && known.signIn !== signIn) this.#retire(known.server);
    const pooled = known?.signIn === signIn ? known : { id, signIn, server: this.#serve(ports, integration, options) };
    this.#pooled.set(key, pooled);
    for (const [other, { server }] of [...this.#pooled].slice(0, -poolBounds.count)) {
      this.#pooled.delete(other);
      this.#retire(server);
    }
    return pooled.server;
  }

  /** Ends connections to servers that were removed or whose sign-in changed. If the list cannot be read, none. */
  async review(store: Pick<IntegrationStore, 'list'>): Promise<void> {
    const list = await store.list().catch(() => undefined);
    if (list === undefined) return;
    const listed = new Map(list.map((integration) => [integration.id, integration]));
    for (const [key, { id, signIn, server }] of this.#pooled) {
      const now = listed.get(id);
      if (now && signInFingerprint(now) === signIn) continue;
      this.#pooled.delete(key);
      // Calls that use the earlier sign-in may finish.
      if (now && now.state !== 'signedOut') this.#retire(server);
      else void server.end();
    }
  }

  /** Ends all; resolves when the servers were notified or have timed out. */
  async end(): Promise<void> {
    const servers = [...[...this.#pooled.values()].map(({ server }) => server), ...this.#retired];
    this.#pooled.clear();
    this.#retired = [];
    await Promise.all(servers.map((server) => server.end()));
  }

  /** A call that finds its sign-in ended still has to report that, so it is not cut off. */
  #retire(server: PooledServer): void {
    server.retire();
    this.#retired = [...this.#retired, server].filter(({ isInUse }) => isInUse);
  }

  #serve(ports: EnginePorts, integration: Integration, options: ConnectionOptions): PooledServer {
    const credentials = (signal: AbortSignal): CredentialSource => credentialsOf(ports, integration, signal);
    return new PooledServer(ports, serverAddress(integration), credentials, options);
  }
}

/**
 * Reads a key for each request, since a replaced key must not be sent any more; for tokens the sign-in handles that.
 */
function credentialsOf(ports: EnginePorts, integration: Integration, signal: AbortSignal): CredentialSource {
  if (!usesApiKey(integration)) return credentialSource(ports, integration, signal);
  return { current: () => storedKeySource(ports, integration).current(), renew: async () => undefined };
}

/** Pooled connections; milliseconds until an idle one ends. */
const poolBounds = { count: 20, idle: 600_000 } as const;

interface PooledConnection {
  readonly opening: Promise<McpConnection>;
  /** Lifetime of the connection, not of one command. */
  readonly life: AbortController;
  users: number;
  isOpen: boolean;
  stopWaiting: () => void;
  listed?: ToolListing;
  ending?: Promise<void>;
}

/** One server whose connection several commands share, also in parallel. */
class PooledServer implements OpenServer {
  readonly #ports: EnginePorts;
  readonly #address: ServerAddress;
  readonly #credentials: (signal: AbortSignal) => CredentialSource;
  readonly #options: ConnectionOptions;
  readonly #sessionEnds = new SessionEndDetector();
  #server: OpenServer | undefined;
  #connection: PooledConnection | undefined;
  #isRetired = false;

  constructor(
    ports: EnginePorts,
    address: ServerAddress,
    credentials: (signal: AbortSignal) => CredentialSource,
    options: ConnectionOptions,
  ) {
    this.#ports = ports;
    this.#address = address;
    this.#credentials = credentials;
    this.#options = options;
  }

  /** Returns the pooled connection, or a new one; its `close` releases it. Errors: as of `openServer`. */
  async connect(protocol: ServerProtocol | undefined, signal: AbortSignal): Promise<McpConnection> {
    const pooled = (this.#connection ??= this.#open(protocol));
    pooled.users += 1;
    pooled.stopWaiting();
    const release = async (): Promise<void> => await this.#release(pooled);
    try {
      const connection = await untilAborted(pooled.opening, signal);
      let isReleased = false;
      return {
        ...connection,
        lastListing: pooled.listed,
        saveListing: (listed) => void (pooled.listed = listed),
        close: async () => {
          if (isReleased) return;
          isReleased = true;
          await release();
        },
      };
    } catch (error) {
      // Read before the connection ends, which would look like the cause.
      const failure = signal.aborted ? error : await this.failure(error);
      if (!signal.aborted) this.#drop(pooled);
      await release();
      throw failure;
    }
  }

  /** As of `openServer`. After a possible connection fault the next command opens a new one. */
  async failure(thrown: unknown): Promise<PosternError> {
    const connection = this.#connection;
    const server = this.#server;
    if (server === undefined) throw thrown;
    const { isConnectionError } = await import('../../mcp/http/mcp-failure.ts');
    if (connection && (thrown instanceof EndedSession || isConnectionError(thrown))) this.#drop(connection);
    return await server.failure(thrown);
  }

  /** True while a command uses the connection. */
  get isInUse(): boolean {
    return this.#connection !== undefined && this.#connection.users > 0;
  }

  /** Ends the session once its current users are done; no new ones come. */
  retire(): void {
    this.#isRetired = true;
    if (!this.isInUse) void this.end();
  }

  /** Ends the session and its users' work. Resolves when the server was notified or has timed out. */
  async end(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) await endConnection(connection, this.#ports.clock);
  }

  #open(protocol: ServerProtocol | undefined): PooledConnection {
    const life = new AbortController();
    const server = openServer(this.#ports, this.#address, this.#credentials(life.signal), {
      ...this.#options,
      sessionEnds: this.#sessionEnds,
    });
    this.#server = server;
    const opening = server.connect(protocol, life.signal);
    const connection: PooledConnection = { opening, life, users: 0, isOpen: false, stopWaiting: () => {} };
    opening.then(
      () => (connection.isOpen = true),
      () => {},
    );
    return connection;
  }

  /** No new user gets it; current ones may continue. */
  #drop(connection: PooledConnection): void {
    if (this.#connection === connection) this.#connection = undefined;
  }

  async #release(connection: PooledConnection): Promise<void> {
    connection.users -= 1;
    if (connection.users > 0) return;
    // It never opened, failed, or is retired.
    if (this.#connection !== connection || !connection.isOpen || this.#isRetired) {
      this.#drop(connection);
      return await endConnection(connection, this.#ports.clock);
    }
    connection.stopWaiting = this.#ports.clock.after(poolBounds.idle, () => {
      this.#drop(connection);
      void endConnection(connection, this.#ports.clock);
    });
  }
}

/** Ends a connection once. A pending refresh gets no more time than the final request. */
function endConnection(connection: PooledConnection, clock: Pick<Clock, 'after'>): Promise<void> {
  const { opening, life, isOpen, stopWaiting } = connection;
  return (connection.ending ??= (async () => {
    stopWaiting();
    const stopTimer = clock.after(sessionEndTimeout, () => life.abort());
    if (isOpen) await (await opening).discard().catch(() => {});
    stopTimer();
    life.abort();
  })());
}
