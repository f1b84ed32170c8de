import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { logFileBytes, logTextLength } from '../limits.ts';
import { refuseLinks, refuseOthers, refuseSecondNames, unblocking } from '../plain-file.ts';
import type { Clock, HistoryStore, Locks, Log } from '../ports.ts';
import { makeFolder } from '../storage/files/file-system-error.ts';
import { createLocks } from '../storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../storage/settings/integration-store.ts';
import type { StoredIntegrations } from '../storage/settings/integration-store.ts';
import { notingHistory } from '../storage/settings/store-layers.ts';
import { systemClock } from './system-ports.ts';

/**
 * What is kept in a profile folder in plain files: enough for whoever reads the list, so that nothing else is loaded.
 */
export interface Profile {
  readonly folder: string;
  readonly log: Log;
  readonly locks: Locks;
  readonly store: StoredIntegrations;
  /** Loaded only when there is something to tell or to show. */
  readonly history: () => Promise<HistoryStore>;
}

/** Opens files only when they are asked for. */
export function openProfile(folder: string): Profile {
  const locks = createLocks(folder);
  const list = openIntegrationStore({ folder, locks });
  const history = async (): Promise<HistoryStore> => {
    const { openHistoryStore } = await import('../storage/profile/history-store.ts');
    return openHistoryStore({ profileFolder: folder, locks, list });
  };
  return { folder, log: createLog(join(folder, 'logs')), locks, store: notingHistory(list, history), history };
}

/** Only these fields are written; each can hold nothing that a person or a server must not find in a file. */
const allowedFields: ReadonlySet<string> = new Set([
  ...['code', 'cause', 'stage', 'purpose', 'method', 'host', 'port', 'status', 'sent', 'field'],
  ...[
    'integration',
    'state',
    'type',
    'step',
    'reason',
    'note',
    'era',
    'outcome',
    'index',
    'member',
    'kind',
    'platform',
    'version',
    'command',
  ],
  ...['milliseconds', 'bytes', 'count', 'attempt', 'seconds', 'ok', 'exitCode', 'url', 'at'],
]);

/**
 * JSON lines in `folder`, mode 0600, at most two files of 1 MiB. Made at the first line. Never throws: a log that
 * cannot be written must not stop what it tells about.
 */
export function createLog(folder: string, clock: Clock = systemClock): Log {
  const file = join(folder, 'postern.log');
  return {
    write(event, fields = {}) {
      const line = { time: new Date(clock.now()).toISOString(), process: process.pid, event: plainText(event) };
      const rest = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, allowedFields.has(name) ? plainValue(value) : '[removed]'] as const);
      try {
        append(folder, file, `${JSON.stringify({ ...line, ...Object.fromEntries(rest) })}\n`);
      } catch {
        // The disk is full or the folder is not ours to write; those who need the folder for more than a log report it.
      }
    },
  };
}

function append(folder: string, file: string, line: string): void {
  refuseLinks(folder);
  makeFolder(folder, 'storage');
  // A link that somebody put there, symbolic or hard, is not written through.
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(file, flags | unblocking, 0o600);
  try {
    const stats = fstatSync(descriptor);
    refuseOthers(stats, file);
    refuseSecondNames(stats, file);
    writeSync(descriptor, line);
    if (fstatSync(descriptor).size > logFileBytes) renameSync(file, file.replace(/\.log$/, '.1.log'));
  } finally {
    closeSync(descriptor);
  }
}

function plainValue(value: unknown): unknown {
  return typeof value === 'string' ? plainText(value) : value;
}

/** No control or direction characters (forged lines, terminal escapes), no query or fragment of a URL, no long text. */
function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
    .replace(/[?#]\S*/g, '')
    .slice(0, logTextLength);
}
