import { expect, it } from 'vitest';
import { beginDeletions, undoDeletions } from '../../../../main/engine/removal/pending-deletions.ts';
import {
  beginCollectionRemoval,
  finishCollectionRemovals,
  scheduleCollectionRemovals,
  listUndoable,
  resumeUndo,
  undoBatch,
} from '../../../../main/operations/undo.ts';
import type { UndoScope } from '../../../../main/operations/undo.ts';
import type { Clock } from '../../../../main/ports.ts';
import { collectionUndoSeconds, undoSeconds } from '../../../../shared/bounds.ts';
import { maxCollections } from '../../../../shared/entry-name.ts';
import { anIntegration } from '../../../support/an-integration.ts';
import { createSettingsFixture } from '../../../support/settings-fixture.ts';
import { createTestEngine } from '../../../support/test-engine.ts';

const work = { name: 'work', title: 'My work', members: ['one', 'two'] };
const home = { name: 'home', members: ['one'] };
const record = { id: '0'.repeat(16), app: 'cursor', name: 'Cursor', createdAt: 5, integrations: ['+work', 'one'] };

/** Two servers, two collections, and an app that may use one of each. */
async function open() {
  const store = createSettingsFixture().open();
  let now = 1_000_000;
  const ports = { ...createTestEngine().ports, store };
  const clock = { ...ports.clock, now: () => now };
  const { collections, apps: records } = store;
  const scope = {
    ports: { ...ports, clock },
    collections,
    apps: { records, backups: { list: async () => [] } as unknown as UndoScope['apps']['backups'] },
    openApps: () => Promise.reject(new Error('There are no apps.')),
  };
  for (const id of ['one', 'two']) await store.write(anIntegration({ id, name: id }));
  await collections.change(() => [work, home]);
  await records.change(() => [record]);
  const remove = (changes: readonly string[] = []): Promise<string> => beginCollectionRemoval(scope, work, changes);
  const rights = async () => (await records.list()).flatMap(({ integrations }) => integrations);
  return { scope, store, remove, rights, pass: (seconds: number) => void (now += seconds * 1_000) };
}

it('lists what can be undone, newest first, until each time limit', async () => {
  const { scope, remove, pass } = await open();
  const [removed] = await beginDeletions(scope.ports, ['one', 'two'], 'remove');
  pass(1);
  const id = await remove();
  expect(await listUndoable(scope)).toMatchObject([
    { id, kind: 'removeCollection', items: [{ id: '+work', name: 'My work' }] },
    { id: removed?.batch, kind: 'remove', items: [{ id: 'one' }, { id: 'two' }] },
  ]);
  pass(undoSeconds);
  expect((await listUndoable(scope)).map((each) => each.id)).toEqual([id]);
  // A clock that was set back does not extend the time.
  pass(-60);
  expect(await listUndoable(scope)).toEqual([]);
});

it('restores a collection at its old position, and app permissions for it with it', async () => {
  const { scope, store, remove, rights } = await open();
  const id = await remove();
  expect(await store.collections.list()).toEqual([home]);
  await finishCollectionRemovals(scope);
  expect(await rights()).toEqual(['+work', 'one']);
  expect(await undoBatch(scope, id)).toEqual({ restored: ['+work'], entriesRestored: [], entriesNotRestored: [] });
  expect(await store.collections.list()).toEqual([work, home]);
  expect(await store.collections.removed()).toEqual([]);
  expect((await undoBatch(scope, id)).restored).toEqual([]);
});

it('ends access to a collection after the time limit', async () => {
  const { scope, store, remove, rights, pass } = await open();
  const id = await remove();
  pass(collectionUndoSeconds);
  await finishCollectionRemovals(scope);
  expect(await rights()).toEqual(['one']);
  expect((await undoBatch(scope, id)).restored).toEqual([]);
  expect(await store.collections.list()).toEqual([home]);
});

it('leaves nothing half done if one process finishes a removal that another undoes', async () => {
  const { scope, store, remove, rights } = await open();
  const id = await remove();
  const finishing = finishCollectionRemovals(scope, ({ batch }) => batch === id);
  const [{ restored }] = await Promise.all([undoBatch(scope, id), finishing]);
  expect((await store.collections.list()).length).toBe(restored.length === 1 ? 2 : 1);
  expect(await rights()).toEqual(restored.length === 1 ? ['+work', 'one'] : ['one']);
  expect(await store.collections.removed()).toEqual([]);
});

