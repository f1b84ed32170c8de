import { setTimeout as pause } from 'node:timers/promises';
import { gatewaySession } from '../../limits.ts';
import { lockFilePath, tryLockFile } from '../../storage/files/lock-file.ts';
import type { HeldLock } from '../../storage/files/lock-file.ts';
import { askToYield, HeldGateway, readHolder } from '../../host/gateway/gateway-holder.ts';

/** Milliseconds for one to make room, in all, between two looks. */
type Patience = Readonly<Record<'wait' | 'inAll' | 'look', number>>;

/**
 * Nobody serves the programs of a profile from here on, until `release`: whoever makes room is asked to end, and has
 * all the time that it may take for its last answers. Errors: GATEWAY_HELD, which names the one that goes on, CFG_*.
 */
export async function stopGateway(
  folder: string,
  { wait, inAll, look }: Patience = gatewaySession.handOver,
): Promise<HeldLock> {
  let asked: number | undefined = 0;
  for (let waited = 0, looked = 0; waited <= wait && looked <= inAll; waited += look, looked += look) {
    const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
    if (lock) return lock;
    // Only what has a secret makes room, or what is leaving as it is; nobody waits for another one.
    const holder = await readHolder(folder);
    // One that a pipe has started meanwhile has not been asked yet.
    if (holder?.isLeaving) waited = 0;
    else if (holder?.pid !== asked) {
      if (!(await askToYield(folder))) break;
      asked = holder?.pid;
    }
    await pause(look);
  }
  throw await heldError(folder);
}

/** Who serves the profile, for a person to end it. Never rejects. */
export async function heldError(folder: string): Promise<HeldGateway> {
  const holder = await readHolder(folder);
  return new HeldGateway('GATEWAY_HELD', {
    stage: 'gateway',
    detail: holder ? { holder: holder.kind, process: holder.pid } : {},
  });
}
