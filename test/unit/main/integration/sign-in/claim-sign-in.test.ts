import { describe, expect, it } from 'vitest';
import { claimSignIn } from '../../../../../main/integration/sign-in/claim-sign-in.ts';
import type { ClaimedSignIn } from '../../../../../main/integration/sign-in/claim-sign-in.ts';
import { claimReview } from '../../../../../main/limits.ts';
import type { Vault } from '../../../../../main/ports.ts';
import { createRefreshWorld, settle } from '../../../../support/refresh-world.ts';

/** A sign-in that waits until its signal aborts, and a claim that the test takes over. */
function startWaiting({ persistent = true } = {}) {
  const world = createRefreshWorld();
  const claim = { newest: true, claimed: [] as string[], released: 0 };
  const ports = {
    ...world.ports,
    vault: async (): Promise<Vault> => ({ ...world.vault, persistent }),
    claims: {
      async claim(name: string) {
        claim.claimed.push(name);
        return {
          supersedes: false,
          isNewest: () => claim.newest,
          release: async () => void (claim.released += 1),
        };
      },
    },
  };
  const person = new AbortController();
  let claimed: ClaimedSignIn | undefined;
  const end = claimSignIn(ports, 'name', person.signal, async (given) => {
    claimed = given;
    await new Promise((_resolve, reject) => {
      given.signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
  }).catch((error: unknown) => error);
  return { claim, clock: world.clock, person, end, claimed: () => claimed };
}

describe('claimSignIn', () => {
  it('interrupts the sign-in within a moment when another process starts a newer one (AZ-06)', async () => {
    const { claim, clock, end } = startWaiting();
    await settle();
    clock.advance(claimReview);
    clock.advance(claimReview);
    claim.newest = false;
    clock.advance(claimReview);
    expect(await end).toMatchObject({ code: 'FLOW_SUPERSEDED', stage: 'authorization' });
    expect(claim).toMatchObject({ claimed: ['name'], released: 1 });
    expect(clock.timers).toBe(0);
  });

  it('interrupts it at once when somebody has to know now', async () => {
    const { claim, clock, end, claimed } = startWaiting();
    await settle();
    claimed()?.assertNewest();
    claim.newest = false;
    expect(() => claimed()?.assertNewest()).toThrow('FLOW_SUPERSEDED');
    expect(await end).toMatchObject({ code: 'FLOW_SUPERSEDED' });
    expect(clock.timers).toBe(0);
  });

  it('leaves the error of a sign-in that the person cancelled', async () => {
    const { claim, end, person, clock } = startWaiting();
    await settle();
    person.abort();
    expect(await end).toMatchObject({ message: 'interrupted' });
    expect(claim.released).toBe(1);
    expect(clock.timers).toBe(0);
  });

  it('claims nothing for a sign-in that is kept in memory only', async () => {
    const { claim, claimed, clock, person, end } = startWaiting({ persistent: false });
    await settle();
    claim.newest = false;
    claimed()?.assertNewest();
    expect(claim.claimed).toEqual([]);
    expect(clock.timers).toBe(0);
    person.abort();
    await end;
  });
});
