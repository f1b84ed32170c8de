import { setTimeout as pause } from 'node:timers/promises';
import { gatewaySession } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import { type HeldLock, lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';
import { askToYield, readHolder } from './hand-over.ts';

/**
 * Nobody serves the programs of a profile from here on, until `release`: whoever makes room is asked to end. Errors:
 * GATEWAY_HELD, which names the one that goes on, CFG_*.
 */
export async function stopGateway(folder: string): Promise<HeldLock> {
  let asked: number | undefined = 0;
  const { wait, look } = gatewaySession.handOver;
  for (let waited = 0; waited <= wait; waited += look) {
    const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
    if (lock) return lock;
    // Only what has a secret makes room, or what is leaving as it is; nobody waits for another one.
    const holder = await readHolder(folder);
    // One that a pipe has started meanwhile has not been asked yet.
    if (holder?.isLeaving !== true && holder?.pid !== asked) {
      if (!(await askToYield(folder))) break;
      asked = holder?.pid;
    }
    await pause(look);
  }
  throw await heldError(folder);
}

/** Who serves the profile, for a person to end it. Never rejects. */
export async function heldError(folder: string): Promise<PosternError> {
  const holder = await readHolder(folder);
  return new PosternError('GATEWAY_HELD', {
    stage: 'gateway',
    detail: holder ? { holder: holder.kind, process: holder.pid } : {},
  });
}
