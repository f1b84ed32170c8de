import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { openHistoryStore } from '../../../../../main/storage/profile/history-store.ts';
import { openIntegrationStore } from '../../../../../main/storage/settings/integration-store.ts';
import { withHistory } from '../../../../../main/storage/settings/store-layers.ts';
import { historyBounds } from '../../../../../shared/trace.ts';
import type { ServerEvent, TraceEntry } from '../../../../../shared/trace.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A profile with one server, opened as each process opens it. */
async function openProfile(folder = temporaryFolder()) {
  const locks = createLocks(folder);
  const list = openIntegrationStore({ folder, locks });
  const history = openHistoryStore({ profileFolder: folder, locks, list });
  if (!(await list.read('one'))) await list.write(anIntegration());
  const store = withHistory(list, async () => history);
  return { folder, list, history, store, file: path.join(folder, 'history', 'one.json') };
}

const event = (at: number, change: Partial<ServerEvent> = {}): ServerEvent => ({ kind: 'renewed', at, ...change });

const anEntry = (number: number, url = 'https://as.example/token'): TraceEntry => ({
  number,
  purpose: 'token',
  method: 'POST',
  url,
  startedAt: 0,
  request: { headers: [], body: [] },
  rule: 'Code for tokens',
  clause: 'RFC 6749 4.1.3',
  verdict: 'used',
});

describe('the history of a server', () => {
  it('keeps the last 50 events and three sign-ins across restarts, newest first', async () => {
    const { folder, history } = await openProfile();
    for (let at = 1; at <= 60; at += 1) await history.record('one', [event(at)]);
    for (const at of [1, 2, 3, 4]) await history.saveSignIn('one', { at, entries: [anEntry(at)] });
    await history.saveSignIn('one', { at: 5, entries: [] });
    const { history: later } = await openProfile(folder);
    const { events, signIns } = await later.read('one');
    expect(events).toHaveLength(50);
    expect([events[0]?.at, events.at(-1)?.at]).toEqual([60, 11]);
    expect(signIns.map(({ at }) => at)).toEqual([4, 3, 2]);
  });

  it('stores a repeated failure once, with its latest time', async () => {
    const { history } = await openProfile();
    await history.record('one', [event(1)]);
    for (const at of [2, 3, 4]) await history.record('one', [event(at, { kind: 'problem', code: 'CONNECT_FAIL' })]);
    expect((await history.read('one')).events).toEqual([
      { kind: 'problem', at: 4, code: 'CONNECT_FAIL' },
      { kind: 'renewed', at: 1 },
    ]);
  });

  it('keeps the end of an overlong sign-in', async () => {
    const { history, file } = await openProfile();
    const long = `https://as.example/${'x'.repeat(30_000)}`;
    const entries = [1, 2, 3, 4, 5, 6, 7].map((number) => anEntry(number, long));
    for (const at of [1, 2, 3, 4]) await history.saveSignIn('one', { at, entries });
    const { signIns } = await history.read('one');
    expect(signIns[0]?.entries.map(({ number }) => number)).toEqual([4, 5, 6, 7]);
    expect(lstatSync(file).size).toBeLessThan(historyBounds.file);
  });

  it('treats a damaged file as empty, and ignores unknown entries', async () => {
    const { history, file } = await openProfile();
    await history.record('one', [event(1)]);
    writeFileSync(file, '{"events": [');
    expect(await history.read('one')).toEqual({ events: [], signIns: [] });
    const unknownEvents = [
      { kind: 'of-a-newer-version', at: 2 },
      { kind: 'problem', at: 3, text: 'from elsewhere' },
      7,
    ];
    writeFileSync(file, JSON.stringify({ events: [...unknownEvents, event(1)], signIns: [{ at: 1, entries: [{}] }] }));
    expect(await history.read('one')).toEqual({ events: [event(1)], signIns: [] });
    await history.record('one', [event(4)]);
    expect((await history.read('one')).events).toEqual([event(4), event(1)]);
  });

  it('is readable by its user only, and never follows a link', async () => {
    const { folder, history, file } = await openProfile();
    await history.record('one', [event(1)]);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(lstatSync(path.join(folder, 'history')).mode & 0o777).toBe(0o700);
    const elsewhere = temporaryFolder();
    writeFileSync(path.join(elsewhere, 'one.json'), readFileSync(file));
    const linking = await openProfile();
    symlinkSync(elsewhere, path.join(linking.folder, 'history'));
    expect((await linking.history.read('one')).events).toEqual([]);
    await linking.history.record('one', [event(2)]);
    await linking.history.sweep();
    expect(readFileSync(path.join(elsewhere, 'one.json'))).toEqual(readFileSync(file));
  });

  it('is deleted with its server, and later events are not stored', async () => {
    const { folder, store, history } = await openProfile();
    await history.record('one', [event(1)]);
    await store.delete('one');
    await history.record('one', [event(2)]);
    await history.saveSignIn('one', { at: 1, entries: [anEntry(1)] });
    expect(readdirSync(path.join(folder, 'history'))).toEqual([]);
  });

  it('is deleted at the next start if its server is gone, but foreign files are not', async () => {
    const { folder, history } = await openProfile();
    await history.record('one', [event(1)]);
    for (const name of ['gone.json', 'gone.json.tmp-1', 'Mine.txt'])
      writeFileSync(path.join(folder, 'history', name), '{}');
    await history.sweep();
    expect(readdirSync(path.join(folder, 'history')).toSorted()).toEqual(['Mine.txt', 'one.json']);
  });

  it('is retained if the list is only partly readable', async () => {
    const { folder, history } = await openProfile();
    mkdirSync(path.join(folder, 'history'));
    writeFileSync(path.join(folder, 'history', 'gone.json'), '{}');
    const config = path.join(folder, 'config.json');
    const { integrations, ...rest } = JSON.parse(readFileSync(config, 'utf8')) as { integrations: object[] };
    writeFileSync(config, JSON.stringify({ ...rest, integrations: [...integrations, { id: 7 }] }));
    await history.sweep();
    expect(readdirSync(path.join(folder, 'history'))).toEqual(['gone.json']);
  });
});

