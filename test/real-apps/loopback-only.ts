import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** A network namespace with loopback only, and its own mounts; the same user inside as outside. */
const unshare = ['--user', '--map-current-user', '--keep-caps', '--net', '--mount'];
const loopback = 'ip link set lo up';
const runtimeFolder = `/run/user/${process.getuid?.()}`;

/** Where a desktop has the session bus. Codex passes its commands no other address. */
export const hasUsualBus = (): boolean => existsSync(`${runtimeFolder}/bus`);

/** Linux can block all networks for a command, and allows us to. */
export function canBeApart(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', [...unshare, 'sh', '-c', loopback]).status === 0;
}

/**
 * Runs a command that reaches only this computer, with the session bus where a desktop has it. Returns its exit code.
 */
export async function runApart(command: readonly string[]): Promise<number> {
  const [, bus = ''] = /unix:path=([^,;]+)/.exec(process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '') ?? [];
  const desktop = `mount -t tmpfs tmpfs /run/user && mkdir -m 700 "$0" && ln -s "$1" "$0/bus"`;
  const script = `${loopback}; { ${desktop}; } 2>/dev/null; shift; exec "$@"`;
  const words = [...unshare, 'sh', '-c', script, runtimeFolder, bus, ...command];
  const child = spawn('unshare', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
