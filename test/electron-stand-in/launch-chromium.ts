import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { CdpConnection } from './cdp-connection.ts';
import { makeChromiumFolder, removeChromiumFolder } from './chromium-folder.ts';
import { settingsExtension } from './chromium-settings.ts';
import { findChromium } from './find-chromium.ts';

export interface Chromium {
  readonly connection: CdpConnection;
  readonly process: ChildProcess;
  /** Where a second client connects, if requested. */
  debuggingAddress(): Promise<string>;
  /** Ends it now and removes its folder. Synchronous, for the exit of this process. */
  kill(): void;
}

export interface ChromiumOptions {
  readonly headless: boolean;
  /** Opens a debugging port on loopback for tests; any local process can then control the pages. */
  readonly debugging: boolean;
  /** File for Chromium's network log; the switch also exists in Electron. */
  readonly netLog?: string | undefined;
}

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  // No automatic reload of failed pages: Electron loads a page once.
  '--disable-auto-reload',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  // Except for the extension with which the stand-in changes settings.
  `--disable-extensions-except=${settingsExtension}`,
  '--enable-unsafe-extension-debugging',
  '--disable-sync',
  '--disable-features=Translate,OptimizationHints,NetworkTimeServiceQuerying,MediaRouter,DialMediaRouteProvider',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--use-mock-keychain',
];

/**
 * Root cannot use Chromium's sandbox. ELECTRON_DISABLE_SANDBOX is Electron's own switch, for containers without one.
 */
function isSandboxed(): boolean {
  return process.getuid?.() !== 0 && (process.env['ELECTRON_DISABLE_SANDBOX'] ?? '') === '';
}

/** Starts an installed Chromium with one app-like window and a temporary folder. */
export function launchChromium({ headless, debugging, netLog }: ChromiumOptions): Chromium {
  const executable = findChromium();
  if (executable === undefined)
    throw new Error(
      'The Electron stand-in needs Chrome or Chromium, and none is installed (POSTERN_CHROMIUM names one).',
    );
  const folder = makeChromiumFolder();
  const flags = [
    ...quiet,
    ...(headless ? ['--headless'] : []),
    ...(isSandboxed() ? [] : ['--no-sandbox']),
    ...(debugging ? ['--remote-debugging-port=0'] : []),
    ...(netLog === undefined ? [] : [`--log-net-log=${netLog}`]),
    '--remote-debugging-pipe',
    // Otherwise the browser exits with its last window; Electron does not.
    '--keep-alive-for-test',
    '--class=Postern',
    `--user-data-dir=${folder}`,
    '--app=data:text/html,',
  ];
  // Its own process group, so that all its processes can be ended at once.
  const child = spawn(executable, flags, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  // The pipe ends the browser when this process is gone. Its other output only matters if it does not start.
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (output = (output + text).slice(-4_000)));
  const connection = new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  child.once('exit', () => connection.emit('gone', output));
  child.once('error', (error) => connection.emit('gone', error.message));
  return {
    connection,
    process: child,
    async debuggingAddress() {
      const file = path.join(folder, 'DevToolsActivePort');
      for (;;) {
        const [port = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
        if (port !== '') return `http://127.0.0.1:${port}`;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    kill() {
      killGroup(child);
      removeChromiumFolder(folder);
    },
  };
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
