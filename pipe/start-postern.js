import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { runtimeFolder } from './find-gateway.js';

/**
 * What Postern may need of the program's environment: nothing that is a secret of that program, no switch of Node's.
 */
const passedOn = new Set([
  ...['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'BROWSER'],
  ...['DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'SystemRoot', 'TEMP', 'TMP'],
]);
const passedOnGroups = /^(?:XDG|LC)_/u;

/**
 * Starts Postern so that it belongs to nobody: a session of its own, and no child of this process, since programs end
 * all descendants of what they have started. Says nothing when that fails: then nobody comes to listen.
 * @param {readonly string[]} command
 * @param {string} profileFolder
 * @param {(pid: number) => void} onStarted told which process it is
 */
export function startPostern([file = '', ...words], profileFolder, onStarted) {
  const isWindows = process.platform === 'win32';
  const inBackground = '"$@" >/dev/null 2>&1 & echo $!';
  const [program, ...rest] = isWindows ? [file, ...words] : ['/bin/sh', '-c', inBackground, 'sh', file, ...words];
  const child = spawn(program, rest, {
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
 * Programs start their servers with as little as HOME and PATH; the keychain is reached by the session bus.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} profileFolder
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnvironment(env, profileFolder) {
  const passed = Object.entries(env).filter(([name]) => passedOn.has(name) || passedOnGroups.test(name));
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
