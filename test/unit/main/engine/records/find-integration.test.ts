import { describe, expect, it } from 'vitest';
import { AmbiguousReference } from '../../../../../main/closest-word.ts';
import { defaultOptions } from '../../../../../main/engine/engine-ports.ts';
import { findIntegration, ServerIndex } from '../../../../../main/engine/records/find-integration.ts';
import { PosternError, readDetail } from '../../../../../main/errors/postern-error.ts';
import { Secret } from '../../../../../main/secret.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createMemoryStore } from '../../../../support/memory-store.ts';

const store = createMemoryStore();
await store.write(anIntegration({ id: '5f0c2a9e-41d7', name: 'Files', alias: 'files' }));
await store.write(anIntegration({ id: '5f0c11aa-0000', name: 'Tasks', alias: 'tasks' }));
await store.write(anIntegration({ id: 'a1', name: 'Notes', alias: 'notes' }));
await store.write(anIntegration({ id: 'b2', name: 'My Mail', alias: 'mail' }));
await store.write(anIntegration({ id: 'c3', name: 'mail', alias: 'mail-2', url: 'https://mail.example/mcp' }));

describe('findIntegration', () => {
  it.each([
    ['a1', 'a1'],
    ['Notes', 'a1'],
    ['NOTES', 'a1'],
    ['my mail', 'b2'],
    ['mail-2', 'c3'],
    ['https://MAIL.example:443/mcp', 'c3'],
    ['5f0c2', '5f0c2a9e-41d7'],
    ['5F0C2A9E', '5f0c2a9e-41d7'],
  ])('finds by ID, name, alias, address or the start of an ID: %s', async (reference, id) => {
    expect((await findIntegration(store, reference)).id).toBe(id);
  });

  it('prefers a name to the alias of another server', async () => {
    expect((await findIntegration(store, 'mail')).id).toBe('c3');
  });

  it('never matches an address with the name of a server at another address', async () => {
    const named = createMemoryStore();
    const name = 'https://wanted.example/mcp';
    await named.write(anIntegration({ id: 'd4', name, alias: 'other', url: 'https://other.example/mcp' }));
    await expect(findIntegration(named, name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await findIntegration(named, 'other')).id).toBe('d4');
  });

  it('lists the candidates if the start of an ID matches several', async () => {
    const error: unknown = await findIntegration(store, '5f0c').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AmbiguousReference);
    expect(error).toMatchObject({ candidates: [{ name: 'Files' }, { name: 'Tasks' }] });
  });

  it('never matches a server with another key in its address', async () => {
    const keyed = createMemoryStore();
    const url = 'https://a.example/mcp?team=1';
    for (const id of ['work', 'home'])
      await keyed.write(
        anIntegration({ id, name: id, alias: id, url, options: { ...defaultOptions, headerName: '?key' } }),
      );
    const find = (key: string) =>
      findIntegration(keyed, `${url}&key=${key}`, async ({ id }) => [{ name: '?key', value: new Secret(`K-${id}`) }]);
    expect((await find('K-work')).id).toBe('work');
    expect((await find('K-home')).id).toBe('home');
    await expect(find('K-other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(findIntegration(keyed, `${url}&key=K-work`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(findIntegration(keyed, url)).rejects.toBeInstanceOf(AmbiguousReference);
  });

  it.each(['other', 'https://mail.example/mcp/', 'https://', '', '5f0'])('finds nothing for %s', async (word) => {
    await expect(findIntegration(store, word)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['NOTE', 'Notes'],
    ['my mial', 'My Mail'],
    ['taskz', 'Tasks'],
    ['something else', undefined],
  ])('suggests the closest name for %s', async (word, meant) => {
    const error: unknown = await findIntegration(store, word).catch((reason: unknown) => reason);
    if (!(error instanceof PosternError)) throw new Error('found');
    expect(readDetail(error)['meant']).toBe(meant);
  });
});

describe('ServerIndex', () => {
  const address = new URL('https://a.example/mcp');
  const keyed = (id: string, key?: string) =>
    anIntegration({ id, url: address.href, options: { ...defaultOptions, ...(key && { headerName: 'x-key' }) } });
  const header = (value: string) => ({ name: 'X-Key', value: new Secret(value) });

  /** Servers at one address with these keys; `''` means no key. */
  function indexServers(...keys: readonly string[]) {
    let reads = 0;
    const servers = new ServerIndex(
      keys.map((key, index) => keyed(`${index}`, key)),
      async ({ id }) => ((reads += 1), [header(keys[Number(id)] ?? '')]),
    );
    return { servers, reads: () => reads };
  }

  it('reads the keys of each server once, however many entries are looked up', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`);
    const { servers, reads } = indexServers(...keys);
    const found = await Promise.all(keys.map((key) => servers.findSame({ address, headers: [header(key)] })));
    expect(found.map((each) => each?.id)).toEqual(keys.map((_, index) => `${index}`));
    expect(await servers.findSame({ address, headers: [header('other')] })).toBeUndefined();
    expect(reads()).toBe(keys.length);
  });

  it('reads no keys of servers at other addresses', async () => {
    const { servers, reads } = indexServers('one');
    expect(await servers.findSame({ address: new URL('https://b.example/mcp'), headers: [] })).toBeUndefined();
    expect(reads()).toBe(0);
  });

  it('prefers the same keys, then the first server if no headers are given, then one without keys', async () => {
    const { servers } = indexServers('one', '', 'two');
    const find = async (...keys: string[]) => (await servers.findSame({ address, headers: keys.map(header) }))?.id;
    expect([await find('two'), await find(), await find('three')]).toEqual(['2', '1', '1']);
    expect(await servers.findSame({ address, headers: [header('three')] }, () => false)).toBeUndefined();
    expect(await indexServers('one', 'two').servers.findSame({ address, headers: [] })).toMatchObject({ id: '0' });
  });

  it('finds servers that were added or changed later', async () => {
    const { servers } = indexServers('');
    servers.put(keyed('1'));
    expect(await servers.findAll(address)).toMatchObject([{ id: '0' }, { id: '1' }]);
    servers.put(keyed('0', 'one'));
    expect(await servers.findSame({ address, headers: [] })).toMatchObject({ id: '1' });
    expect(await servers.findAll(address)).toMatchObject([{ id: '0' }, { id: '1' }]);
  });
});
