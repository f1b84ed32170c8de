import { readdirSync, watch } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPostern, plainServer } from './postern.ts';
import type { Postern } from './postern.ts';
import { makeFolder, pathThere, run, start, theWindows } from './windows.ts';

/** Postern's own files on Windows. */

const { node, isWine } = theWindows();

async function addServer(postern: Postern, name: string): Promise<void> {
  const added = await postern.run(['local', 'add', name, '--yes', '--', node, plainServer()]);
  if (added.code !== 0) throw new Error(`${added.stdout}${added.stderr}`);
}

const namesIn = async (postern: Postern): Promise<readonly string[]> => {
  const { integrations } = (await postern.json(['list'])) as { integrations: readonly { name: string }[] };
  return integrations.map(({ name }) => name);
};

describe('the profile on Windows', () => {
  it('loses nothing when several commands change it at once', async () => {
    const postern = openPostern();
    const names = ['One', 'Two', 'Three', 'Four'];
    await Promise.all(names.map((name) => addServer(postern, name)));
    expect([...(await namesIn(postern))].toSorted()).toEqual([...names].toSorted());
  });

  it('is whole after a command was killed at any time', async () => {
    const postern = openPostern();
    await addServer(postern, 'Stays');
    for (const [round, steps] of [1, 3, 6, 12].entries()) {
      // Killed after a number of changes in the folder, so at different points of a write.
      const child = postern.start(['rename', 'Stays', `Stays ${round}`]);
      await changesIn(postern.home, steps, child.ended);
      child.kill();
      await child.ended;
      const names = await namesIn(postern);
      expect(names).toHaveLength(1);
      await postern.run(['rename', names[0] ?? '', 'Stays']);
    }
  });

  it('works in a folder with a long path, spaces and other letters', async () => {
    const home = path.join(makeFolder('long'), 'Ünï cödé & (1)', ...Array.from({ length: 5 }, () => 'x'.repeat(48)));
    expect(pathThere(home).length).toBeGreaterThan(260);
    const postern = openPostern(home);
    await addServer(postern, 'Far');
    expect(await namesIn(postern)).toEqual(['Far']);
  });

  it('takes names that Windows reserves for devices, and names that differ by case alone', async () => {
    const postern = openPostern();
    const names = ['con', 'nul', 'COM1', 'aux.json', 'notes', 'Notes'];
    for (const name of names) await addServer(postern, name);
    expect([...(await namesIn(postern))].toSorted()).toEqual([...names].toSorted());
    expect(listAll(postern.home).filter((file) => /[/\\](?:con|nul|com1|aux)(?:\.|$)/iu.test(file))).toEqual([]);
  });

  it('saves settings while another program holds the file open without sharing', async ({ skip }) => {
    if (isWine) skip('Wine renames over a file that is open without delete sharing');
    const postern = openPostern();
    await addServer(postern, 'Held');
    const file = path.join(postern.home, 'config.json');
    const holder = start('powershell', [
      ...['-NoProfile', '-Command'],
      `$f = [IO.File]::Open('${pathThere(file)}', 'Open', 'Read', 'Read'); [Console]::WriteLine('held'); Start-Sleep 2; $f.Close()`,
    ]);
    expect((await postern.run(['rename', 'Held', 'Renamed'])).code).toBe(0);
    await holder.ended;
    expect(await namesIn(postern)).toEqual(['Renamed']);
  });

  it('refuses a folder on a network share that does not answer, without hanging', async () => {
    const ended = await run(node, [pathThere(path.join(theWindows().folder, 'postern/bin/postern.js')), 'list'], {
      env: { POSTERN_HOME: String.raw`\\127.0.0.1\none\postern` },
    });
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).not.toMatch(/\bat .*:\d+:\d+/u);
  });
});

function listAll(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${name}`);
}

/** Resolves after `count` changes in the folder, or when `ended` does. */
async function changesIn(folder: string, count: number, ended: Promise<unknown>): Promise<void> {
  let seen = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(folder, { recursive: true }, () => {
    seen += 1;
    if (seen >= count) resolve();
  });
  await Promise.race([promise, ended]);
  watcher.close();
}
