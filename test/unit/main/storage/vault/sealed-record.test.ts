import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../../main/host/system-ports.ts';
import type { VaultKey } from '../../../../../main/ports.ts';
import { openRecord, sealRecord, vaultKeyLength } from '../../../../../main/storage/vault/vault-file.ts';

const cipherKey = systemRandom.bytes(vaultKeyLength);
const key = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const satisfies VaultKey;
const corrupt = expect.objectContaining({ code: 'KC_CORRUPT', stage: 'storage' });

describe('openRecord', () => {
  test.prop([fc.string({ unit: 'binary' })])('returns what was sealed', (text) => {
    const wellFormed = text.toWellFormed();
    expect(openRecord(cipherKey, key, sealRecord(cipherKey, key, wellFormed, systemRandom))).toBe(wellFormed);
  });

  it('never seals to the same bytes twice', () => {
    const seals = [1, 2].map(() => sealRecord(cipherKey, key, 'same', systemRandom));
    expect(seals[0]).not.toBe(seals[1]);
  });

  it.each([
    ['another kind', { ...key, kind: 'credentials' }],
    ['another owner', { ...key, owner: 'two' }],
    ['another issuer', { ...key, issuerKey: 'https://as.example/' }],
    ['a server with the same address', { kind: 'header', owner: 'one', server: 'https://as.example' }],
    ['parts that are equal only when joined', { ...key, owner: 'on', issuerKey: 'ehttps://as.example' }],
  ] as const)('rejects a record that was sealed for %s (KC-08)', (_, other) => {
    const sealed = sealRecord(cipherKey, key, 'text', systemRandom);
    expect(() => openRecord(cipherKey, other, sealed)).toThrow(corrupt);
  });

  it('opens an API key sealed by version 1 of the vault', () => {
    const sealed = 'CQkJCQkJCQkJCQkJAGQZ8qLuhFXr86GZ7ChULwXu4e2c';
    const header = { kind: 'header', owner: 'one', server: 'https://mcp.example/mcp' } as const;
    expect(openRecord(new Uint8Array(vaultKeyLength).fill(7), header, sealed)).toBe('"key"');
  });

  it('rejects another key', () => {
    const sealed = sealRecord(cipherKey, key, 'text', systemRandom);
    expect(() => openRecord(systemRandom.bytes(vaultKeyLength), key, sealed)).toThrow(corrupt);
  });

  it('rejects any changed byte', () => {
    const bytes = Buffer.from(sealRecord(cipherKey, key, 'text', systemRandom), 'base64');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openRecord(cipherKey, key, changed.toString('base64'))).toThrow(corrupt);
    }
  });

  it.each([undefined, null, 5, '', 'AAAA', {}, [], 'A'.repeat(24)])('rejects %j', (sealed) => {
    expect(() => openRecord(cipherKey, key, sealed)).toThrow(corrupt);
  });
});
