import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstWordsOf } from '../../../main/cli/options/command-spec.ts';
import { commandTable } from '../../../main/cli/table/command-table.ts';
import { commandWords } from '../../../main/start-switches.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const wordsOf = (given: readonly string[]) => commandWords(given, firstWordsOf(commandTable));
const packaging = path.join(import.meta.dirname, '../../../packaging');
const headless = ['--no-sandbox', '--ozone-platform=headless', '--disable-gpu', '--log-level=3'];

/** A stand-in for the packaged executable that prints its arguments, one per line, with the launcher beside it. */
function install(app: string, launcher: string, source: string): string {
  const folder = path.join(temporaryFolder(), 'a folder');
  for (const file of [app, launcher]) mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, app), '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n');
  chmodSync(path.join(folder, app), 0o755);
  copyFileSync(path.join(packaging, source), path.join(folder, launcher));
  return path.join(folder, launcher);
}

function start(
  launcher: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): string[] {
  const { stdout, stderr } = spawnSync(launcher, words, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').slice(0, -1);
}

describe.skipIf(process.platform === 'win32')('the launcher of a package', () => {
  const linux = () => install('postern', 'resources/bin/postern', 'linux/postern');
  const macos = () => install('Contents/MacOS/Postern', 'Contents/Resources/bin/postern', 'mac/postern');
  const words = ['connect', 'https://example.com/mcp', '--name', 'two words', '--', '$HOME', ''];

  it('passes every argument unchanged, as a command line', () => {
    const onLinux = start(linux(), words);
    expect(onLinux.slice(0, 4)).toEqual(headless);
    for (const given of [onLinux, start(macos(), words)]) expect(wordsOf(given)).toEqual(words);
  });

  it('sets the heap size of V8 only for `serve`', () => {
    for (const launcher of [linux(), macos()]) {
      const room = (...given: readonly string[]): readonly string[] =>
        start(launcher, given).filter((word) => word.startsWith('--js-flags='));
      expect(room('serve', '--http')).toEqual(['--js-flags=--initial-old-space-size=64']);
      expect(room('list', 'serve')).toEqual([]);
      expect(wordsOf(start(launcher, ['serve', '--http']))).toEqual(['serve', '--http']);
    }
  });

  it('finds its executable through symbolic links', () => {
    for (const launcher of [linux(), macos()]) {
      const folder = temporaryFolder();
      symlinkSync(launcher, path.join(folder, 'one'));
      symlinkSync('one', path.join(folder, 'postern'));
      expect(wordsOf(start(path.join(folder, 'postern'), ['list']))).toEqual(['list']);
    }
  });

  it('runs the pipe for `proxy`, but shows help itself', () => {
    for (const launcher of [linux(), macos()]) {
      expect(wordsOf(start(launcher, ['proxy', 'notes']))).toEqual(['proxy', 'notes']);
      const pipe = path.join(path.dirname(launcher), 'postern-pipe');
      writeFileSync(pipe, '#!/bin/sh\nprintf "pipe\\n"; for word in "$@"; do printf "%s\\n" "$word"; done\n', {
        mode: 0o755,
      });
      expect(start(launcher, ['proxy', 'two words', '--app', 'x'])).toEqual(['pipe', 'two words', '--app', 'x']);
      expect(wordsOf(start(launcher, ['proxy', '--help']))).toEqual(['proxy', '--help']);
      expect(wordsOf(start(launcher, ['list']))).toEqual(['list']);
    }
  });

  it('runs nothing from the current folder', () => {
    const cwd = temporaryFolder();
    for (const name of ['dirname', 'readlink', 'id', 'cd']) {
      writeFileSync(path.join(cwd, name), '#!/bin/sh\necho stolen >&2\n', { mode: 0o755 });
    }
    for (const launcher of [linux(), macos()]) {
      expect(wordsOf(start(launcher, ['list'], { PATH: `.:${process.env['PATH'] ?? ''}` }, cwd))).toEqual(['list']);
    }
  });

  it('opens the window on Linux if there is a display and no argument, otherwise shows help', () => {
    const launcher = linux();
    expect(start(launcher, [], { DISPLAY: ':0' })).toEqual([]);
    expect(start(launcher, [], { WAYLAND_DISPLAY: 'wayland-0' })).toEqual([]);
    expect(wordsOf(start(launcher, []))).toEqual([]);
    expect(wordsOf(start(launcher, ['list'], { DISPLAY: ':0' }))).toEqual(['list']);
  });
});

describe('the deb scripts', () => {
  it.each(['after-install.sh', 'after-remove.sh'])(
    '%s is valid for its shell, and never fails an installation',
    (name) => {
      const source = readFileSync(path.join(packaging, 'linux', name), 'utf8');
      // electron-builder replaces what is in braces, so a shell variable in braces would be lost.
      const macros = [...source.matchAll(/\$\{(\w*)\}/g)].map(([, macro]) => macro);
      expect(macros.filter((macro = '') => !['executable', 'sanitizedProductName'].includes(macro))).toEqual([]);
      const filled = source.replaceAll('${executable}', 'postern').replaceAll('${sanitizedProductName}', 'Postern');
      expect(spawnSync('bash', ['-n'], { input: filled, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
      expect(filled.trimEnd().endsWith('exit 0')).toBe(true);
      expect(filled).toContain('/usr/bin/postern');
    },
  );
});
