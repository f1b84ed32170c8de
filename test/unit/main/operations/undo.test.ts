import { expect, it } from 'vitest';
import { beginDeletions, undoDeletions } from '../../../../main/engine/leave/pending-deletions.ts';
import {
  beginCollectionRemoval,
  finishCollectionRemovals,
  keepFinishingRemovals,
  listUndoable,
  resumeUndo,
  takeBack,
} from '../../../../main/operations/undo.ts';
import type { UndoScope } from '../../../../main/operations/undo.ts';
import type { Clock } from '../../../../main/ports.ts';
import { collectionUndoSeconds, undoSeconds } from '../../../../shared/bounds.ts';
import { mostCollections } from '../../../../shared/entry-name.ts';
import { anIntegration } from '../../../support/an-integration.ts';
import { settingsBench } from '../../../support/settings-bench.ts';
import { createTestEngine } from '../../../support/test-engine.ts';

const work = { name: 'work', title: 'My work', members: ['one', 'two'] };
const home = { name: 'home', members: ['one'] };
const record = { id: '0'.repeat(16), program: 'cursor', name: 'Cursor', createdAt: 5, integrations: ['+work', 'one'] };

/** Two servers, two collections, and an app that may use one of each. */
async function open() {
  const store = settingsBench().open();
  let now = 1_000_000;
  const ports = { ...createTestEngine().ports, store };
  const clock = { ...ports.clock, now: () => now };
  const { collections, programs: records } = store;
  const scope = {
    ports: { ...ports, clock },
    collections,
    programs: { records, backups: { list: async () => [] } as unknown as UndoScope['programs']['backups'] },
    openPrograms: () => Promise.reject(new Error('There are no apps.')),
  };
  for (const id of ['one', 'two']) await store.write(anIntegration({ id, name: id }));
  await collections.change(() => [work, home]);
  await records.change(() => [record]);
  const remove = (changes: readonly string[] = []): Promise<string> => beginCollectionRemoval(scope, work, changes);
  const rights = async () => (await records.list()).flatMap(({ integrations }) => integrations);
  return { scope, store, remove, rights, pass: (seconds: number) => void (now += seconds * 1_000) };
}

it('lists what can still be taken back, newest first, each as long as its time lasts', async () => {
  const { scope, remove, pass } = await open();
  const [removed] = await beginDeletions(scope.ports, ['one', 'two'], 'remove');
  pass(1);
  const id = await remove();
  expect(await listUndoable(scope)).toMatchObject([
    { id, kind: 'removeCollection', things: [{ id: '+work', name: 'My work' }] },
    { id: removed?.batch, kind: 'remove', things: [{ id: 'one' }, { id: 'two' }] },
  ]);
  pass(undoSeconds);
  expect((await listUndoable(scope)).map((each) => each.id)).toEqual([id]);
  // A clock that was set back keeps nothing.
  pass(-60);
  expect(await listUndoable(scope)).toEqual([]);
});

it('brings a collection back to its place, and leaves the rights to it alone meanwhile', async () => {
  const { scope, store, remove, rights } = await open();
  const id = await remove();
  expect(await store.collections.list()).toEqual([home]);
  await finishCollectionRemovals(scope);
  expect(await rights()).toEqual(['+work', 'one']);
  expect(await takeBack(scope, id)).toEqual({ restored: ['+work'], entriesBack: [], entriesLeft: [] });
  expect(await store.collections.list()).toEqual([work, home]);
  expect(await store.collections.removed()).toEqual([]);
  expect((await takeBack(scope, id)).restored).toEqual([]);
});

it('ends the rights to a collection whose time has passed', async () => {
  const { scope, store, remove, rights, pass } = await open();
  const id = await remove();
  pass(collectionUndoSeconds);
  await finishCollectionRemovals(scope);
  expect(await rights()).toEqual(['one']);
  expect((await takeBack(scope, id)).restored).toEqual([]);
  expect(await store.collections.list()).toEqual([home]);
});

it('leaves nothing half done where one process finishes what another takes back', async () => {
  const { scope, store, remove, rights } = await open();
  const id = await remove();
  const finishing = finishCollectionRemovals(scope, ({ batch }) => batch === id);
  const [{ restored }] = await Promise.all([takeBack(scope, id), finishing]);
  expect((await store.collections.list()).length).toBe(restored.length === 1 ? 2 : 1);
  expect(await rights()).toEqual(restored.length === 1 ? ['+work', 'one'] : ['one']);
  expect(await store.collections.removed()).toEqual([]);
});

