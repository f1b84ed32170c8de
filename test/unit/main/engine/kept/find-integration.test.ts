import { describe, expect, it } from 'vitest';
import { AmbiguousReference } from '../../../../../main/closest-word.ts';
import { usualOptions } from '../../../../../main/engine/engine-ports.ts';
import { findIntegration, ServerIndex } from '../../../../../main/engine/kept/find-integration.ts';
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
  ])('finds by id, name, alias, address or the beginning of an id: %s', async (reference, id) => {
    expect((await findIntegration(store, reference)).id).toBe(id);
  });

  it('takes a name before the alias of another', async () => {
    expect((await findIntegration(store, 'mail')).id).toBe('c3');
  });

  it('never takes an address for the name of a server that is elsewhere', async () => {
    const named = createMemoryStore();
    const name = 'https://wanted.example/mcp';
    await named.write(anIntegration({ id: 'd4', name, alias: 'other', url: 'https://other.example/mcp' }));
    await expect(findIntegration(named, name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await findIntegration(named, 'other')).id).toBe('d4');
  });

  it('lists the candidates where the beginning of an id fits several', async () => {
    const error: unknown = await findIntegration(store, '5f0c').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AmbiguousReference);
    expect(error).toMatchObject({ candidates: [{ name: 'Files' }, { name: 'Tasks' }] });
  });

  it('never takes one with another key in its address', async () => {
    const keyed = createMemoryStore();
    const url = 'https://a.example/mcp?team=1';
    for (const id of ['work', 'home'])
      await keyed.write(
        anIntegration({ id, name: id, alias: id, url, options: { ...usualOptions, headerName: '?key' } }),
      );
    const find = (key: string) =>
      findIntegration(keyed, `${url}&key=${key}`, async ({ id }) => [{ name: '?key', value: new Secret(`K-${id}`) }]);
    expect((await find('K-work')).id).toBe('work');
    expect((await find('K-home')).id).toBe('home');
    await expect(find('K-other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(findIntegration(keyed, `${url}&key=K-work`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(findIntegration(keyed, url)).rejects.toBeInstanceOf(AmbiguousReference);
  });

  it.each(['other', 'https://mail.example/mcp/', 'https://', '', '5f0'])(
    'finds none for what is none of these: %s',
    async (word) => {
      await expect(findIntegration(store, word)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  it.each([
    ['NOTE', 'Notes'],
    ['my mial', 'My Mail'],
    ['taskz', 'Tasks'],
    ['something else', undefined],
  ])('says which name was probably meant with %s', async (word, meant) => {
    const error: unknown = await findIntegration(store, word).catch((reason: unknown) => reason);
    if (!(error instanceof PosternError)) throw new Error('found');
    expect(readDetail(error)['meant']).toBe(meant);
  });
});

describe('ServerIndex', () => {
  const address = new URL('https://a.example/mcp');
  const keyed = (id: string, key?: string) =>
    anIntegration({ id, url: address.href, options: { ...usualOptions, ...(key && { headerName: 'x-key' }) } });
  const header = (value: string) => ({ name: 'X-Key', value: new Secret(value) });

  /** Servers at one address by their keys; those without one are `''`. */
  function index(...keys: readonly string[]) {
    let reads = 0;
    const servers = new ServerIndex(
      keys.map((key, place) => keyed(`${place}`, key)),
      async ({ id }) => ((reads += 1), [header(keys[Number(id)] ?? '')]),
    );
    return { servers, reads: () => reads };
  }

  it('reads the keys of each server once, however many entries are looked up', async () => {
    const keys = Array.from({ length: 50 }, (_, place) => `key-${place}`);
    const { servers, reads } = index(...keys);
    const found = await Promise.all(keys.map((key) => servers.findSame({ address, headers: [header(key)] })));
    expect(found.map((each) => each?.id)).toEqual(keys.map((_, place) => `${place}`));
    expect(await servers.findSame({ address, headers: [header('other')] })).toBeUndefined();
    expect(reads()).toBe(keys.length);
  });

  it('reads no key where nothing is looked for at the address', async () => {
    const { servers, reads } = index('one');
    expect(await servers.findSame({ address: new URL('https://b.example/mcp'), headers: [] })).toBeUndefined();
    expect(reads()).toBe(0);
  });

  it('takes the one with the same keys, else for no headers the first, else one without any', async () => {
    const { servers } = index('one', '', 'two');
    const find = async (...keys: string[]) => (await servers.findSame({ address, headers: keys.map(header) }))?.id;
    expect([await find('two'), await find(), await find('three')]).toEqual(['2', '1', '1']);
    expect(await servers.findSame({ address, headers: [header('three')] }, () => false)).toBeUndefined();
    expect(await index('one', 'two').servers.findSame({ address, headers: [] })).toMatchObject({ id: '0' });
  });

  it('finds what was put in later, and what one has become', async () => {
    const { servers } = index('');
    servers.put(keyed('1'));
    expect(await servers.findAll(address)).toMatchObject([{ id: '0' }, { id: '1' }]);
    servers.put(keyed('0', 'one'));
    expect(await servers.findSame({ address, headers: [] })).toMatchObject({ id: '1' });
    expect(await servers.findAll(address)).toMatchObject([{ id: '0' }, { id: '1' }]);
  });
});
