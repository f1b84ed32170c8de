import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import { isJsonObject } from '../wire/oauth-error.ts';
import type { ClientProof } from './client-credentials.ts';
import { clientKeySchema } from './client-key.ts';
import type { ClientKey } from './client-key.ts';

/** Bits (FAPI 2.0 section 5.4.1, NIST SP 800-131A). */
const leastRsa = 2_048;

/** What is wrong with a key that a person gave, as `CLIENT_KEY_INVALID` says it. */
type Fault = 'unreadable' | 'public' | 'locked' | 'weak' | 'kind';

const fail = (fault: Fault): PosternError =>
  new PosternError('CLIENT_KEY_INVALID', { stage: 'credentials', detail: { fault } });

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
