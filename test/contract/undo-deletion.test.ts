import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAppBackups } from '../../main/apps/files/app-backups.ts';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { isOverdue, undoDeletions } from '../../main/engine/removal/pending-deletions.ts';
import { sweepOrphans } from '../../main/engine/removal/remove-integration.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import type { AppRecords } from '../../main/gateway-ports.ts';
import { deadline } from '../../main/limits.ts';
import { removeWithEntries } from '../../main/operations/app-changes.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { emptySettings, renderSettingsDocument } from '../../main/storage/settings/settings-document.ts';
import { Deletions } from '../../main/window/state/deletions.ts';
import type { DeletionScope } from '../../main/window/state/deletions.ts';
import { collectionUndoSeconds, quitPatience, undoSeconds } from '../../shared/bounds.ts';
import type { DeletionView } from '../../shared/deletion-view.ts';
import type { PendingDeletion } from '../../shared/pending-deletion.ts';
import type { AppChange } from '../../shared/app-view.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { anIntegration } from '../support/an-integration.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { hasTicket, ticketOf } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { holdUndo } from '../support/held-undo.ts';
import { startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testApps } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';

const local = { local: true };

async function open(as: AuthorizationServerOptions = {}, held?: number[]) {
  const { clock, pass } = holdUndo(held);
  const pair = await startPair(as);
  const desktop = await createTestDesktop({ clock, onPage: (url) => void completeSignIn(url).catch(() => {}) });
  const { ports, vault, folder } = desktop.engine;
  /** As another process of the profile reads it. */
  const elsewhere = openIntegrationStore({ folder, locks: ports.locks });
  const secretsOf = async (id: string): Promise<string[]> => (await vault.keysOf(id)).map(({ kind }) => kind);
  return { pair, desktop, pass, elsewhere, secretsOf, store: ports.store };
}

async function connect(desktop: TestDesktop, url: string): Promise<string> {
  const { id } = await desktop.call('connection:discover', { url, options: local });
  await desktop.connection(id, ({ state }) => state.name === 'discovered');
  await desktop.call('connection:start', { id });
  const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
  return (await desktop.call('connection:install', { ticketId })).integrationId;
}

const seen = (desktop: TestDesktop, state: DeletionView['state']): Promise<DeletionView> =>
  desktop.waitFor(({ deletions }) => deletions?.find((each) => each.state === state));

const diskFull = new PosternError('CFG_DISK_FULL', { stage: 'settings' });

const aChange: AppChange = {
  ...{ id: '5f0c2a9e41d7', at: 0, app: 'cursor', path: '/nowhere', action: 'updated' },
  ...{ names: [], made: 'entry', undoneAt: 1 },
};

/** Without apps, except for one change. */
function scopeOf(ports: EnginePorts, folder: string, takenBack: string[] = []): DeletionScope {
  const { collections } = openIntegrationStore({ folder, locks: ports.locks });
  const backups = {
    ...createAppBackups(folder),
    list: async () => {
      takenBack.push(aChange.id);
      return [aChange];
    },
  };
  const records = { list: async () => [], change: async (work: AppRecordsWork) => work([]) };
  const openApps = () => Promise.reject(new Error('There are no apps.'));
  return { ports, collections, apps: { records, backups }, openApps };
}

type AppRecordsWork = Parameters<AppRecords['change']>[0];

/** Alongside those of the window: a test can make its settings unwritable, and advance its clock. */
function ownDeletions({ engine }: TestDesktop) {
  const { ports } = engine;
  let failing: boolean | 'once' = false;
  let later = 0;
  const clock = { ...ports.clock, now: () => ports.clock.now() + later, after: () => () => {} };
  const changeList: typeof ports.store.changeList = async (work) => {
    const isFailing = failing;
    if (failing === 'once') failing = false;
    if (isFailing !== false) throw diskFull;
    await ports.store.changeList(work);
  };
  const own: EnginePorts = { ...ports, clock, store: { ...ports.store, changeList } };
  /** Ids of changes of app files that were to be undone. */
  const takenBack: string[] = [];
  const scope = scopeOf(own, engine.folder, takenBack);
  return {
    scope,
    deletions: new Deletions(scope, () => {}),
    takenBack,
    clock,
    fails: (when: boolean | 'once') => void (failing = when),
    wait: (milliseconds: number) => void (later += milliseconds),
  };
}

