import { generateKeyPairSync } from 'node:crypto';
import type { webcrypto } from 'node:crypto';
import type { DPoPHandle } from 'oauth4webapi';
import * as z from 'zod/mini';
import { Secret } from '../../secret.ts';

/** Signature algorithm of our DPoP proofs (RFC 7518 section 3.4). */
export const proofAlgorithm = 'ES256';

/** A P-256 coordinate: 32 bytes, base64url (RFC 7518 section 6.2). */
const coordinate = z.string().check(z.regex(/^[\w-]{43}$/u));
const storedSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
  d: coordinate,
});

type StoredProofKey = z.infer<typeof storedSchema>;

/** Who verifies a proof. Each has its own nonces, even if both share an origin (RFC 9449 section 9). */
type ProofRecipient = 'authorization-server' | 'mcp-server';

/** The request that a proof covers. */
export interface ProofTarget {
  readonly recipient: ProofRecipient;
  readonly url: URL;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Overrides the last received nonce. */
  readonly nonce?: string | undefined;
}

/** NQCHAR (RFC 9449 section 8.1), short enough for a header field. */
const usableNonce = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/u;

interface CachedKey {
  readonly signer: Promise<webcrypto.CryptoKeyPair>;
  /** Last received nonce by recipient and origin. */
  readonly nonces: Map<string, string>;
}

/** Per process, by public key, least recently used first: a key loaded again keeps its nonces. */
const keyCache = new Map<string, CachedKey>();
const maxCachedKeys = 500;

/**
 * A key pair that tokens are bound to (RFC 9449): every request with such a token is signed with it. Created for one
 * sign-in and stored only with its tokens.
 */
export class ProofKey {
  readonly #key: Secret<StoredProofKey>;

  private constructor(key: Secret<StoredProofKey>) {
    this.#key = key;
  }

  static create(): ProofKey {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return new ProofKey(new Secret(storedSchema.parse(privateKey.export({ format: 'jwk' }))));
  }

  /** Reads the result of `store`; `undefined` for anything else. */
  static read(record: unknown): ProofKey | undefined {
    const { data } = storedSchema.safeParse(record);
    return data && new ProofKey(new Secret(data));
  }

  /** A JWK (RFC 7517) with the private key, for a sealed vault record. */
  store(): StoredProofKey {
    return this.#key.reveal();
  }

  /** RFC 7638 thumbprint, as sent in `dpop_jkt` (RFC 9449 section 10). */
  async thumbprint(): Promise<string> {
    const { DPoP } = await import('oauth4webapi');
    return await DPoP({}, await this.#cached().signer).calculateThumbprint();
  }

  /** The library's handle that adds a proof to one request. */
  async createHandle({ recipient, url, now, nonce }: ProofTarget): Promise<DPoPHandle> {
    const { DPoP, modifyAssertion } = await import('oauth4webapi');
    const { signer, nonces } = this.#cached();
    const known = nonce ?? nonces.get(nonceKey(recipient, url));
    return DPoP({}, await signer, {
      [modifyAssertion]: (_header: unknown, payload: Record<string, unknown>) => {
        payload['iat'] = Math.floor(now / 1_000);
        if (known !== undefined) payload['nonce'] = known;
      },
    });
  }

  /** The proof for a request that carries `accessToken` (RFC 9449 section 7). */
  async createProof(method: string, request: ProofTarget, accessToken: Secret): Promise<string> {
    const { protectedResourceRequest, allowInsecureRequests, customFetch } = await import('oauth4webapi');
    const DPoP = await this.createHandle(request);
    return new Promise((resolve, reject) => {
      const options = {
        DPoP,
        [allowInsecureRequests]: true,
        // The library signs only what it sends, so this fetch captures the header and never responds.
        [customFetch]: async (_url: string, { headers }: { readonly headers: Readonly<Record<string, string>> }) => {
          resolve(headers['dpop'] ?? '');
          return new Promise<never>(() => {});
        },
      };
      protectedResourceRequest(accessToken.reveal(), method, request.url, undefined, undefined, options).catch(reject);
    });
  }

  /** Stores the nonce of a response for the next proof (RFC 9449 section 8.2) and returns it. */
  saveNonce(recipient: ProofRecipient, url: URL, headers: Headers): string | undefined {
    const nonce = headers.get('dpop-nonce') ?? '';
    if (!usableNonce.test(nonce)) return undefined;
    this.#cached().nonces.set(nonceKey(recipient, url), nonce);
    return nonce;
  }

  /** Drops the stored nonce. Returns whether there was one. */
  forgetNonce(recipient: ProofRecipient, url: URL): boolean {
    return this.#cached().nonces.delete(nonceKey(recipient, url));
  }

  #cached(): CachedKey {
    const { d: _private, ...publicKey } = this.#key.reveal();
    const cacheKey = publicKey.x + publicKey.y;
    const known = keyCache.get(cacheKey) ?? { signer: importKeys(this.#key), nonces: new Map<string, string>() };
    keyCache.delete(cacheKey);
    keyCache.set(cacheKey, known);
    const [oldest] = keyCache.keys();
    if (keyCache.size > maxCachedKeys && oldest !== undefined) keyCache.delete(oldest);
    return known;
  }
}

function nonceKey(recipient: ProofRecipient, { origin }: URL): string {
  return `${recipient} ${origin}`;
}

/** The imported private key is not extractable. */
async function importKeys(key: Secret<StoredProofKey>): Promise<webcrypto.CryptoKeyPair> {
  const { d, ...publicKey } = key.reveal();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const [privateSide, publicSide] = await Promise.all([
    crypto.subtle.importKey('jwk', { ...publicKey, d }, algorithm, false, ['sign']),
    crypto.subtle.importKey('jwk', publicKey, algorithm, true, ['verify']),
  ]);
  return { privateKey: privateSide, publicKey: publicSide };
}
