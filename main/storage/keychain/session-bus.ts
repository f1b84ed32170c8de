import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * `environment` with the session bus of this person where it names none: Linux reaches its keychain by it, and programs
 * start commands with little more than HOME and PATH (Codex the one for header fields). `usual`: where the system makes
 * it.
 */
export function withSessionBus(
  environment: NodeJS.ProcessEnv,
  usual = path.join('/run/user', String(process.getuid?.())),
): NodeJS.ProcessEnv {
  const isNamed = environment['DBUS_SESSION_BUS_ADDRESS'] !== undefined || environment['XDG_RUNTIME_DIR'] !== undefined;
  const bus = path.join(usual, 'bus');
  if (process.platform !== 'linux' || isNamed || !isClosed(usual) || !isSocket(bus)) return environment;
  return { ...environment, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
}

/** A folder that nobody else can enter: a socket in another one may be anybody's. */
function isClosed(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

function isSocket(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isSocket() === true;
}
