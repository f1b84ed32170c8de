import { describe, expect, it } from 'vitest';
import { leaseSignIn } from '../../../../../main/engine/sign-in/auth-tickets.ts';
import type { LeasedSignIn } from '../../../../../main/engine/sign-in/auth-tickets.ts';
import { leaseCheckInterval } from '../../../../../main/limits.ts';
import type { Vault } from '../../../../../main/ports.ts';
import { createRefreshWorld, settle } from '../../../../support/refresh-world.ts';

/** A sign-in that waits until its signal aborts, and a lease that the test controls. */
function startWaiting({ persistent = true } = {}) {
  const world = createRefreshWorld();
  const lease = { newest: true, leased: [] as string[], released: 0 };
  const ports = {
    ...world.ports,
    vault: async (): Promise<Vault> => ({ ...world.vault, isPersistent: persistent }),
    leases: {
      async acquire(name: string) {
        lease.leased.push(name);
        return {
          supersedes: false,
          isNewest: () => lease.newest,
          release: async () => void (lease.released += 1),
        };
      },
    },
  };
  const user = new AbortController();
  let leased: LeasedSignIn | undefined;
  const end = leaseSignIn(ports, 'name', user.signal, async (given) => {
    leased = given;
    await new Promise((_resolve, reject) => {
      given.signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
  }).catch((error: unknown) => error);
  return { lease, clock: world.clock, user, end, leased: () => leased };
}

describe('leaseSignIn', () => {
  it('interrupts the sign-in soon after another process starts a newer one (AZ-06)', async () => {
    const { lease, clock, end } = startWaiting();
    await settle();
    clock.advance(leaseCheckInterval);
    clock.advance(leaseCheckInterval);
    lease.newest = false;
    clock.advance(leaseCheckInterval);
    expect(await end).toMatchObject({ code: 'FLOW_SUPERSEDED', stage: 'authorization' });
    expect(lease).toMatchObject({ leased: ['name'], released: 1 });
    expect(clock.timers).toBe(0);
  });

  it('interrupts it at once when assertNewest is called', async () => {
    const { lease, clock, end, leased } = startWaiting();
    await settle();
    leased()?.assertNewest();
    lease.newest = false;
    expect(() => leased()?.assertNewest()).toThrow('FLOW_SUPERSEDED');
    expect(await end).toMatchObject({ code: 'FLOW_SUPERSEDED' });
    expect(clock.timers).toBe(0);
  });

  it('keeps the error of a sign-in that the user cancelled', async () => {
    const { lease, end, user, clock } = startWaiting();
    await settle();
    user.abort();
    expect(await end).toMatchObject({ message: 'interrupted' });
    expect(lease.released).toBe(1);
    expect(clock.timers).toBe(0);
  });

  it('acquires no lease for a sign-in that is only in memory', async () => {
    const { lease, leased, clock, user, end } = startWaiting({ persistent: false });
    await settle();
    lease.newest = false;
    leased()?.assertNewest();
    expect(lease.leased).toEqual([]);
    expect(clock.timers).toBe(0);
    user.abort();
    await end;
  });
});
