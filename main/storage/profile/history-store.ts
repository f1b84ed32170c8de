import path from 'node:path';
import * as z from 'zod/mini';
import { isSameError } from '../../../shared/error-facts.ts';
import { historyBounds as bounds, keptSignInSchema, serverEventSchema } from '../../../shared/trace.ts';
import type { KeptSignIn, ServerEvent, ServerHistory } from '../../../shared/trace.ts';
import type { HistoryStore, Locks } from '../../ports.ts';
import { openServerFiles, sweepServerFiles } from './server-files.ts';
import type { ListedServers, ServerFiles } from './server-files.ts';

export interface HistoryStoreOptions {
  readonly profileFolder: string;
  readonly locks: Locks;
  /** A server that is not in the list has no history. */
  readonly list: ListedServers;
}

const fileSchema = z.object({ events: z.array(z.unknown()), signIns: z.array(z.unknown()) });

const nothing: ServerHistory = { events: [], signIns: [] };

/**
 * What happened to servers, a file for each in `history/` of the profile folder. It can be lost at any time: a
 * damaged file counts as none, and a full disk loses an event, never the work that it tells of.
 */
export function openHistoryStore({ profileFolder, locks, list }: HistoryStoreOptions): HistoryStore {
  const files = openHistoryFiles(profileFolder);

  async function change(
    ids: readonly string[],
    edit: (history: ServerHistory, id: string) => ServerHistory,
  ): Promise<void> {
    const write = async (): Promise<void> => {
      // Nothing is kept of a server that has been removed meanwhile, nor of one that lives in memory alone.
      const listed = new Set((await list.list()).map(({ id }) => id));
      for (const id of ids) if (listed.has(id)) await files.write(id, edit(await readHistory(files, id), id));
    };
    await locks.hold('history', write).catch(() => {});
  }

  async function noteAll(events: ReadonlyMap<string, readonly ServerEvent[]>): Promise<void> {
    const noted = [...events].flatMap(([id, those]) => (those.length > 0 ? [id] : []));
    if (noted.length === 0) return;
    await change(noted, (history, id) => ({ ...history, events: addEvents(history.events, events.get(id) ?? []) }));
  }

  return {
    read: (id) => readHistory(files, id),
    note: (id, events) => noteAll(new Map([[id, events]])),
    noteAll,
    async keepSignIn(id, signIn) {
      if (signIn.entries.length === 0) return;
      await change([id], (history) => ({
        ...history,
        signIns: [withinBounds(signIn), ...history.signIns].slice(0, bounds.signIns),
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

/** What of it can be read; an event of a newer version is passed over. */
async function readHistory(files: ServerFiles, id: string): Promise<ServerHistory> {
  try {
    const { events, signIns } = fileSchema.parse(await files.read(id));
    return {
      events: whatFits(serverEventSchema, events).slice(0, bounds.events),
      signIns: whatFits(keptSignInSchema, signIns).slice(0, bounds.signIns),
    };
  } catch {
    return nothing;
  }
}

function whatFits<Value>(schema: z.ZodMiniType<Value>, values: readonly unknown[]): Value[] {
  return values.flatMap((value) => {
    const { data } = schema.safeParse(value);
    return data === undefined ? [] : [data];
  });
}

/** The same failure again takes the place of the one before, so that one that lasts drives nothing out. */
function addEvents(kept: ServerHistory['events'], events: ServerHistory['events']): ServerHistory['events'] {
  let all = kept;
  for (const event of events) {
    const [newest, ...older] = all;
    const isSame = newest?.kind === event.kind && isSameError(newest, event);
    all = [event, ...(isSame ? older : all)];
  }
  return all.slice(0, bounds.events);
}

/** Only the last part of a history that is too long: that says how it ended. */
function withinBounds({ at, entries }: KeptSignIn): KeptSignIn {
  let room: number = bounds.signIn;
  const first = entries.findLastIndex((entry) => (room -= Buffer.byteLength(JSON.stringify(entry)) + 1) < 0);
  return { at, entries: entries.slice(first + 1) };
}
