import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NodeHttpExecutor } from 'builder-util/out/nodeHttpExecutor.js';
import { AppImageUpdater } from 'electron-updater';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createUpdaterBackend } from '../../main/app/electron-updater-backend.ts';
import { Updates } from '../../main/updates/updates.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { makePublisherKeys, makeRelease } from '../support/release/signed-checksums.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const keys = makePublisherKeys();

/** Its own, with Node's requests in place of Electron's. */
class Executor extends ElectronHttpExecutor {
  override createRequest(options: never, callback: never): never {
    return new NodeHttpExecutor().createRequest(options, callback) as never;
  }
}

interface Publication {
  readonly version: string;
  /** What the feed gives out in place of what was signed. */
  readonly forged?: Buffer;
  /** By somebody else. */
  readonly signedBy?: typeof keys;
  /** The feed's own hash fits the forged file. */
  readonly consistent?: boolean;
}

/** A feed as electron-builder writes it, and electron-updater itself on an AppImage of version 1.0.0. */
async function publish({ version, forged, signedBy = keys, consistent = false }: Publication) {
  const name = `Postern-${version}-linux-x64.AppImage`;
  const content = Buffer.from(`version ${version} `.repeat(10_000));
  const given = forged ?? content;
  const release = makeRelease(signedBy, version, { [name]: content });
  const hash = createHash('sha512')
    .update(consistent ? given : content)
    .digest('base64');
  const feed = [
    `version: ${version}`,
    'files:',
    `  - url: ${name}`,
    `    sha512: ${hash}`,
    `    size: ${given.length}`,
    `path: ${name}`,
    `sha512: ${hash}`,
    `releaseDate: '2026-11-20T12:00:00.000Z'`,
  ].join('\n');
  const bodies: Readonly<Record<string, string | Buffer>> = {
    'latest-linux.yml': feed,
    'latest-linux-arm64.yml': feed,
    'checksums.txt': release.checksums,
    'checksums.txt.sig': release.signature,
    [name]: given,
  };
  const server = await serveHttp((request, response) => {
    const body = bodies[(request.url ?? '').split('?')[0]?.slice('/postern/'.length) ?? ''];
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());

  const folder = temporaryFolder();
  const appImage = path.join(folder, 'Postern.AppImage');
  writeFileSync(appImage, 'version 1.0.0');
  const before = process.env['APPIMAGE'];
  process.env['APPIMAGE'] = appImage;
  onTestFinished(() => {
    if (before === undefined) delete process.env['APPIMAGE'];
    else process.env['APPIMAGE'] = before;
  });
  const config = path.join(folder, 'app-update.yml');
  writeFileSync(config, 'provider: generic\nupdaterCacheDirName: postern-updater\n');
  const data = path.join(folder, 'profile');
  mkdirSync(data);
  const quits: number[] = [];
  const updater = new AppImageUpdater(undefined, {
    version: '1.0.0',
    name: 'Postern',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: data,
    baseCachePath: path.join(folder, 'cache'),
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => void quits.push(0),
    onQuit: () => {},
  });
  Object.assign(updater, { httpExecutor: new Executor() });
  const url = `${server.origin}/postern/`;
  const updates: Updates = new Updates({
    version: '1.0.0',
    feed: { url, publicKey: keys.publicKey },
    openBackend: async () => createUpdaterBackend({ url, platform: 'linux', appImage: true, updater }),
    automatic: async () => true,
    clock: createFakeClock(),
    log: { write: () => {} },
    onChange: () => {},
  });
  const fetched = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(name));
  return { updates, updater, server, data, folder, content, fetched };
}

describe('an update by electron-updater', () => {
  it('is found, fetched and checked', async () => {
    const { updates, updater, fetched, folder, content, server, data } = await publish({ version: '1.2.0' });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'available', version: '1.2.0' });
    expect(server.received()).not.toContain('.AppImage');
    // By itself it would begin in a moment, later than this test looks.
    expect([updater.autoDownload, updater.allowDowngrade]).toEqual([false, false]);
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'ready' });
    const [file = ''] = fetched();
    expect(readFileSync(path.join(folder, file)).equals(content)).toBe(true);
    // Nothing that tells one computer from another goes out, and nothing stays in the profile.
    expect(server.received()).not.toMatch(/x-user-staging-id: (?!none)/iu);
    expect(readdirSync(data)).toEqual([]);
  });

  it('is none where the feed tells of the running version', async () => {
    const { updates } = await publish({ version: '1.0.0' });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle' });
    expect((await updates.view()).error).toBeUndefined();
  });

  it('is refused when it is older (PK-07)', async () => {
    const { updates, fetched } = await publish({ version: '0.9.0' });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_DOWNGRADE' } });
    expect(fetched()).toEqual([]);
  });

  it.each([
    ['somebody else has signed it', { signedBy: makePublisherKeys() }],
    ['the feed gives out another file, and its hash', { forged: Buffer.from('evil'), consistent: true }],
  ])('is refused before it is fetched when %s (PK-06)', async (_name, forgery) => {
    const { updates, fetched } = await publish({ version: '1.2.0', ...forgery });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_SIGNATURE' } });
    await updates.download();
    expect(fetched()).toEqual([]);
  });

  it('is refused when what was fetched is not what was signed (PK-06)', async () => {
    const { updates, fetched } = await publish({ version: '1.2.0', forged: Buffer.from('evil'.repeat(45_000)) });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'available' });
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'available', error: { code: 'UPD_SIGNATURE' } });
    expect(fetched()).toEqual([]);
  });

  it('is told as a failure when the feed is not there', async () => {
    const { updates, server } = await publish({ version: '1.2.0' });
    await server[Symbol.asyncDispose]();
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_FAILED' } });
  });
});
