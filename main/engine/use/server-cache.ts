import type { Integration, WireEra } from '../../../shared/integration.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { sessionEnd } from '../../limits.ts';
import type { ListedTools, McpConnection } from '../../mcp/client/connect-mcp.ts';
import { EndedSession, SessionEnds } from '../../mcp/http/ended-session.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import type { Clock, IntegrationStore } from '../../ports.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { keptKey, usesApiKey } from '../kept/api-key.ts';
import { serverAddress } from '../kept/integration-policy.ts';
import { untilAborted } from '../work-queue.ts';
import { credentialSource } from './credential-source.ts';
import { openServer } from './open-server.ts';
import type { OpenServer, OpenServerOptions } from './open-server.ts';

/** What a connection was opened with: another sign-in, account or choice wants one of its own. */
function describeSignIn(integration: Integration): string {
  const { url, command, method, state, issuerKey, account, signedInAt, keySavedAt, options } = integration;
  return JSON.stringify([url, command, method, state, issuerKey, account, signedInAt, keySavedAt, options]);
}

type ConnectionOptions = Omit<OpenServerOptions, 'sessionEnds'>;

interface KeptServersOptions extends Pick<ConnectionOptions, 'asks' | 'asWritten'> {
  readonly isExclusive?: boolean;
}

/**
 * Servers whose connection, and with it the session, stays between the commands of a user: what a server keeps in a
 * session lasts for as long as they work with it. Sessions end when nobody has used them for a while, when the sign-in or
 * a choice is another one, and when Postern ends.
 */
export class KeptServers {
  readonly #always: Pick<ConnectionOptions, 'asks' | 'asWritten'>;
  /** By the id of the server, and how it was opened. */
  readonly #kept = new Map<string, { readonly id: string; readonly signIn: string; readonly server: KeptServer }>();
  /** Opened with an earlier sign-in, and still in use when they were seen last. */
  #retired: readonly KeptServer[] = [];

  readonly #isExclusive: boolean;

  /**
   * `always`: what holds for all of them, whoever opens it. `isExclusive`: a connection is one user's at a time, since what
   * a server asks or writes during a call does not say whose call it is of; a further one gets one that does not stay.
   */
  constructor({ isExclusive = false, ...always }: KeptServersOptions) {
    this.#always = always;
    this.#isExclusive = isExclusive;
  }

