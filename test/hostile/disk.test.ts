import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PosternError } from '../../main/errors/postern-error.ts';
import { createLog } from '../../main/host/open-profile.ts';
import { systemRandom } from '../../main/host/system-ports.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { ActivityReader, openActivityStore } from '../../main/storage/profile/activity-store.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { toStoredIntegration } from '../../main/storage/settings/read-settings-parts.ts';
import { openVault } from '../../main/storage/vault/vault.ts';
import { aCall } from '../support/activity-calls.ts';
import { anIntegration } from '../support/an-integration.ts';
import { createMemoryKeychain } from '../support/memory-keychain.ts';
import { runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { canMount, mountSmallDisk } from './kit/small-disk.ts';

const page = 4_096;
const key = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const;
const large = 'x'.repeat(3 * page);

/** Settings and vault on one disk, both with content. */
async function openProfile(folder: string) {
  const locks = createLocks(folder);
  const keychain = createMemoryKeychain();
  const open = () => openVault({ folder, keychain, locks, random: systemRandom, backend: 'test' });
  const vault = await open();
  const store = openIntegrationStore({ folder, locks });
  await store.write(anIntegration({ id: 'one', account: 'old' }));
  await vault.write(key, { access: 'old' });
  return { store, vault, open };
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return 'ok';
  if (!(error instanceof PosternError)) throw error;
  return error.code;
}

describe.skipIf(!canMount)('a disk that is full (as root on Linux, where mounting is allowed)', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8].map((pages) => pages * page))(
    'with %i bytes left has the old file or the whole new one, and reports which (CF-04, CF-05)',
    async (left) => {
      const disk = mountSmallDisk(512 * 1_024);
      const { store, vault, open } = await openProfile(disk.folder);
      disk.fill(left);

      const settings = await codeOf(store.write(anIntegration({ id: 'one', account: `new${large.slice(0, 2_000)}` })));
      expect(['ok', 'CFG_DISK_FULL']).toContain(settings);
      const [entry] = await openIntegrationStore({ folder: disk.folder, locks: createLocks(disk.folder) }).list();
      expect(entry?.account?.slice(0, 3)).toBe(settings === 'ok' ? 'new' : 'old');

      const sealed = await codeOf(vault.write(key, { access: 'new', large }));
      expect(['ok', 'CFG_DISK_FULL']).toContain(sealed);
      expect(await (await open()).read(key)).toMatchObject({ access: sealed === 'ok' ? 'new' : 'old' });
      if (left === 0) expect([settings, sealed]).toEqual(['CFG_DISK_FULL', 'CFG_DISK_FULL']);
      expect(readdirSync(disk.folder).filter((name) => /tmp-/.test(name))).toEqual([]);

      disk.free();
      await store.write(anIntegration({ id: 'one', account: 'later' }));
      await vault.write(key, { access: 'later' });
      expect(await vault.read(key)).toEqual({ access: 'later' });
    },
  );

  it('drops log lines silently', () => {
    const disk = mountSmallDisk(16 * page);
    disk.fill(0);
    const log = createLog(join(disk.folder, 'logs'));
    expect(() => log.write('started')).not.toThrow();
    disk.free();
    log.write('later');
    expect(readFileSync(join(disk.folder, 'logs/postern.log'), 'utf8')).toContain('"event":"later"');
  });

  it('shows what is stored, and reports CFG_DISK_FULL for changes, as an app (CF-05)', async () => {
    const disk = mountSmallDisk(512 * 1_024);
    await openProfile(disk.folder);
    disk.fill(0);
    const run = (...words: string[]) => runPostern([...words, '--json'], { home: disk.folder });
    expect((await run('list')).last).toMatchObject({ integrations: [{ id: 'one' }] });
    expect((await run('show', 'one')).last).toMatchObject({ result: 'ok' });
    const refused = await run('sign-out', 'one');
    expect(refused.last).toMatchObject({ error: { code: 'CFG_DISK_FULL' } });
    expect((await run('doctor')).last).toMatchObject({ result: 'ok' });
  });

  it('loses activity that does not fit, and logs calls again once there is room', async () => {
    const disk = mountSmallDisk(512 * 1_024);
    const activity = openActivityStore({ profileFolder: disk.folder, isEnabled: async () => true });
    const note = async (ms: number): Promise<void> => {
      activity.add(aCall({ ms }));
      await activity.flush();
    };
    await note(1);
    disk.fill(0);
    for (let count = 0; count < 100; count += 1) activity.add(aCall({ ms: 2 }));
    await activity.flush();
    disk.free();
    await note(3);
    const { calls } = await new ActivityReader(disk.folder).read();
    expect(calls.filter(({ ms }) => ms !== 2).map(({ ms }) => ms)).toEqual([1, 3]);
    expect(calls.length).toBeLessThan(102);
  });
});

