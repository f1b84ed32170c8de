import { createHash } from 'node:crypto';
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
export function signInOf(integration: Integration): string {
  return JSON.stringify([integration.state, accessOf(integration)]);
}

/**
 * Whose lists a server has: another sign-in, key, address or command may see other ones. One that has expired is the same
 * one, as far as anybody knows; `undefined`: signed out.
 */
export function listOwnerOf(integration: Integration): string | undefined {
  if (integration.state === 'signedOut') return undefined;
  const access = JSON.stringify([integration.allowedCommand, accessOf(integration)]);
  return createHash('sha256').update(access).digest('hex');
}

function accessOf(integration: Integration): readonly unknown[] {
  const { url, command, issuerKey, method, account, signedInAt, keySavedAt, options } = integration;
  const runs = command && { ...command, lifetime: undefined };
  return [url, runs, issuerKey, method, account, signedInAt, keySavedAt, options];
}
