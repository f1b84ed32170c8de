import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { collectionUndoSeconds } from '../../../shared/bounds.ts';
import { makeAppHome } from '../../support/app-home.ts';

/** Collections on the command line, as processes. */

const [notes, mail] = ['id-of-notes', 'id-of-mail'];

function start() {
  const home = makeAppHome();
  home.put('.cursor/mcp.json', '{ "mcpServers": { "other": { "command": "x" } } }\n');
  const json = async (...args: string[]) => (await home.run(...args, '--json')).last;
  const doctor = async (): Promise<readonly unknown[]> =>
    ((await json('doctor'))['checks'] as { name: string; ok: boolean }[]).filter(
      ({ name, ok }) => !ok && ['apps', 'collections'].includes(name),
    );
  const config = () => JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as object;
  return { ...home, json, doctor, config };
}

it('sets the servers of a collection, shows it, and drops a server that is removed', async () => {
  const { run, json, doctor } = start();
  expect(await json('collection')).toMatchObject({ collections: [] });
  expect(await json('collection', 'work', 'Notes', 'my-mail')).toMatchObject({
    collection: { name: 'work', members: [{ id: notes }, { id: mail }] },
    added: [notes, mail],
    gone: [],
  });
  expect(await json('collection', '+work', 'My Mail')).toMatchObject({
    collection: { members: [{ id: mail }] },
    added: [],
    gone: [notes],
  });
  // Commands and entries still use the name in the collection.
  expect((await run('rename', '+work', 'Work things')).stdout).toContain('+work');
  await json('rename', 'my-mail', 'Post');
  expect(await json('collection', 'work')).toMatchObject({
    collection: { name: 'work', title: 'Work things', members: [{ id: mail, name: 'Post' }] },
  });
  for (const wrong of [
    ['work', 'Nobody'],
    ['My Work', 'Notes'],
    ['elsewhere'],
    ['--remove'],
    ['work', 'Notes', '--remove'],
  ])
    expect((await run('collection', ...wrong, '--json')).code, wrong.join(' ')).not.toBe(0);
  expect((await json('completion', 'words', 'use', '+'))['words']).toEqual(['+work']);
  await json('remove', 'Post');
  expect(await json('collection')).toMatchObject({ collections: [{ name: 'work', members: [] }] });
  expect(await doctor()).toMatchObject([{ name: 'collections', nextStep: expect.stringContaining('collection work') }]);
});

it('rejects a name that another collection shows, and one that cannot be shown', async () => {
  const { json, run } = start();
  await json('collection', 'work', 'Notes');
  await json('rename', '+work', 'Mail');
  expect(await run('collection', 'mail', 'Notes', '--json')).toMatchObject({ last: { error: { code: 'NAME_TAKEN' } } });
  expect(await run('rename', '+work', '\ue000', '--json')).toMatchObject({
    code: 2,
    last: { error: { code: 'USAGE' } },
  });
  expect(await json('collection', 'a--b', 'Notes')).toMatchObject({ collection: { name: 'a--b', title: 'a--b' } });
  expect((await json('collection'))['collections']).toMatchObject([{ title: 'Mail' }, { name: 'a--b' }]);
});

it('gives apps one entry, shows it everywhere, and restores the file byte for byte when it is removed', async () => {
  const { json, text, doctor, config } = start();
  const before = text('.cursor/mcp.json');
  await json('collection', 'work', 'Notes', 'my-mail');
  const used = await json('use', '+work', 'cursor', '--yes');
  expect(used).toMatchObject({ changes: [{ right: 'given' }] });
  const entries = (): Record<string, { args: string[] } | undefined> =>
    (JSON.parse(text('.cursor/mcp.json') ?? '') as { mcpServers: Record<string, { args: string[] }> }).mcpServers;
  expect(entries()['work']?.args).toContain('+work');
  expect(config()).toMatchObject({ apps: [{ integrations: ['+work'] }] });
  expect(await json('apps', 'cursor')).toMatchObject({
    apps: [{ uses: ['+work'], entries: [{ name: 'other' }, { kind: 'postern', integration: '+work' }] }],
  });
  expect(await json('collection', 'work')).toMatchObject({ collection: { apps: ['cursor'] } });
  expect(await doctor()).toEqual([]);
  // Its entry is not importable, and its servers may change without it.
  expect((await json('import', 'cursor', '--only', 'other'))['imports']).toHaveLength(1);
  expect((await json('import', 'cursor', '--only', 'work'))['result']).toBe('error');
  const written = text('.cursor/mcp.json');
  await json('collection', 'work', 'Notes');
  await json('use', '+work', 'cursor', '--yes');
  expect(text('.cursor/mcp.json')).toBe(written);
  await json('unuse', '+work', 'cursor', '--yes');
  expect(text('.cursor/mcp.json')).toBe(before);
  expect(config()).not.toHaveProperty('apps');
});

it('suggests another name for an entry that is taken', async () => {
  const { run, json, put, text } = start();
  put('.cursor/mcp.json', '{ "mcpServers": { "work": { "command": "x" } } }\n');
  await json('collection', 'work', 'Notes');
  const taken = await run('use', '+work', 'cursor', '--yes', '--json');
  expect(taken.last).toMatchObject({ error: { code: 'APP_NAME_TAKEN' } });
  expect(JSON.stringify(taken.last)).toContain('--as work-2');
  await json('use', '+work', 'cursor', '--as', 'work-2', '--yes');
  expect(text('.cursor/mcp.json')).toContain('"work-2"');
});

