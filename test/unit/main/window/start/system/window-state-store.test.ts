import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { openWindowStateStore } from '../../../../../../main/window/start/system/window-state-store.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

// Electron is not installed everywhere.
vi.mock('electron', () => ({ default: {} }));

const place = { x: 3, y: 4, width: 900, height: 700, maximized: false };

it('persists each member for the next run', () => {
  const folder = temporaryFolder();
  const store = openWindowStateStore(folder);
  expect(store.read()).toEqual({});
  store.change({ place });
  store.change({ isSidebarFolded: true });
  expect(openWindowStateStore(folder).read()).toEqual({ place, isSidebarFolded: true });
  rmSync(path.join(folder, 'window.json'));
  store.forget();
  store.change({ shownHints: ['keeps-running'] });
  expect(openWindowStateStore(folder).read()).toEqual({ shownHints: ['keeps-running'] });
});

it('drops an invalid member, and keeps the others', () => {
  const folder = temporaryFolder();
  const text = JSON.stringify({ place: { ...place, width: '900' }, shownHints: ['keeps-running'], later: 1 });
  writeFileSync(path.join(folder, 'window.json'), text);
  expect(openWindowStateStore(folder).read()).toEqual({ shownHints: ['keeps-running'] });
});

it.each<[string, (file: string) => void]>([
  ['not JSON', (file) => writeFileSync(file, '{"place":')],
  ['not an object', (file) => writeFileSync(file, '[1]')],
  ['null', (file) => writeFileSync(file, 'null')],
  ['too large', (file) => writeFileSync(file, `{}${' '.repeat(100_000)}`)],
  ['a folder', (file) => mkdirSync(file)],
  ['a pipe', (file) => void execFileSync('/usr/bin/mkfifo', [file])],
])('keeps changes in memory if the file is %s', (_, make) => {
  const folder = temporaryFolder();
  make(path.join(folder, 'window.json'));
  const store = openWindowStateStore(folder);
  expect(store.read()).toEqual({});
  store.change({ place });
  expect(store.read()).toEqual({ place });
});

it('writes the file as JSON', () => {
  const folder = temporaryFolder();
  openWindowStateStore(folder).change({ place });
  expect(JSON.parse(readFileSync(path.join(folder, 'window.json'), 'utf8'))).toEqual({ place });
});
