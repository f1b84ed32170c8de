import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { logFileBytes, logTextLength } from '../limits.ts';
import { refuseLinks, requirePlainFile, refuseHardLinks, nonBlocking } from '../plain-file.ts';
import type { Clock, HistoryStore, Locks, Log } from '../ports.ts';
import { makeFolder } from '../storage/files/file-system-error.ts';
import { createLocks } from '../storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../storage/settings/integration-store.ts';
import type { StoredIntegrations } from '../storage/settings/integration-store.ts';
import { withHistory } from '../storage/settings/store-layers.ts';
import { systemClock } from './system-ports.ts';

/** The plain files of a profile folder: enough to read the list without loading anything else. */
export interface Profile {
  readonly folder: string;
  readonly log: Log;
  readonly locks: Locks;
  readonly store: StoredIntegrations;
  /** Loaded only to write or show history. */
  readonly history: () => Promise<HistoryStore>;
}

/** Opens files only when needed. */
export function openProfile(folder: string): Profile {
  const locks = createLocks(folder);
  const list = openIntegrationStore({ folder, locks });
  const history = async (): Promise<HistoryStore> => {
    const { openHistoryStore } = await import('../storage/profile/history-store.ts');
    return openHistoryStore({ profileFolder: folder, locks, list });
  };
  return { folder, log: createLog(join(folder, 'logs')), locks, store: withHistory(list, history), history };
}

/** Only these fields are logged. None of them can hold anything that a user or a server would not want in a file. */
const allowedFields: ReadonlySet<string> = new Set([
  ...['code', 'cause', 'stage', 'purpose', 'method', 'host', 'port', 'status', 'sent', 'field'],
  ...[
    'integration',
    'state',
    'type',
    'step',
    'reason',
    'note',
    'protocol',
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
 * JSON lines in `folder`, mode 0600, at most two files of 1 MiB. Created at the first line. Never throws: failing to
 * log must not stop what is being logged.
 */
export function createLog(folder: string, clock: Clock = systemClock): Log {
  const file = join(folder, 'postern.log');
  return {
    write(event, fields = {}) {
      const line = { time: new Date(clock.now()).toISOString(), process: process.pid, event: sanitizeText(event) };
      const rest = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, allowedFields.has(name) ? sanitizeValue(value) : '[removed]'] as const);
      try {
        append(folder, file, `${JSON.stringify({ ...line, ...Object.fromEntries(rest) })}\n`);
      } catch {
        // The disk is full or the folder is not writable. Code that needs the folder for more than a log reports it.
      }
    },
  };
}

function append(folder: string, file: string, line: string): void {
  refuseLinks(folder);
  makeFolder(folder, 'storage');
  // Do not write through a planted link, symbolic or hard.
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(file, flags | nonBlocking, 0o600);
  try {
    const stats = fstatSync(descriptor);
    requirePlainFile(stats, file);
    refuseHardLinks(stats, file);
    writeSync(descriptor, line);
    if (fstatSync(descriptor).size > logFileBytes) renameSync(file, file.replace(/\.log$/, '.1.log'));
  } finally {
    closeSync(descriptor);
  }
}

function sanitizeValue(value: unknown): unknown {
  return typeof value === 'string' ? sanitizeText(value) : value;
}

/**
 * Removes control and direction characters (forged lines, terminal escapes), URL queries and fragments, and anything
 * too long.
 */
function sanitizeText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
    .replace(/[?#]\S*/g, '')
    .slice(0, logTextLength);
}
