import { expect, it } from 'vitest';
import type { Vault, VaultKey } from '../../main/ports.ts';
import { Secret } from '../../main/secret.ts';

export const tokensKey = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const satisfies VaultKey;

/** What every implementation of the `Vault` port must do. */
export function vaultContract(open: () => Promise<Vault>): void {
  it('returns undefined for a missing record', async () => {
    expect(await (await open()).read(tokensKey)).toBeUndefined();
  });

  it('reads what was written, as JSON, and replaces it', async () => {
    const vault = await open();
    await vault.write(tokensKey, { accessToken: 'a', list: [1, null], text: 'ü😀' });
    expect(await vault.read(tokensKey)).toEqual({ accessToken: 'a', list: [1, null], text: 'ü😀' });
    await vault.write(tokensKey, { accessToken: 'b' });
    expect(await vault.read(tokensKey)).toEqual({ accessToken: 'b' });
  });

  it('separates records by kind, owner, issuer and server', async () => {
    const vault = await open();
    const keys: VaultKey[] = [
      tokensKey,
      { ...tokensKey, kind: 'credentials' },
      { ...tokensKey, owner: 'two' },
      { ...tokensKey, issuerKey: 'https://as.example/' },
      { kind: 'header', owner: 'one', server: 'https://as.example' },
      { kind: 'header', owner: 'one', server: 'https://as.example/mcp' },
    ];
    for (const [index, key] of keys.entries()) await vault.write(key, index);
    expect(await Promise.all(keys.map((key) => vault.read(key)))).toEqual([0, 1, 2, 3, 4, 5]);
    await vault.delete(tokensKey);
    expect(await Promise.all(keys.map((key) => vault.read(key)))).toEqual([undefined, 1, 2, 3, 4, 5]);
  });

  it("lists one owner's records", async () => {
    const vault = await open();
    await vault.write(tokensKey, 1);
    await vault.write({ ...tokensKey, kind: 'credentials' }, 2);
    await vault.write({ ...tokensKey, owner: 'two' }, 3);
    expect(await vault.keysOf('one')).toEqual([tokensKey, { ...tokensKey, kind: 'credentials' }]);
    expect(await vault.keysOf('nobody')).toEqual([]);
  });

  it('writes several records atomically, and deletes several', async () => {
    const vault = await open();
    const credentials: VaultKey = { ...tokensKey, kind: 'credentials' };
    const together = [
      [tokensKey, 1],
      [credentials, new Secret('a')],
    ] as const;
    await expect(vault.writeTogether(together)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await vault.keysOf('one')).toEqual([]);
    await vault.writeTogether([
      [tokensKey, 1],
      [credentials, 2],
    ]);
    expect([await vault.read(tokensKey), await vault.read(credentials)]).toEqual([1, 2]);
    await vault.delete(tokensKey, credentials, { ...tokensKey, owner: 'nobody' });
    expect(await vault.keysOf('one')).toEqual([]);
  });

  it('lists each owner of records once', async () => {
    const vault = await open();
    expect(await vault.owners()).toEqual([]);
    await vault.write(tokensKey, 1);
    await vault.write({ ...tokensKey, kind: 'credentials' }, 2);
    await vault.write({ ...tokensKey, owner: 'two' }, 3);
    expect(await vault.owners()).toEqual(['one', 'two']);
  });

  it('deletes a missing record without an error', async () => {
    await expect((await open()).delete(tokensKey)).resolves.toBeUndefined();
  });

  it('stores a token set of 10 kB and more in one piece (KC-06)', async () => {
    const vault = await open();
    const value = { accessToken: 'é'.repeat(32_768) };
    await vault.write(tokensKey, value);
    expect(await vault.read(tokensKey)).toEqual(value);
  });

  it('rejects a redacted secret, which would be stored as "[secret]"', async () => {
    const vault = await open();
    await expect(vault.write(tokensKey, { accessToken: new Secret('a') })).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(vault.write(tokensKey, undefined)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await vault.read(tokensKey)).toBeUndefined();
  });
}