it('revokes access to a removed collection, and names the entry that then stops working', async () => {
  const { run, json, doctor, config, text } = start();
  await json('collection', 'work', 'Notes');
  await json('use', '+work', 'cursor', '--yes');
  const removed = await run('collection', 'work', '--remove', '--json');
  expect(removed.last).toMatchObject({ removed: { name: 'work' } });
  expect(removed.stdout).toContain('entry-stays');
  expect(config()).not.toHaveProperty('collections');
  expect(await doctor()).toMatchObject([
    { name: 'apps', message: expect.stringContaining('+work'), nextStep: expect.stringContaining('unuse +work') },
  ]);
  // The app is not allowed to use another collection with that name.
  await json('collection', 'work', 'my-mail');
  expect(config()).not.toHaveProperty('apps');
  expect(await json('undo', '--json')).not.toHaveProperty('deletions');
  expect((await run('undo', String(removed.last['undo']), '--json')).code).toBe(2);
  await json('unuse', '+work', 'cursor', '--yes');
  expect(text('.cursor/mcp.json')).not.toContain('+work');
});

it('restores a removed collection in its position and with its access, for an hour', async () => {
  const { run, json, config, profile } = start();
  for (const name of ['first', 'work', 'last']) await json('collection', name, 'Notes', 'my-mail');
  await json('use', '+work', 'cursor', '--yes');
  const before = config();
  const removed = await run('collection', 'work', '--remove');
  const [, id = ''] = /postern undo (\w+)/u.exec(removed.stdout) ?? [];
  expect(await json('collection')).toMatchObject({ collections: [{ name: 'first' }, { name: 'last' }] });
  expect((await run('use', '+work', 'cursor', '--yes')).code).toBe(2);
  const listed = await json('undo');
  expect(listed).toMatchObject({
    changes: [{ app: 'cursor' }],
    deletions: [{ id, kind: 'remove-collection', removed: [{ id: '+work', name: 'work' }] }],
  });
  const [{ at, until }] = listed['deletions'] as [{ at: number; until: number }];
  expect(until - at).toBe(collectionUndoSeconds * 1_000);
  // The newest first.
  expect((await run('undo')).stdout.split('\n')[1]).toContain(id);
  expect((await run('undo', id, '--dry-run')).code).toBe(0);
  expect(config()).not.toEqual(before);
  expect(await json('undo', id.slice(0, 4))).toMatchObject({ restored: 1, undone: { id }, entriesNotRestored: [] });
  expect(config()).toEqual(before);
  expect((await run('undo', id)).code).toBe(2);

  // If another collection now has the title, the restored one gets another title.
  const again = String((await json('collection', 'work', '--remove'))['undo']);
  await json('rename', '+last', 'Work');
  for (const words of [['--dry-run'], []]) {
    const refused = await run('undo', again, ...words, '--json');
    expect(refused).toMatchObject({ last: { error: { code: 'NAME_TAKEN' } } });
    expect(JSON.stringify(refused.last)).not.toContain('postern connect');
  }
  const file = path.join(profile, 'config.json');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('+work');
  writeFileSync(file, text.replace(/"until": \d+/u, '"until": 1'));
  // A file of a newer version is read but not changed.
  const over = readFileSync(file, 'utf8');
  writeFileSync(file, over.replace('"version": 1', '"version": 2'));
  expect(await run('apps', '--json')).toMatchObject({ code: 0 });
  writeFileSync(file, over);
  // Any later command fails, too.
  await json('apps');
  expect(readFileSync(file, 'utf8')).not.toMatch(/\+work|removedCollections/u);
});

it('creates no collection whose name would read as an option, and accepts an existing one', async () => {
  const { run, json, profile } = start();
  for (const words of [
    ['--json', '--', '-x', 'Notes'],
    ['+-x', 'Notes', '--json'],
    ['--json', '--', '--', 'Notes'],
  ])
    expect(await run('collection', ...words), words.join(' ')).toMatchObject({
      code: 2,
      last: { error: { code: 'USAGE' } },
    });
  expect(await json('collection')).toMatchObject({ collections: [] });
  await json('collection', 'x', 'Notes');
  const file = path.join(profile, 'config.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"name": "x"', '"name": "-x"'));
  expect(await json('collection', '+-x', 'my-mail')).toMatchObject({
    collection: { name: '-x', members: [{ id: mail }] },
  });
  expect(await run('collection', '+-x', '--remove', '--json')).toMatchObject({ code: 0 });
});

it('is exported and imported with the list, by the names of its servers', async () => {
  const { json } = start();
  await json('collection', 'work', 'my-mail', 'Notes');
  const { list } = await json('export');
  const other = start();
  await other.json('collection', 'mine', 'Notes');
  writeFileSync(other.at('list.json'), JSON.stringify(list));
  expect(await other.json('import', other.at('list.json'))).toMatchObject({ added: [], collections: ['work'] });
  expect(await other.json('collection', 'work')).toMatchObject({
    collection: { members: [{ id: mail }, { id: notes }] },
  });
  expect(await other.json('import', other.at('list.json'))).toMatchObject({ collections: [] });
});
