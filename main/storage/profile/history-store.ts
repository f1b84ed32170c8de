import path from 'node:path';
import * as z from 'zod/mini';
import { isSameError } from '../../../shared/error-traits.ts';
import { historyBounds as bounds, tracedSignInSchema, serverEventSchema } from '../../../shared/trace.ts';
import type { TracedSignIn, ServerEvent, ServerHistory } from '../../../shared/trace.ts';
import type { HistoryStore, Locks } from '../../ports.ts';
import { openServerFiles, sweepServerFiles } from './server-files.ts';
import type { ListedServers, ServerFiles } from './server-files.ts';

interface HistoryStoreOptions {
  readonly profileFolder: string;
  readonly locks: Locks;
  /** Only listed servers have a history. */
  readonly list: ListedServers;
}

const fileSchema = z.object({ events: z.array(z.unknown()), signIns: z.array(z.unknown()) });

const emptyHistory: ServerHistory = { events: [], signIns: [] };

/**
 * Server events, in one file per server below `history/` in the profile folder. Losing them is harmless: a damaged file
 * counts as missing, and a full disk loses the event, but never affects the operation that it records.
 */
export function openHistoryStore({ profileFolder, locks, list }: HistoryStoreOptions): HistoryStore {
  const files = openHistoryFiles(profileFolder);

  async function change(
    ids: readonly string[],
    edit: (history: ServerHistory, id: string) => ServerHistory,
  ): Promise<void> {
    const write = async (): Promise<void> => {
      // Skips servers that were removed meanwhile, and those that exist only in memory.
      const listed = new Set((await list.list()).map(({ id }) => id));
      for (const id of ids) if (listed.has(id)) await files.write(id, edit(await readHistory(files, id), id));
    };
    await locks.hold('history', write).catch(() => {});
  }

  async function recordAll(events: ReadonlyMap<string, readonly ServerEvent[]>): Promise<void> {
    const ids = [...events].flatMap(([id, serverEvents]) => (serverEvents.length > 0 ? [id] : []));
    if (ids.length === 0) return;
    await change(ids, (history, id) => ({ ...history, events: addEvents(history.events, events.get(id) ?? []) }));
  }

  return {
    read: (id) => readHistory(files, id),
    record: (id, events) => recordAll(new Map([[id, events]])),
    recordAll,
    async saveSignIn(id, signIn) {
      if (signIn.entries.length === 0) return;
      await change([id], (history) => ({
        ...history,
        signIns: [truncateSignIn(signIn), ...history.signIns].slice(0, bounds.signIns),
      }));
    },
    async forget(...ids) {
      await locks.hold('history', () => files.remove(...ids)).catch(() => {});
    },
    sweep: () => sweepServerFiles(files, list),
  };
}

export function openHistoryFiles(profileFolder: string): ServerFiles {
  return openServerFiles(path.join(profileFolder, 'history'), bounds.file);
}

/** The valid part of the history; events of a newer version are skipped. */
async function readHistory(files: ServerFiles, id: string): Promise<ServerHistory> {
  try {
    const { events, signIns } = fileSchema.parse(await files.read(id));
    return {
      events: validEntries(serverEventSchema, events).slice(0, bounds.events),
      signIns: validEntries(tracedSignInSchema, signIns).slice(0, bounds.signIns),
    };
  } catch {
    return emptyHistory;
  }
}

function validEntries<Value>(schema: z.ZodMiniType<Value>, values: readonly unknown[]): Value[] {
  return values.flatMap((value) => {
    const { data } = schema.safeParse(value);
    return data === undefined ? [] : [data];
  });
}

/** A repeated failure replaces the previous one, so that a persistent failure does not push out other events. */
function addEvents(stored: ServerHistory['events'], events: ServerHistory['events']): ServerHistory['events'] {
  let all = stored;
  for (const event of events) {
    const [newest, ...older] = all;
    const isSame = newest?.kind === event.kind && isSameError(newest, event);
    all = [event, ...(isSame ? older : all)];
  }
  return all.slice(0, bounds.events);
}

/** Truncates a long trace to its last part, which shows how it ended. */
function truncateSignIn({ at, entries }: TracedSignIn): TracedSignIn {
  let room: number = bounds.signIn;
  const first = entries.findLastIndex((entry) => (room -= Buffer.byteLength(JSON.stringify(entry)) + 1) < 0);
  return { at, entries: entries.slice(first + 1) };
}
