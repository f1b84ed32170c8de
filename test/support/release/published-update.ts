import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { NodeHttpExecutor } from 'builder-util/out/nodeHttpExecutor.js';
import { AppImageUpdater, DebUpdater } from 'electron-updater';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { onTestFinished } from 'vitest';
import { createUpdaterBackend } from '../../../main/window/start/system/electron-updater-backend.ts';
import { Updates } from '../../../main/window/updates/updates.ts';
import { createFakeClock } from '../fake-clock.ts';
import { serveHttp } from '../loopback-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { makePublisherKeys, makeRelease } from './signed-checksums.ts';

/** The keys of the publisher that the app trusts. */
const keys = makePublisherKeys();

/** electron-updater's own executor, with Node's requests instead of Electron's. */
class Executor extends ElectronHttpExecutor {
  override createRequest(options: never, callback: never): never {
    return new NodeHttpExecutor().createRequest(options, callback) as never;
  }
}

export interface Publication {
  readonly version: string;
  /** What the feed serves instead of the signed file. */
  readonly forged?: Buffer;
  /** Signed with these keys instead of the publisher's. */
  readonly signedBy?: typeof keys;
  /** The feed's hash matches the forged file. */
  readonly consistent?: boolean;
  /** The installer's name; a feed can contain any name. */
  readonly name?: string;
  /** The installed package: an AppImage, which replaces its own file, or a deb, which system tools install. */
  readonly kind?: 'AppImage' | 'deb';
  /** A folder name in the path of the fetched file. */
  readonly cache?: string;
  /** Answers before the feed does; `true` if it did. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A feed as electron-builder writes it, and the real electron-updater in an installed version 1.0.0. */
export async function publish(publication: Publication) {
  const { version, forged, signedBy = keys, consistent = false, kind = 'AppImage', intercept } = publication;
  const { name = `Postern-${version}-linux-x64.${kind}`, cache = 'cache' } = publication;
  const content = Buffer.from(`version ${version} `.repeat(10_000));
  const served = forged ?? content;
  const release = makeRelease(signedBy, version, { [name]: content });
  const hash = createHash('sha512')
    .update(consistent ? served : content)
    .digest('base64');
  const feed = [
    `version: ${version}`,
    'files:',
    `  - url: ${JSON.stringify(name)}`,
    `    sha512: ${hash}`,
    `    size: ${served.length}`,
    `path: ${JSON.stringify(name)}`,
    `sha512: ${hash}`,
    `releaseDate: '2026-11-20T12:00:00.000Z'`,
  ].join('\n');
  const bodies: Readonly<Record<string, string | Buffer>> = {
    'latest-linux.yml': feed,
    'latest-linux-arm64.yml': feed,
    'checksums.txt': release.checksums,
    'checksums.txt.sig': release.signature,
    [name]: served,
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const file = (request.url ?? '').split('?')[0]?.slice('/postern/'.length) ?? '';
    const body = bodies[decodeURIComponent(file)];
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  };
  const server = await serveHttp((request, response) => {
    if (intercept?.(request, response) !== true) serve(request, response);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());

  const folder = temporaryFolder();
  const appImage = path.join(folder, 'Postern.AppImage');
  writeFileSync(appImage, 'version 1.0.0');
  setVariable('APPIMAGE', kind === 'AppImage' ? appImage : undefined);
  const config = path.join(folder, 'app-update.yml');
  writeFileSync(config, 'provider: generic\nupdaterCacheDirName: postern-updater\n');
  const data = path.join(folder, 'profile');
  mkdirSync(data);
  const updater = new (kind === 'deb' ? DebUpdater : AppImageUpdater)(undefined, {
    version: '1.0.0',
    name: 'Postern',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: data,
    baseCachePath: path.join(folder, cache),
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  });
  Object.assign(updater, { httpExecutor: new Executor() });
  const url = `${server.origin}/postern/`;
  const updates: Updates = new Updates({
    version: '1.0.0',
    feed: { url, publicKey: keys.publicKey },
    openBackend: async () => createUpdaterBackend({ url, platform: 'linux', appImage: kind === 'AppImage', updater }),
    automatic: async () => true,
    clock: createFakeClock(),
    log: { write: () => {} },
    onChange: () => {},
  });
  const fetched = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:AppImage|deb)$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => file !== appImage);
  return { updates, updater, server, serve, data, folder, content, fetched };
}

/** Sets an environment variable for the rest of the test. */
export function setVariable(name: string, value: string | undefined): void {
  const before = process.env[name];
  const set = (text: string | undefined): void => {
    if (text === undefined) delete process.env[name];
    else process.env[name] = text;
  };
  set(value);
  onTestFinished(() => set(before));
}
