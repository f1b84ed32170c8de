import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileBytes } from '../../../../main/limits.ts';
import { openIntegrationStore } from '../../../../main/storage/integration-store.ts';
import { createLocks } from '../../../../main/storage/kernel-locks.ts';
import { anIntegration } from '../../../support/an-integration.ts';
import { node, runScript, supportScript } from '../../../support/run-script.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function bench() {
  const folder = temporaryFolder();
  const file = path.join(folder, 'config.json');
  return {
    folder,
    file,
    open: () => openIntegrationStore({ folder, locks: createLocks(folder) }),
    text: () => readFileSync(file, 'utf8'),
    names: () => readdirSync(folder).toSorted(),
  };
}

const one = anIntegration({ id: 'one' });
const two = anIntegration({ id: 'two', name: 'Two' });

describe('openIntegrationStore', { timeout: 60_000 }, () => {
  it('is empty, and reading makes nothing, where there is no file', async () => {
    const { open, names } = bench();
    const store = open();
    expect(await store.list()).toEqual([]);
    expect(await store.settings()).toEqual({});
    expect(await store.read('one')).toBeUndefined();
    expect(store.notices()).toEqual([]);
    expect(names()).toEqual([]);
  });

  it('inserts, replaces in place, updates and deletes', async () => {
    const store = bench().open();
    await store.write(one);
    await store.write(two);
    await store.write({ ...one, name: 'Renamed' });
    expect((await store.list()).map(({ name }) => name)).toEqual(['Renamed', 'Two']);
    expect(await store.update('two', (found) => ({ ...found, state: 'signedOut' }))).toMatchObject({
      id: 'two',
      state: 'signedOut',
    });
    expect(await store.update('none', (found) => found)).toBeUndefined();
    await store.delete('one');
    await store.delete('one');
    expect((await store.list()).map(({ id }) => id)).toEqual(['two']);
  });

  it('keeps settings beside the list, and both for the next process', async () => {
    const { open } = bench();
    await open().write(one);
    expect(await open().updateSettings((settings) => ({ ...settings, callbackPort: 4711 }))).toEqual({
      callbackPort: 4711,
    });
    await open().updateSettings((settings) => ({ ...settings, signInSurface: 'print' }));
    expect(await open().settings()).toEqual({ callbackPort: 4711, signInSurface: 'print' });
    expect(await open().list()).toEqual([one]);
  });

  it('leaves one file, for this person only (CF-08)', async () => {
    const { open, file, names } = bench();
    await open().write(one);
    await open().write(two);
    expect(names()).toEqual(['config.json', 'locks']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('does not write what would not be read again', async () => {
    const { open, names } = bench();
    const store = open();
    const unreadable = { ...one, url: 'x'.repeat(3_000) };
    await expect(store.write(unreadable)).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(store.updateSettings(() => ({ callbackPort: 80 }))).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(names()).not.toContain('config.json');
  });

  it('cannot hold a secret: a token put into an entry is refused (CF-14)', async () => {
    const { open } = bench();
    const withToken = { ...one, accessToken: 'canary-token' } as typeof one;
    await expect(open().write(withToken)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('loses none of 400 writes that two processes interleave (CF-09)', async () => {
    const { open, folder } = bench();
    const command = (prefix: string) => node(supportScript('storage/write-integrations.ts'), folder, prefix, '200');
    const scripts = ['a', 'b'].map((prefix) => runScript(command(prefix)));
    const ends = await Promise.all(scripts.map(({ ended }) => ended));
    expect(ends.map(({ lines }) => lines)).toEqual([['done'], ['done']]);
    const ids = (await open().list()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(400);
    const changes = ids.filter((id, index) => index > 0 && id[0] !== ids[index - 1]?.[0]).length;
    expect(changes).toBeGreaterThan(2);
  });

  it('copies a damaged file, starts with defaults and tells it once (CF-02)', async () => {
    const { open, file, folder, names } = bench();
    for (const [count, damaged] of ['{"version": 1, "settings"', '[]', 'null', '"text"'].entries()) {
      writeFileSync(file, damaged);
      const store = open();
      expect(await store.list()).toEqual([]);
      expect(await store.settings()).toEqual({});
      const copy = `config.corrupt-${count + 1}.json`;
      expect(store.notices()).toEqual([{ code: 'CFG_CORRUPT', file: copy, hidden: 0 }]);
      expect(readFileSync(path.join(folder, copy), 'utf8')).toBe(damaged);
      expect(statSync(path.join(folder, copy)).mode & 0o777).toBe(0o600);
      const next = open();
      await next.list();
      expect(next.notices()).toEqual([]);
    }
    expect(names().filter((name) => name.startsWith('config.corrupt'))).toHaveLength(4);
  });

  it('keeps the others where one entry is bad, and a copy of the file (CF-12)', async () => {
    const { open, file } = bench();
    await open().write(one);
    await open().write(two);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"id": "one"', '"id": "../one"'));
    const store = open();
    expect(await store.list()).toEqual([two]);
    expect(store.notices()).toEqual([{ code: 'CFG_CORRUPT', file: 'config.corrupt-1.json', hidden: 1 }]);
    await store.write(one);
    expect((await open().list()).map(({ id }) => id)).toEqual(['two', 'one']);
  });

  it('shows what can be read of a damaged file that it cannot mend (CF-05, CF-06)', async () => {
    const { open, file, folder, names } = bench();
    await open().write(one);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"settings": {}', '"settings": 5'));
    const [damaged, kept] = [readFileSync(file), path.join(folder, 'config.json.kept')];
    // A folder where the kept file should be: the first step of mending fails.
    mkdirSync(kept);
    const store = open();
    expect(await store.list()).toEqual([one]);
    expect(store.notices()).toEqual([{ code: 'CFG_CORRUPT', hidden: 0 }]);
    await expect(store.delete('one')).rejects.toMatchObject({ code: 'CFG_READONLY', stage: 'settings' });
    expect(readFileSync(file)).toEqual(damaged);
    expect(names()).toEqual(['config.json', 'config.json.kept', 'locks']);
  });

  it('mends before it changes, so that a change never writes over damage without a copy', async () => {
    const { open, file, names } = bench();
    writeFileSync(file, 'junk');
    await open().write(one);
    expect(names()).toContain('config.corrupt-1.json');
    expect(await open().list()).toEqual([one]);
  });

  it('takes a file of megabytes of junk for damaged', async () => {
    const { open, file } = bench();
    writeFileSync(file, 'x'.repeat(fileBytes.settings + 1));
    const store = open();
    expect(await store.list()).toEqual([]);
    expect(store.notices()).toMatchObject([{ code: 'CFG_CORRUPT' }]);
  });

  it('reads and never writes a file of a newer version (CF-10)', async () => {
    const { open, file, names, text } = bench();
    await open().write(one);
    const newer = text().replace('"version": 1', '"version": 2, "news": {}');
    writeFileSync(file, newer);
    const store = open();
    expect(await store.list()).toEqual([one]);
    expect(store.notices()).toEqual([{ code: 'CFG_NEWER', hidden: 0 }]);
    for (const attempt of [
      () => store.write(two),
      () => store.delete('one'),
      () => store.updateSettings((settings) => ({ ...settings, callbackPort: 4711 })),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'CFG_NEWER', stage: 'settings' });
    }
    expect(text()).toBe(newer);
    expect(names()).toEqual(['config.json', 'locks']);
  });

  it('puts the old file back where the disk takes only a part of the new one (CF-04)', async () => {
    const { open, folder, text, names } = bench();
    await open().write(one);
    const before = text();
    // A limit on file size cuts a write short; conf itself then reports success.
    const script = node(supportScript('storage/write-integrations.ts'), folder, 'many', '100');
    const limited = runScript(['bash', '-c', 'ulimit -f 16; exec "$@"', '_', ...script]);
    expect(await limited.ended).toMatchObject({ lines: ['CFG_DISK_FULL'] });
    const after = await open().list();
    expect(after[0]).toEqual(one);
    expect(after.length).toBeGreaterThan(5);
    expect(text().length).toBeGreaterThan(before.length);
    expect(names()).toEqual(['config.json', 'locks']);
    const store = open();
    await store.list();
    expect(store.notices()).toEqual([]);
  });

  it('puts the old content back where the file is a link and the disk takes only a part (CF-04)', async () => {
    const { open, folder, file } = bench();
    await open().write(one);
    const { renameSync, symlinkSync } = process.getBuiltinModule('fs');
    renameSync(file, `${folder}/dotfile.json`);
    symlinkSync('dotfile.json', file);
    const script = node(supportScript('storage/write-integrations.ts'), folder, 'many', '100');
    const limited = runScript(['bash', '-c', 'ulimit -f 16; exec "$@"', '_', ...script]);
    expect(await limited.ended).toMatchObject({ lines: ['CFG_DISK_FULL'] });
    const store = open();
    expect((await store.list())[0]).toEqual(one);
    expect(store.notices()).toEqual([]);
  });

  it('takes the kept file back after a crash that left a broken one, and sweeps what was left', async () => {
    const { open, file, text, names } = bench();
    await open().write(one);
    const whole = text();
    linkSync(file, `${file}.kept`);
    writeFileSync(`${file}.tmp-0123456789abcdef`, 'rest');
    writeFileSync(`${file}.new`, whole.slice(0, 20));
    process.getBuiltinModule('fs').renameSync(`${file}.new`, file);
    const store = open();
    await store.write(two);
    expect((await store.list()).map(({ id }) => id)).toEqual(['one', 'two']);
    expect(store.notices()).toEqual([]);
    expect(names()).toEqual(['config.json', 'locks']);
  });

  it('is whole after a kill at any time during writes (CF-03)', async () => {
    const { open, folder, names } = bench();
    await open().write(one);
    for (let round = 1; round <= 5; round += 1) {
      const before = (await open().list()).length;
      const script = runScript(node(supportScript('storage/write-integrations.ts'), folder, `kill-${round}`, '10000'));
      await expect.poll(async () => (await open().list()).length, { timeout: 10_000 }).toBeGreaterThan(before + round);
      script.child.kill('SIGKILL');
      await script.ended;
      const store = open();
      expect((await store.list()).length).toBeGreaterThan(before);
      expect(store.notices()).toEqual([]);
    }
    await open().delete('one');
    expect(names()).toEqual(['config.json', 'locks']);
  });

  it('shows what is there, and says CFG_READONLY to changes, in a folder that may not be written (CF-06)', async () => {
    const { open, folder, file, text } = bench();
    await open().write(one);
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    // Root may write anywhere, so the script runs as nobody there.
    if (isRoot) for (const entry of [file, folder]) chownSync(entry, nobody, nobody);
    chmodSync(folder, 0o500);
    const before = text();
    const command = node(supportScript('storage/write-integrations.ts'), folder, 'more', '1');
    const script = runScript(command, isRoot ? { uid: nobody, gid: nobody } : {});
    expect(await script.ended).toMatchObject({ lines: ['CFG_READONLY'] });
    chmodSync(folder, 0o700);
    expect(text()).toBe(before);
  });
});
