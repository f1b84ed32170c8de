import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ProofKey } from '../../../../../main/oauth/http/proof-key.ts';
import type { ProofTarget } from '../../../../../main/oauth/http/proof-key.ts';
import { Secret } from '../../../../../main/secret.ts';

const url = new URL('https://mcp.example/v1/mcp?session=1#there');
const request: ProofTarget = { recipient: 'mcp-server', url, now: 1_700_000_000_900 };
const token = new Secret('at-1');
const nonceOf = (nonce: string) => new Headers({ 'dpop-nonce': nonce });

const partOf = (proof: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(proof.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>;
const claimsOf = async (key: ProofKey, change: Partial<ProofTarget> = {}) =>
  partOf(await key.createProof('POST', { ...request, ...change }, token), 1);

describe('a proof', () => {
  it('covers one method, one address without query and fragment, the current time and one token (RFC 9449 section 4.2)', async () => {
    const key = ProofKey.create();
    const proof = await key.createProof('DELETE', request, token);
    expect(partOf(proof, 0)).toEqual({
      alg: 'ES256',
      typ: 'dpop+jwt',
      jwk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
    });
    expect(partOf(proof, 1)).toEqual({
      htm: 'DELETE',
      htu: 'https://mcp.example/v1/mcp',
      iat: 1_700_000_000,
      jti: expect.stringMatching(/^[\w-]{20,}$/u),
      // SHA-256 of `at-1`, Base64url.
      ath: 'R8PYaIQdcYEdkSc9TeGyiUqSAedmCQuOQImPRh1E3HI',
    });
  });

  it('has a unique ID (RFC 9449 section 11.1)', async () => {
    const key = ProofKey.create();
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await claimsOf(key))['jti']));
    expect(new Set(ids).size).toBe(50);
  });
});

describe('a nonce', () => {
  it('is sent in the next proofs to its recipient and origin only (RFC 9449 section 9, DP-03)', async () => {
    const key = ProofKey.create();
    expect(key.saveNonce('mcp-server', url, nonceOf('of-server'))).toBe('of-server');
    expect((await claimsOf(key))['nonce']).toBe('of-server');
    expect(await claimsOf(key, { url: new URL('https://other.example/v1/mcp') })).not.toHaveProperty('nonce');
    expect(await claimsOf(key, { recipient: 'authorization-server' })).not.toHaveProperty('nonce');
    expect(await claimsOf(ProofKey.create())).not.toHaveProperty('nonce');
  });

  it('is replaced by the next one, and by one that a response demands', async () => {
    const key = ProofKey.create();
    key.saveNonce('mcp-server', url, nonceOf('first'));
    key.saveNonce('mcp-server', url, nonceOf('second'));
    expect((await claimsOf(key))['nonce']).toBe('second');
    expect((await claimsOf(key, { nonce: 'demanded' }))['nonce']).toBe('demanded');
  });

  it('survives storing and reading the key', async () => {
    const key = ProofKey.create();
    key.saveNonce('mcp-server', url, nonceOf('stored'));
    const restored = ProofKey.read(JSON.parse(JSON.stringify(key.store())));
    expect(restored && (await claimsOf(restored))['nonce']).toBe('stored');
  });

  it.each(['', 'with space', 'a"b', 'a\\b', 'x'.repeat(1_025)])(
    'ignores %j (RFC 9449 section 8.1, DP-03)',
    async (nonce) => {
      const key = ProofKey.create();
      expect(key.saveNonce('mcp-server', url, nonceOf(nonce))).toBeUndefined();
      expect(await claimsOf(key)).not.toHaveProperty('nonce');
    },
  );
});

it('reveals its private part only to the vault (DP-08)', async () => {
  const key = ProofKey.create();
  const { d } = key.store();
  const proof = await key.createProof('POST', request, token);
  for (const rendering of [inspect(key, { depth: 9, showHidden: true }), JSON.stringify({ key }), proof]) {
    expect(rendering).not.toContain(d);
  }
});

it('has the same thumbprint after it is stored and read (RFC 7638)', async () => {
  const made = ProofKey.create();
  expect(await made.thumbprint()).toMatch(/^[\w-]{43}$/u);
  expect(await ProofKey.read(made.store())?.thumbprint()).toBe(await made.thumbprint());
});
