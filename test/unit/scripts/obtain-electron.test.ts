import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadElectron } from '../../../scripts/obtain-electron.ts';
import { electronFolder, findElectron } from '../../support/window-runtime.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'postern-electron-package-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the installer of the `electron` package leaves. */
const install = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  mkdirSync(__dirname + '/dist');
  writeFileSync(__dirname + '/dist/electron', '');
  writeFileSync(__dirname + '/path.txt', 'electron');
`;

describe("a checkout's Electron", () => {
  it('is found in the package of that name', () => {
    expect(JSON.parse(readFileSync(new URL('package.json', electronFolder), 'utf8'))).toMatchObject({
      name: 'electron',
    });
    expect(findElectron(packageFolder())).toBeUndefined();
  });

  it("is found once the package's installer has put it there", async () => {
    writeFileSync(path.join(folder, 'install.js'), install);
    expect(await downloadElectron(packageFolder())).toBe(true);
    expect(findElectron(packageFolder())).toBe(path.join(folder, 'dist/electron'));
  });

  it('is missing if the installer fails or the executable is gone', async () => {
    writeFileSync(path.join(folder, 'install.js'), 'process.exit(1)');
    expect(await downloadElectron(packageFolder())).toBe(false);
    mkdirSync(path.join(folder, 'dist'));
    writeFileSync(path.join(folder, 'path.txt'), 'electron');
    writeFileSync(path.join(folder, 'install.js'), '');
    expect(await downloadElectron(packageFolder())).toBe(false);
  });

  it('comes with its own installer', () => {
    expect(() => readFileSync(fileURLToPath(new URL('install.js', electronFolder)))).not.toThrow();
  });
});

function packageFolder(): URL {
  return pathToFileURL(`${folder}/`);
}
