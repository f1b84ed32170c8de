import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';

export interface ProofGateOptions {
  /** `only`: bearer tokens are rejected, and the challenge lists no other scheme. */
  readonly scheme: 'only' | 'both';
  /** `required`: each proof must contain the server's nonce. `each`: every response sends a new, short-lived one. */
  readonly nonces?: 'required' | 'each';
  /** Proof algorithms in the challenge. Default: ES256. */
  readonly algs?: string;
}

/** The error of a proof (RFC 9449 section 7.1). */
export type ProofFault = 'invalid_dpop_proof' | 'use_dpop_nonce';

interface Shown {
  readonly proof: string | null;
  readonly method: string;
  /** URL without query and fragment. */
  readonly url: string;
  readonly token: string;
  /** Thumbprint of the key that the token is bound to (RFC 7638). */
  readonly thumbprint: string | undefined;
}

export interface ProofGate {
  /** Checks a proof against RFC 9449 section 4.3, and rejects a replayed one. */
  check(shown: Shown): ProofFault | undefined;
  /** The `DPoP-Nonce` header of the next response; `undefined` for none. */
  nonce(): string | undefined;
}

/** Server-side DPoP checks; handwritten, so that they do not use our own libraries. */
export function createProofGate({ nonces }: ProofGateOptions): ProofGate {
  const usedIds = new Set<string>();
  const issued = [newNonce()];
  return {
    check({ proof, method, url, token, thumbprint }) {
      const parts = (proof ?? '').split('.');
      const [head = '', body = '', signature = ''] = parts;
      const header = readPart(head);
      const claims = readPart(body);
      const { jwk } = header;
      const isSigned =
        parts.length === 3 &&
        header['typ'] === 'dpop+jwt' &&
        header['alg'] === 'ES256' &&
        isPublicKey(jwk) &&
        verify(
          'sha256',
          Buffer.from(`${head}.${body}`),
          { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature, 'base64url'),
        );
      if (!isSigned || thumbprintOf(jwk) !== thumbprint) return 'invalid_dpop_proof';
      const { jti } = claims;
      const isOurs =
        claims['htm'] === method &&
        claims['htu'] === url &&
        claims['ath'] === createHash('sha256').update(token).digest('base64url') &&
        Math.abs(Number(claims['iat']) - Date.now() / 1_000) < 60 &&
        typeof jti === 'string' &&
        !usedIds.has(jti);
      if (!isOurs) return 'invalid_dpop_proof';
      if (nonces !== undefined && !issued.includes(String(claims['nonce']))) return 'use_dpop_nonce';
      usedIds.add(String(claims['jti']));
      return undefined;
    },
    nonce() {
      if (nonces === 'each') issued.unshift(newNonce());
      issued.splice(50);
      return nonces === undefined ? undefined : issued[0];
    },
  };
}

function newNonce(): string {
  return randomBytes(12).toString('base64url');
}

function readPart(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isPublicKey(jwk: unknown): jwk is JsonWebKey {
  return typeof jwk === 'object' && jwk !== null && 'x' in jwk && 'y' in jwk && !('d' in jwk);
}

function thumbprintOf({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
