import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject, webcrypto } from 'node:crypto';
import * as z from 'zod/mini';
import { clientAuthenticationMethods } from '../../../shared/choices.ts';
import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { ClientKeyFault } from '../../../shared/error-catalog/discovery-errors.ts';
import { remedyFor } from '../../../shared/error-codes.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { isObject } from '../../../shared/json-object.ts';
import { isPlaceholderValue } from '../../address/typed-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { clientIdLength, jsonLimit, urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import { rsaAlgorithm, signingAlgorithms } from '../http/metadata-schemas.ts';
import type { AuthorizationServerMetadata, SigningAlgorithm } from '../http/metadata-schemas.ts';

const jwkMember = z.string().check(z.minLength(1), z.maxLength(jsonLimit.text));
const namedMembers = { kid: z.optional(jwkMember), alg: z.optional(z.enum(signingAlgorithms)) };

/** A private key as a JWK (RFC 7517, RFC 7518 sections 6.2 and 6.3); other members are dropped. */
const clientKeySchema = z.discriminatedUnion('kty', [
  z.object({
    kty: z.literal('EC'),
    crv: z.enum(['P-256', 'P-384', 'P-521']),
    x: jwkMember,
    y: jwkMember,
    d: jwkMember,
    ...namedMembers,
  }),
  z.object({
    ...{
      kty: z.literal('RSA'),
      n: jwkMember,
      e: jwkMember,
      d: jwkMember,
      p: jwkMember,
      q: jwkMember,
      dp: jwkMember,
      dq: jwkMember,
      qi: jwkMember,
    },
    ...namedMembers,
  }),
]);

type PrivateJwk = z.infer<typeof clientKeySchema>;

/** Key for client authentication (RFC 7523 section 2.2). It never leaves this computer: only signatures do. */
export type ClientKey = Secret<PrivateJwk>;

const algorithmOfCurve = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const;

const parametersOf = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  ES512: { name: 'ECDSA', namedCurve: 'P-521' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const satisfies Readonly<Record<SigningAlgorithm, object>>;

/** The key's own algorithm, otherwise one the service lists. */
export function algorithmOf(key: ClientKey, metadata: SigningMetadata | undefined): SigningAlgorithm {
  const { alg, ...jwk } = key.reveal();
  if (jwk.kty === 'EC') return algorithmOfCurve[jwk.crv];
  return alg === 'PS256' || alg === 'RS256' ? alg : rsaAlgorithm(metadata);
}

type SigningMetadata = Pick<AuthorizationServerMetadata, 'token_endpoint_auth_signing_alg_values_supported'>;

/** A new key pair: P-256, or 2048-bit RSA (FAPI 2.0 section 5.4.1). */
export async function createClientKey(algorithm: 'ES256' | 'PS256' | 'RS256'): Promise<ClientKey> {
  const rsa = { modulusLength: 2_048, publicExponent: Uint8Array.of(1, 0, 1) };
  const parameters = { ...parametersOf[algorithm], ...(algorithm !== 'ES256' && rsa) };
  const pair = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
  const { privateKey } = pair as webcrypto.CryptoKeyPair;
  const jwk = await crypto.subtle.exportKey('jwk', privateKey);
  return new Secret(clientKeySchema.parse({ ...jwk, alg: algorithm, kid: crypto.randomUUID() }));
}

/** The public half of the key, for the service (RFC 7517 section 5). */
export function publicJwks(key: ClientKey): { readonly keys: Record<string, string>[] } {
  const jwk = key.reveal();
  const { kty, kid, alg } = jwk;
  const publicMembers = jwk.kty === 'EC' ? { crv: jwk.crv, x: jwk.x, y: jwk.y } : { n: jwk.n, e: jwk.e };
  return { keys: [{ kty, ...publicMembers, ...(kid !== undefined && { kid }), ...(alg && { alg }), use: 'sig' }] };
}

/** For signing only, not extractable. */
export async function importClientKey(
  key: ClientKey,
  algorithm: SigningAlgorithm,
): Promise<{ readonly key: webcrypto.CryptoKey; readonly kid?: string }> {
  const { kid, alg: _, ...jwk } = key.reveal();
  const imported = await crypto.subtle.importKey('jwk', jwk, parametersOf[algorithm], false, ['sign']);
  return { key: imported, ...(kid !== undefined && { kid }) };
}

/** Postern's client at one authorization server; never used at another (MCP 2026-07-28, server binding). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: Secret;
  /** Used instead of a secret. Bound to the issuer like a secret. */
  readonly clientKey?: ClientKey;
  /** From the registration response, or learned from a successful token request. */
  readonly authentication?: ClientAuthenticationMethod;
  /** Learned: the server compares Basic credentials without decoding them (against RFC 6749 section 2.3.1). */
  readonly rawBasic?: boolean;
  /** This method has worked, or the other one was tried: no more switching after a failed request. */
  readonly settled?: boolean;
  readonly source: 'typed' | 'registered' | 'metadata-document';
  readonly issuerKey: IssuerKey;
  readonly redirectUri: string;
  /** Wall clock, milliseconds. Absent: the secret does not expire. */
  readonly secretExpiresAt?: number;
  /** The registration requires pushed authorization requests (RFC 9126 section 6). */
  readonly pushesRequests?: boolean;
  /** The registration requires DPoP-bound tokens (RFC 9449 section 5.2). */
  readonly bindsTokens?: boolean;
  /** The authorization server no longer accepts them: the user is asked before they are used again. */
  readonly refused?: boolean;
}

