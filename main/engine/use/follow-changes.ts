import { wayOutOf } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { Occasion } from '../../../shared/ipc-event.ts';
import { PosternError, remedyOf } from '../../errors/postern-error.ts';
import { following } from '../../limits.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import type { Followed } from '../../mcp/client/subscribe.ts';
import type { Clock } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { useServer } from './use-server.ts';
import type { Access } from './use-server.ts';

export interface Follower {
  /** First, once the server would say it, and each time that it may be another one. */
  readonly read: (connection: McpConnection, occasion: Occasion, signal: AbortSignal) => Promise<void>;
  /** That has failed; another connection is tried. */
  readonly broke: () => void;
}

/**
 * Follows what a server says has changed, until `access.signal` aborts. Connections that end are opened again. Answers
 * false where the server says no such thing. Errors: as `listTools`; those of the first connection at once.
 */
export async function followChanges(
  ports: EnginePorts,
  { id }: Pick<Integration, 'id'>,
  followed: Followed,
  access: Access,
  follower: Follower,
): Promise<boolean> {
  const { signal } = access;
  let occasion: Occasion = 'first';
  const read: Follower['read'] = async (connection, why) => {
    await follower.read(connection, why === 'said' ? why : occasion, signal);
    occasion = 'again';
  };
  for (let short = 0, failures = 0; ;) {
    const began = ports.clock.monotonic();
    try {
      // As it is signed in to now.
      const integration = await ports.store.read(id);
      if (!integration) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
      // A process that somebody has stopped is not begun again only to be listened to.
      if (occasion !== 'first' && access.keptServers && integration.command !== undefined) return true;
      if (!(await followOnce(ports, integration, followed, access, read))) return occasion !== 'first';
      failures = 0;
    } catch (error) {
      const hasBegun = occasion !== 'first';
      if (hasBegun && signal.aborted) return true;
      failures += 1;
      if (!hasBegun || failures >= following.failures || !mayPass(error)) throw error;
      follower.broke();
    }
    // Some hosts let no stream last for long; one that ends at once, again and again, is asked ever more rarely.
    short = ports.clock.monotonic() - began < following.lasted ? short + 1 : 0;
    await pause(ports.clock, Math.min(following.shortest * 2 ** Math.max(0, short - 1), following.longest), signal);
    if (signal.aborted) return true;
  }
}

/** Not where only a person can help. */
function mayPass(error: unknown): boolean {
  return error instanceof PosternError && wayOutOf(remedyOf(error)) === undefined;
}

/** Over one connection, which outlasts `access.signal` by the word that nobody follows any more. */
async function followOnce(
  ports: EnginePorts,
  integration: Integration,
  followed: Followed,
  access: Access,
  read: Follower['read'],
): Promise<boolean> {
  const { signal } = access;
  const life = new AbortController();
  const giveUp = (): void => life.abort(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  try {
    const listening = { ...access, isListening: true, signal: life.signal };
    return await useServer(ports, integration, listening, async (connection) => {
      const { subscribe } = await import('../../mcp/client/subscribe.ts');
      const changes = new Changes();
      const kept = await subscribe(connection, followed, () => changes.note(), signal);
      if (!kept) return false;
      signal.removeEventListener('abort', giveUp);
      try {
        await readEachTime(ports.clock, { changes, ended: kept.ended, signal }, (why) => read(connection, why, signal));
      } finally {
        signal.addEventListener('abort', giveUp);
        await kept.stop(AbortSignal.timeout(following.leave)).catch(() => {});
      }
      return true;
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

interface Told {
  readonly changes: Changes;
  readonly ended: Promise<unknown>;
  readonly signal: AbortSignal;
}

/** However many changes come during one reading, they lead to one more, and that not at once. */
async function readEachTime(
  clock: Clock,
  { changes, ended, signal }: Told,
  read: (occasion: Occasion) => Promise<void>,
): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener('abort', abort);
  try {
    for (let occasion: Occasion = 'first'; !signal.aborted; occasion = 'said') {
      changes.isPending = false;
      await read(occasion);
      await pause(clock, following.between, signal);
      await Promise.race([changes.come(), ended, aborted.promise]);
      if (!changes.isPending) return;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Whether the server has said so since the last reading. */
class Changes {
  isPending = false;
  #wake: () => void = () => {};

  note(): void {
    this.isPending = true;
    this.#wake();
  }

  async come(): Promise<void> {
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
