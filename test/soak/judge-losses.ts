import type { Grant } from '../support/rotating-grants.ts';
import type { Death, RefreshRequest } from './request-record.ts';

/** Milliseconds between a request and the death of its sender for one to explain the other. */
const reach = 20_000;

export interface Evidence {
  readonly requests: readonly RefreshRequest[];
  readonly deaths: readonly Death[];
  /** Refresh tokens that some process has stored. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Why a grant may have ended: the response with the new pair was cut off, or the process died between the server's
 * rotation and its own writing. `undefined`: neither, so the app has lost it.
 */
export function explainLoss(
  { grant, generation }: { readonly grant: Grant; readonly generation: number },
  { requests, deaths, stored }: Evidence,
): 'cut' | 'killed' | undefined {
  const successor = `r:${grant.id}:${generation + 1}`;
  // A pair that was stored, or even used, and lost again has no excuse.
  if (grant.generation !== generation + 1 || stored.has(successor)) return undefined;
  const rotation = requests.find(
    ({ refreshToken, hasRotated }) => hasRotated && refreshToken === `r:${grant.id}:${generation}`,
  );
  if (!rotation) return undefined;
  if (rotation.outcome === 'cut') return 'cut';
  return deaths.some((death) => explains(death, rotation)) ? 'killed' : undefined;
}

/** What a busy server reads only after the death was sent before it: each life has its own name. */
function explains({ run, at }: Death, request: RefreshRequest): boolean {
  return run === request.run && at - request.at < reach;
}