it('gives the name of a removed collection to another one, without its rights', async () => {
  const { scope, store, remove, rights } = await open();
  const id = await remove();
  await store.collections.change((before) => [...before, { name: 'work', members: [] }]);
  expect(await rights()).toEqual(['one']);
  expect((await takeBack(scope, id)).restored).toEqual([]);
  expect(await listUndoable(scope)).toEqual([]);
});

it('says why a collection cannot come back, and keeps it for another try', async () => {
  const { scope, store, remove } = await open();
  const id = await remove();
  const others = Array.from({ length: mostCollections }, (_, index) => ({ name: `c-${index}`, members: [] }));
  await store.collections.change(() => others);
  await expect(takeBack(scope, id)).rejects.toMatchObject({ code: 'COLLECTIONS_FULL' });
  await store.collections.change(() => [{ ...home, title: 'MY WORK' }]);
  await expect(takeBack(scope, id)).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  await store.collections.change(() => [home]);
  expect((await takeBack(scope, id)).restored).toEqual(['+work']);
});

it('takes a server that is gone for good out of a removed collection', async () => {
  const { scope, store, remove } = await open();
  const id = await remove();
  await store.delete('one');
  await takeBack(scope, id);
  expect((await store.collections.list())[0]?.members).toEqual(['two']);
});

it('goes on with entries of apps after a process has ended in between', async () => {
  const { scope, store, remove } = await open();
  const [server] = await beginDeletions(scope.ports, ['one'], 'remove', { changes: ['5f0c2a9e41d7'] });
  await undoDeletions(scope.ports, server?.batch ?? '');
  const id = await remove(['5f0c2a9e41d7']);
  const cut = { ...scope, programs: { ...scope.programs, backups: { list: () => Promise.reject(new Error('cut')) } } };
  await expect(takeBack(cut as unknown as UndoScope, id)).rejects.toThrow('cut');
  expect(await listUndoable(scope)).toMatchObject([{ id: server?.batch }, { id }]);
  expect(await store.collections.list()).toEqual([work, home]);
  await resumeUndo(scope);
  expect(await listUndoable(scope)).toEqual([]);
  expect(await store.collections.removed()).toEqual([]);
  expect(await store.pendingDeletions()).toEqual([]);
});

it('says of what an earlier try has brought back that it is back', async () => {
  const { scope, remove } = await open();
  const [server] = await beginDeletions(scope.ports, ['one'], 'remove', { changes: ['5f0c2a9e41d7'] });
  const collection = await remove(['5f0c2a9e41d7']);
  const cut = { ...scope, programs: { ...scope.programs, backups: { list: () => Promise.reject(new Error('cut')) } } };
  for (const id of [server?.batch ?? '', collection])
    await expect(takeBack(cut as unknown as UndoScope, id)).rejects.toThrow('cut');
  expect((await takeBack(scope, server?.batch ?? '')).restored).toEqual(['one']);
  expect((await takeBack(scope, collection)).restored).toEqual(['+work']);
});

it('can be tried again for as long as at first where it has failed', async () => {
  const { scope, store, remove, pass } = await open();
  const id = await remove();
  await store.collections.change(() => [{ ...home, title: 'MY WORK' }]);
  pass(collectionUndoSeconds - 1);
  await expect(takeBack(scope, id)).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  pass(collectionUndoSeconds - 1);
  expect(await listUndoable(scope)).toMatchObject([{ id }]);
});

it('leaves entries of apps out that nobody brought back within an hour', async () => {
  const { scope, store, pass } = await open();
  const { collections } = store;
  await collections.changeBoth((both) => ({
    ...both,
    removed: [
      { batch: 'b', kind: 'back', since: 1_000_000, until: 1_060_000, collection: work, place: 0, changes: ['x'] },
    ],
  }));
  let asked = 0;
  const programs = { ...scope.programs, backups: { list: async () => ((asked += 1), []) } };
  const watched = { ...scope, programs: programs as unknown as UndoScope['programs'] };
  pass(collectionUndoSeconds + 1);
  await resumeUndo(watched);
  expect(asked).toBe(0);
  expect(await collections.removed()).toEqual([]);
});

it('ends the rights to a collection once its hour is over, while a process runs', async () => {
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
  const { stop } = await keepFinishingRemovals({ ...scope, ports: { clock } });
  expect(await rights()).toEqual(['+work', 'one']);
  pass(collectionUndoSeconds);
  waiting.at(-1)?.();
  await expect.poll(rights).toEqual(['one']);
  stop();
});
