import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isAddressPart } from '../../../shared/header-name.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { PosternErrorOptions } from '../../errors/postern-error.ts';
import { matchesResource } from '../../oauth/discovery/discovery.ts';
import type { ProofKey, ProofTarget } from '../../oauth/http/proof-key.ts';
import { parseTokenChallenge } from '../../oauth/http/response-headers.ts';
import type { TokenChallenge } from '../../oauth/http/response-headers.ts';
import { restorePart } from '../../secret.ts';
import type { Secret } from '../../secret.ts';

/** Credential for an MCP server: a token, or the fixed header that some servers use instead. */
export type Credential =
  | TokenCredential
  | {
      readonly kind: 'header';
      readonly name: string;
      readonly value: Secret;
      /** Further headers sent along. */
      readonly further?: readonly FixedHeader[];
      readonly resource: string;
    };

/** `dpop`: bound to a key and useless without a proof. Neither kind is ever sent as the other. */
export type TokenCredential = {
  readonly token: Secret;
  readonly resource: string;
  /** API keys that go into the URL in addition. */
  readonly further?: readonly FixedHeader[] | undefined;
} & ({ readonly kind: 'bearer' } | { readonly kind: 'dpop'; readonly key: ProofKey });

export function isToken(credential: Credential): credential is TokenCredential {
  return credential.kind === 'bearer' || credential.kind === 'dpop';
}

/** A header whose value the user entered. */
export interface FixedHeader {
  readonly name: string;
  readonly value: Secret;
}

/**
 * The only place that adds a credential to a request to an MCP server (RFC 6750 2.1, RFC 9449 7.1): a token in the
 * header, never in the query; an API key where the server wants it. It goes to the pinned resource and below, and to
 * the same-origin endpoint that an event stream there named (`namedBy`, MCP 2024-11-05), and nowhere else. Returns
 * the URL to send the request to.
 */
export function attachCredential(headers: Headers, url: URL, credential: Credential, namedBy = url): URL {
  if (namedBy.origin !== url.origin || !matchesResource(new URL(credential.resource), namedBy)) return url;
  if (credential.kind === 'bearer') headers.set('authorization', `Bearer ${credential.token.reveal()}`);
  else if (credential.kind === 'dpop') headers.set('authorization', `DPoP ${credential.token.reveal()}`);
  let address = url;
  for (const { name, value } of [...(credential.further ?? []), ...(credential.kind === 'header' ? [credential] : [])])
    if (isAddressPart(name)) address = restorePart(address, { name, value: value.reveal() });
    else if (credential.kind === 'header') headers.set(name, value.reveal());
  return address;
}

/**
 * Adds a proof of possession for the token that `attachCredential` added (RFC 9449 section 7), for this request only.
 * Does nothing for a credential without a key.
 */
export async function attachProof(
  headers: Headers,
  method: string,
  request: Omit<ProofTarget, 'recipient'>,
  credential: Credential,
): Promise<void> {
  if (credential.kind !== 'dpop' || !headers.has('authorization')) return;
  const { key, token } = credential;
  headers.set('dpop', await key.createProof(method, { ...request, recipient: 'mcp-server' }, token));
}

/** A refusal with 401 or 403 (RFC 6750 3.1). */
export interface Refusal {
  readonly kind: 'unauthorized' | 'insufficient-scope';
  readonly challenge: TokenChallenge | undefined;
}

interface RefusedRequestOptions extends PosternErrorOptions {
  readonly refusal: Refusal;
}

/** A server refused a request's credential, or the lack of one; carries the challenge that a sign-in starts with. */
export class RefusedRequest extends PosternError {
  readonly refusal: Refusal;

  constructor(code: ErrorCode, { refusal, ...options }: RefusedRequestOptions) {
    super(code, options);
    this.refusal = refusal;
  }

  /** Keeps the refusal when details are added. */
  override with(more: Partial<PosternErrorOptions>): RefusedRequest {
    return toRefusedRequest(super.with(more), this.refusal);
  }
}

/** The same error with the server's refusal. */
export function toRefusedRequest(error: PosternError, refusal: Refusal): RefusedRequest {
  return new RefusedRequest(error.code, { ...error.options, refusal });
}

/** The response as a refusal of the `credential` that was sent; `undefined` if it is not one. */
export function refusalOf({ status, headers }: Response, credential: Credential | undefined): Refusal | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const challenge = parseTokenChallenge(headers);
  // Servers use both statuses for both reasons; only the challenge distinguishes them.
  const lacksScope = challenge?.error === 'insufficient_scope';
  if (lacksScope && (status === 403 || (credential && isToken(credential))))
    return { kind: 'insufficient-scope', challenge };
  return status === 401 || challenge?.error === 'invalid_token' ? { kind: 'unauthorized', challenge } : undefined;
}

/** The server's refusal, if the error has one. */
export function refusalFrom(error: unknown): Refusal | undefined {
  return error instanceof RefusedRequest ? error.refusal : undefined;
}
