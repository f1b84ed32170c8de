import { expect, it } from 'vitest';
import { defaultOptions } from '../../../../../main/engine/engine-ports.ts';
import { hasKeysInAddress } from '../../../../../main/engine/records/api-key.ts';
import { boundTokens } from '../../../../../main/engine/records/bound-tokens.ts';
import { requireAllowed, saveCommand } from '../../../../../main/engine/records/local-consent.ts';
import { sealPlainSecrets } from '../../../../../main/engine/records/seal-plain-secrets.ts';
import {
  keysIn,
  loadHeaderValue,
  saveHeaderValue,
  saveTokens,
} from '../../../../../main/engine/records/stored-secrets.ts';
import { commandHash } from '../../../../../main/local-ports.ts';
import { Secret, unsealArguments } from '../../../../../main/secret.ts';
import { createMemoryVault } from '../../../../../main/storage/vault/vault.ts';
import type { LocalCommand } from '../../../../../shared/local-command.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createMemoryStore } from '../../../../support/memory-store.ts';
import { tokenSet } from '../../../../support/oauth-fixtures.ts';

const words = ['server.js', '--api-key', 'abc-secret', 'sh -c "x --token abc"', '--verbose'];
const plain: LocalCommand = { command: 'node', path: '/bin/node', arguments: words, variables: ['TOKEN'] };

it.each([true, false])(
  'seals the arguments of a listed command, and keeps whether it is allowed: %s',
  async (isAllowed) => {
    const [store, vault] = [createMemoryStore(), createMemoryVault()];
    const values = { TOKEN: 'in the vault' };
    await saveCommand(vault, 'one', plain, { values, isAllowed });
    const allowed = isAllowed ? { allowedCommand: commandHash(plain) } : {};
    await store.write(anIntegration({ url: 'local://one', method: 'NoAuth', command: plain, ...allowed }));
    for (let start = 0; start < 2; start += 1) await sealPlainSecrets(store, vault);
    const stored = await store.read('one');
    expect(JSON.stringify(stored)).not.toContain('abc');
    const { command = plain, allowedCommand } = stored ?? {};
    expect(command.sealed).toEqual([2, 3]);
    expect(allowedCommand).toBe(isAllowed ? commandHash(command) : undefined);
    const required = requireAllowed({ vault: async () => vault, store }, { id: 'one', command });
    if (!isAllowed) return await expect(required).rejects.toMatchObject({ code: 'LOCAL_CONSENT' });
    const server = await required;
    expect(unsealArguments(server.command, server.values)).toEqual(words);
    expect(server.values['TOKEN']).toBe('in the vault');
  },
);

it('seals a new secret next to one that is already sealed', async () => {
  const [store, vault] = [createMemoryStore(), createMemoryVault()];
  const half: LocalCommand = { ...plain, arguments: ['--key=…', '--token', 'abc'], sealed: [0], variables: [] };
  await saveCommand(vault, 'one', half, { values: { '=0': '--key=def' }, isAllowed: true });
  await store.write(anIntegration({ url: 'local://one', method: 'NoAuth', command: half }));
  await sealPlainSecrets(store, vault);
  const { command = half } = (await store.read('one')) ?? {};
  const server = await requireAllowed({ vault: async () => vault, store }, { id: 'one', command });
  expect(unsealArguments(server.command, server.values)).toEqual(['--key=def', '--token', 'abc']);
  expect(command.sealed).toEqual([0, 2]);
});

it('seals keys in an address, of an open server and of one with a key', async () => {
  const [store, vault] = [createMemoryStore(), createMemoryVault()];
  const url = 'https://mcp.example/token/abc-secret-1/mcp?api_key=abc&region=eu';
  const open = { url, method: 'NoAuth', state: 'integrated', issuerKey: undefined } as const;
  const keyed = { ...defaultOptions, headerName: 'X-Key' };
  await store.write(anIntegration({ ...open, id: 'open' }));
  await store.write(anIntegration({ ...open, id: 'keyed', options: keyed }));

  await saveHeaderValue(vault, { id: 'keyed', url }, { value: new Secret('k'), further: [] });
  await sealPlainSecrets(store, vault);
  const list = await store.list();
  expect(JSON.stringify(list)).not.toContain('abc');
  const read = async (id: string) => {
    const stored = await loadHeaderValue(vault, id, list.find((each) => each.id === id)?.url ?? '');
    return stored && [stored.value.reveal(), ...stored.further.map(({ name, value }) => `${name} ${value.reveal()}`)];
  };
  expect(list.map(({ options: { headerName, furtherHeaders } }) => [headerName, furtherHeaders])).toEqual([
    ['?api_key', ['/2']],
    ['X-Key', ['?api_key', '/2']],
  ]);
  expect(await read('open')).toEqual(['abc', '/2 abc-secret-1']);
  expect(await read('keyed')).toEqual(['k', '?api_key abc', '/2 abc-secret-1']);
});

it('seals keys in the address of a signed-in server, and keeps the sign-in', async () => {
  const [store, vault] = [createMemoryStore(), createMemoryVault()];
  const url = 'https://mcp.example/token/abc-secret-1/mcp';
  const signedIn = anIntegration({ url: `${url}?api_key=abc`, resource: url });
  await store.write(signedIn);
  await saveTokens(vault, signedIn, tokenSet({ resource: url }));
  for (let start = 0; start < 2; start += 1) await sealPlainSecrets(store, vault);
  const sealed = await store.read(signedIn.id);
  if (!sealed) throw new Error('It is gone.');
  expect(JSON.stringify(sealed)).not.toContain('abc');
  const keys = await keysIn(async () => vault)(sealed);
  expect(keys.map(({ name, value }) => [name, value.reveal()])).toEqual([
    ['?api_key', 'abc'],
    ['/2', 'abc-secret-1'],
  ]);
  expect(hasKeysInAddress(sealed)).toBe(true);
  expect((await boundTokens({ store }, vault, sealed))?.resource).toBe(url);
  const elsewhere = { ...sealed, url: 'https://mcp.example/token/other-secret/mcp' };
  await expect(boundTokens({ store }, vault, elsewhere)).rejects.toMatchObject({ code: 'ADDRESS_CHANGED' });
});

it('does not change the address of an identity provider, which is its name', async () => {
  const [store, vault] = [createMemoryStore(), createMemoryVault()];
  const url = 'https://login.example/oauth2/d41d8cd98f00b204e9800998ecf8427e';
  await store.write(anIntegration({ url, options: { ...defaultOptions, isIdentityProvider: true } }));
  await sealPlainSecrets(store, vault);
  expect((await store.read('one'))?.url).toBe(url);
});

it('does not touch the vault if there are no plain secrets', async () => {
  const store = createMemoryStore();
  await store.write(anIntegration());
  await store.write(anIntegration({ id: 'two', method: 'NoAuth', command: { ...plain, arguments: ['-v'] } }));
  const vault = { ...createMemoryVault(), read: () => Promise.reject(new Error('read')) };
  await sealPlainSecrets(store, vault);
});
