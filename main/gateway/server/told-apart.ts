import type { Integration } from '../../../shared/integration.ts';
import { holdsChanges } from '../../../shared/tool-permissions.ts';

/** What the person has said of its tools. */
export function permittedBy({ permissions, toolReview }: Integration): string {
  return JSON.stringify([permissions, holdsChanges(permissions) && toolReview?.reviewedAt]);
}

/** What a sign-in is told apart by; who shares a process is none of it, and holds for those that start later. */
export function signInOf({ url, command, state, issuerKey, method, signedInAt, options }: Integration): string {
  const runs = command && { ...command, lifetime: undefined };
  return JSON.stringify([url, runs, state, issuerKey, method, signedInAt, options]);
}