describe('withHistory', () => {
  const kinds = async ({ history }: Awaited<ReturnType<typeof openProfile>>) =>
    (await history.read('one')).events.map(({ kind }) => kind);

  it('records when a server was added, signed in to, renewed, postponed, lost and signed out of', async () => {
    const profile = await openProfile();
    const { store } = profile;
    await store.delete('one');
    await store.write(anIntegration({ signedInAt: 1 }));
    expect(await kinds(profile)).toEqual(['signedIn', 'added']);
    await store.update('one', (stored) => ({ ...stored, retryAt: 5 }));
    await store.update('one', (stored) => ({ ...stored, retryAt: 6 }));
    await store.update('one', ({ retryAt: _retryAt, ...stored }) => ({ ...stored, refreshedAt: 7 }));
    await store.update('one', (stored) => ({ ...stored, state: 'reauthenticationRequired' }));
    expect(await kinds(profile)).toEqual(['accessLost', 'renewed', 'renewalFailed', 'signedIn', 'added']);
    const { events } = await profile.history.read('one');
    expect(events.find(({ kind }) => kind === 'renewalFailed')).toMatchObject({ code: 'REFRESH_TRANSIENT' });
    await store.write(anIntegration({ signedInAt: 9, refreshedAt: 7 }));
    await store.changeList((list) => ({
      ...list,
      integrations: list.integrations.map((each) => ({ ...each, state: 'signedOut' })),
    }));
    expect((await kinds(profile)).slice(0, 2)).toEqual(['signedOut', 'signedIn']);
  });

  it('records that a sign-out was undone, so that it is not the last word', async () => {
    const profile = await openProfile();
    const { store } = profile;
    await store.write(anIntegration({ signedInAt: 1 }));
    const integration = (await store.read('one')) ?? expect.unreachable();
    const signedOut = { ...integration, state: 'signedOut' as const };
    const pending = { kind: 'signOut' as const, batch: 'a1', since: 2, integration };
    await store.changeList(() => ({ integrations: [signedOut], pendingDeletions: [pending] }));
    await store.changeList(() => ({ integrations: [integration], pendingDeletions: [] }));
    expect((await kinds(profile)).slice(0, 2)).toEqual(['signOutUndone', 'signedOut']);
  });

  it('records the cause of a change, even if the entry stays the same', async () => {
    const profile = await openProfile();
    const because = { kind: 'renewalFailed', code: 'REFRESH_REVOKED' } as const;
    await profile.store.update('one', (stored) => stored, because);
    await profile.store.update('one', (stored) => ({ ...stored, state: 'reauthenticationRequired' }), because);
    const { events } = await profile.history.read('one');
    expect(events).toMatchObject([{ kind: 'accessLost' }, because]);
    await profile.store.update('other', (stored) => stored, because);
    expect(readdirSync(path.join(profile.folder, 'history'))).toEqual(['one.json']);
  });

  it('does not record other changes', async () => {
    const profile = await openProfile();
    await profile.store.update('one', (stored) => ({ ...stored, name: 'Another' }));
    expect(await kinds(profile)).toEqual([]);
    expect(readdirSync(profile.folder)).not.toContain('history');
  });
});
