import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { anIntegration } from '../support/an-integration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testPrograms } from '../support/test-desktop.ts';

/** Cursor has a file; two servers are connected, and a collection of both is made. */
async function open() {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{ "mcpServers": {} }\n');
  const desktop = await createTestDesktop({ programs: (engine) => testPrograms(engine, home) });
  for (const [id, name] of [
    ['id-of-notes', 'Notes'],
    ['id-of-mail', 'Mail'],
  ] as const)
    await desktop.engine.ports.store.write(anIntegration({ id, name, alias: name.toLowerCase() }));
  await desktop.call('collection:save', { name: 'My work', members: ['id-of-mail', 'id-of-notes'] });
  const shown = async () => (await desktop.call('app:snapshots', {})).collections;
  const text = (): string => readFileSync(file, 'utf8');
  return { ...desktop, shown, text };
}

it('makes, renames and changes a collection, whose name in entries stays', async () => {
  const { call, refuse, shown } = await open();
  expect(await shown()).toEqual([{ id: '+my-work', name: 'My work', members: ['id-of-mail', 'id-of-notes'] }]);
  await call('collection:save', { id: '+my-work', name: 'Office', members: ['id-of-notes'] });
  expect(await shown()).toEqual([{ id: '+my-work', name: 'Office', members: ['id-of-notes'] }]);
  expect(await refuse('collection:save', { name: 'OFFICE', members: [] })).toMatchObject({ code: 'NAME_TAKEN' });
  expect(await refuse('collection:save', { id: '+none', name: 'None', members: [] })).toMatchObject({
    code: 'NOT_FOUND',
  });
  await call('collection:save', { name: 'My work', members: [] });
  expect((await shown()).map(({ id }) => id)).toEqual(['+my-work', '+my-work-2']);
});

it('is used by a program as a server is, and comes back with its entry when a removal is undone', async () => {
  const { call, shown, text } = await open();
  const { previews } = await call('program:preview', {
    changes: [{ program: 'cursor', integrations: ['+my-work'], use: true }],
  });
  await call('program:change', { tokens: previews.map(({ token }) => token) });
  expect(JSON.parse(text())).toMatchObject({
    mcpServers: { 'my-work': { args: expect.arrayContaining(['+my-work']) } },
  });
  const used = text();

  const leaving = await call('program:previewLeaving', { integrations: ['+my-work'] });
  const entries = leaving.previews.map(({ token }) => token);
  expect(entries).toHaveLength(1);
  await call('collection:remove', { id: '+my-work', entries });
  expect(text()).not.toContain('my-work');
  expect(await shown()).toEqual([]);
  const [deletion] = (await call('app:snapshots', {})).deletions;
  expect(deletion).toMatchObject({ kind: 'remove', name: 'My work', servers: ['+my-work'], state: 'undoable' });
  expect(await call('deletion:undo', { id: deletion?.id ?? '' })).toEqual({ restored: 1, entriesLeft: [] });
  expect(text()).toBe(used);
  expect(await shown()).toHaveLength(1);

  await call('collection:remove', { id: '+my-work' });
  const [last] = (await call('app:snapshots', {})).deletions;
  await call('deletion:finish', { id: last?.id ?? '' });
  await expect.poll(shown).toEqual([]);
  await expect.poll(async () => (await call('app:snapshots', {})).programs.flatMap(({ uses }) => uses)).toEqual([]);
  expect((await call('app:snapshots', {})).deletions).toEqual([]);
});
