import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { collectionUndoSeconds } from '../../shared/bounds.ts';
import { anIntegration } from '../support/an-integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { holdUndo } from '../support/held-undo.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testApps } from '../support/test-desktop.ts';

/** Cursor has a file; two servers are connected, and a collection of both is made. */
async function open() {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{ "mcpServers": {} }\n');
  const desktop = await createTestDesktop({ apps: (engine) => testApps(engine, home) });
  for (const [id, name] of [
    ['id-of-notes', 'Notes'],
    ['id-of-mail', 'Mail'],
  ] as const)
    await desktop.engine.ports.store.write(anIntegration({ id, name, alias: name.toLowerCase() }));
  await desktop.call('collection:save', { name: 'My work', members: ['id-of-mail', 'id-of-notes'] });
  const collections = async () => (await desktop.call('desktop:snapshots', {})).collections;
  const text = (): string => readFileSync(file, 'utf8');
  return { ...desktop, collections, text };
}

it('creates, renames and changes a collection, whose name in entries stays', async () => {
  const { call, callFailing, collections } = await open();
  expect(await collections()).toEqual([{ id: '+my-work', name: 'My work', members: ['id-of-mail', 'id-of-notes'] }]);
  await call('collection:save', { id: '+my-work', name: 'Office', members: ['id-of-notes'] });
  expect(await collections()).toEqual([{ id: '+my-work', name: 'Office', members: ['id-of-notes'] }]);
  expect(await callFailing('collection:save', { name: 'OFFICE', members: [] })).toMatchObject({ code: 'NAME_TAKEN' });
  expect(await callFailing('collection:save', { id: '+none', name: 'None', members: [] })).toMatchObject({
    code: 'NOT_FOUND',
  });
  await call('collection:save', { name: 'My work', members: [] });
  expect((await collections()).map(({ id }) => id)).toEqual(['+my-work', '+my-work-2']);
});

it('notifies AI apps before a call that removes, restores or imports a collection returns', async () => {
  const reached: number[] = [];
  const desktop = await createTestDesktop({
    serves: true,
    onGateway: (gateway) =>
      void vi.spyOn(gateway, 'changed').mockImplementation(async () => {
        reached.push((await desktop.composed.desktop.snapshot('collections')).length);
      }),
  });
  const { call, composed } = desktop;
  const listed = [{ name: 'work', members: [] }];
  const list = { format: 'postern-integrations', version: 1, integrations: [], collections: listed };
  await call('list:import', { text: JSON.stringify(list) });
  expect(reached).toEqual([1]);
  await call('collection:remove', { id: '+work' });
  expect(reached).toEqual([1, 0]);
  const [deletion] = await composed.desktop.snapshot('deletions');
  await call('deletion:undo', { id: deletion?.id ?? '' });
  expect(reached).toEqual([1, 0, 1]);
});

it('shows the printable part of a title, and refuses one without any', async () => {
  const { call, callFailing, collections } = await open();
  for (const name of ['\u3164', '\u2800 ', '\u200b', '\ue000', '\u202e'])
    for (const id of [undefined, '+my-work'])
      expect(await callFailing('collection:save', { id, name, members: [] })).toMatchObject({ code: 'NAME_INVALID' });
  // The same name to a reader.
  expect(await callFailing('collection:save', { name: 'My\u200b work', members: [] })).toMatchObject({
    code: 'NAME_TAKEN',
  });
  await call('collection:save', { name: 'At \u202ehome', members: [] });
  expect((await collections()).map(({ name }) => name)).toEqual(['My work', 'At home']);
});

it('imports collections under titles that are printable and unique', async () => {
  const { call, collections } = await open();
  const listed = [
    { name: 'my-work', title: 'Another', members: [] },
    { name: 'second', title: 'MY WORK', members: [] },
    { name: 'third', title: '\u3164', members: [] },
    { name: 'fourth', title: 'Fo\ufe00ur', members: [] },
    { name: 'fifth', title: 'Four', members: [] },
    { name: '-x', title: 'Six', members: [] },
  ];
  const list = { format: 'postern-integrations', version: 1, integrations: [], collections: listed };
  await call('list:import', { text: JSON.stringify(list) });
  expect((await collections()).map(({ id, name }) => [id, name])).toEqual([
    ['+my-work', 'My work'],
    ['+second', 'second'],
    ['+third', 'third'],
    ['+fourth', 'Four'],
    ['+fifth', 'fifth'],
    ['+six', 'Six'],
  ]);
});

