import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { runtimeFolder } from './find-gateway.js';

/**
 * Starts Postern detached, in a session of its own and not as a child, since apps end all descendants of what they
 * start. Does not report failures: then no gateway appears.
 * @param {readonly string[]} command
 * @param {string} profileFolder
 * @param {(pid: number) => void} onStarted
 */
export function startPostern([file = '', ...words], profileFolder, onStarted) {
  const isWindows = process.platform === 'win32';
  const inBackground = '"$@" >/dev/null 2>&1 & echo $!';
  const [app, ...rest] = isWindows ? [file, ...words] : ['/bin/sh', '-c', inBackground, 'sh', file, ...words];
  const child = spawn(app, rest, {
    cwd: homedir(),
    detached: true,
    env: serviceEnvironment(process.env, profileFolder),
    stdio: ['ignore', isWindows ? 'ignore' : 'pipe', 'ignore'],
    windowsHide: true,
  });
  child.on('error', () => {});
  child.unref();
  if (isWindows && child.pid !== undefined) onStarted(child.pid);
  child.stdout?.once('data', (/** @type {Buffer} */ line) => onStarted(Number(line.toString())));
}

/** Whether a process runs. @param {number} pid */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * AI apps start their servers with as little as HOME and PATH; the keychain needs the session bus.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} profileFolder
 * @param {NodeJS.Platform} [platform]
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnvironment(env, profileFolder, platform = process.platform) {
  const isAllowed = allowedVariables(platform === 'win32' ? 'windows' : 'posix');
  const passed = Object.entries(env).filter(([name]) => isAllowed(platform === 'win32' ? name.toUpperCase() : name));
  const runtime = runtimeFolder();
  const bus = runtime === undefined ? undefined : path.join(runtime, 'bus');
  const hasBus = bus !== undefined && statSync(bus, { throwIfNoEntry: false })?.isSocket() === true;
  return {
    HOME: homedir(),
    ...(runtime !== undefined && { XDG_RUNTIME_DIR: runtime }),
    ...(hasBus && { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` }),
    ...Object.fromEntries(passed),
    POSTERN_HOME: profileFolder,
  };
}

/**
 * @param {'posix' | 'windows'} section of the list that both pipes share
 * @returns {(name: string) => boolean}
 */
function allowedVariables(section) {
  const list = readFileSync(new URL('environment-allowlist.txt', import.meta.url), 'utf8');
  const [, rest = ''] = list.split(`[${section}]`);
  const [lines = ''] = rest.split('[');
  const names = lines.split(/\s+/u).filter((name) => name !== '');
  const groups = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => names.includes(name) || groups.some((start) => name.startsWith(start));
}
