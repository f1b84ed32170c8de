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
  /** Where a second client connects; only where one was asked for. */
  debuggingAddress(): Promise<string>;
  /** Ends it now, and removes its folder. Synchronous, for the end of this process. */
  kill(): void;
}

export interface ChromiumOptions {
  readonly headless: boolean;
  /** Opens a debugging port on loopback, for tests: any program of this machine can then drive the pages. */
  readonly debugging: boolean;
  /** Where Chromium writes what its network does: its own switch, that Electron has too. */
  readonly netLog?: string | undefined;
}

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  // Of a page that could not be loaded: Electron tries it once.
  '--disable-auto-reload',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  // But for the one by which the stand-in changes settings.
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
 * Root has no use of Chromium's sandbox; ELECTRON_DISABLE_SANDBOX is Electron's own switch, for containers without one.
 */
function isSandboxed(): boolean {
  return process.getuid?.() !== 0 && (process.env['ELECTRON_DISABLE_SANDBOX'] ?? '') === '';
}

/** Starts an installed Chromium with one window that looks like a program's, and a folder that is gone afterwards. */
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
    // Without it the browser ends with its last window; Electron does not.
    '--keep-alive-for-test',
    '--class=Postern',
    `--user-data-dir=${folder}`,
    '--app=data:text/html,',
  ];
  // A group of its own, so that all of its processes can be ended at once.
  const child = spawn(executable, flags, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  // The pipe ends the browser when this process is gone; its other output is noise unless it does not start.
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
    // It has ended before.
  }
}