it('accepts only servers in the list, and keeps one whose removal can still be undone', async () => {
  const { call, callFailing, collections, engine } = await open();
  const refused = await callFailing('collection:save', { id: '+my-work', name: 'Office', members: ['id-of-nobody'] });
  expect(refused).toMatchObject({ code: 'NOT_FOUND' });
  expect(await callFailing('collection:save', { name: 'Other', members: ['id-of-nobody'] })).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect((await collections()).map(({ name }) => name)).toEqual(['My work']);
  const deletion = await call('integration:remove', { ids: ['id-of-mail'] });
  await call('collection:save', { id: '+my-work', name: 'Office', members: ['id-of-mail', 'id-of-notes'] });
  await call('deletion:undo', { id: deletion?.deletion ?? '' });
  expect(await collections()).toMatchObject([{ name: 'Office', members: ['id-of-mail', 'id-of-notes'] }]);
  expect(await engine.ports.store.list()).toHaveLength(2);
});

it('is used by an app like a server, and is restored with its entry when a removal is undone', async () => {
  const { call, collections, text } = await open();
  const { previews } = await call('app:preview', {
    changes: [{ app: 'cursor', integrations: ['+my-work'], use: true }],
  });
  await call('app:change', { tokens: previews.map(({ token }) => token) });
  expect(JSON.parse(text())).toMatchObject({
    mcpServers: { 'my-work': { args: expect.arrayContaining(['+my-work']) } },
  });
  const used = text();

  const leaving = await call('app:previewLeaving', { integrations: ['+my-work'] });
  const entries = leaving.previews.map(({ token }) => token);
  expect(entries).toHaveLength(1);
  await call('collection:remove', { id: '+my-work', entries });
  expect(text()).not.toContain('my-work');
  expect(await collections()).toEqual([]);
  const [deletion] = (await call('desktop:snapshots', {})).deletions;
  expect(deletion).toMatchObject({ kind: 'remove', name: 'My work', servers: ['+my-work'], state: 'undoable' });
  expect(await call('deletion:undo', { id: deletion?.id ?? '' })).toEqual({ restored: 1, entriesNotRestored: [] });
  expect(text()).toBe(used);
  expect(await collections()).toHaveLength(1);

  await call('collection:remove', { id: '+my-work' });
  const [last] = (await call('desktop:snapshots', {})).deletions;
  await call('deletion:finish', { id: last?.id ?? '' });
  await expect.poll(collections).toEqual([]);
  await expect.poll(async () => (await call('desktop:snapshots', {})).apps.flatMap(({ uses }) => uses)).toEqual([]);
  expect((await call('desktop:snapshots', {})).deletions).toEqual([]);
});

it('can be restored for ten seconds after its removal, and by a command for an hour', async () => {
  const { clock, pass } = holdUndo();
  const desktop = await createTestDesktop({ clock });
  await desktop.call('collection:save', { name: 'My work', members: [] });
  await desktop.call('collection:remove', { id: '+my-work' });
  const [collections] = (await desktop.call('desktop:snapshots', {})).deletions;
  pass();
  expect((await desktop.call('desktop:snapshots', {})).deletions).toEqual([]);
  await desktop.composed.close();
  const run = (...words: string[]) => runInProcess([...words, '--json'], { home: desktop.engine.folder });
  const { deletions } = (await run('undo')).last as { deletions?: readonly { at: number; until: number }[] };
  expect(deletions).toMatchObject([{ id: collections?.id, kind: 'remove-collection' }]);
  expect(deletions?.map(({ at, until }) => until - at)).toEqual([collectionUndoSeconds * 1_000]);
  expect((await run('undo', collections?.id ?? '')).last).toMatchObject({ restored: 1 });
});
