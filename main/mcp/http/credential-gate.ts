import { isAddressPart } from '../../../shared/header-name.ts';
import { withPart } from '../../secret-words.ts';
import type { Secret } from '../../secret.ts';
import { matchesResource } from '../../oauth/discovery/resource.ts';
import type { ProofKey, ProvenRequest } from '../../oauth/wire/proof-key.ts';

/** What proves to a server who calls: a token, or the fixed header that some servers want instead. */
export type Credential =
  | TokenCredential
  | {
      readonly kind: 'header';
      readonly name: string;
      readonly value: Secret;
      /** Those that go with it. */
      readonly further?: readonly FixedHeader[];
      readonly resource: string;
    };

/** `dpop`: bound to a key, and of no use without a proof of it. Neither kind ever goes as the other. */
export type TokenCredential =
  | { readonly kind: 'bearer'; readonly token: Secret; readonly resource: string }
  | { readonly kind: 'dpop'; readonly token: Secret; readonly key: ProofKey; readonly resource: string };

export function isToken(credential: Credential): credential is TokenCredential {
  return credential.kind === 'bearer' || credential.kind === 'dpop';
}

/** A header whose value a person gave. */
export interface FixedHeader {
  readonly name: string;
  readonly value: Secret;
}

/**
 * The one place where a credential gets onto a request to an MCP server (RFC 6750 2.1, RFC 9449 7.1): a token in the
 * header, never in the query; a key of the server where the server wants it. It goes to the pinned resource and below,
 * to the endpoint at the same origin that a stream there has `namedBy` its event (MCP 2024-11-05), and nowhere else.
 * Returns the address to send the request to.
 */
export function attachCredential(headers: Headers, url: URL, credential: Credential, namedBy = url): URL {
  if (namedBy.origin !== url.origin || !matchesResource(new URL(credential.resource), namedBy)) return url;
  if (credential.kind === 'bearer') headers.set('authorization', `Bearer ${credential.token.reveal()}`);
  else if (credential.kind === 'dpop') headers.set('authorization', `DPoP ${credential.token.reveal()}`);
  if (credential.kind !== 'header') return url;
  let address = url;
  for (const { name, value } of [...(credential.further ?? []), credential])
    if (isAddressPart(name)) address = withPart(address, { name, value: value.reveal() });
    else headers.set(name, value.reveal());
  return address;
}

/**
 * Proves that the token which `attachCredential` has put there is used by whoever has its key (RFC 9449 section 7), for
 * this request alone. Nothing for a credential without a key.
 */
export async function attachProof(
  headers: Headers,
  method: string,
  request: Omit<ProvenRequest, 'reader'>,
  credential: Credential,
): Promise<void> {
  if (credential.kind !== 'dpop' || !headers.has('authorization')) return;
  const { key, token } = credential;
  headers.set('dpop', await key.proofOf(method, { ...request, reader: 'mcp-server' }, token));
}
