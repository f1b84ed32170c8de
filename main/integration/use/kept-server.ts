import type { WireEra } from '../../../shared/integration.ts';
import { sessionEnd } from '../../limits.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import { EndedSession, SessionEnds } from '../../mcp/http/ended-session.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import type { Clock } from '../../ports.ts';
import type { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { ServerAddress } from '../server-address.ts';
import type { OpenServer } from './opened-server.ts';
import { openServer } from './open-server.ts';

/** Connections that are kept at once; milliseconds for which one is that nobody uses. */
export const keptSession = { count: 20, idle: 600_000 } as const;

interface Kept {
  readonly opening: Promise<McpConnection>;
  /** What belongs to the connection, and not to one command. */
  readonly life: AbortController;
  users: number;
  isOpen: boolean;
  stopWaiting: () => void;
  ending?: Promise<void>;
}

/** One server, to which several commands of a window talk over one connection, at once too; some may be asked. */
export class KeptServer implements OpenServer {
  readonly #ports: EnginePorts;
  readonly #address: ServerAddress;
  readonly #credentials: (signal: AbortSignal) => CredentialSource;
  readonly #sessionEnds = new SessionEnds();
  #server: OpenServer | undefined;
  #kept: Kept | undefined;
  #isRetired = false;

  constructor(ports: EnginePorts, address: ServerAddress, credentials: (signal: AbortSignal) => CredentialSource) {
    this.#ports = ports;
    this.#address = address;
    this.#credentials = credentials;
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
      asks: true,
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

/** Errors: those of `promise`; the reason of `signal`. */
async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
