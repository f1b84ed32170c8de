import type { Integration } from '../../../shared/integration.ts';
import { matchesResource } from '../../oauth/discovery/resource.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { noteChangedAddress } from './changed-address.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import { loadTokens, saveTokens } from './stored-secrets.ts';

/**
 * The tokens of an integration, if they were issued for its server: whoever edits `url` or `resource` in the settings
 * file gets none of them (RFC 8707 section 2: a token is for one resource). Errors: ADDRESS_CHANGED, KC_*.
 */
export async function boundTokens(
  ports: Pick<EnginePorts, 'store'>,
  vault: Vault,
  integration: Integration,
): Promise<TokenSet | undefined> {
  const { id, issuerKey } = integration;
  const tokens = issuerKey === undefined ? undefined : await loadTokens(vault, id, issuerKey);
  if (!tokens || (await isIssuedFor(tokens, integration))) return tokens;
  throw await noteChangedAddress(ports, integration, tokens.server ?? tokens.resource);
}

/**
 * An earlier version stored no address with the tokens. The record itself says which one is meant: the resource that
 * they were requested for, or, where none was sent, the owner of the token endpoint. An address that fits neither
 * was not the one, or cannot be known to be: a person signs in again.
 */
async function isIssuedFor({ server, resource, tokenEndpoint }: TokenSet, integration: Integration): Promise<boolean> {
  const address = new URL(integration.url);
  if (resource !== integration.resource) return false;
  if (server !== undefined) return URL.parse(server)?.href === address.href;
  const named = URL.parse(resource ?? tokenEndpoint);
  if (named === null) return false;
  if (resource !== undefined) return matchesResource(named, address);
  // The public suffix list is long, and such a record rare.
  const { sameRegistrableDomain } = await import('../../address/registrable-domain.ts');
  return sameRegistrableDomain(named.hostname, address.hostname);
}

/** Binds what an earlier version stored to the address at its first use. Never throws: the next use does it too. */
export async function bindTokens(ports: EnginePorts, integration: Integration): Promise<void> {
  try {
    await ports.locks.hold(integrationLock(integration.id), async () => {
      const vault = await ports.vault();
      const tokens = await boundTokens(ports, vault, integration);
      if (tokens && tokens.server === undefined) await saveTokens(vault, integration, tokens);
    });
  } catch (error) {
    ports.log.write('tokens-not-bound', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
}