const revocations = (pair: Awaited<ReturnType<typeof startPair>>): number => requestsTo(pair.as, '/revoke').length;

describe('a removal', () => {
  it('is undone completely', async () => {
    const { pair, desktop, elsewhere } = await open();
    const id = await connect(desktop, pair.mcp.url);
    const before = await elsewhere.list();
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: [id] })) ?? {};
    expect(await seen(desktop, 'undoable')).toMatchObject({ id: deletion, kind: 'remove', servers: [id] });
    expect(await elsewhere.list()).toEqual([]);
    expect(await desktop.callFailing('integration:tools', { id })).toMatchObject({ code: 'NOT_FOUND' });
    await sweepOrphans(desktop.engine.ports);
    expect(await desktop.call('deletion:undo', { id: deletion })).toEqual({ restored: 1, entriesNotRestored: [] });
    expect(await elsewhere.list()).toEqual(before);
    const { tools } = await desktop.call('integration:tools', { id });
    expect(tools.length).toBeGreaterThan(0);
    expect(revocations(pair)).toBe(0);
    await desktop.waitFor(({ deletions }) => deletions?.length === 0);
  });

  it('can be undone again if the list could not be written, and is not finished meanwhile', async () => {
    const { pair, desktop, elsewhere } = await open();
    const ids = [await connect(desktop, pair.mcp.url), await connect(desktop, pair.mcp.url)];
    const before = await elsewhere.list();
    const { deletion = '' } = (await desktop.call('integration:remove', { ids })) ?? {};
    const file = path.join(desktop.engine.folder, 'config.json');
    const stored = readFileSync(file);
    writeFileSync(file, '{');
    expect(await desktop.callFailing('deletion:undo', { id: deletion })).toMatchObject({ code: 'CFG_CORRUPT' });
    writeFileSync(file, stored);
    expect(await desktop.call('deletion:undo', { id: deletion })).toEqual({ restored: 2, entriesNotRestored: [] });
    expect(await elsewhere.list()).toEqual(before);
  });

  it('is final after the undo period: here first, then at the service', async () => {
    const { pair, desktop, pass, elsewhere, secretsOf } = await open();
    const id = await connect(desktop, pair.mcp.url);
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: [id] })) ?? {};
    expect(await secretsOf(id)).toEqual(expect.arrayContaining(['tokens', 'credentials']));
    expect(revocations(pair)).toBe(0);
    pass();
    const { outcome } = await seen(desktop, 'done');
    expect(outcome).toMatchObject({ revocation: 'revoked', registration: 'deleted', ended: 1 });
    expect(await secretsOf(id)).toEqual([]);
    expect(await elsewhere.pendingDeletions()).toEqual([]);
    expect(await desktop.call('deletion:undo', { id: deletion })).toEqual({ restored: 0, entriesNotRestored: [] });
    expect(await elsewhere.list()).toEqual([]);
    await desktop.call('deletion:dismiss', { id: deletion });
    await desktop.waitFor(({ deletions }) => deletions?.length === 0);
  });

  it('is finished when the app exits, and at its next start if it was killed', async () => {
    const { pair, desktop, elsewhere, secretsOf, store } = await open();
    const [one, two] = [await connect(desktop, pair.mcp.url), await connect(desktop, pair.mcp.url)];
    // As left by a killed run.
    await store.changeList(({ integrations }) => ({
      integrations: integrations.filter(({ id }) => id !== one),
      pendingDeletions: integrations
        .filter(({ id }) => id === one)
        .map((integration) => ({ batch: 'b1', kind: 'remove', since: desktop.engine.ports.clock.now(), integration })),
    }));
    desktop.composed.startWork();
    await expect.poll(() => secretsOf(one)).toEqual([]);
    await desktop.call('integration:remove', { ids: [two] });
    expect(await secretsOf(two)).not.toEqual([]);
    await desktop.composed.close();
    expect(await secretsOf(two)).toEqual([]);
    expect(await elsewhere.pendingDeletions()).toEqual([]);
    expect(requestsTo(pair.as, '/revoke')).toHaveLength(4);
  });

  it('left by a killed window is finished by the next command, which no longer uses the server', async () => {
    const home = temporaryFolder();
    const file = path.join(home, 'config.json');
    const pending: PendingDeletion = {
      batch: 'b1',
      kind: 'remove',
      since: 0,
      integration: anIntegration({ id: 'one' }),
    };
    writeFileSync(file, renderSettingsDocument({ ...emptySettings, pendingDeletions: [pending] }));
    const { code, stdout } = await runInProcess(['tools', 'one', '--json'], { home });
    expect(code).not.toBe(0);
    expect(stdout).toContain('NOT_FOUND');
    expect(readFileSync(file, 'utf8')).not.toContain('pendingDeletions');
  });

  it('left by a window at its last moment is finished by a running serve', async () => {
    const home = temporaryFolder();
    const file = path.join(home, 'config.json');
    const integration = anIntegration({ id: 'one' });
    const pending: PendingDeletion = { batch: 'b1', kind: 'remove', since: Date.now(), integration };
    writeFileSync(file, renderSettingsDocument({ ...emptySettings, pendingDeletions: [pending] }));
    const serve = startPostern(['serve', '--json'], { home });
    await serve.waitFor(/"socket":/u);
    await expect.poll(() => readFileSync(file, 'utf8')).not.toContain('pendingDeletions');
  });

  it.each(['everything is deleted', 'the program ends'])(
    'blocks nothing if its service is silent and %s',
    async (end) => {
      const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
      let isAsking = true;
      const intercept = (request: IncomingMessage, response: ServerResponse): boolean => {
        if (request.url?.startsWith('/revoke') !== true) return false;
        response.once('close', () => (isAsking = false));
        onAsked();
        return true;
      };
      const held = [undoSeconds * 1_000, deadline.revocation, deadline.allRevocations, quitPatience];
      const { pair, desktop, pass, secretsOf } = await open({ intercept }, held);
      const id = await connect(desktop, pair.mcp.url);
      await desktop.call('integration:remove', { ids: [id] });
      const ended =
        end === 'the program ends' ? desktop.composed.close() : desktop.call('storage:deleteEverything', {});
      await asked;
      if (end === 'the program ends') pass();
      await ended;
      expect(await secretsOf(id)).toEqual([]);
      if (end !== 'the program ends') {
        expect(isAsking).toBe(true);
        // Otherwise closing the window would wait for it.
        pass();
      }
      await expect.poll(() => isAsking).toBe(false);
    },
  );

  it('left by an earlier run stays for the next start if the settings cannot be read', async () => {
    const { desktop } = await open();
    const { deletions } = ownDeletions(desktop);
    writeFileSync(path.join(desktop.engine.folder, 'config.json'), '{');
    await expect(deletions.finishLeftovers()).resolves.toBeUndefined();
  });

  it('of a collection is final after an hour, while the window is open', async () => {
    const { engine } = await createTestDesktop();
    const clock = createFakeClock();
    const scope = scopeOf({ ...engine.ports, clock }, engine.folder);
    const work = { name: 'work', members: [] };
    await scope.collections.change(() => [work]);
    const deletions = new Deletions(scope, () => {});
    await deletions.finishLeftovers();
    await deletions.beginCollection(work, []);
    clock.advance((collectionUndoSeconds - 1) * 1_000);
    expect(await scope.collections.removed()).toHaveLength(1);
    clock.advance(1_000);
    await expect.poll(() => scope.collections.removed()).toEqual([]);
    await deletions.close();
  });

  it('removes no entry from an app if it cannot be begun', async () => {
    const { desktop } = await open();
    const server = anIntegration({ id: 'one' });
    await desktop.engine.ports.store.write(server);
    const { scope, deletions, fails, takenBack } = ownDeletions(desktop);
    const takeOut = async (): Promise<string> => {
      fails(true);
      return aChange.id;
    };
    const removal = { ...scope, confirmEntries: async () => [takeOut], onEntriesRestored: () => {} };
    const remove = async (changes: readonly string[]) => await deletions.begin('remove', [server], changes);
    const removed = removeWithEntries(removal, { kind: 'servers', servers: [server] }, [], remove);
    await expect(removed).rejects.toBe(diskFull);
    expect(takenBack).toEqual([aChange.id]);
  });

  it.each(['remove', 'signOut'] as const)('(%s) of many writes the settings for fifty at once', async (kind) => {
    const { desktop, elsewhere } = await open();
    const { ports } = desktop.engine;
    const all = Array.from({ length: 60 }, (_, index) =>
      anIntegration({ id: `server-${index}`, alias: `server-${index}` }),
    );
    await ports.store.changeList((list) => ({ ...list, integrations: all }));
    let written = 0;
    const store = {
      ...ports.store,
      changeList: async (edit: Parameters<typeof ports.store.changeList>[0]) => {
        written += 1;
        await ports.store.changeList(edit);
      },
    };
    const deletions = new Deletions(scopeOf({ ...ports, store }, desktop.engine.folder), () => {});
    const id = await deletions.begin(kind, all);
    expect(written).toBe(2);
    expect(deletions.views()).toMatchObject([{ id, kind, name: all[0]?.name, servers: all.map((each) => each.id) }]);
    expect(await elsewhere.list()).toHaveLength(kind === 'remove' ? 0 : 60);
    expect((await deletions.undo(id ?? '')).restored).toHaveLength(60);
    expect(await elsewhere.list()).toHaveLength(60);
    expect(written).toBe(3);
    written = 0;
    await deletions.finish((await deletions.begin(kind, all)) ?? '');
    // One write marks them as final, another removes them.
    expect(written).toBe(2 + 2 * 2);
    expect(await elsewhere.pendingDeletions()).toEqual([]);
  });

  it('gets its full time again if its undo failed, for other processes too', async () => {
    const { pair, desktop, elsewhere } = await open();
    const id = await connect(desktop, pair.mcp.url);
    const { deletions, clock, fails, wait } = ownDeletions(desktop);
    const deletionId = (await deletions.begin('remove', [{ id }])) ?? '';
    wait(undoSeconds * 900);
    fails('once');
    await expect(deletions.undo(deletionId)).rejects.toBe(diskFull);
    wait(undoSeconds * 900);
    expect((await elsewhere.pendingDeletions()).map((each) => isOverdue(each, clock))).toEqual([false]);
    expect((await deletions.undo(deletionId)).restored).toEqual([id]);
    expect((await elsewhere.list()).map((each) => each.id)).toEqual([id]);
  });

  it('can be undone again if the server came back and the entries of apps did not', async () => {
    const { desktop, elsewhere } = await open();
    const { ports, folder } = desktop.engine;
    await ports.store.write(anIntegration({ id: 'one' }));
    const scope = scopeOf(ports, folder);
    let fails = true;
    const list: typeof scope.apps.backups.list = async () => {
      if (fails) throw diskFull;
      return [aChange];
    };
    const apps = { ...scope.apps, backups: { ...scope.apps.backups, list } };
    const deletions = new Deletions({ ...scope, apps }, () => {});
    const id = (await deletions.begin('remove', [{ id: 'one' }], [aChange.id])) ?? '';
    await expect(deletions.undo(id)).rejects.toBe(diskFull);
    expect(await elsewhere.list()).toHaveLength(1);
    // As the window does once it sees that the file has changed.
    await deletions.review();
    expect(deletions.views()).toMatchObject([{ id, state: 'undoable' }]);
    fails = false;
    expect(await deletions.undo(id)).toMatchObject({ restored: ['one'], entriesRestored: [{ app: 'cursor' }] });
    expect(deletions.views()).toEqual([]);
    expect(await elsewhere.pendingDeletions()).toEqual([]);
  });

  it('that failed is still reported after the next one, and can be retried', async () => {
    const { pair, desktop, pass, elsewhere, secretsOf } = await open();
    const [one, two] = [await connect(desktop, pair.mcp.url), await connect(desktop, pair.mcp.url)];
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: [one] })) ?? {};
    const file = path.join(desktop.engine.folder, 'config.json');
    const stored = readFileSync(file);
    writeFileSync(file, '{');
    pass();
    expect((await seen(desktop, 'done')).outcome).toMatchObject({ failure: { code: 'CFG_CORRUPT' } });
    writeFileSync(file, stored);
    await desktop.call('integration:remove', { ids: [two] });
    await seen(desktop, 'undoable');
    expect(await seen(desktop, 'done')).toMatchObject({ id: deletion, servers: [one] });
    expect(await secretsOf(one)).not.toEqual([]);
    await desktop.call('deletion:finish', { id: deletion });
    const { outcome } = await desktop.waitFor(({ deletions }) =>
      deletions?.find((each) => each.state === 'done' && each.outcome?.failure === undefined),
    );
    expect(outcome).toMatchObject({ revocation: 'revoked', ended: 1, notDeleted: 0 });
    expect(await secretsOf(one)).toEqual([]);
    expect((await elsewhere.pendingDeletions()).map(({ integration }) => integration.id)).toEqual([two]);
  });

  it('of several is confirmed once, undone together, and finished together', async () => {
    const { pair, desktop, elsewhere } = await open();
    const ids = [await connect(desktop, pair.mcp.url), await connect(desktop, pair.mcp.url)];
    const remove = async (): Promise<string> => (await desktop.call('integration:remove', { ids }))?.deletion ?? '';
    expect(await desktop.call('deletion:undo', { id: await remove() })).toMatchObject({ restored: 2 });
    expect((await elsewhere.list()).map(({ id }) => id)).toEqual(ids);
    await desktop.call('deletion:finish', { id: await remove() });
    expect(desktop.confirmations).toHaveLength(2);
    expect(await seen(desktop, 'done')).toMatchObject({ servers: ids, outcome: { ended: 2, registrationsLeft: 0 } });
    // Both signed in with the same registration.
    expect(pair.as.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });
});

