import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Packager } from 'app-builder-lib';
import { createElectronFrameworkSupport } from 'app-builder-lib/out/electron/ElectronFramework.js';
import * as electronMac from 'app-builder-lib/out/electron/electronMac.js';
import { MacPackager } from 'app-builder-lib/out/macPackager.js';
import { WinPackager } from 'app-builder-lib/out/winPackager.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { appUserModelId } from '../../../../shared/product.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Missing from its type declaration. */
const { createMacApp } = electronMac as unknown as {
  createMacApp: (packager: MacPackager, folder: string, integrity: object, isMas: boolean) => Promise<void>;
};
const root = path.join(import.meta.dirname, '../../../..');
const info = new Packager({ projectDir: root, config: { extends: path.join(root, 'electron-builder.yml') } });

beforeAll(async () => {
  await info.validateConfig();
  Object.assign(info, { _framework: await createElectronFrameworkSupport(info.config, info) });
});

it('uses the same app ID for the window and the Windows shortcut', () => {
  expect(appUserModelId).toBe(new WinPackager(info).appInfo.id);
});

describe('the Info.plist of the macOS package', () => {
  /** As electron-builder writes it for an Electron without values of its own. */
  async function writePlist(): Promise<string> {
    const folder = temporaryFolder();
    const contents = path.join(folder, 'Electron.app/Contents');
    mkdirSync(path.join(contents, 'MacOS'), { recursive: true });
    mkdirSync(path.join(contents, 'Resources'));
    const helper = path.join(contents, 'Frameworks/Electron Helper.app/Contents/MacOS');
    mkdirSync(helper, { recursive: true });
    for (const file of [path.join(contents, 'MacOS/Electron'), path.join(helper, 'Electron Helper')])
      writeFileSync(file, '');
    writeFileSync(path.join(contents, 'Info.plist'), '<plist version="1.0"><dict></dict></plist>');
    await createMacApp(new MacPackager(info), folder, {}, false);
    // A key's value starts on the same line or on the next one.
    return readFileSync(path.join(folder, 'Postern.app/Contents/Info.plist'), 'utf8').replaceAll(/>\s+</gu, '><');
  }

  it('requires the oldest macOS that Electron runs on', async () => {
    expect(await writePlist()).toContain('<key>LSMinimumSystemVersion</key><string>13.0</string>');
  });

  it('allows http only for this computer', async () => {
    const [, domains = ''] = /<key>NSExceptionDomains<\/key><dict>(.*)<\/dict><\/dict>/u.exec(await writePlist()) ?? [];
    const hosts = [...domains.matchAll(/<key>([^<]+)<\/key><dict>/gu)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(['127.0.0.1', 'localhost']));
  });
});
