import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isAddressPart } from '../../../shared/header-name.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { PosternErrorOptions } from '../../errors/postern-error.ts';
import { matchesResource } from '../../oauth/discovery/discovery.ts';
import type { ProofKey, ProvenRequest } from '../../oauth/wire/proof-key.ts';
import { parseTokenChallenge } from '../../oauth/wire/response-headers.ts';
import type { TokenChallenge } from '../../oauth/wire/response-headers.ts';
import { withPart } from '../../secret.ts';
import type { Secret } from '../../secret.ts';

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
export type TokenCredential = {
  readonly token: Secret;
  readonly resource: string;
  /** Keys that go into the address all the same. */
  readonly further?: readonly FixedHeader[] | undefined;
} & ({ readonly kind: 'bearer' } | { readonly kind: 'dpop'; readonly key: ProofKey });

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
  let address = url;
  for (const { name, value } of [...(credential.further ?? []), ...(credential.kind === 'header' ? [credential] : [])])
    if (isAddressPart(name)) address = withPart(address, { name, value: value.reveal() });
    else if (credential.kind === 'header') headers.set(name, value.reveal());
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

/** What the server said no to a request with: 401 or 403 (RFC 6750 3.1). */
export interface Refusal {
  readonly kind: 'unauthorized' | 'insufficient-scope';
  readonly challenge: TokenChallenge | undefined;
}

interface RefusedRequestOptions extends PosternErrorOptions {
  readonly refusal: Refusal;
}

/** A server said no to the credential of a request, or to the lack of one: a sign-in begins with what it said. */
export class RefusedRequest extends PosternError {
  readonly refusal: Refusal;

  constructor(code: ErrorCode, { refusal, ...options }: RefusedRequestOptions) {
    super(code, options);
    this.refusal = refusal;
  }

  /** Whatever more is known of it, what the server said stays. */
  override with(more: Partial<PosternErrorOptions>): RefusedRequest {
    return asRefused(super.with(more), this.refusal);
  }
}

/** The same error, with what the server said no with. */
export function asRefused(error: PosternError, refusal: Refusal): RefusedRequest {
  return new RefusedRequest(error.code, { ...error.options, refusal });
}

/** The answer as a refusal of `credential`, the one that was sent; `undefined`: it is none. */
export function refusalOf({ status, headers }: Response, credential: Credential | undefined): Refusal | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const challenge = parseTokenChallenge(headers);
  // Servers use either status for either reason; only the challenge tells the two apart.
  const lacksScope = challenge?.error === 'insufficient_scope';
  if (lacksScope && (status === 403 || (credential && isToken(credential))))
    return { kind: 'insufficient-scope', challenge };
  return status === 401 || challenge?.error === 'invalid_token' ? { kind: 'unauthorized', challenge } : undefined;
}

/** What the server said no with, where that is what an error tells. */
export function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof RefusedRequest ? error.refusal : undefined;
}
