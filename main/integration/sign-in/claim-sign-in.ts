import { claimReview } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** A sign-in that ends as soon as another process starts a newer one of the same integration. */
export interface ClaimedSignIn {
  /** Aborts when the person cancels, and when a newer sign-in was started (FLOW_SUPERSEDED is its reason then). */
  readonly signal: AbortSignal;
  /** Whether an older sign-in may still be ending, with the callback port in its hands. */
  readonly supersedes: boolean;
  /** Looks now. Errors: FLOW_SUPERSEDED. */
  assertNewest(): void;
}

/** What a first sign-in will become has no id yet: address and name are what a person knows it by. */
export function claimOfConnect(url: string, name: string): string {
  return JSON.stringify(['connect', url, name]);
}

/**
 * Runs `work` as the newest sign-in of `name` in this profile: an older one of another process ends with
 * FLOW_SUPERSEDED, as this one does when a newer comes. Kept in memory only, a sign-in concerns no other process.
 * Errors: FLOW_SUPERSEDED, what `work` throws.
 */
export async function claimSignIn<Result>(
  ports: EnginePorts,
  name: string,
  signal: AbortSignal,
  work: (claimed: ClaimedSignIn) => Promise<Result>,
): Promise<Result> {
  const { persistent } = await ports.vault();
  const claim = persistent ? await ports.claims.claim(name) : undefined;
  const superseded = new AbortController();
  let stopLooking = (): void => {};

  function assertNewest(): void {
    if (claim && !superseded.signal.aborted && !claim.isNewest()) {
      superseded.abort(new PosternError('FLOW_SUPERSEDED', { stage: 'authorization' }));
    }
    superseded.signal.throwIfAborted();
  }

  function look(): void {
    try {
      assertNewest();
      stopLooking = ports.clock.after(claimReview, look);
    } catch {
      // Whoever waits has been told by the signal.
    }
  }

  try {
    if (claim) look();
    return await work({
      signal: AbortSignal.any([signal, superseded.signal]),
      supersedes: claim?.supersedes ?? false,
      assertNewest,
    });
  } catch (error) {
    // Whatever it interrupted has errors of its own.
    if (superseded.signal.aborted && !signal.aborted) throw superseded.signal.reason;
    throw error;
  } finally {
    stopLooking();
    await claim?.release();
  }
}