/** What a client authenticates with; a public client has neither. */
type SecretOrKey = Pick<ClientCredentials, 'clientSecret' | 'clientKey'>;

/**
 * Assigns blame where the remedy is to check the client: the user's input only if they typed it, not if Postern
 * registered it.
 */
export function blameClient<Thrown>(
  error: Thrown,
  { source }: Pick<ClientCredentials, 'source'>,
): Thrown | PosternError {
  if (!(error instanceof PosternError)) return error;
  const { kind } = remedyFor(error.code, 'input', error.remedy);
  if (kind !== 'check-client' && kind !== 'correct-credentials') return error;
  return error.with({ blame: source === 'typed' ? 'input' : 'answer' });
}

/** A key takes precedence over a secret. */
export function secretOrKeyOf({ clientSecret, clientKey }: SecretOrKey): SecretOrKey {
  return clientKey ? { clientKey } : { ...(clientSecret && { clientSecret }) };
}

export function hasSecretOrKey({ clientSecret, clientKey }: SecretOrKey): boolean {
  return clientSecret !== undefined || clientKey !== undefined;
}

const storedSchema = z.object({
  clientId: z.string().check(z.minLength(1), z.maxLength(clientIdLength)),
  clientSecret: z.optional(z.string().check(z.minLength(1), z.maxLength(jsonLimit.text))),
  clientKey: z.optional(clientKeySchema),
  authentication: z.optional(z.enum(clientAuthenticationMethods)),
  rawBasic: z.optional(z.boolean()),
  settled: z.optional(z.boolean()),
  source: z.enum(['typed', 'registered', 'metadata-document']),
  /** The `issuerKey`; stored records have always called it `issuer`. */
  issuer: z.string().check(z.minLength(1), z.maxLength(urlLength.received)),
  redirectUri: z.string().check(z.minLength(1), z.maxLength(urlLength.received)),
  secretExpiresAt: z.optional(z.int()),
  pushesRequests: z.optional(z.boolean()),
  bindsTokens: z.optional(z.boolean()),
  refused: z.optional(z.boolean()),
});

type StoredClientCredentials = z.infer<typeof storedSchema>;

/** Plain JSON for a sealed vault record, with the secret and the private key. */
export function storeClientCredentials(credentials: ClientCredentials): StoredClientCredentials {
  const { clientSecret, clientKey, issuerKey, ...rest } = credentials;
  return {
    ...rest,
    issuer: issuerKey,
    ...(clientSecret && { clientSecret: clientSecret.reveal() }),
    ...(clientKey && { clientKey: clientKey.reveal() }),
  };
}

/** Reads the result of `storeClientCredentials`; `undefined` for anything else, since vault records are untrusted. */
export function readClientCredentials(record: unknown): ClientCredentials | undefined {
  const { success, data } = storedSchema.safeParse(record);
  if (!success) return undefined;
  const { clientSecret, clientKey, issuer, ...rest } = dropUndefined(data);
  return {
    ...rest,
    issuerKey: issuer,
    ...(clientSecret !== undefined && { clientSecret: new Secret(clientSecret) }),
    ...(clientKey && { clientKey: new Secret(clientKey) }),
  };
}

