import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAdvice } from '../../../../main/cli/output/output.ts';
import { commandTable } from '../../../../main/cli/table/command-table.ts';
import { channelOf, commandName, findCheckout, type CommandLocation } from '../../../../main/host/installation.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it.each([
  [false, '1.0.0', 'dev'],
  [false, '1.0.0-beta.1', 'dev'],
  [true, '1.0.0', 'stable'],
  [true, '1.0.0-beta.1', 'beta'],
])('separates builds by channel: packaged %s, version %s is %s', (isPackaged, version, channel) => {
  expect(channelOf({ isPackaged, version })).toBe(channel);
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'postern-checkout-'));
  for (const folder of ['bin', 'dist/cli']) mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, 'bin/postern.js'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('findCheckout', () => {
  it('distinguishes a source tree from an npm installation', () => {
    const built = path.join(root, 'dist/cli');
    expect(findCheckout(built)).toBeUndefined();
    writeFileSync(path.join(root, 'package-lock.json'), '{}');
    expect(findCheckout(built)).toBe(root);
  });

  it('finds none if there is no launcher, as in a package', () => {
    rmSync(path.join(root, 'bin'), { recursive: true });
    expect(findCheckout(path.join(root, 'dist/cli'))).toBeUndefined();
  });
});

/** Commands are scripts there, not links. */
const isWindows = process.platform === 'win32';

/** A new folder that contains this file. */
function folderWith(file: string): string {
  const folder = temporaryFolder();
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), '');
  return folder;
}

const nameIn = (place: Partial<CommandLocation>): string | undefined =>
  commandName({ env: {}, platform: 'linux', ...place });

const pathOf = (...folders: string[]): NodeJS.ProcessEnv => ({ PATH: folders.join(path.delimiter) });

describe('the name of the command in a source tree', () => {
  it('uses npx in that folder, and the full path in any other', () => {
    const folder = folderWith('bin/postern.js');
    writeFileSync(path.join(folder, 'package-lock.json'), '{}');
    const full = `node ${quotedIfNeeded(path.join(folder, 'bin/postern.js'))}`;
    expect(nameIn({ folder, currentFolder: folder })).toBe('npx postern');
    // npx would ask the registry there.
    expect(nameIn({ folder, currentFolder: path.join(folder, 'bin') })).toBe(full);
    expect(nameIn({ folder })).toBe(full);
  });

  it.skipIf(isWindows)('is postern if the first one on the PATH links there', () => {
    const folder = folderWith('bin/postern.js');
    writeFileSync(path.join(folder, 'package-lock.json'), '{}');
    const [linked, other] = [path.join(folder, 'linked'), path.join(folder, 'other')];
    for (const each of [linked, other]) mkdirSync(each);
    symlinkSync(path.join(folder, 'bin/postern.js'), path.join(linked, 'postern'));
    const at = { folder, currentFolder: folder, env: pathOf(other, linked) };
    expect(nameIn(at)).toBe('postern');
    writeFileSync(path.join(other, 'postern'), '');
    expect(nameIn(at)).toBe('npx postern');
  });

  it.skipIf(isWindows)('is not postern while npx runs it', () => {
    const folder = folderWith('bin/postern.js');
    const bin = path.join(folder, 'cache/node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(path.join(folder, 'bin/postern.js'), path.join(bin, 'postern'));
    expect(nameIn({ folder, env: pathOf(bin) })).toMatch(/^node /);
  });
});

describe('the name of the command installed by npm', () => {
  const launcher = 'lib/node_modules/postern/bin/postern.js';

  it.skipIf(isWindows)('is postern if its folder is on the PATH, and the launcher otherwise', () => {
    const prefix = folderWith(launcher);
    mkdirSync(path.join(prefix, 'bin'));
    symlinkSync(path.join(prefix, launcher), path.join(prefix, 'bin/postern'));
    const folder = path.join(prefix, 'lib/node_modules/postern');
    expect(nameIn({ folder, env: pathOf(path.join(prefix, 'bin')) })).toBe('postern');
    expect(nameIn({ folder })).toBe(`node ${quotedIfNeeded(path.join(prefix, launcher))}`);
    // Not a source tree: npx would ask the registry even in this folder.
    expect(nameIn({ folder, currentFolder: folder })).toMatch(/^node /);
  });

  it('is postern on Windows if a script on the PATH starts it', () => {
    const prefix = folderWith('node_modules/postern/bin/postern.js');
    writeFileSync(path.join(prefix, 'postern'), '#!/bin/sh');
    const folder = path.join(prefix, 'node_modules/postern');
    expect(nameIn({ folder, env: pathOf(prefix), platform: 'win32' })).toBe('postern');
  });
});

describe('the name of the command in a package', () => {
  it.skipIf(isWindows)('is postern if a link on the PATH leads to its launcher, as with a deb', () => {
    const resources = folderWith('bin/postern');
    mkdirSync(path.join(resources, 'usr'));
    symlinkSync(path.join(resources, 'bin/postern'), path.join(resources, 'usr/postern'));
    expect(nameIn({ resources, env: pathOf(path.join(resources, 'usr')) })).toBe('postern');
  });

  it('is the launcher if an archive is not linked', () => {
    const resources = folderWith('bin/postern');
    const launcher = path.join(resources, 'bin/postern');
    expect(nameIn({ resources })).toBe(quotedIfNeeded(launcher));
    // The one on the PATH is another Postern.
    expect(nameIn({ resources, env: pathOf(path.dirname(path.join(folderWith('postern'), 'postern'))) })).toBe(
      quotedIfNeeded(launcher),
    );
  });

  it('is the AppImage file, run as the command line', () => {
    const resources = folderWith('bin/postern');
    const env = { APPIMAGE: '/home/me/my apps/Postern.AppImage' };
    expect(nameIn({ resources, env })).toMatch(/^"\/home\/me\/my apps\/Postern\.AppImage" .+ --cli --$/);
  });

  it('is undefined on Windows, where a package has no command', () => {
    expect(nameIn({ resources: folderWith('bin/postern-pipe.exe'), platform: 'win32' })).toBeUndefined();
  });
});

function quotedIfNeeded(file: string): string {
  return /^[\w./-]+$/u.test(file) ? file : `"${file}"`;
}

describe('createAdvice', () => {
  it.each([
    ['See `postern list` for the ids.', 'See `npx postern list` for the ids.'],
    ['Say “postern connect URL”.', 'Say “npx postern connect URL”.'],
    ['postern unuse notes cursor; postern undo 1', 'npx postern unuse notes cursor; npx postern undo 1'],
    ['curl "$(postern token Notes)"', 'curl "$(npx postern token Notes)"'],
    // Not Postern's command.
    ['Start postern again, or /opt/postern list', 'Start postern again, or /opt/postern list'],
  ])('rewrites commands in: %s', (sentence, written) => {
    expect(createAdvice('npx postern', commandTable.names)(sentence)).toBe(written);
  });
});