it('reuses the name of a removed collection without its access rights', async () => {
  const { scope, store, remove, rights } = await open();
  const id = await remove();
  await store.collections.change((before) => [...before, { name: 'work', members: [] }]);
  expect(await rights()).toEqual(['one']);
  expect((await undoBatch(scope, id)).restored).toEqual([]);
  expect(await listUndoable(scope)).toEqual([]);
});

it('reports why a collection cannot be restored, and keeps it for another try', async () => {
  const { scope, store, remove } = await open();
  const id = await remove();
  const others = Array.from({ length: maxCollections }, (_, index) => ({ name: `c-${index}`, members: [] }));
  await store.collections.change(() => others);
  await expect(undoBatch(scope, id)).rejects.toMatchObject({ code: 'COLLECTIONS_FULL' });
  await store.collections.change(() => [{ ...home, title: 'MY WORK' }]);
  await expect(undoBatch(scope, id)).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  await store.collections.change(() => [home]);
  expect((await undoBatch(scope, id)).restored).toEqual(['+work']);
});

it('drops a permanently removed server from a restored collection', async () => {
  const { scope, store, remove } = await open();
  const id = await remove();
  await store.delete('one');
  await undoBatch(scope, id);
  expect((await store.collections.list())[0]?.members).toEqual(['two']);
});

it('resumes restoring app entries after a process has ended in between', async () => {
  const { scope, store, remove } = await open();
  const [server] = await beginDeletions(scope.ports, ['one'], 'remove', { changes: ['5f0c2a9e41d7'] });
  await undoDeletions(scope.ports, server?.batch ?? '');
  const id = await remove(['5f0c2a9e41d7']);
  const cut = { ...scope, apps: { ...scope.apps, backups: { list: () => Promise.reject(new Error('cut')) } } };
  await expect(undoBatch(cut as unknown as UndoScope, id)).rejects.toThrow('cut');
  expect(await listUndoable(scope)).toMatchObject([{ id: server?.batch }, { id }]);
  expect(await store.collections.list()).toEqual([work, home]);
  await resumeUndo(scope);
  expect(await listUndoable(scope)).toEqual([]);
  expect(await store.collections.removed()).toEqual([]);
  expect(await store.pendingDeletions()).toEqual([]);
});

it('reports what an earlier try has restored as restored', async () => {
  const { scope, remove } = await open();
  const [server] = await beginDeletions(scope.ports, ['one'], 'remove', { changes: ['5f0c2a9e41d7'] });
  const collection = await remove(['5f0c2a9e41d7']);
  const cut = { ...scope, apps: { ...scope.apps, backups: { list: () => Promise.reject(new Error('cut')) } } };
  for (const id of [server?.batch ?? '', collection])
    await expect(undoBatch(cut as unknown as UndoScope, id)).rejects.toThrow('cut');
  expect((await undoBatch(scope, server?.batch ?? '')).restored).toEqual(['one']);
  expect((await undoBatch(scope, collection)).restored).toEqual(['+work']);
});

it('allows a failed undo to be retried for the full time again', async () => {
  const { scope, store, remove, pass } = await open();
  const id = await remove();
  await store.collections.change(() => [{ ...home, title: 'MY WORK' }]);
  pass(collectionUndoSeconds - 1);
  await expect(undoBatch(scope, id)).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  pass(collectionUndoSeconds - 1);
  expect(await listUndoable(scope)).toMatchObject([{ id }]);
});

it('gives up on app entries that were not restored within an hour', async () => {
  const { scope, store, pass } = await open();
  const { collections } = store;
  await collections.changeBoth((both) => ({
    ...both,
    removed: [
      { batch: 'b', kind: 'back', since: 1_000_000, until: 1_060_000, collection: work, place: 0, changes: ['x'] },
    ],
  }));
  let reads = 0;
  const apps = { ...scope.apps, backups: { list: async () => ((reads += 1), []) } };
  const watched = { ...scope, apps: apps as unknown as UndoScope['apps'] };
  pass(collectionUndoSeconds + 1);
  await resumeUndo(watched);
  expect(reads).toBe(0);
  expect(await collections.removed()).toEqual([]);
});

it('ends access to a collection after an hour while a process is running', async () => {
  const { scope, remove, rights, pass } = await open();
  await remove();
  const waiting: (() => void)[] = [];
  const clock: Clock = {
    ...scope.ports.clock,
    after: (_milliseconds, finish) => {
      waiting.push(finish);
      return () => {};
    },
  };
  const { stop } = await scheduleCollectionRemovals({ ...scope, ports: { clock } });
  expect(await rights()).toEqual(['+work', 'one']);
  pass(collectionUndoSeconds);
  waiting.at(-1)?.();
  await expect.poll(rights).toEqual(['one']);
  stop();
});