/** Bits (FAPI 2.0 section 5.4.1, NIST SP 800-131A). */
const minRsaBits = 2_048;

const fail = (fault: ClientKeyFault): PosternError =>
  new PosternError('CLIENT_KEY_INVALID', { stage: 'credentials', detail: { fault } });

/** The client ID or secret is a placeholder from documentation. */
export class PlaceholderClient extends PosternError {
  readonly part: 'clientId' | 'clientSecret';

  constructor(which: PlaceholderClient['part']) {
    super('CLIENT_TO_FILL_IN', { stage: 'credentials', detail: { part: which } });
    this.part = which;
  }
}

/**
 * A client as typed or pasted by the user, trimmed.
 * Errors: CLIENT_TO_FILL_IN as `PlaceholderClient`, CLIENT_KEY_INVALID.
 */
export function readTypedClient(typed: {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}): { readonly clientId: string } & SecretOrKey {
  const [clientId, clientSecret = ''] = [typed.clientId.trim(), typed.clientSecret?.trim()];
  if (isPlaceholderValue(clientId)) throw new PlaceholderClient('clientId');
  if (isPlaceholderValue(clientSecret)) throw new PlaceholderClient('clientSecret');
  return { clientId, ...(clientSecret !== '' && readSecretOrKey(clientSecret)) };
}

/** What the user gave as the client secret: a private key if it looks like one. Errors: CLIENT_KEY_INVALID. */
export function readSecretOrKey(text: string): SecretOrKey {
  const isKey = /^\s*(-----BEGIN |\{)/u.test(text);
  return isKey ? { clientKey: readClientKey(text) } : { clientSecret: new Secret(text) };
}

/**
 * A private key from the user: PEM (PKCS #8, PKCS #1 or SEC 1, RFC 7468), with or without line breaks, or JWK (RFC
 * 7517). Errors: CLIENT_KEY_INVALID.
 */
export function readClientKey(text: string): ClientKey {
  const { key, ...named } = text.trimStart().startsWith('{') ? readJwk(text) : { key: readPem(text) };
  if (key.asymmetricKeyType === 'rsa') {
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < minRsaBits) throw fail('weak');
  } else if (key.asymmetricKeyType !== 'ec') throw fail('kind');
  const { success, data } = clientKeySchema.safeParse({ ...key.export({ format: 'jwk' }), ...named });
  if (!success) throw fail('kind');
  return new Secret(data);
}

function readJwk(text: string): { readonly key: KeyObject; readonly kid?: string; readonly alg?: string } {
  const jwk = parseObject(text);
  if (typeof jwk['kty'] !== 'string') throw fail('unreadable');
  if (jwk['kty'] !== 'EC' && jwk['kty'] !== 'RSA') throw fail('kind');
  if (jwk['d'] === undefined) throw fail('public');
  const { kid, alg } = jwk;
  return {
    key: parseKey(() => createPrivateKey({ key: jwk, format: 'jwk' })),
    ...(typeof kid === 'string' && kid !== '' && { kid }),
    ...(typeof alg === 'string' && { alg }),
  };
}

function parseObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The error quotes its input: no cause.
  }
  if (!isObject(parsed)) throw fail('unreadable');
  return parsed;
}

const pem = /-----BEGIN (?<label>[A-Z0-9 ]*PRIVATE KEY)-----(?<body>[A-Za-z0-9+/=\s]+)-----END \k<label>-----/u;

function readPem(text: string): KeyObject {
  if (/ENCRYPTED/u.test(text)) throw fail('locked');
  const { label, body = '' } = pem.exec(text)?.groups ?? {};
  if (label === undefined) {
    if (isPublicPem(text)) throw fail('public');
    throw fail('unreadable');
  }
  // A key pasted into a single-line field loses its line breaks.
  const lines = body.replaceAll(/\s+/gu, '').match(/.{1,64}/gu) ?? [];
  return parseKey(() =>
    createPrivateKey([`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')),
  );
}

function isPublicPem(text: string): boolean {
  try {
    createPublicKey(text);
    return true;
  } catch {
    return /BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)/u.test(text);
  }
}

function parseKey(read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    // The error may quote the key: no cause.
    throw fail('unreadable');
  }
}
