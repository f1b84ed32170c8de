import { userActionFor } from '../../../shared/error-traits.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { Occasion } from '../../../shared/ipc-event.ts';
import { PosternError, remedyOf } from '../../errors/postern-error.ts';
import { followLimits } from '../../limits.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import type { SubscriptionTarget } from '../../mcp/client/subscribe.ts';
import type { Clock } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { useServer } from './use-server.ts';
import type { UseOptions } from './use-server.ts';

export interface Follower {
  /** Called first when the subscription is active, then after each change or reconnection. */
  readonly read: (connection: McpConnection, occasion: Occasion, signal: AbortSignal) => Promise<void>;
  /** The connection failed; another is tried. */
  readonly onDisconnect: () => void;
}

/**
 * Follows a server's change notifications until `access.signal` aborts; reopens connections that end. Returns false if
 * the server does not send such notifications. Errors: as `listTools`; those of the first connection at once.
 */
export async function followChanges(
  ports: EnginePorts,
  { id }: Pick<Integration, 'id'>,
  target: SubscriptionTarget,
  options: UseOptions,
  follower: Follower,
): Promise<boolean> {
  const { signal } = options;
  let occasion: Occasion = 'first';
  const read: Follower['read'] = async (connection, why) => {
    await follower.read(connection, why === 'changed' ? why : occasion, signal);
    occasion = 'again';
  };
  for (let shortConnections = 0, failures = 0; ;) {
    const openedAt = ports.clock.monotonic();
    try {
      // With its current sign-in.
      const integration = await ports.store.read(id);
      if (!integration) throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
      // Do not restart a stopped process only to listen to it.
      if (occasion !== 'first' && options.serverPool && integration.command !== undefined) return true;
      if (!(await followOnce(ports, integration, target, options, read))) return occasion !== 'first';
      failures = 0;
    } catch (error) {
      const hasStarted = occasion !== 'first';
      if (hasStarted && signal.aborted) return true;
      failures += 1;
      if (!hasStarted || failures >= followLimits.failures || !isTemporary(error)) throw error;
      follower.onDisconnect();
    }
    // Some hosts end every stream early; one that keeps ending at once is retried ever more rarely.
    shortConnections = ports.clock.monotonic() - openedAt < followLimits.stableAfter ? shortConnections + 1 : 0;
    await pause(
      ports.clock,
      Math.min(followLimits.shortest * 2 ** Math.max(0, shortConnections - 1), followLimits.longest),
      signal,
    );
    if (signal.aborted) return true;
  }
}

/** False if only the user can help. */
function isTemporary(error: unknown): boolean {
  return error instanceof PosternError && userActionFor(remedyOf(error)) === undefined;
}

/** Follows over one connection, which stays open after `access.signal` aborts to unsubscribe. */
async function followOnce(
  ports: EnginePorts,
  integration: Integration,
  target: SubscriptionTarget,
  options: UseOptions,
  read: Follower['read'],
): Promise<boolean> {
  const { signal } = options;
  const life = new AbortController();
  const abortLife = (): void => life.abort(signal.reason);
  if (signal.aborted) abortLife();
  signal.addEventListener('abort', abortLife);
  try {
    const listening = { ...options, isListening: true, signal: life.signal };
    return await useServer(ports, integration, listening, async (connection) => {
      const { subscribe } = await import('../../mcp/client/subscribe.ts');
      const changes = new ChangeSignal();
      const subscription = await subscribe(connection, target, () => changes.note(), signal);
      if (!subscription) return false;
      signal.removeEventListener('abort', abortLife);
      try {
        await readOnChange(ports.clock, { changes, ended: subscription.ended, signal }, (why) =>
          read(connection, why, signal),
        );
      } finally {
        signal.addEventListener('abort', abortLife);
        await subscription.stop(AbortSignal.timeout(followLimits.unsubscribe)).catch(() => {});
      }
      return true;
    });
  } finally {
    signal.removeEventListener('abort', abortLife);
  }
}

interface ChangeFeed {
  readonly changes: ChangeSignal;
  readonly ended: Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Changes during one read lead to one more read, after a pause. */
async function readOnChange(
  clock: Clock,
  { changes, ended, signal }: ChangeFeed,
  read: (occasion: Occasion) => Promise<void>,
): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener('abort', abort);
  try {
    for (let occasion: Occasion = 'first'; !signal.aborted; occasion = 'changed') {
      changes.isPending = false;
      await read(occasion);
      await pause(clock, followLimits.readInterval, signal);
      await Promise.race([changes.wait(), ended, aborted.promise]);
      if (!changes.isPending) return;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Set by a notification since the last read. */
class ChangeSignal {
  isPending = false;
  #wake: () => void = () => {};

  note(): void {
    this.isPending = true;
    this.#wake();
  }

  async wait(): Promise<void> {
    if (!this.isPending) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = (): void => resolve();
  const stop = clock.after(milliseconds, over);
  signal.addEventListener('abort', over);
  await promise;
  stop();
  signal.removeEventListener('abort', over);
}
