import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import { integrationLock } from '../../main/engine/records/stored-secrets.ts';
import { deleteEverything } from '../../main/engine/removal/delete-everything.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { deadline } from '../../main/limits.ts';
import type { Locks, Vault } from '../../main/ports.ts';
import { CrashPoints } from '../support/crash-points.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { localOptions } from '../support/local-options.ts';
import { createMemoryStoredData } from '../support/memory-stored-data.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { proveConnection } from '../support/prove-connection.ts';
import { startRotatingServer } from '../support/rotating-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

const { signal } = new AbortController();
const keychainFile = 'test-keychain.json';
const orphanAccount = 'vault-11111111-2222-4333-8444-555555555555';

function entriesOf(folder: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(folder, keychainFile), 'utf8')) as Record<string, string>;
}

/** Keychain entries that no file in the profile names any more: nothing would ever delete them. */
function forgottenEntries(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.startsWith('vault'));
  const texts = files.map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return Object.keys(entriesOf(folder)).filter((account) => !texts.some((text) => text.includes(account)));
}

/** Two servers, one of them twice, a damaged vault with an entry of its own, a damaged list and a log. */
async function fillProfile(url: string): Promise<string> {
  const folder = temporaryFolder();
  const { ports, close } = openProfileEngine(folder);
  const interaction = {
    onEvent: () => {},
    askCredentials: async () => undefined,
    open: async (pending: { url: string }) => void (await fetch(pending.url)),
  };
  for (let times = 0; times < 2; times += 1)
    await connectServer(ports, { url, options: localOptions, surface: 'test' }, interaction, signal);
  await close();
  const put = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  put(keychainFile, JSON.stringify({ ...entriesOf(folder), [orphanAccount]: 'key' }));
  put('vault.corrupt-1', `{"version": 1,\n "account": "${orphanAccount}",\n "backend": "libsecret",\n "records": [{`);
  put('config.corrupt-1.json', '{');
  mkdirSync(path.join(folder, 'logs'));
  put('logs/postern.log', 'line');
  mkdirSync(path.join(folder, 'icons'));
  put(`icons/${'a'.repeat(32)}-${'1'.repeat(16)}-${'2'.repeat(16)}.json`, '{}');
  return folder;
}