describe.skipIf(!canMount)('a read-only disk (as root on Linux, where mounting is allowed)', () => {
  it('is read, and every change reports CFG_READONLY (CF-06)', async () => {
    const disk = mountSmallDisk(512 * 1_024);
    const { store, vault } = await openProfile(disk.folder);
    disk.makeReadOnly();
    expect((await store.list()).map(({ id }) => id)).toEqual(['one']);
    expect(await vault.read(key)).toEqual({ access: 'old' });
    expect(await codeOf(store.write(anIntegration({ id: 'two' })))).toBe('CFG_READONLY');
    expect(await codeOf(store.delete('one'))).toBe('CFG_READONLY');
    expect(await codeOf(vault.write(key, { access: 'new' }))).toBe('CFG_READONLY');
    expect(await codeOf(vault.delete(key))).toBe('CFG_READONLY');
  });

  it('is read by the app, which reports what it cannot do (CF-06)', async () => {
    const disk = mountSmallDisk(512 * 1_024);
    await openProfile(disk.folder);
    disk.makeReadOnly();
    const run = (...words: string[]) => runPostern([...words, '--json'], { home: disk.folder });
    expect((await run('list')).last).toMatchObject({ integrations: [{ id: 'one' }] });
    for (const words of [
      ['sign-out', 'one'],
      ['remove', 'one'],
    ]) {
      const { code, last } = await run(...words);
      expect({ code, ...last }).toMatchObject({ code: 1, error: { code: 'CFG_READONLY' } });
    }
  });
});

describe('a profile written by another program', () => {
  const entry = (changes: object) => ({
    ...toStoredIntegration(anIntegration({ id: 'one', url: 'https://mcp.example/mcp' })),
    ...changes,
  });
  const write = (home: string, document: unknown): void =>
    writeFileSync(join(home, 'config.json'), typeof document === 'string' ? document : JSON.stringify(document));

  it.each<[string, unknown]>([
    ['an array', []],
    ['null', 'null'],
    ['a text', '"x"'],
    ['nothing', ''],
    ['half of it', '{"version":1,"settings":{'],
    ['ten megabytes of junk', 'x'.repeat(10_000_000)],
    ['bytes that are no text', '\u0000\u0001\ufffd'],
    ['deep nesting', `{"version":1,"settings":{},"integrations":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('with %s in place of the settings is left unchanged (CF-02, CF-12)', async (_what, document) => {
    const home = temporaryFolder();
    write(home, document);
    const before = readFileSync(join(home, 'config.json'));
    for (const words of [['list'], ['settings', 'theme', 'dark']]) {
      const { last, code } = await runPostern([...words, '--json'], { home });
      expect({ code, ...last }).toMatchObject({ code: 1, error: { code: 'CFG_CORRUPT' } });
    }
    expect(readFileSync(join(home, 'config.json'))).toEqual(before);
    expect(readdirSync(home).filter((name) => name.startsWith('config.'))).toEqual(['config.json']);
  });

  it('with prototype names in the settings is read without them, and keeps them (CF-12)', async () => {
    const home = temporaryFolder();
    write(home, '{"version":1,"__proto__":{"settings":1},"settings":{"__proto__":{"theme":"dark"}},"integrations":[]}');
    const { lines, last } = await runPostern(['settings', 'callbackHost', 'localhost', '--json'], { home });
    expect(last).toMatchObject({ result: 'ok', setting: { value: 'localhost' } });
    expect(lines.filter(({ event }) => event === 'notice')).toHaveLength(2);
    expect(readFileSync(join(home, 'config.json'), 'utf8').match(/"__proto__"/g)).toHaveLength(2);
  });

  it('of a newer version is shown and never written (CF-10)', async () => {
    const home = temporaryFolder();
    const text = JSON.stringify({ version: 99, settings: {}, integrations: [entry({})], future: { x: 1 } });
    write(home, text);
    expect((await runPostern(['list', '--json'], { home })).last).toMatchObject({ integrations: [{ id: 'one' }] });
    expect((await runPostern(['remove', 'one', '--json'], { home })).last).toMatchObject({
      error: { code: 'CFG_NEWER' },
    });
    expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe(text);
  });

  it.each([
    ['a private address without the tick', entry({ url: 'https://10.0.0.1/mcp' }), 'HOST_BLOCKED'],
    [
      'cloud metadata with the tick',
      entry({ url: 'https://169.254.169.254/', options: { ...anIntegration().options, local: true } }),
      'HOST_BLOCKED',
    ],
    ['a file', entry({ url: 'file:///etc/passwd' }), 'URL_SCHEME'],
    ['plain http', entry({ url: 'http://mcp.example/' }), 'URL_SCHEME'],
  ])('with %s in the list is judged like a typed one (CF-12)', async (_what, integration, code) => {
    const home = temporaryFolder();
    const open = { ...integration, method: 'NoAuth', issuerKey: undefined, state: 'integrated' };
    write(home, { version: 1, settings: {}, integrations: [open] });
    const { last } = await runPostern(['tools', 'one', '--json'], { home });
    expect(last).toMatchObject({ result: 'error', error: { code } });
  });

  it('with a vault that is a link is not read, nor is the target written (KC-08)', async () => {
    const home = temporaryFolder();
    const other = join(temporaryFolder(), 'other');
    writeFileSync(other, '{"version":1}');
    write(home, { version: 1, settings: {}, integrations: [entry({})] });
    symlinkSync(other, join(home, 'vault'));
    const { last } = await runPostern(['token', 'one', '--json'], { home });
    expect(last).toMatchObject({ error: { code: 'CFG_LINK' } });
    expect(readFileSync(other, 'utf8')).toBe('{"version":1}');
    expect(lstatSync(join(home, 'vault')).isSymbolicLink()).toBe(true);
  });
});
