import { addressChangedNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { matchesResource } from '../../oauth/discovery/discovery.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault } from '../../ports.ts';
import { withoutKeys } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock, loadTokens, saveTokens } from './stored-secrets.ts';

/**
 * An integration's tokens, if they were issued for its server: editing `url` or `resource` in the settings file gives
 * access to none (RFC 8707 section 2: a token is for one resource). Errors: ADDRESS_CHANGED, KC_*.
 */
export async function boundTokens(
  ports: Pick<EnginePorts, 'store'>,
  vault: Vault,
  integration: Integration,
): Promise<TokenSet | undefined> {
  const { id, issuerKey } = integration;
  const tokens = issuerKey === undefined ? undefined : await loadTokens(vault, id, issuerKey);
  if (!tokens || (await isIssuedFor(tokens, integration))) return tokens;
  throw await recordAddressChange(ports, integration, tokens.server ?? tokens.resource);
}

/**
 * Compares without keys, which listed addresses do not contain. An earlier version stored no address with the tokens;
 * then the requested resource decides, or, if none was sent, the owner of the token endpoint. If neither fits, the user
 * signs in again.
 */
async function isIssuedFor({ server, resource, tokenEndpoint }: TokenSet, integration: Integration): Promise<boolean> {
  const address = new URL(integration.url);
  const matchesListed = (whole: string | undefined, listed: string | undefined): boolean =>
    whole === listed || (whole !== undefined && withoutKeys(whole) === listed);
  if (!matchesListed(resource, integration.resource)) return false;
  if (server !== undefined) return matchesListed(URL.parse(server)?.href, address.href);
  const named = URL.parse(resource === undefined ? tokenEndpoint : withoutKeys(resource));
  if (named === null) return false;
  if (resource !== undefined) return matchesResource(named, address);
  // Loaded only for such a record: it brings the whole public suffix list.
  const { sameRegistrableDomain } = await import('../../address/domain-owner.ts');
  return sameRegistrableDomain(named.hostname, address.hostname);
}

/** Binds tokens of an earlier version to the address on first use. Never throws: the next use tries again. */
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

/** The secret was stored for another address than the listed one. */
export class ChangedAddress extends PosternError {}

type Store = Pick<EnginePorts, 'store'>;

/**
 * Records the change in the list, and returns ADDRESS_CHANGED or API_KEY_ADDRESS_CHANGED. `was`: the secret's address,
 * if known. Nothing is deleted: with the old address restored, the secret is used again.
 */
export async function recordAddressChange(
  { store }: Store,
  integration: Integration,
  was: string | undefined,
): Promise<PosternError> {
  await store.update(integration.id, (current) =>
    current.state === 'integrated'
      ? { ...current, state: 'reauthenticationRequired', notes: [...current.notes, addressChangedNote] }
      : current,
  );
  return addressChanged(integration, was);
}

/** The recorded change, for which the old address is not known. */
export function listedAddressChange(integration: Integration): PosternError | undefined {
  return integration.notes.includes(addressChangedNote) ? addressChanged(integration) : undefined;
}

function addressChanged(integration: Integration, was?: string): PosternError {
  const host = displayHostAndPort(new URL(integration.url));
  const old = URL.parse(was ?? '');
  return new ChangedAddress(
    integration.options.headerName !== undefined ? 'API_KEY_ADDRESS_CHANGED' : 'ADDRESS_CHANGED',
    {
      stage: 'connection',
      detail: {
        host,
        name: integration.name,
        ...(old && { was: displayHostAndPort(old) }),
      },
    },
  );
}

/** Clears a recorded change: the address is the old one again. */
export async function clearAddressChange({ store }: Store, { id, notes }: Integration): Promise<void> {
  if (!notes.includes(addressChangedNote)) return;
  await store.update(id, (current) =>
    current.notes.includes(addressChangedNote) && current.state === 'reauthenticationRequired'
      ? { ...current, state: 'integrated', notes: current.notes.filter((note) => note !== addressChangedNote) }
      : current,
  );
}