describe('deleting everything', () => {
  it('killed at any moment leaves every keychain entry named by a file, and a second run leaves nothing (KC-15)', async () => {
    const server = await startRotatingServer();
    onTestFinished(() => server.close());
    const whole = await fillProfile(server.url);
    const record = new CrashPoints(whole, () => null);
    const { ports, storedData, close } = record.openEngine();
    await deleteEverything(ports, storedData, { signal });
    await close();
    expect(readdirSync(whole, { recursive: true })).toEqual([keychainFile]);
    expect(entriesOf(whole)).toEqual({});
    expect(record.points.length).toBeGreaterThan(5);
    for (const { name: point, folder } of record.points) {
      expect({ point, forgotten: forgottenEntries(folder) }).toEqual({ point, forgotten: [] });
      const engine = openProfileEngine(folder);
      try {
        const listed = await engine.ports.store.list();
        const { failure, integrations } = await deleteEverything(engine.ports, engine.storedData, { signal });
        expect({ point, failure, integrations }).toEqual({ point, failure: undefined, integrations: listed.length });
      } finally {
        await engine.close();
      }
      expect({ point, left: readdirSync(folder, { recursive: true }) }).toEqual({ point, left: [keychainFile] });
      expect({ point, entries: entriesOf(folder) }).toEqual({ point, entries: {} });
    }
  });

  it('revokes every sign-in and deletes each registration once, after the last revocation', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    await proveConnection(engine, pair.mcp.url);
    await proveConnection(engine, pair.mcp.url);
    const data = createMemoryStoredData();
    expect(await deleteEverything(engine.ports, data, { signal })).toEqual({
      integrations: 2,
      signIns: 2,
      keychainEntries: 1,
      revocations: { revoked: 2 },
      registrations: { deleted: 1, 'nothing-to-delete': 1 },
    });
    expect(data.steps).toEqual(['prepare', 'secrets', 'rest']);
    expect(await engine.ports.store.list()).toEqual([]);
    expect(await engine.vault.owners()).toEqual([]);
    const purposes = engine.sent.map(({ purpose }) => purpose);
    expect(purposes.lastIndexOf('revocation')).toBeLessThan(purposes.indexOf('registration-deletion'));
    expect(requestsTo(pair.as, '/revoke')).toHaveLength(4);
  });

  it('does not wait for a silent service: everything is gone here meanwhile, and the wait is bounded', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    let isAsking = true;
    const hanging = await startPair({
      intercept: (request, response) => {
        if (request.url?.startsWith('/revoke') !== true) return false;
        response.once('close', () => (isAsking = false));
        onAsked();
        return true;
      },
    });
    const other = await startPair();
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({ clock });
    await proveConnection(engine, hanging.mcp.url);
    await proveConnection(engine, other.mcp.url);
    const data = createMemoryStoredData();
    const deleting = deleteEverything(engine.ports, data, { signal });
    await asked;
    await expect.poll(() => data.steps).toEqual(['prepare', 'secrets']);
    // It also times out later.
    expect(isAsking).toBe(true);
    expect(await engine.ports.store.list()).toEqual([]);
    expect(await engine.vault.owners()).toEqual([]);
    await expect.poll(() => requestsTo(other.as, '/revoke')).toHaveLength(2);
    clock.advance(deadline.allRevocations);
    expect(await deleting).toMatchObject({ integrations: 2, revocations: { revoked: 1, failed: 1 } });
    expect(data.steps).toEqual(['prepare', 'secrets', 'rest']);
  });

  it('deletes what a locked keychain holds unread, and reports what was not revoked and what remains', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    await proveConnection(engine, pair.mcp.url);
    await proveConnection(engine, pair.mcp.url);
    const locked = new PosternError('KC_LOCKED', { stage: 'storage' });
    let reads = 0;
    const read = async (): Promise<never> => {
      reads += 1;
      throw locked;
    };
    const refusing: Vault = { ...engine.vault, read, snapshot: async () => read };
    const data = createMemoryStoredData();
    data.refusal = locked;
    const ports = { ...engine.ports, vault: async () => refusing };
    expect(await deleteEverything(ports, data, { signal })).toEqual({
      integrations: 2,
      signIns: 2,
      keychainEntries: 0,
      revocations: { failed: 2 },
      registrations: { 'nothing-to-delete': 2 },
      failure: locked,
    });
    expect(reads).toBe(1);
    expect(data.steps).toEqual(['prepare', 'secrets', 'rest']);
    expect(await engine.vault.owners()).toEqual([]);
    expect(requestsTo(pair.as, '/revoke')).toEqual([]);
  });

  it('keeps the key and the rest if an integration could not be deleted, which stays in the list', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    await proveConnection(engine, pair.mcp.url);
    const held = new PosternError('CFG_CONFLICT', { stage: 'storage' });
    const locks: Locks = {
      async hold(name, ...work) {
        if (name === integrationLock(integration.id)) throw held;
        return await engine.ports.locks.hold(name, ...work);
      },
    };
    const data = createMemoryStoredData();
    const deleted = await deleteEverything({ ...engine.ports, locks }, data, { signal });
    expect(deleted).toMatchObject({ integrations: 1, signIns: 1, failure: held });
    expect(data.steps).toEqual(['prepare']);
    expect(await engine.ports.store.list()).toMatchObject([{ id: integration.id, state: 'signedOut' }]);
    const again = await deleteEverything(engine.ports, data, { signal });
    expect(again).toMatchObject({ integrations: 1 });
    expect(again.failure).toBeUndefined();
    expect(data.steps).toEqual(['prepare', 'prepare', 'secrets', 'rest']);
  });
});
