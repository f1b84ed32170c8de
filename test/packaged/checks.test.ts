import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packDry } from '../../scripts/package/dry-run.ts';
import { smoke } from '../../scripts/package/smoke.ts';
import { runByStandIn } from '../support/run-by-stand-in.ts';
import { breakKeytar, replaceInFile } from './kit/damage.ts';
import { findHeededSwitches } from './kit/heeded-switches.ts';
import { runProgram } from './kit/run-program.ts';
import { livesWithoutKeytar, withAlteredArchive, withAppFolder, withForeignKeytar } from './kit/tampering.ts';
import { copyProgram, testedProgram } from './kit/tested-program.ts';
import type { TestedProgram } from './kit/tested-program.ts';

/**
 * The checks of installed-program.test.ts, on our package with the stand-in in Electron's place, and with programs in
 * its place that have a bad habit each: a check that cannot fail would show nothing about the real one either.
 */
const output = mkdtempSync(path.join(tmpdir(), 'postern-package-'));
let folder: string;

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  folder = await packDry(output);
  runByStandIn(path.join(folder, 'postern'));
});

afterAll(() => rmSync(output, { recursive: true }));

const ours = (): TestedProgram => testedProgram(folder, 'linux');

function withHabit(habit: string): TestedProgram {
  const program = copyProgram(ours());
  runByStandIn(program.executable, habit);
  return program;
}

const node = `'${process.execPath}'`;
const tidy = 'unset NODE_OPTIONS ELECTRON_RUN_AS_NODE';
/** Whether one of the words begins like this. */
const when = (start: string, then: string): string =>
  `${tidy}; for word in "$@"; do case $word in ${start}*) ${then} ;; esac; done`;

describe.skipIf(process.platform !== 'linux')('the checks of an installed program', () => {
  it('find nothing that ours heeds (PK-02, IP-20)', async () => {
    expect(await findHeededSwitches(ours())).toEqual([]);
  });

  it.each([
    [
      'runs as Node',
      `unset NODE_OPTIONS; [ -z "$ELECTRON_RUN_AS_NODE" ] || exec ${node} "$@"`,
      ['ELECTRON_RUN_AS_NODE', 'ELECTRON_RUN_AS_NODE by the launcher'],
    ],
    ['takes NODE_OPTIONS', 'unset ELECTRON_RUN_AS_NODE', ['NODE_OPTIONS=--require', 'NODE_OPTIONS=--inspect']],
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
      'opens its window although it is to be debugged',
      when('--remote', 'echo interactive; exit 0'),
      ['--remote-debugging-port', '--remote-debugging-port with a command'],
    ],
  ])('find a program that %s (PK-02)', async (_what, habit, found) => {
    expect(await findHeededSwitches(withHabit(habit))).toEqual(found);
  });

  it('see that nobody looks at the archive on Linux, and what it is when somebody does (PK-03)', async () => {
    expect(await withAlteredArchive(ours())).toBe('runs it');
    const checking = withHabit(`${tidy}; (cd "$folder" && sha256sum --check --status known) || exit 1`);
    execFileSync('sh', ['-c', 'sha256sum resources/app.asar >known'], { cwd: checking.place });
    expect(await withAlteredArchive(checking)).toBe('refuses');
    // One that does not start at all refuses nothing.
    expect(await withAlteredArchive(withHabit('exit 1'))).toBe('unclear');
  });

  it('see a program that is loaded from beside the archive (PK-03)', async () => {
    expect(await withAppFolder(ours())).toBe('refuses');
    const habit = `${tidy}; [ ! -d "$folder/resources/app" ] || exec ${node} "$folder/resources/app/index.js"`;
    expect(await withAppFolder(withHabit(habit))).toBe('runs it');
    expect(await withAppFolder(withHabit('exit 1'))).toBe('unclear');
  });

  it('see that nobody looks at the keychain library on Linux, and what it is when somebody does (PK-04)', async () => {
    expect(await withForeignKeytar(ours())).toBe('runs it');
    const library = '"$folder/resources/app.asar.unpacked/node_modules/keytar/build/Release/keytar.node"';
    const size = `${tidy}; [ "$(wc -c <${library})" -gt 40000 ] || : >${library}`;
    expect(await withForeignKeytar(withHabit(size))).toBe('refuses');
    expect(await withForeignKeytar(withHabit('exit 1'))).toBe('unclear');
  });

  it('see that ours runs without its keychain library, its window too, and one that does not (PK-04, KC-02)', async () => {
    expect(await livesWithoutKeytar(ours())).toBe(true);
    const program = copyProgram(ours());
    breakKeytar(program);
    const { stdout } = await runProgram([program.executable, '--smoke'], program);
    expect(stdout).toMatch(/^interactive$/m);
    expect(await livesWithoutKeytar(withHabit('exit 1'))).toBe(false);
  });

  it.each<[string, string | RegExp, string]>([
    ['a page that may reach the network', "connect-src 'none'", 'connect-src https:'],
    ['a page that may be framed', "frame-ancestors 'none'", 'frame-ancestors https:'],
    ['a call more', 'storage:selfTest', 'storage:readText'],
    // However a built file quotes it.
    ['navigation that is not looked at', /(\.on\(.)will-navigate/g, '$1did-fail-load'],
  ])('find a package with %s (PK-12)', async (_what, from, to) => {
    const program = copyProgram(ours());
    replaceInFile(path.join(program.resources, 'app.asar'), from, to);
    await expect(smoke(program.place, 'linux')).rejects.toThrow('guarded as they have to be');
  });
});
