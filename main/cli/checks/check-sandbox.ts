import { spawn } from 'node:child_process';
import path from 'node:path';
import type { WindowSurface } from '../../../shared/choices.ts';

/** Whether sign-in pages of the window run in Chromium's sandbox here, in words for a person. */
export interface SandboxCheck {
  readonly name: 'sandbox';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
}

export interface SandboxPlace {
  /** The folder of an installed program's files. */
  readonly resources: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly isRoot: boolean;
  /** Where the window opens sign-in pages. */
  readonly surface: WindowSurface | 'print' | undefined;
}

/** Milliseconds; a computer that has just started is slow. */
const patience = 20_000;

/**
 * On Linux, of an installed program, where windows can be shown: elsewhere the system has the sandbox, or nothing needs
 * it. A command runs without it (packaging/linux/postern), so the program is started once more with it.
 */
export async function checkSandbox(at: SandboxPlace, platform = process.platform): Promise<readonly SandboxCheck[]> {
  const { resources, env } = at;
  if (platform !== 'linux' || resources === undefined || !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return [];
  const folder = path.dirname(resources);
  if (at.isRoot) {
    const message = 'The window does not start as root, where Chromium has no sandbox. Commands need none.';
    return [{ name: 'sandbox', ok: true, message }];
  }
  const hasOne = await startsSandboxed(path.join(folder, 'postern'), env);
  if (hasOne === undefined) return [];
  if (hasOne) return [{ name: 'sandbox', ok: true, message: 'Sign-in pages of the window run in a sandbox.' }];
  const refused = 'This computer allows Postern no user namespaces, which the sandbox for sign-in pages needs';
  if (env['APPIMAGE']) {
    if (at.surface === 'browser')
      return [{ name: 'sandbox', ok: true, message: `${refused}. Sign-in pages open in your browser instead.` }];
    const message = `${refused}: the window of an AppImage shows them without one.`;
    return [{ name: 'sandbox', ok: false, message, nextStep: 'postern settings signInSurface browser' }];
  }
  const helper = path.join(folder, 'chrome-sandbox');
  const nextStep = `sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`;
  return [{ name: 'sandbox', ok: false, message: `${refused}: the window does not start.`, nextStep }];
}

/** How Chromium ends itself on purpose, by the processor; a kill or a fault comes by others. Seen: SIGTRAP. */
const ownEnds: readonly (NodeJS.Signals | null)[] = ['SIGTRAP', 'SIGABRT', 'SIGILL'];

/**
 * Chromium makes its sandbox before a program begins, and ends itself where it cannot. `undefined`: it ended for another
 * reason.
 */
async function startsSandboxed(program: string, env: NodeJS.ProcessEnv): Promise<boolean | undefined> {
  const words = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3', '--cli', '--', '--version'];
  const { ELECTRON_DISABLE_SANDBOX: _, ...kept } = env;
  const child = spawn(program, words, { env: kept, stdio: 'ignore', timeout: patience, killSignal: 'SIGKILL' });
  return await new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(true);
      else resolve(ownEnds.includes(signal) ? false : undefined);
    });
  });
}
