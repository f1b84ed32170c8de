import type { AskedBinding } from '../../oauth/authorization/authorization-request.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { wantedBinding } from '../../oauth/discovery/wanted-binding.ts';
import { ProofKey } from '../../oauth/wire/proof-key.ts';

/**
 * A key for one request for tokens, where they are to be bound to one: it is kept with the tokens that come of it, or not
 * at all. It knows the nonce that the server has named before anybody signed in.
 */
export function makeBinding(discovery: Discovery, credentials: ClientCredentials): AskedBinding | undefined {
  const wanted = wantedBinding(discovery, credentials);
  if (wanted === undefined) return undefined;
  const key = ProofKey.create();
  const nonce = discovery.challenge?.dpop?.nonce ?? '';
  key.takeNonce('mcp-server', new URL(discovery.url), new Headers({ 'dpop-nonce': nonce }));
  return { key, isDemanded: wanted === 'demanded' };
}
