import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchWindow } from './launch-window.ts';
import type { RunningWindow } from './launch-window.ts';
import { serveHttp } from './loopback-server.ts';
import type { LoopbackServer } from './loopback-server.ts';

/** A small app with windows, for the Electron contract tests. */
export const fixtureApp = fileURLToPath(new URL('../electron-stand-in/fixture', import.meta.url));

/** The running app, a site for its pages, and a folder for its files. */
export interface ElectronFixture {
  readonly folder: string;
  readonly site: LoopbackServer;
  readonly running: RunningWindow;
  /** Its first page. */
  readonly page: Page;
  /** For `beforeAll` to return as its cleanup. */
  readonly close: () => Promise<void>;
}

export async function openElectronFixture(
  respond: RequestListener = (_request, response) => response.end(),
  args: readonly string[] = [],
): Promise<ElectronFixture> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-contract-'));
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const site = opened.use(await serveHttp(respond));
  const profile = path.join(folder, 'profile');
  const running = opened.use(await launchWindow({ app: fixtureApp, profile, args }));
  const page = await running.page('app://contract/index.html');
  const resources = opened.move();
  return { folder, site, running, page, close: () => resources.disposeAsync() };
}
