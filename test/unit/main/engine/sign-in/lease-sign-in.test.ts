import { describe, expect, it } from 'vitest';
import { leaseSignIn } from '../../../../../main/engine/sign-in/auth-tickets.ts';
import type { LeasedSignIn } from '../../../../../main/engine/sign-in/auth-tickets.ts';
import { leaseReview } from '../../../../../main/limits.ts';
import type { Vault } from '../../../../../main/ports.ts';
import { createRefreshWorld, settle } from '../../../../support/refresh-world.ts';

/** A sign-in that waits until its signal aborts, and a lease that the test takes over. */
function startWaiting({ persistent = true } = {}) {
  const world = createRefreshWorld();
  const lease = { newest: true, leased: [] as string[], released: 0 };
  const ports = {
    ...world.ports,
    vault: async (): Promise<Vault> => ({ ...world.vault, persistent }),
    leases: {
      async take(name: string) {
        lease.leased.push(name);
        return {
          supersedes: false,
          isNewest: () => lease.newest,
          release: async () => void (lease.released += 1),
        };
      },
    },
  };
  const person = new AbortController();
  let leased: LeasedSignIn | undefined;
  const end = leaseSignIn(ports, 'name', person.signal, async (given) => {
    leased = given;
    await new Promise((_resolve, reject) => {
      given.signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
  }).catch((error: unknown) => error);
  return { lease, clock: world.clock, person, end, leased: () => leased };
}

describe('leaseSignIn', () => {
  it('interrupts the sign-in within a moment when another process starts a newer one (AZ-06)', async () => {
    const { lease, clock, end } = startWaiting();
    await settle();
    clock.advance(leaseReview);
    clock.advance(leaseReview);
    lease.newest = false;
    clock.advance(leaseReview);
    expect(await end).toMatchObject({ code: 'FLOW_SUPERSEDED', stage: 'authorization' });
    expect(lease).toMatchObject({ leased: ['name'], released: 1 });
    expect(clock.timers).toBe(0);
  });

  it('interrupts it at once when somebody has to know now', async () => {
    const { lease, clock, end, leased } = startWaiting();
    await settle();
    leased()?.assertNewest();
    lease.newest = false;
    expect(() => leased()?.assertNewest()).toThrow('FLOW_SUPERSEDED');
    expect(await end).toMatchObject({ code: 'FLOW_SUPERSEDED' });
    expect(clock.timers).toBe(0);
  });

  it('leaves the error of a sign-in that the person cancelled', async () => {
    const { lease, end, person, clock } = startWaiting();
    await settle();
    person.abort();
    expect(await end).toMatchObject({ message: 'interrupted' });
    expect(lease.released).toBe(1);
    expect(clock.timers).toBe(0);
  });

  it('leases nothing for a sign-in that is kept in memory only', async () => {
    const { lease, leased, clock, person, end } = startWaiting({ persistent: false });
    await settle();
    lease.newest = false;
    leased()?.assertNewest();
    expect(lease.leased).toEqual([]);
    expect(clock.timers).toBe(0);
    person.abort();
    await end;
  });
});
