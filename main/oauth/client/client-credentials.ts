import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject, webcrypto } from 'node:crypto';
import * as z from 'zod/mini';
import { clientAuthenticationMethods } from '../../../shared/choices.ts';
import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { ClientKeyFault } from '../../../shared/error-catalogue/discovery-errors.ts';
import { remedyFor } from '../../../shared/error-codes.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { isToFillIn } from '../../address/typed-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { clientIdLength, json, urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import { rsaAlgorithm, signingAlgorithms } from '../wire/messages.ts';
import type { AuthorizationServerMetadata, SigningAlgorithm } from '../wire/messages.ts';
import { isJsonObject } from '../wire/oauth-error.ts';

const part = z.string().check(z.minLength(1), z.maxLength(json.text));
const namedMembers = { kid: z.optional(part), alg: z.optional(z.enum(signingAlgorithms)) };

/** A private key as a JWK (RFC 7517, RFC 7518 sections 6.2 and 6.3); other members are dropped. */
const clientKeySchema = z.discriminatedUnion('kty', [
  z.object({
    kty: z.literal('EC'),
    crv: z.enum(['P-256', 'P-384', 'P-521']),
    x: part,
    y: part,
    d: part,
    ...namedMembers,
  }),
  z.object({
    ...{ kty: z.literal('RSA'), n: part, e: part, d: part, p: part, q: part, dp: part, dq: part, qi: part },
    ...namedMembers,
  }),
]);

type PrivateJwk = z.infer<typeof clientKeySchema>;

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

type SigningMetadata = Pick<AuthorizationServerMetadata, 'token_endpoint_auth_signing_alg_values_supported'>;

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

/** Who Postern is at one authorization server. Never used at another one (MCP 2026-07-28, server binding). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: Secret;
  /** The key that it proves itself with in place of a secret. Bound to the issuer as the secret is. */
  readonly clientKey?: ClientKey;
  /** As the registration answered, or as learned from a token request that worked. */
  readonly authentication?: ClientAuthenticationMethod;
  /** The server compares Basic credentials without decoding them (against RFC 6749 section 2.3.1); learned. */
  readonly rawBasic?: boolean;
  /** This way of authenticating has worked, or the other one has been tried: no failed request leads to the other. */
  readonly settled?: boolean;
  readonly source: 'typed' | 'registered' | 'metadata-document';
  readonly issuerKey: IssuerKey;
  readonly redirectUri: string;
  /** Wall clock, milliseconds. Absent: the secret does not expire. */
  readonly secretExpiresAt?: number;
  /** The registration answered that its authorization requests have to be pushed (RFC 9126 section 6). */
  readonly pushesRequests?: boolean;
  /** The registration answered that its tokens are bound to a key (RFC 9449 section 5.2). */
  readonly bindsTokens?: boolean;
  /** The authorization server did not accept them any more: a person is asked before they are used again. */
  readonly refused?: boolean;
}

/** With which a client proves who it is; a public client has neither. */
type ClientProof = Pick<ClientCredentials, 'clientSecret' | 'clientKey'>;

/**
 * The same error with whose mistake it is, where what helps is to check the client: the user's only where they typed it,
 * and not where Postern came by it itself.
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

/** From a record that holds more. A key comes first. */
export function proofOf({ clientSecret, clientKey }: ClientProof): ClientProof {
  return clientKey ? { clientKey } : { ...(clientSecret && { clientSecret }) };
}

export function hasProof({ clientSecret, clientKey }: ClientProof): boolean {
  return clientSecret !== undefined || clientKey !== undefined;
}