describe('postern undo', () => {
  async function openUsed() {
    const home = temporaryFolder();
    const file = path.join(home, '.cursor', 'mcp.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{ "mcpServers": {} }\n');
    const desktop = await createTestDesktop({
      clock: holdUndo().clock,
      serves: true,
      apps: (engine) => testApps(engine, home),
    });
    const { ports, folder } = desktop.engine;
    const server = anIntegration({ id: 'one', name: 'Notes', alias: 'notes' });
    await ports.store.write(server);
    desktop.composed.startWork();
    const { previews } = await desktop.call('app:preview', {
      changes: [{ app: 'cursor', integrations: ['one'], use: true }],
    });
    await desktop.call('app:change', { tokens: previews.map(({ token }) => token) });
    const text = (): string => readFileSync(file, 'utf8');
    const used = text();
    const remove = async (): Promise<string> => {
      const leaving = await desktop.call('app:previewLeaving', { integrations: ['one'] });
      const entries = leaving.previews.map(({ token }) => token);
      const deletionId = await desktop.call('integration:remove', { ids: ['one'], entries });
      await desktop.waitFor(({ integrations }) => integrations?.length === 0);
      expect(text()).not.toBe(used);
      return deletionId?.deletion ?? '';
    };
    const env = { HOME: home, XDG_CONFIG_HOME: undefined };
    const runAsText = (...words: string[]) => runInProcess(words, { home: folder, env });
    const run = (...words: string[]) => runAsText(...words, '--json');
    return { desktop, store: ports.store, text, used, remove, run, runAsText, file };
  }

  it('restores what the window removed, with the entry of an app, and the window shows it at once', async () => {
    const { desktop, store, text, used, remove, run } = await openUsed();
    const id = await remove();
    const listed = { id, kind: 'remove', removed: [{ id: 'one', name: 'Notes' }] };
    expect((await run('undo')).last).toMatchObject({ deletions: [listed] });
    expect((await run('undo', id)).last).toMatchObject({
      restored: 1,
      entriesRestored: ['Cursor'],
      entriesNotRestored: [],
    });
    await desktop.waitFor(({ deletions, integrations }) => deletions?.length === 0 && integrations?.length === 1);
    expect(text()).toBe(used);
    expect(await store.pendingDeletions()).toEqual([]);
    expect((await run('undo', id)).code).toBe(2);
    // A second click restores nothing.
    expect(await desktop.call('deletion:undo', { id })).toEqual({ restored: 0, entriesNotRestored: [] });
  });

  it('reports that it is too late if the server has been connected again', async () => {
    const { store, remove, run } = await openUsed();
    const id = await remove();
    await store.write(anIntegration({ id: 'one', name: 'Notes', alias: 'notes' }));
    expect((await run('undo', id)).last).toMatchObject({ result: 'error', error: { code: 'UNDO_TOO_LATE' } });
    expect(await store.list()).toHaveLength(1);
  });

  it('continues if a process ended between the server and the entries of apps', async () => {
    const { desktop, store, text, used, remove, run } = await openUsed();
    const id = await remove();
    expect((await undoDeletions({ store }, id)).changes).toHaveLength(1);
    expect(text()).not.toBe(used);
    expect((await run('undo')).last).toMatchObject({ deletions: [{ id, until: null }] });
    expect((await run('undo', id)).last).toMatchObject({ restored: 1, entriesRestored: ['Cursor'] });
    expect(text()).toBe(used);
    await desktop.waitFor(({ deletions }) => deletions?.length === 0);
    expect(await store.pendingDeletions()).toEqual([]);
  });

  it('leaves to the next window what it could not restore before it exited', async () => {
    const { desktop, store, text, used, remove } = await openUsed();
    await undoDeletions({ store }, await remove());
    desktop.composed.startWork();
    await expect.poll(text).toBe(used);
    await expect.poll(() => store.pendingDeletions()).toEqual([]);
    expect(await store.list()).toHaveLength(1);
  });

  it('reports which app keeps a configuration that has changed since', async () => {
    const { remove, run, text, file } = await openUsed();
    const id = await remove();
    writeFileSync(file, 'no JSON');
    expect((await run('undo', id)).last).toMatchObject({
      restored: 1,
      entriesRestored: [],
      entriesNotRestored: ['Cursor'],
    });
    expect(text()).toBe('no JSON');
  });

  it('names the command for an entry with an address, if that could not be restored', async () => {
    const { desktop, remove, runAsText, file } = await openUsed();
    const { folder, ports } = desktop.engine;
    const { apps } = openIntegrationStore({ folder, locks: ports.locks });
    await apps.change((records) => records.map((record) => ({ ...record, secretHash: 'a'.repeat(64) })));
    const id = await remove();
    writeFileSync(file, 'no JSON');
    expect((await runAsText('undo', id)).stdout).toContain('postern use Notes cursor --http');
  });

  it('signs in again after a sign-out in the window', async () => {
    const { pair, desktop, secretsOf } = await open();
    const id = await connect(desktop, pair.mcp.url);
    const { deletion = '' } = (await desktop.call('integration:signOut', { ids: [id] })) ?? {};
    const undone = await runInProcess(['undo', deletion, '--json'], { home: desktop.engine.folder });
    expect(undone.last).toMatchObject({ undone: { kind: 'sign-out' }, restored: 1 });
    await desktop.call('integration:tools', { id });
    expect(await secretsOf(id)).toContain('tokens');
    expect(revocations(pair)).toBe(0);
  });
});

