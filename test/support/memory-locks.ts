import { PosternError } from '../../main/errors/postern-error.ts';
import type { Locks } from '../../main/ports.ts';

/** In-process locks, first come, first served, shared by the engines of a test. */
export function createMemoryLocks(): Locks {
  const queues = new Map<string, Promise<void>>();
  return {
    async hold(name, work, signal) {
      const turn = Promise.withResolvers<void>();
      const before = queues.get(name);
      queues.set(
        name,
        Promise.resolve(before).then(() => turn.promise),
      );
      try {
        await before;
        if (signal?.aborted) throw new PosternError('USER_CANCELLED', { stage: 'storage' });
        return await work();
      } finally {
        turn.resolve();
      }
    },
  };
}
