import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { endedStatus } from '../../stored-status.ts';
import type { EndedStatus } from '../../stored-status.ts';
import type { LocalServers } from '../../local-ports.ts';
import { readPlainFile } from '../../plain-file.ts';

/** Bytes read of the note. */
const maxBytes = 262_144;

const noteSchema = z.strictObject({
  /** The process that runs the servers: the note is void once it ends. */
  pid: z.int().check(z.positive()),
  servers: z.record(z.string(), z.enum(['stopped', 'failing'])),
});

function noteFile(folder: string): string {
  return path.join(folder, 'run', 'ended.json');
}

/**
 * Writes down which local servers are not restarted automatically, as long as this process runs them, so that `list`
 * can show it without asking. Returns a function that stops it. Never throws: without the note, servers show as ready.
 */
export function recordEndedServers(folder: string, local: LocalServers): () => void {
  const servers = new Map<string, EndedStatus>();
  const file = noteFile(folder);
  const stop = local.onChange((id) => {
    const ended = endedStatus(local.status(id).state);
    if (servers.get(id) === ended) return;
    if (ended) servers.set(id, ended);
    else servers.delete(id);
    const note = { pid: process.pid, servers: Object.fromEntries(servers) } satisfies z.infer<typeof noteSchema>;
    ignoreErrors(() => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
    });
  });
  return () => {
    stop();
    ignoreErrors(() => rmSync(file, { force: true }));
  };
}

/** By server id. Never rejects. */
export async function readEndedServers(folder: string): Promise<ReadonlyMap<string, EndedStatus>> {
  try {
    const bytes = await readPlainFile(noteFile(folder), { limit: maxBytes, follow: false });
    const { pid, servers } = noteSchema.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
    // Throws if that process no longer runs.
    process.kill(pid, 0);
    return new Map(Object.entries(servers));
  } catch {
    return new Map();
  }
}

function ignoreErrors(change: () => void): void {
  try {
    change();
  } catch {
    // The folder is not writable.
  }
}
