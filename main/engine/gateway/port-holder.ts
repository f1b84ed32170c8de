import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { displayText } from '../../address/display-text.ts';

/** Who listens at a port of this computer. */
export interface PortHolder {
  readonly name: string;
  readonly pid: number;
}

/** State `LISTEN` in `/proc/net/tcp` (proc_pid_net(5)). */
const listening = '0A';

/** What takes a port of 127.0.0.1, as the same tables write addresses on processors of today: it, and every address. */
const here: ReadonlySet<string> = new Set([
  '0100007F',
  '00000000',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
]);

/** `undefined`: it cannot be told, as of another user's program, and on other systems than Linux. Never rejects. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const sockets = await listeningSockets(port);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
    for (const pid of sockets.size > 0 ? pids : []) {
      if (!(await holdsOne(pid, sockets))) continue;
      const name = displayText(path.basename(await readlink(path.join('/proc', pid, 'exe'))));
      return { name, pid: Number(pid) };
    }
  } catch {
    // It may have ended meanwhile.
  }
  return undefined;
}

async function listeningSockets(port: number): Promise<ReadonlySet<string>> {
  const inHex = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/u)));
  const found = rows.filter(
    (row) =>
      here.has(row[1]?.slice(0, -inHex.length - 1) ?? '') && row[1]?.endsWith(`:${inHex}`) && row[3] === listening,
  );
  return new Set(found.map((row) => `socket:[${row[9] ?? ''}]`));
}

async function holdsOne(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = path.join('/proc', pid, 'fd');
  for (const name of await readdir(folder).catch(() => [])) {
    if (sockets.has(await readlink(path.join(folder, name)).catch(() => ''))) return true;
  }
  return false;
}
