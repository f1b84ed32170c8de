import type { TokenSet } from '../../oauth/token-set.ts';
import type { Vault } from '../../ports.ts';

// A refresh has used up the old pair by the time the new one cannot be stored (a full disk, a keychain that went
// away). The new one is then kept here for as long as the process runs, and stored as soon as that works again.

interface Unsaved {
  readonly tokens: TokenSet;
  /** Access token of the stored pair that it replaces: any other one there is newer than both. */
  readonly replaces: string;
}

const unsaved = new WeakMap<Vault, Map<string, Unsaved>>();

const nameOf = (integrationId: string, issuer: string): string => JSON.stringify([integrationId, issuer]);

export function holdUnsaved(vault: Vault, integrationId: string, tokens: TokenSet, replaced: TokenSet): void {
  const held = unsaved.get(vault) ?? new Map<string, Unsaved>();
  unsaved.set(vault, held);
  held.set(nameOf(integrationId, tokens.issuer), { tokens, replaces: replaced.accessToken.reveal() });
}

/** The pair that waits to be stored, if the vault still holds the one that it replaces. */
export function unsavedTokens(vault: Vault, integrationId: string, stored: TokenSet): TokenSet | undefined {
  const held = unsaved.get(vault)?.get(nameOf(integrationId, stored.issuer));
  return held?.replaces === stored.accessToken.reveal() ? held.tokens : undefined;
}

export function dropUnsaved(vault: Vault, integrationId: string, issuer: string): void {
  unsaved.get(vault)?.delete(nameOf(integrationId, issuer));
}

/** Whether sign-ins would be lost if the process ended now. */
export function holdsUnsaved(vault: Vault): boolean {
  return (unsaved.get(vault)?.size ?? 0) > 0;
}
