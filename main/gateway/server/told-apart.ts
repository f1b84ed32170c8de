import type { Integration } from '../../../shared/integration.ts';
import { type ChangedToolRule, holdsChanges } from '../../../shared/tool-permissions.ts';
import { withChangedToolRule } from '../../../shared/changed-tool-rule.ts';

/** What the person has said of its tools, and `forAll` of those that change. */
export function permittedBy(
  { permissions: own, toolReview }: Integration,
  forAll: ChangedToolRule | undefined,
): string {
  const permissions = withChangedToolRule(own, forAll);
  return JSON.stringify([permissions, holdsChanges(permissions) && toolReview?.reviewedAt]);
}

/** What a sign-in is told apart by; who shares a process is none of it, and holds for those that start later. */
export function signInOf({ url, command, state, issuerKey, method, signedInAt, options }: Integration): string {
  const runs = command && { ...command, lifetime: undefined };
  return JSON.stringify([url, runs, state, issuerKey, method, signedInAt, options]);
}
