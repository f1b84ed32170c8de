import { chmodSync, chownSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { removeLockFiles } from '../../../main/storage/files/lock-file.ts';
import { anIntegration } from '../../support/an-integration.ts';
import { node, runScript, supportScript } from '../../support/run-script.ts';
import { runs } from '../../support/runs.ts';
import { filesAfterWrite, createSettingsFixture } from '../../support/settings-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Files of a profile while other processes use them, are killed, or may not write. */

describe('createLocks', () => {
  it('alternates between two processes that both request it constantly', async () => {
    const folder = temporaryFolder();
    const count = 100;
    const command = (id: string) => node(supportScript('storage/take-turns.ts'), folder, id, String(count));
    const both = ['a', 'b'].map((id) => runScript(command(id)));
    await createLocks(folder).hold('start', async () => Promise.all(both.map((script) => script.nextLine())));
    const ends = await Promise.all(both.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    const turns = readFileSync(path.join(folder, 'turns'), 'utf8').trim().split('\n');
    const pairs = Array.from({ length: count * 2 }, (_, index) => turns.slice(index * 2, index * 2 + 2));
    expect(pairs.filter(([enter = '', leave = '']) => enter.slice(1) !== leave.slice(1))).toEqual([]);
    const order = pairs.map(([enter = '']) => enter.slice(1)).join('');
    // Without the turnstile one of them finishes first, with two or three switches in all.
    expect(order.match(/ab|ba/g)?.length).toBeGreaterThan(20);
  });

  it('never lets two processes in while a third removes lock files all the time', async () => {
    const folder = temporaryFolder();
    const count = runs(60);
    const command = (id: string) => node(supportScript('storage/take-turns.ts'), folder, id, String(count));
    const both = ['a', 'b'].map((id) => runScript(command(id)));
    await createLocks(folder).hold('start', async () => Promise.all(both.map((script) => script.nextLine())));
    const ended = { all: false };
    const ends = Promise.all(both.map((script) => script.ended)).finally(() => (ended.all = true));
    while (!ended.all) {
      await removeLockFiles(folder);
      await new Promise(setImmediate);
    }
    expect((await ends).map(({ code }) => code)).toEqual([0, 0]);
    const turns = readFileSync(path.join(folder, 'turns'), 'utf8').trim().split('\n');
    const pairs = Array.from({ length: count * 2 }, (_, index) => turns.slice(index * 2, index * 2 + 2));
    expect(pairs.filter(([enter = '', leave = '']) => enter.slice(1) !== leave.slice(1))).toEqual([]);
    expect(turns).toHaveLength(count * 4);
  });
});

const one = anIntegration({ id: 'one' });

describe('openIntegrationStore', () => {
  it('loses none of the writes that two processes interleave (CF-09)', async () => {
    const { open, folder } = createSettingsFixture();
    const each = runs(200);
    const script = supportScript('storage/write-integrations.ts');
    const command = (prefix: string) => node(script, folder, prefix, String(each));
    const scripts = ['a', 'b'].map((prefix) => runScript(command(prefix)));
    const ends = await Promise.all(scripts.map(({ ended }) => ended));
    expect(ends.map(({ lines }) => lines)).toEqual([['done'], ['done']]);
    const ids = (await open().list()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2 * each);
    const changes = ids.filter((id, index) => index > 0 && id[0] !== ids[index - 1]?.[0]).length;
    expect(changes).toBeGreaterThan(2);
  });

  it('keeps the old file if the disk accepts only a part of the new one (CF-04)', async () => {
    const { open, folder, text, names } = createSettingsFixture();
    await open().write(one);
    const before = text();
    // A limit on file size cuts a write short, as a full disk does.
    const script = node(supportScript('storage/write-integrations.ts'), folder, 'many', '100');
    const limited = runScript(['bash', '-c', 'ulimit -f 16; exec "$@"', '_', ...script]);
    expect(await limited.ended).toMatchObject({ lines: ['CFG_DISK_FULL'] });
    const after = await open().list();
    expect(after[0]).toEqual(one);
    expect(after.length).toBeGreaterThan(5);
    expect(text().length).toBeGreaterThan(before.length);
    expect(names()).toEqual(filesAfterWrite);
    const store = open();
    await store.list();
    expect(store.notices()).toEqual([]);
  });

  it('is complete after a kill at any time during writes (CF-03)', async () => {
    const { open, folder, names } = createSettingsFixture();
    await open().write(one);
    for (let round = 1; round <= 5; round += 1) {
      const before = (await open().list()).length;
      const script = runScript(node(supportScript('storage/write-integrations.ts'), folder, `kill-${round}`, '10000'));
      await expect.poll(async () => (await open().list()).length).toBeGreaterThan(before + round);
      script.child.kill('SIGKILL');
      await script.ended;
      const store = open();
      expect((await store.list()).length).toBeGreaterThan(before);
      expect(store.notices()).toEqual([]);
    }
    await open().delete('one');
    expect(names()).toEqual(filesAfterWrite);
  });

  it('shows what is stored, and reports CFG_READONLY for changes, in a read-only folder (CF-06)', async () => {
    const { open, folder, file, text } = createSettingsFixture();
    await open().write(one);
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    // Root may write anywhere, so the script runs as `nobody` there.
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
