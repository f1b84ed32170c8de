import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { askPostern } from './postern-command.ts';

/** Set inside the private keychain session, so that it does not start another one. */
const marker = 'POSTERN_START_KEYCHAIN';
/** Relative to the project folder, which is the current one. */
const script = 'test/support/with-keychain.sh';

/** True if this machine's keychain is unusable, but a private one can be started. */
export async function wantsPrivateKeychain(environment: NodeJS.ProcessEnv): Promise<boolean> {
  if (process.platform !== 'linux' || environment[marker] !== undefined) return false;
  const canStart = ['dbus-run-session', 'dbus-send', 'gnome-keyring-daemon'].every((name) =>
    isInstalled(name, environment),
  );
  if (!canStart) return false;
  if (!hasSessionBus(environment)) return true;
  const { result } = await askPostern(['doctor']);
  const checks = Array.isArray(result['checks']) ? (result['checks'] as Record<string, unknown>[]) : [];
  return checks.some((check) => check['name'] === 'keychain' && check['code'] === 'KC_UNAVAILABLE');
}

/** True inside `runWithPrivateKeychain`. */
export function hasPrivateKeychain(environment: NodeJS.ProcessEnv): boolean {
  return environment[marker] !== undefined;
}

/**
 * Runs this script again with its own D-Bus session, keyring and home, all deleted afterwards. Its profile is
 * temporary, too, because the key is in that keyring. Returns the exit code.
 */
export async function runWithPrivateKeychain(): Promise<number> {
  const { POSTERN_HOME: _profile, POSTERN_DEMO_HOME: _demo, ...environment } = process.env;
  // Ctrl-C reaches every process in the terminal; the shell and D-Bus must outlive the script that they serve.
  const guard = 'trap "" INT; exec bash "$@"';
  // The script keeps its terminal: its standard error bypasses that of the D-Bus daemon, which is noisy.
  const inner = ['bash', '-c', 'exec "$@" 2>&3 3>&-', '_', process.execPath, ...process.argv.slice(1)];
  const child = spawn('bash', ['-c', guard, '_', script, ...inner], {
    // Nothing is ever written to the last pipe: its end tells the inner script that this one has ended.
    stdio: [0, 1, 'pipe', 2, 'pipe'],
    env: { ...environment, ...keepDisplay(environment), [marker]: 'private' },
  });
  process.on('SIGINT', () => undefined);
  const noise = child.stderr;
  if (noise !== null) {
    createInterface({ input: noise }).on('line', (line) => {
      if (!line.startsWith('dbus-daemon[')) process.stderr.write(`${line}\n`);
    });
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 130;
}

/** A keychain without a display never prompts, but a window must still be visible. */
function keepDisplay({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { POSTERN_START_DISPLAY: DISPLAY, POSTERN_START_WAYLAND_DISPLAY: WAYLAND_DISPLAY };
}

/** The environment with the outer script's display, even inside `runWithPrivateKeychain`. */
export function withDisplay(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { POSTERN_START_DISPLAY, POSTERN_START_WAYLAND_DISPLAY, ...rest } = environment;
  return {
    ...rest,
    ...(POSTERN_START_DISPLAY !== undefined && { DISPLAY: POSTERN_START_DISPLAY }),
    ...(POSTERN_START_WAYLAND_DISPLAY !== undefined && { WAYLAND_DISPLAY: POSTERN_START_WAYLAND_DISPLAY }),
  };
}

/** Inside `runWithPrivateKeychain`: ends this process in an orderly way when the outer one is gone. */
export function endWithOuterProcess(): void {
  const outer = new Socket({ fd: 4, readable: true, writable: false });
  outer
    .once('close', () => process.kill(process.pid, 'SIGTERM'))
    .resume()
    .unref();
}

/** Without a session bus there is no keychain on Linux, so skip the check. */
function hasSessionBus(environment: NodeJS.ProcessEnv): boolean {
  const runtime = environment['XDG_RUNTIME_DIR'] ?? '';
  const isNamed = (environment['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== '';
  return isNamed || (runtime !== '' && existsSync(path.join(runtime, 'bus')));
}

function isInstalled(name: string, environment: NodeJS.ProcessEnv): boolean {
  return (environment['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
}
