import type { IssuerKey } from '../../../shared/issuer-key.ts';
import { readTokenSet, storeTokenSet } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault } from '../../ports.ts';

// A refresh has used up the old pair by the time the new one cannot be stored (a full disk, a keychain that went
// away). The vault then holds the new one for as long as it is open, and it is stored as soon as that works again.

const nameOf = (integrationId: string, issuerKey: IssuerKey): string => JSON.stringify([integrationId, issuerKey]);

export function holdUnsaved({ unsaved }: Vault, integrationId: string, tokens: TokenSet, replaced: TokenSet): void {
  const record = storeTokenSet(tokens);
  unsaved.set(nameOf(integrationId, tokens.issuerKey), { record, replaces: replaced.accessToken.reveal() });
}

/** The pair that waits to be stored, if the vault still keeps the one that it replaces. */
export function unsavedTokens({ unsaved }: Vault, integrationId: string, stored: TokenSet): TokenSet | undefined {
  const held = unsaved.get(nameOf(integrationId, stored.issuerKey));
  return held?.replaces === stored.accessToken.reveal() ? readTokenSet(held.record) : undefined;
}

export function dropUnsaved({ unsaved }: Vault, integrationId: string, issuerKey: IssuerKey): void {
  unsaved.delete(nameOf(integrationId, issuerKey));
}
