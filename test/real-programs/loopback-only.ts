import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** A network of its own with loopback alone, and mounts of its own; the same person inside as outside. */
const unshare = ['--user', '--map-current-user', '--keep-caps', '--net', '--mount'];
const loopback = 'ip link set lo up';
const runtimeFolder = `/run/user/${process.getuid?.()}`;

/** Where a desktop has the session bus. Codex tells its commands of no other place. */
export const hasUsualBus = (): boolean => existsSync(`${runtimeFolder}/bus`);

/** Linux can keep a command from every network, and lets us. */
export function canBeApart(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', [...unshare, 'sh', '-c', loopback]).status === 0;
}

/**
 * Runs a command that reaches nothing but this computer, with the session bus where a desktop has it. Answers its exit
 * code.
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
