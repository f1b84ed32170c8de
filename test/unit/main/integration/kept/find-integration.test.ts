import { describe, expect, it } from 'vitest';
import { AmbiguousReference } from '../../../../../main/closest-word.ts';
import { usualOptions } from '../../../../../main/integration/engine-ports.ts';
import { findIntegration } from '../../../../../main/integration/kept/find-integration.ts';
import { PosternError, readDetail } from '../../../../../main/postern-error.ts';
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
