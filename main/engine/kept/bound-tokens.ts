import { addressChangedNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayPlace } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { matchesResource } from '../../oauth/discovery/discovery.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault } from '../../ports.ts';
import { withoutKeys } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock, loadTokens, saveTokens } from './stored-secrets.ts';

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
 * The list has an address without the keys in it. An earlier version stored no address with the tokens. The record itself says which one is meant: the resource that
 * they were requested for, or, where none was sent, the owner of the token endpoint. An address that fits neither
 * was not the one, or cannot be known to be: a person signs in again.
 */
async function isIssuedFor({ server, resource, tokenEndpoint }: TokenSet, integration: Integration): Promise<boolean> {
  const address = new URL(integration.url);
  const isListed = (whole: string | undefined, listed: string | undefined): boolean =>
    whole === listed || (whole !== undefined && withoutKeys(whole) === listed);
  if (!isListed(resource, integration.resource)) return false;
  if (server !== undefined) return isListed(URL.parse(server)?.href, address.href);
  const named = URL.parse(resource === undefined ? tokenEndpoint : withoutKeys(resource));
  if (named === null) return false;
  if (resource !== undefined) return matchesResource(named, address);
  // Loaded for such a record alone: with it comes the whole list of public suffixes.
  const { sameRegistrableDomain } = await import('../../address/domain-owner.ts');
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

/** The secret is for another address than the one that stands in the list now. */
export class ChangedAddress extends PosternError {}

type Store = Pick<EnginePorts, 'store'>;

/**
 * ADDRESS_CHANGED or API_KEY_ADDRESS_CHANGED, after the list says it too. `was`: the address that the secret is for,
 * where that is known. Nothing is deleted: with the old address back, it is used again.
 */
export async function noteChangedAddress(
  { store }: Store,
  integration: Integration,
  was: string | undefined,
): Promise<PosternError> {
  await store.update(integration.id, (kept) =>
    kept.state === 'integrated'
      ? { ...kept, state: 'reauthenticationRequired', notes: [...kept.notes, addressChangedNote] }
      : kept,
  );
  return addressChanged(integration, was);
}

/** The same as the list remembers it: which address the secret is for is not known there. */
export function rememberedAddressChange(integration: Integration): PosternError | undefined {
  return integration.notes.includes(addressChangedNote) ? addressChanged(integration) : undefined;
}

function addressChanged(integration: Integration, was?: string): PosternError {
  const host = displayPlace(new URL(integration.url));
  const old = URL.parse(was ?? '');
  return new ChangedAddress(
    integration.options.headerName !== undefined ? 'API_KEY_ADDRESS_CHANGED' : 'ADDRESS_CHANGED',
    {
      stage: 'connection',
      detail: {
        host,
        name: integration.name,
        ...(old && { was: displayPlace(old) }),
      },
    },
  );
}

/** Takes back what `noteChangedAddress` said: the secret fits the address, so it is the old one again. */
export async function noteAddressIsBack({ store }: Store, { id, notes }: Integration): Promise<void> {
  if (!notes.includes(addressChangedNote)) return;
  await store.update(id, (kept) =>
    kept.notes.includes(addressChangedNote) && kept.state === 'reauthenticationRequired'
      ? { ...kept, state: 'integrated', notes: kept.notes.filter((note) => note !== addressChangedNote) }
      : kept,
  );
}
