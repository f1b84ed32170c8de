import { generateKeyPairSync } from 'node:crypto';
import type { webcrypto } from 'node:crypto';
import type { DPoPHandle } from 'oauth4webapi';
import * as z from 'zod/mini';
import { Secret } from '../../secret.ts';

/** How our proofs are signed (RFC 7518 section 3.4). */
export const proofAlgorithm = 'ES256';

/** Of P-256: 32 bytes, base64url (RFC 7518 section 6.2). */
const coordinate = z.string().check(z.regex(/^[\w-]{43}$/u));
const storedSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
  d: coordinate,
});

export type StoredProofKey = z.infer<typeof storedSchema>;

/** Who reads a proof. Each has nonces of its own, even where both share an origin (RFC 9449 section 9). */
export type ProofReader = 'authorization-server' | 'mcp-server';

/** One request as a proof speaks of it. */
export interface ProvenRequest {
  readonly reader: ProofReader;
  readonly url: URL;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The one to use, where that is not the last that came. */
  readonly nonce?: string | undefined;
}

/** NQCHAR (RFC 9449 section 8.1), of a length that fits into a header field again. */
const usableNonce = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/u;

interface KnownKey {
  readonly signer: Promise<webcrypto.CryptoKeyPair>;
  /** The last that came, by reader and origin. */
  readonly nonces: Map<string, string>;
}

/** In this process, by public key, the last used at the end: a key that is read again goes on with its nonces. */
const knownKeys = new Map<string, KnownKey>();
const mostKnownKeys = 500;

/**
 * A key pair that tokens are bound to (RFC 9449): whoever shows one of them signs each request with it. It is made for
 * one sign-in and kept with its tokens alone.
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

  /** What `store` gave; `undefined` for anything else. */
  static read(record: unknown): ProofKey | undefined {
    const { data } = storedSchema.safeParse(record);
    return data && new ProofKey(new Secret(data));
  }

  /** A JWK (RFC 7517) with the private key, for a sealed vault record. */
  store(): StoredProofKey {
    return this.#key.reveal();
  }

  /** RFC 7638, as `dpop_jkt` has it (RFC 9449 section 10). */
  async thumbprint(): Promise<string> {
    const { DPoP } = await import('oauth4webapi');
    return await DPoP({}, await this.#known().signer).calculateThumbprint();
  }

  /** What the library puts a proof on one request with. */
  async handleFor({ reader, url, now, nonce }: ProvenRequest): Promise<DPoPHandle> {
    const { DPoP, modifyAssertion } = await import('oauth4webapi');
    const { signer, nonces } = this.#known();
    const known = nonce ?? nonces.get(slotOf(reader, url));
    return DPoP({}, await signer, {
      [modifyAssertion]: (_header: unknown, payload: Record<string, unknown>) => {
        payload['iat'] = Math.floor(now / 1_000);
        if (known !== undefined) payload['nonce'] = known;
      },
    });
  }

  /** The proof of a request that shows `accessToken` (RFC 9449 section 7). */
  async proofOf(method: string, request: ProvenRequest, accessToken: Secret): Promise<string> {
    const { protectedResourceRequest, allowInsecureRequests, customFetch } = await import('oauth4webapi');
    const DPoP = await this.handleFor(request);
    return new Promise((resolve, reject) => {
      const options = {
        DPoP,
        [allowInsecureRequests]: true,
        // The library signs only what it sends: this is sent nowhere, and its answer never comes.
        [customFetch]: async (_url: string, { headers }: { readonly headers: Readonly<Record<string, string>> }) => {
          resolve(headers['dpop'] ?? '');
          return new Promise<never>(() => {});
        },
      };
      protectedResourceRequest(accessToken.reveal(), method, request.url, undefined, undefined, options).catch(reject);
    });
  }

  /** Keeps the nonce that came with an answer, for the next proof (RFC 9449 section 8.2), and answers it. */
  takeNonce(reader: ProofReader, url: URL, headers: Headers): string | undefined {
    const nonce = headers.get('dpop-nonce') ?? '';
    if (!usableNonce.test(nonce)) return undefined;
    this.#known().nonces.set(slotOf(reader, url), nonce);
    return nonce;
  }

  /** Proofs go without a nonce until the next one comes. Answers whether there was one. */
  forgetNonce(reader: ProofReader, url: URL): boolean {
    return this.#known().nonces.delete(slotOf(reader, url));
  }

  #known(): KnownKey {
    const { d: _private, ...publicKey } = this.#key.reveal();
    const name = publicKey.x + publicKey.y;
    const known = knownKeys.get(name) ?? { signer: importKeys(this.#key), nonces: new Map<string, string>() };
    knownKeys.delete(name);
    knownKeys.set(name, known);
    const [oldest] = knownKeys.keys();
    if (knownKeys.size > mostKnownKeys && oldest !== undefined) knownKeys.delete(oldest);
    return known;
  }
}

function slotOf(reader: ProofReader, { origin }: URL): string {
  return `${reader} ${origin}`;
}

/** The private key cannot be exported from it again. */
async function importKeys(key: Secret<StoredProofKey>): Promise<webcrypto.CryptoKeyPair> {
  const { d, ...publicKey } = key.reveal();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const [privateSide, publicSide] = await Promise.all([
    crypto.subtle.importKey('jwk', { ...publicKey, d }, algorithm, false, ['sign']),
    crypto.subtle.importKey('jwk', publicKey, algorithm, true, ['verify']),
  ]);
  return { privateKey: privateSide, publicKey: publicSide };
}
