import { AsyncLocalStorage } from 'node:async_hooks';
import { PosternError } from '../../errors/postern-error.ts';
import { turnstileTimeout, lockTimeout } from '../../limits.ts';
import type { Locks } from '../../ports.ts';
import type { HeldLock } from './lock-file.ts';

interface Hold {
  readonly name: string;
  active: boolean;
}

/**
 * Named locks below `folder`, across processes and within this one. Not re-entrant: taking a name again inside the work
 * that holds it fails with INTERNAL instead of a deadlock. First come, first served within a process; between
 * processes, a waiter gets its turn before the holder can take the lock again.
 * Errors of `hold`: USER_CANCELLED as soon as `signal` aborts, CFG_CONFLICT after `timeout` milliseconds of waiting for
 * another process, CFG_READONLY, CFG_DISK_FULL (stage `storage`).
 */
export function createLocks(folder: string, { timeout = lockTimeout }: { timeout?: number } = {}): Locks {
  const queues = new Map<string, Promise<void>>();
  const currentHolds = new AsyncLocalStorage<readonly Hold[]>();

  return {
    async hold(name, work, signal) {
      const outer = currentHolds.getStore() ?? [];
      if (outer.some((hold) => hold.active && hold.name === name)) {
        throw new PosternError('INTERNAL', { stage: 'storage', cause: new Error(`lock ${name} is not re-entrant`) });
      }
      const turn = Promise.withResolvers<void>();
      const before = queues.get(name) ?? Promise.resolve();
      const after = before.then(() => turn.promise);
      queues.set(name, after);
      try {
        await untilAborted(before, signal);
        const lock = await waitForLock({ folder, name }, timeout, signal);
        const hold: Hold = { name, active: true };
        try {
          return await currentHolds.run([...outer, hold], work);
        } finally {
          hold.active = false;
          lock.release();
        }
      } finally {
        turn.resolve();
        if (queues.get(name) === after) queues.delete(name);
      }
    },
  };
}

/**
 * Polls, because SQLite's own busy timeout blocks the thread. A waiter holds the turnstile, which a releaser has to
 * pass before it can take the lock again. After `turnstileTimeout` the turnstile is ignored, so that a suspended waiter
 * does not block everyone else.
 */
async function waitForLock(
  { folder, name }: { readonly folder: string; readonly name: string },
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<HeldLock> {
  // Loaded on demand: callers that only read need neither locks nor hashing.
  const { lockFilePath, tryLockFile } = await import('./lock-file.ts');
  const file = lockFilePath(folder, name);
  const start = performance.now();
  let turnstile: HeldLock | undefined;
  let pause = 1;
  try {
    for (;;) {
      throwIfAborted(signal);
      turnstile ??= await tryLockFile(`${file}-next`);
      const waited = performance.now() - start;
      if (turnstile || waited > turnstileTimeout) {
        const lock = await tryLockFile(file);
        if (lock) return lock;
      }
      if (waited > timeout) throw new PosternError('CFG_CONFLICT', { stage: 'storage' });
      await sleep(pause * (0.5 + Math.random()), signal);
      pause = Math.min(pause * 1.5, 25);
    }
  } finally {
    turnstile?.release();
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PosternError('USER_CANCELLED', { stage: 'storage', cause: signal.reason });
}

async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await untilAborted(promise, signal).finally(() => clearTimeout(timer));
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  if (!signal) return promise;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
  throwIfAborted(signal);
}

/** Guards every read-modify-write of vault and settings, and the creation of the key, port and registrations. */
export const profileLock = 'profile';