const storedSchema = z.object({
  clientId: z.string().check(z.minLength(1), z.maxLength(clientIdLength)),
  clientSecret: z.optional(z.string().check(z.minLength(1), z.maxLength(json.text))),
  clientKey: z.optional(clientKeySchema),
  authentication: z.optional(z.enum(clientAuthenticationMethods)),
  rawBasic: z.optional(z.boolean()),
  settled: z.optional(z.boolean()),
  source: z.enum(['typed', 'registered', 'metadata-document']),
  /** The `issuerKey`, which stored records have called `issuer` from the beginning. */
  issuer: z.string().check(z.minLength(1), z.maxLength(urlLength.received)),
  redirectUri: z.string().check(z.minLength(1), z.maxLength(urlLength.received)),
  secretExpiresAt: z.optional(z.int()),
  pushesRequests: z.optional(z.boolean()),
  bindsTokens: z.optional(z.boolean()),
  refused: z.optional(z.boolean()),
});

type StoredClientCredentials = z.infer<typeof storedSchema>;

/** Plain JSON for a sealed vault record: holds the secret and the private key themselves. */
export function storeClientCredentials(credentials: ClientCredentials): StoredClientCredentials {
  const { clientSecret, clientKey, issuerKey, ...rest } = credentials;
  return {
    ...rest,
    issuer: issuerKey,
    ...(clientSecret && { clientSecret: clientSecret.reveal() }),
    ...(clientKey && { clientKey: clientKey.reveal() }),
  };
}

/** What `storeClientCredentials` made; `undefined` for anything else, since vault records are untrusted. */
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
const leastRsa = 2_048;

const fail = (fault: ClientKeyFault): PosternError =>
  new PosternError('CLIENT_KEY_INVALID', { stage: 'credentials', detail: { fault } });

/** The ID or the secret of a client is a placeholder of a documentation. */
export class ClientToFillIn extends PosternError {
  readonly part: 'clientId' | 'clientSecret';

  constructor(which: ClientToFillIn['part']) {
    super('CLIENT_TO_FILL_IN', { stage: 'credentials', detail: { part: which } });
    this.part = which;
  }
}

/**
 * A client as the user typed or pasted it, without the space around it. Errors: CLIENT_TO_FILL_IN as `ClientToFillIn`,
 * CLIENT_KEY_INVALID.
 */
export function readTypedClient(typed: {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}): { readonly clientId: string } & ClientProof {
  const [clientId, clientSecret = ''] = [typed.clientId.trim(), typed.clientSecret?.trim()];
  if (isToFillIn(clientId)) throw new ClientToFillIn('clientId');
  if (isToFillIn(clientSecret)) throw new ClientToFillIn('clientSecret');
  return { clientId, ...(clientSecret !== '' && readClientProof(clientSecret)) };
}

/** What a person gave as the secret of a client: a private key where it has the form of one. Errors: CLIENT_KEY_INVALID. */
export function readClientProof(text: string): ClientProof {
  const isKey = /^\s*(-----BEGIN |\{)/u.test(text);
  return isKey ? { clientKey: readClientKey(text) } : { clientSecret: new Secret(text) };
}

/**
 * A private key as a person has it: PEM (PKCS #8, PKCS #1 or SEC 1, RFC 7468), with its line ends or without, or JWK
 * (RFC 7517). Errors: CLIENT_KEY_INVALID.
 */
export function readClientKey(text: string): ClientKey {
  const { key, ...named } = text.trimStart().startsWith('{') ? readJwk(text) : { key: readPem(text) };
  if (key.asymmetricKeyType === 'rsa') {
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < leastRsa) throw fail('weak');
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
    key: open(() => createPrivateKey({ key: jwk, format: 'jwk' })),
    ...(typeof kid === 'string' && kid !== '' && { kid }),
    ...(typeof alg === 'string' && { alg }),
  };
}

function parseObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Its error quotes what it was given: no cause.
  }
  if (!isJsonObject(parsed)) throw fail('unreadable');
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
  // Pasted into a field of one line, a key loses its line ends.
  const lines = body.replaceAll(/\s+/gu, '').match(/.{1,64}/gu) ?? [];
  return open(() => createPrivateKey([`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')));
}

function isPublicPem(text: string): boolean {
  try {
    createPublicKey(text);
    return true;
  } catch {
    return /BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)/u.test(text);
  }
}

function open(read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    // Its error may quote the key: no cause.
    throw fail('unreadable');
  }
}
