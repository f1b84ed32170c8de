import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeychainProcess } from '../../main/storage/keychain/keychain-process.ts';
import { launchWindow } from '../support/launch-window.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import { windowRuntime } from '../support/window-runtime.ts';

/** The keychain process as the window starts and ends it, on Electron and on the stand-in. */
const fixture = fileURLToPath(new URL('../electron-stand-in/fixture', import.meta.url));
const root = path.join(import.meta.dirname, '../..');

interface Helped {
  /** Starts one that responds to nothing, and runs until it is ended. */
  readonly startSilent: () => {
    readonly keychain: KeychainProcess;
    readonly child: Electron.UtilityProcess;
    readonly ended: Promise<number>;
  };
}

let folder: string;
let running: RunningWindow;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postern-contract-'));
  const silent = path.join(folder, 'child.cjs');
  await writeFile(silent, "process.parentPort.on('message', () => {}); setInterval(() => {}, 1000);");
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: 'main/window/start/system/this-installation.ts',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { external: ['electron'], output: { format: 'cjs', entryFileNames: 'keychain.cjs' } },
    },
  });
  running = await launchWindow({ app: fixture, profile: path.join(folder, 'profile') });
  await running.page('app://contract/index.html');
  await running.evaluate(
    ({ utilityProcess }, { file, script }) => {
      const { createRequire } = process.getBuiltinModule('node:module');
      const { startKeychainUtility } = createRequire(file)(file) as {
        startKeychainUtility: (childPath: string) => KeychainProcess;
      };
      const fork = utilityProcess.fork.bind(utilityProcess);
      let child!: Electron.UtilityProcess;
      utilityProcess.fork = (...words) => (child = fork(...words));
      const startSilent = () => {
        const keychain = startKeychainUtility(script);
        return { keychain, child, ended: new Promise((resolve) => child.once('exit', resolve)) };
      };
      Object.assign(globalThis, { startSilent });
    },
    { file: path.join(folder, 'keychain.cjs'), script: silent },
  );
});
afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe(`the keychain's process, on ${windowRuntime === 'electron' ? 'Electron' : 'the stand-in'}`, () => {
  it('exits even if it is stopped before it has started, when its id is unknown', async () => {
    const events = await running.evaluate(async () => {
      const { keychain, child, ended } = (globalThis as unknown as Helped).startSilent();
      const early = typeof child.pid;
      const killed = keychain.kill();
      const { isAlive: alive } = keychain;
      await killed;
      await ended;
      return { early, alive, late: typeof child.pid };
    });
    expect(events).toEqual({ early: 'undefined', alive: false, late: 'undefined' });
  });

  it('exits with a request unanswered', async () => {
    const events = await running.evaluate(async () => {
      const { keychain, ended } = (globalThis as unknown as Helped).startSilent();
      const code = await keychain.request({ operation: 'read', service: 'postern', account: 'none' }, 1).then(
        () => 'answered',
        (error: { readonly code: string }) => error.code,
      );
      const { isAlive: alive } = keychain;
      await ended;
      return { code, alive };
    });
    expect(events).toEqual({ code: 'KC_TIMEOUT', alive: false });
  });
});
