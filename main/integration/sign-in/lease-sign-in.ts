import { leaseReview } from '../../limits.ts';
import { SignInEnd } from '../../oauth/authorization/sign-in-end.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** A sign-in that ends as soon as another process starts a newer one of the same integration. */
export interface LeasedSignIn {
  /** Aborts when the person cancels, and when a newer sign-in was started (FLOW_SUPERSEDED is its reason then). */
  readonly signal: AbortSignal;
  /** Whether an older sign-in may still be ending, with the callback port in its hands. */
  readonly supersedes: boolean;
  /** Looks now. Errors: FLOW_SUPERSEDED. */
  assertNewest(): void;
}

/**
 * Runs `work` as the newest sign-in of an integration in this profile: an older one of another process ends with
 * FLOW_SUPERSEDED, as this one does when a newer comes. A first sign-in has an id of its own, which no other one takes
 * over; it ends where all leases are removed. Kept in memory only, a sign-in concerns no other process.
 * Errors: FLOW_SUPERSEDED, what `work` throws.
 */
export async function leaseSignIn<Result>(
  ports: EnginePorts,
  integrationId: string,
  signal: AbortSignal,
  work: (leased: LeasedSignIn) => Promise<Result>,
): Promise<Result> {
  const { persistent } = await ports.vault();
  const lease = persistent ? await ports.leases.take(integrationId) : undefined;
  const superseded = new AbortController();
  let stopLooking = (): void => {};

  function assertNewest(): void {
    if (lease && !superseded.signal.aborted && !lease.isNewest()) {
      superseded.abort(new SignInEnd('superseded', { stage: 'authorization' }));
    }
    superseded.signal.throwIfAborted();
  }

  function look(): void {
    try {
      assertNewest();
      stopLooking = ports.clock.after(leaseReview, look);
    } catch {
      // The signal has told those who wait.
    }
  }

  try {
    if (lease) look();
    return await work({
      signal: AbortSignal.any([signal, superseded.signal]),
      supersedes: lease?.supersedes ?? false,
      assertNewest,
    });
  } catch (error) {
    // Whatever it interrupted has errors of its own.
    if (superseded.signal.aborted && !signal.aborted) throw superseded.signal.reason;
    throw error;
  } finally {
    stopLooking();
    await lease?.release();
  }
}
