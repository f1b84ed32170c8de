import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand } from '../support/postern-process.ts';
import type { PosternOptions } from '../support/postern-process.ts';
import { startRotatingServer } from '../support/rotating-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A profile with two sign-ins and the settings of one open server. */
async function openProfile(env: PosternOptions['env'] = {}) {
  const home = temporaryFolder();
  const server = await startRotatingServer();
  onTestFinished(() => server.close());
  const run = (...args: string[]) => runInProcess(args, { home, env });
  for (const name of ['One', 'Two'])
    expect(await run('connect', server.url, '--local', '--name', name)).toMatchObject({ code: 0 });
  return { home, run, server };
}

const filesOf = (home: string): string[] => readdirSync(home, { recursive: true }) as string[];

describe('postern remove --all', () => {
  it('deletes every server, sign-in, entry and file, reports the numbers, and succeeds again with nothing there (KC-15)', async () => {
    const { home, run } = await openProfile();
    const removed = await run('remove', '--all', '--yes');
    expect(removed.code).toBe(0);
    for (const line of [/^2 sign-ins\b/mu, /^2 servers\b/mu, /^Sign-ins revoked by .*: 2\.$/mu])
      expect(removed.stdout).toMatch(line);
    expect(filesOf(home)).toEqual([]);
    const again = await run('remove', '--all', '--yes', '--json');
    expect(again).toMatchObject({ code: 0, last: { result: 'ok', removed: { integrations: 0, signIns: 0 } } });
    expect(filesOf(home)).toEqual([]);
    expect((await run('list', '--json')).last).toMatchObject({ integrations: [] });
  });

  it('writes the vault and the list as often for many servers as for one', async () => {
    /** How often each file was replaced while everything was deleted. */
    const writesFor = async (count: number): Promise<number[]> => {
      const { home, run, server } = await openProfile();
      const commands = Array.from({ length: count }, (_, index) => [
        `s${index}`,
        { command: 'env', args: [`${index}`] },
      ]);
      const keyed = Array.from({ length: count }, (_, index) => [
        `k${index}`,
        { url: server.url, headers: { 'X-Key': `key-${index}` } },
      ]);
      const list = path.join(temporaryFolder(), 'list.json');
      writeFileSync(list, JSON.stringify({ mcpServers: Object.fromEntries([...commands, ...keyed]) }));
      await run('import', list, '--local');
      const files: (string | null)[] = [];
      const watcher = watch(home, (event, file) => event === 'rename' && files.push(file));
      expect(await run('remove', '--all', '--yes')).toMatchObject({ code: 0 });
      watcher.close();
      return ['config.json', 'vault'].map((name) => files.filter((file) => file === name).length);
    };
    expect(await writesFor(40)).toEqual(await writesFor(1));
  });

  it('asks on a terminal, and deletes nothing without consent', async () => {
    const { home, run } = await openProfile();
    const before = filesOf(home);
    const terminal = () => startCommand(onTerminal(...posternCommand('remove', '--all')), { home });
    const refusing = terminal();
    await refusing.waitFor(/\b2 servers\b.*\[y\/N\]/);
    refusing.type('\r');
    expect(await refusing.ended).toMatchObject({ code: 130, stdout: expect.stringContaining('Nothing was deleted.') });
    expect(filesOf(home)).toEqual(expect.arrayContaining(before));
    expect((await run('list', '--json')).last).toMatchObject({ integrations: [{ name: 'One' }, { name: 'Two' }] });
    const agreeing = terminal();
    await agreeing.waitFor(/\[y\/N\]/);
    agreeing.type('yes\r');
    expect(await agreeing.ended).toMatchObject({ code: 0 });
    expect(filesOf(home)).toEqual([]);
  });

  it.each([
    [['remove', '--all'], '--yes'],
    [['remove', '--all', '--json'], '--yes'],
    [['remove', 'One', '--all', '--yes'], '--all'],
    [['remove'], 'ID'],
  ])('is a usage error as %j, says what is expected, and deletes nothing', async (args, fact) => {
    const home = temporaryFolder();
    writeFileSync(path.join(home, 'config.json'), '{"version":1,"settings":{},"integrations":[]}');
    const { code, stdout, stderr } = await runInProcess(args, { home });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain(fact);
    expect(filesOf(home)).toContain('config.json');
  });

  it('reports what remains without a keychain, and finishes once it is back (KC-15)', async () => {
    const { home, run } = await openProfile();
    const without = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', XDG_RUNTIME_DIR: temporaryFolder() };
    const failed = await runInProcess(['remove', '--all', '--yes', '--json'], { home, env: without });
    expect(failed).toMatchObject({ code: 1, last: { result: 'error', error: { code: 'KC_UNAVAILABLE' } } });
    expect(failed.lines).toContainEqual(
      expect.objectContaining({ event: 'removed', integrations: 2, signIns: 2, revocations: { failed: 2 } }),
    );
    expect(JSON.parse(readFileSync(path.join(home, 'vault'), 'utf8'))).toMatchObject({ records: [] });
    const finished = await run('remove', '--all', '--yes');
    expect(finished).toMatchObject({ code: 0 });
    expect(finished.stdout).toMatch(/keychain entry was deleted/u);
    expect(filesOf(home)).toEqual([]);
  });
});
