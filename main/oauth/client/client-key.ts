import type { webcrypto } from 'node:crypto';
import * as z from 'zod';
import { json } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import { rsaAlgorithm, signingAlgorithms } from '../wire/signing-algorithm.ts';
import type { SigningAlgorithm } from '../wire/signing-algorithm.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';

const part = z.string().min(1).max(json.string);
const named = { kid: part.optional(), alg: z.enum(signingAlgorithms).optional() };

/** A private key as a JWK (RFC 7517, RFC 7518 sections 6.2 and 6.3); other members are dropped. */
export const clientKeySchema = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('EC'), crv: z.enum(['P-256', 'P-384', 'P-521']), x: part, y: part, d: part, ...named }),
  z.object({
    ...{ kty: z.literal('RSA'), n: part, e: part, d: part, p: part, q: part, dp: part, dq: part, qi: part },
    ...named,
  }),
]);

export type PrivateJwk = z.infer<typeof clientKeySchema>;

/** With which a client proves who it is (RFC 7523 section 2.2). It never leaves this computer: only signatures do. */
export type ClientKey = Secret<PrivateJwk>;

const ofCurve = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const;

const parametersOf = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  ES512: { name: 'ECDSA', namedCurve: 'P-521' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const satisfies Readonly<Record<SigningAlgorithm, object>>;

/** As the key says, else as the service lists. */
export function algorithmOf(key: ClientKey, metadata: SigningMetadata | undefined): SigningAlgorithm {
  const { alg, ...jwk } = key.reveal();
  if (jwk.kty === 'EC') return ofCurve[jwk.crv];
  return alg === 'PS256' || alg === 'RS256' ? alg : rsaAlgorithm(metadata);
}

export type SigningMetadata = Pick<AuthorizationServerMetadata, 'token_endpoint_auth_signing_alg_values_supported'>;

/** A new key pair, of 256 bits on a curve or 2048 of RSA (FAPI 2.0 section 5.4.1). */
export async function createClientKey(algorithm: 'ES256' | 'PS256' | 'RS256'): Promise<ClientKey> {
  const rsa = { modulusLength: 2_048, publicExponent: Uint8Array.of(1, 0, 1) };
  const parameters = { ...parametersOf[algorithm], ...(algorithm !== 'ES256' && rsa) };
  const pair = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
  const { privateKey } = pair as webcrypto.CryptoKeyPair;
  const jwk = await crypto.subtle.exportKey('jwk', privateKey);
  return new Secret(clientKeySchema.parse({ ...jwk, alg: algorithm, kid: crypto.randomUUID() }));
}

/** What a service is told of the key: its public half alone (RFC 7517 section 5). */
export function publicJwks(key: ClientKey): { readonly keys: Record<string, string>[] } {
  const jwk = key.reveal();
  const { kty, kid, alg } = jwk;
  const half = jwk.kty === 'EC' ? { crv: jwk.crv, x: jwk.x, y: jwk.y } : { n: jwk.n, e: jwk.e };
  return { keys: [{ kty, ...half, ...(kid !== undefined && { kid }), ...(alg && { alg }), use: 'sig' }] };
}

/** For signing alone: it cannot be read back. */
export async function importClientKey(
  key: ClientKey,
  algorithm: SigningAlgorithm,
): Promise<{ readonly key: webcrypto.CryptoKey; readonly kid?: string }> {
  const { kid, alg: _, ...jwk } = key.reveal();
  const imported = await crypto.subtle.importKey('jwk', jwk, parametersOf[algorithm], false, ['sign']);
  return { key: imported, ...(kid !== undefined && { kid }) };
}
