import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dryRunPackage } from '../../scripts/package/dry-run.ts';
import { smoke } from '../../scripts/package/smoke.ts';
import { runByStandIn } from '../support/run-by-stand-in.ts';
import { breakKeytar, replaceInFile } from './kit/damage.ts';
import { findHeededSwitches } from './kit/heeded-switches.ts';
import { runPostern } from './kit/run-postern.ts';
import { livesWithoutKeytar, withAlteredArchive, withAppFolder, withForeignKeytar } from './kit/tampering.ts';
import { copyPostern, testedPostern } from './kit/tested-postern.ts';
import type { TestedPostern } from './kit/tested-postern.ts';

/**
 * Tests the checks of installed-postern.test.ts: on our package with the stand-in as Electron, and with programs that
 * each have a flaw, because a check that cannot fail proves nothing.
 */
const output = mkdtempSync(path.join(tmpdir(), 'postern-package-'));
let folder: string;

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  folder = await dryRunPackage(output);
  runByStandIn(path.join(folder, 'postern'));
});

afterAll(() => rmSync(output, { recursive: true }));

const ours = (): TestedPostern => testedPostern(folder, 'linux');

function withHabit(habit: string): TestedPostern {
  const postern = copyPostern(ours());
  runByStandIn(postern.executable, habit);
  return postern;
}

const node = `'${process.execPath}'`;
const tidy = 'unset NODE_OPTIONS ELECTRON_RUN_AS_NODE';
/** Whether one of the words begins like this. */
const when = (start: string, then: string): string =>
  `${tidy}; for word in "$@"; do case $word in ${start}*) ${then} ;; esac; done`;

describe.skipIf(process.platform !== 'linux')('the checks of installed Postern', () => {
  it('find no switch that Postern obeys (PK-02, IP-20)', async () => {
    expect(await findHeededSwitches(ours())).toEqual([]);
  });

  it.each([
    [
      'runs as Node',
      `unset NODE_OPTIONS; [ -z "$ELECTRON_RUN_AS_NODE" ] || exec ${node} "$@"`,
      ['ELECTRON_RUN_AS_NODE', 'ELECTRON_RUN_AS_NODE by the launcher'],
    ],
    ['obeys NODE_OPTIONS', 'unset ELECTRON_RUN_AS_NODE', ['NODE_OPTIONS=--require', 'NODE_OPTIONS=--inspect']],
    [
      'waits for a debugger',
      when('--inspect-brk', `exec ${node} --inspect-brk=127.0.0.1:0 -e 0`),
      ['--inspect-brk', '--inspect-brk with a command'],
    ],
    [
      'can be debugged',
      when('--inspect=', `exec ${node} --inspect=127.0.0.1:0 -e 0`),
      ['--inspect', '--inspect with a command'],
    ],
    [
      'opens its pages to others',
      when('--remote', 'echo "DevTools listening on ws://127.0.0.1:1/" >&2; exit 1'),
      ['--remote-debugging-port', '--remote-debugging-port with a command'],
    ],
    [
      'opens its window despite a debugging switch',
      when('--remote', 'echo interactive; exit 0'),
      ['--remote-debugging-port', '--remote-debugging-port with a command'],
    ],
  ])('detect a program that %s (PK-02)', async (_what, habit, found) => {
    expect(await findHeededSwitches(withHabit(habit))).toEqual(found);
  });

  it('report an unchecked archive on Linux, and a checked one (PK-03)', async () => {
    expect(await withAlteredArchive(ours())).toBe('runs it');
    const checking = withHabit(`${tidy}; (cd "$folder" && sha256sum --check --status known) || exit 1`);
    execFileSync('sh', ['-c', 'sha256sum resources/app.asar >known'], { cwd: checking.place });
    expect(await withAlteredArchive(checking)).toBe('refuses');
    // A program that does not start has rejected nothing.
    expect(await withAlteredArchive(withHabit('exit 1'))).toBe('unclear');
  });

  it('detect code loaded from beside the archive (PK-03)', async () => {
    expect(await withAppFolder(ours())).toBe('refuses');
    const habit = `${tidy}; [ ! -d "$folder/resources/app" ] || exec ${node} "$folder/resources/app/index.js"`;
    expect(await withAppFolder(withHabit(habit))).toBe('runs it');
    expect(await withAppFolder(withHabit('exit 1'))).toBe('unclear');
  });

  it('report an unchecked keychain library on Linux, and a checked one (PK-04)', async () => {
    expect(await withForeignKeytar(ours())).toBe('runs it');
    const library = '"$folder/resources/app.asar.unpacked/node_modules/keytar/build/Release/keytar.node"';
    const size = `${tidy}; [ "$(wc -c <${library})" -gt 40000 ] || : >${library}`;
    expect(await withForeignKeytar(withHabit(size))).toBe('refuses');
    expect(await withForeignKeytar(withHabit('exit 1'))).toBe('unclear');
  });

  it('report that Postern runs without its keychain library, window included, and a program that does not (PK-04, KC-02)', async () => {
    expect(await livesWithoutKeytar(ours())).toBe(true);
    const postern = copyPostern(ours());
    breakKeytar(postern);
    const { stdout } = await runPostern([postern.executable, '--smoke'], postern);
    expect(stdout).toMatch(/^interactive$/m);
    expect(await livesWithoutKeytar(withHabit('exit 1'))).toBe(false);
  });

  it.each<[string, string | RegExp, string]>([
    ['a page that may reach the network', "connect-src 'none'", 'connect-src https:'],
    ['a page that may be framed', "frame-ancestors 'none'", 'frame-ancestors https:'],
    ['an extra call', 'storage:selfTest', 'storage:readText'],
    // With any quotes the build uses.
    ['unguarded navigation', /(\.on\(.)will-navigate/g, '$1did-fail-load'],
  ])('detect a package with %s (PK-12)', async (_what, from, to) => {
    const postern = copyPostern(ours());
    replaceInFile(path.join(postern.resources, 'app.asar'), from, to);
    await expect(smoke(postern.place, 'linux')).rejects.toThrow('guarded as required');
  });
});