describe('a sign-out', () => {
  it('is undone without a sign-in, and nobody uses the tokens meanwhile', async () => {
    const { pair, desktop, elsewhere, secretsOf } = await open();
    const id = await connect(desktop, pair.mcp.url);
    const before = await elsewhere.list();
    const { deletion = '' } = (await desktop.call('integration:signOut', { ids: [id] })) ?? {};
    expect(await desktop.callFailing('integration:tools', { id })).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
    expect(await secretsOf(id)).toContain('tokens');
    await sweepOrphans(desktop.engine.ports);
    expect(await desktop.call('deletion:undo', { id: deletion })).toMatchObject({ restored: 1 });
    expect(await elsewhere.list()).toEqual(before);
    await desktop.call('integration:tools', { id });
    expect(revocations(pair)).toBe(0);
  });

  it('is finished before a new sign-in, whose tokens stay', async () => {
    const { pair, desktop, pass, secretsOf } = await open();
    const id = await connect(desktop, pair.mcp.url);
    await desktop.call('integration:signOut', { ids: [id] });
    const { connectionId } = await desktop.call('integration:signInAgain', { id });
    const ticketId = ticketOf(await desktop.connection(connectionId, hasTicket)) ?? '';
    await desktop.call('connection:install', { ticketId });
    pass();
    expect((await seen(desktop, 'done')).outcome).toMatchObject({ revocation: 'revoked' });
    expect(await secretsOf(id)).toContain('tokens');
    await desktop.call('integration:tools', { id });
  });

  it('does not touch what another process has signed in to meanwhile', async () => {
    const { pair, desktop, pass, secretsOf } = await open();
    const id = await connect(desktop, pair.mcp.url);
    const { deletion = '' } = (await desktop.call('integration:signOut', { ids: [id] })) ?? {};
    const { engine } = desktop;
    const signedOut = await engine.ports.store.read(id);
    if (signedOut) await engine.tools(signedOut, { signIn: true });
    const now = await engine.ports.store.read(id);
    pass();
    expect(await seen(desktop, 'done')).toMatchObject({ servers: [id], outcome: { notDeleted: 1, ended: 0 } });
    expect(await secretsOf(id)).toContain('tokens');
    expect(await engine.ports.store.read(id)).toEqual(now);
    expect(await desktop.call('deletion:undo', { id: deletion })).toMatchObject({ restored: 0 });
    await desktop.call('integration:tools', { id });
  });
});