  /** The server as it was opened last, if it is still signed in to in the same way. The last one used stands last. */
  open(ports: EnginePorts, integration: Integration, { asks = false, asWritten }: ConnectionOptions): OpenServer {
    const { id } = integration;
    // Texts are taken out for one command; others use the connection after it.
    const handsOn = asWritten?.texts !== undefined;
    const options = { asks, ...this.#always, handsOn };
    const key = JSON.stringify([id, options]);
    const signIn = describeSignIn(integration);
    const known = this.#kept.get(key);
    if (this.#isExclusive && known?.server.isInUse === true) {
      const other = this.#serve(ports, integration, options);
      other.retire();
      return other;
    }
    this.#kept.delete(key);
    if (known !== undefined && known.signIn !== signIn) this.#retire(known.server);
    const kept = known?.signIn === signIn ? known : { id, signIn, server: this.#serve(ports, integration, options) };
    this.#kept.set(key, kept);
    for (const [other, { server }] of [...this.#kept].slice(0, -keptSession.count)) {
      this.#kept.delete(other);
      this.#retire(server);
    }
    return kept.server;
  }

  /** Ends those that are not in the list any more, or signed in to in another way. While it cannot be read, none. */
  async review(store: Pick<IntegrationStore, 'list'>): Promise<void> {
    const list = await store.list().catch(() => undefined);
    if (list === undefined) return;
    const listed = new Map(list.map((integration) => [integration.id, integration]));
    for (const [key, { id, signIn, server }] of this.#kept) {
      const now = listed.get(id);
      if (now && describeSignIn(now) === signIn) continue;
      this.#kept.delete(key);
      // What uses it with an earlier sign-in may come to its end.
      if (now && now.state !== 'signedOut') this.#retire(server);
      else void server.end();
    }
  }

  /** Ends all of them; resolves when the servers know, or have had their time. */
  async end(): Promise<void> {
    const servers = [...[...this.#kept.values()].map(({ server }) => server), ...this.#retired];
    this.#kept.clear();
    this.#retired = [];
    await Promise.all(servers.map((server) => server.end()));
  }

  /** A call that has just found its sign-in ended is still to say so, and is not cut off for the next one's sake. */
  #retire(server: KeptServer): void {
    server.retire();
    this.#retired = [...this.#retired, server].filter(({ isInUse }) => isInUse);
  }

  #serve(ports: EnginePorts, integration: Integration, options: ConnectionOptions): KeptServer {
    const credentials = (signal: AbortSignal): CredentialSource => credentialsOf(ports, integration, signal);
    return new KeptServer(ports, serverAddress(integration), credentials, options);
  }
}

/** A key that another program has replaced must not be sent any more; of tokens the sign-in tells. */
function credentialsOf(ports: EnginePorts, integration: Integration, signal: AbortSignal): CredentialSource {
  if (!usesApiKey(integration)) return credentialSource(ports, integration, signal);
  return { current: () => keptKey(ports, integration).current(), renew: async () => undefined };
}

/** Connections that are kept at once; milliseconds for which one is that nobody uses. */
const keptSession = { count: 20, idle: 600_000 } as const;

interface Kept {
  readonly opening: Promise<McpConnection>;
  /** What belongs to the connection, and not to one command. */
  readonly life: AbortController;
  users: number;
  isOpen: boolean;
  stopWaiting: () => void;
  listed?: ListedTools;
  ending?: Promise<void>;
}

/** One server, to which several commands talk over one connection, at once too; some may be asked. */
class KeptServer implements OpenServer {
  readonly #ports: EnginePorts;
  readonly #address: ServerAddress;
  readonly #credentials: (signal: AbortSignal) => CredentialSource;
  readonly #options: ConnectionOptions;
  readonly #sessionEnds = new SessionEnds();
  #server: OpenServer | undefined;
  #kept: Kept | undefined;
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

  /** The connection that is there, or a new one; its `close` gives it back. Errors: as of `openServer`. */
  async connect(era: WireEra | undefined, signal: AbortSignal): Promise<McpConnection> {
    const kept = (this.#kept ??= this.#open(era));
    kept.users += 1;
    kept.stopWaiting();
    const giveBack = async (): Promise<void> => await this.#giveBack(kept);
    try {
      const connection = await untilAborted(kept.opening, signal);
      let isBack = false;
      return {
        ...connection,
        listed: kept.listed,
        noteListed: (listed) => void (kept.listed = listed),
        close: async () => {
          if (isBack) return;
          isBack = true;
          await giveBack();
        },
      };
    } catch (error) {
      // Read before the connection ends, which would be taken for the cause.
      const failure = signal.aborted ? error : await this.failure(error);
      if (!signal.aborted) this.#drop(kept);
      await giveBack();
      throw failure;
    }
  }

  /** As of `openServer`. After what may be the connection's fault the next command opens another one. */
  async failure(thrown: unknown): Promise<PosternError> {
    const kept = this.#kept;
    const server = this.#server;
    if (server === undefined) throw thrown;
    const { isOfConnection } = await import('../../mcp/http/mcp-failure.ts');
    if (kept && (thrown instanceof EndedSession || isOfConnection(thrown))) this.#drop(kept);
    return await server.failure(thrown);
  }

  /** Something uses its connection now. */
  get isInUse(): boolean {
    return this.#kept !== undefined && this.#kept.users > 0;
  }

  /** For one that is opened no more: its session ends once what uses it now is done. */
  retire(): void {
    this.#isRetired = true;
    if (!this.isInUse) void this.end();
  }

  /** Ends the session, and what uses it. Resolves when the server knows, or has had its time. */
  async end(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept) await end(kept, this.#ports.clock);
  }

  #open(era: WireEra | undefined): Kept {
    const life = new AbortController();
    const server = openServer(this.#ports, this.#address, this.#credentials(life.signal), {
      ...this.#options,
      sessionEnds: this.#sessionEnds,
    });
    this.#server = server;
    const opening = server.connect(era, life.signal);
    const kept: Kept = { opening, life, users: 0, isOpen: false, stopWaiting: () => {} };
    opening.then(
      () => (kept.isOpen = true),
      () => {},
    );
    return kept;
  }

  /** Nobody gets it any more; whoever uses it may go on. */
  #drop(kept: Kept): void {
    if (this.#kept === kept) this.#kept = undefined;
  }

  async #giveBack(kept: Kept): Promise<void> {
    kept.users -= 1;
    if (kept.users > 0) return;
    // Somebody has stopped waiting for a server that does not answer, or it is of no use.
    if (this.#kept !== kept || !kept.isOpen || this.#isRetired) {
      this.#drop(kept);
      return await end(kept, this.#ports.clock);
    }
    kept.stopWaiting = this.#ports.clock.after(keptSession.idle, () => {
      this.#drop(kept);
      void end(kept, this.#ports.clock);
    });
  }
}

/** Once. What stands between a request and its credential, such as a refresh, has no more time than the request. */
function end(kept: Kept, clock: Pick<Clock, 'after'>): Promise<void> {
  const { opening, life, isOpen, stopWaiting } = kept;
  return (kept.ending ??= (async () => {
    stopWaiting();
    const stopTimer = clock.after(sessionEnd, () => life.abort());
    if (isOpen) await (await opening).discard().catch(() => {});
    stopTimer();
    life.abort();
  })());
}
