import { isDeepStrictEqual } from 'node:util';
import { withWaiting } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { AppFileFault } from '../../app-ports.ts';
import { findTarget, ourEntries } from '../entry/our-entries.ts';
import type { OurEntry } from '../entry/our-entries.ts';
import { readEntry } from '../entry/read-entry.ts';
import { entryNamed } from '../list/entry-list.ts';
import { findExcludedEntries } from '../plan/excluded-entries.ts';
import { findEntryFiles } from '../plan/entry-files.ts';
import type { EntryFile } from '../plan/entry-files.ts';
import { readAppFile } from '../plan/planned-change.ts';
import type { AppDependencies, EntryTarget } from '../app-dependencies.ts';

/**
 * Why one of our entries does not work: the server was removed, the app was revoked or never allowed to use it, the
 * port or the secret has changed, an app setting excludes it, its command is gone, or another version of Postern wrote
 * it.
 */
export type EntryProblem =
  'server-gone' | 'revoked' | 'not-allowed' | 'old-port' | 'old-secret' | 'excluded' | 'command-gone' | 'other-version';

/** With one of these, the user has still pasted the entry. */
const problemsAfterPaste: readonly (EntryProblem | undefined)[] = [
  undefined,
  'excluded',
  'command-gone',
  'other-version',
];

export interface CheckedEntry {
  readonly name: string;
  /** Alias or ID, as in the file. */
  readonly server: string;
  /** The executable; absent if the entry has a URL. */
  readonly command?: string;
  readonly fault?: EntryProblem;
  /** The excluding setting, with `excluded`. */
  readonly setting?: string;
}

export interface CheckedFile extends EntryFile {
  readonly entries: readonly CheckedEntry[];
  /** Why the file cannot be read. */
  readonly error?: PosternError;
}

/** Checks the entries of this profile in the files that we have written to. Errors: CFG_*. */
export async function checkEntries(
  engine: AppDependencies,
  integrations: readonly EntryTarget[],
): Promise<readonly CheckedFile[]> {
  const files = await findEntryFiles(engine, { kind: 'everything', servers: integrations });
  const records = await engine.records.list();
  return await Promise.all(files.map((entryFile) => checkFile(engine, entryFile, { integrations, records })));
}

/**
 * Records which servers have an entry in the files of their app: the others wait for it, unless calls show that it is
 * elsewhere. A file that cannot be read decides nothing, and neither does an app without a known file. Returns the
 * records. `files`: already checked ones. Errors: CFG_*.
 */
export async function recordEntries(
  engine: AppDependencies,
  servers: readonly EntryTarget[],
  files?: readonly CheckedFile[],
): Promise<readonly AppRecord[]> {
  // A change in flight has written its record but not yet its file.
  return await engine.locks.hold('apps', async () => {
    const records = await engine.records.list();
    if (!records.some(({ revokedAt }) => revokedAt === undefined)) return records;
    const checked = Map.groupBy(files ?? (await checkEntries(engine, servers)), ({ app }) => app.id);
    const update = (record: AppRecord): AppRecord => {
      const { app, integrations, revokedAt, waiting = [], called = [] } = record;
      const own = checked.get(app) ?? [];
      if (revokedAt !== undefined || own.length === 0) return record;
      const entries = own
        .flatMap((file) => file.entries)
        .map(({ server, fault }) => ({ id: findTarget(servers, server)?.id, fault }));
      const works = (id: string): boolean =>
        entries.some((entry) => entry.id === id && problemsAfterPaste.includes(entry.fault));
      const isMissing = (id: string): boolean =>
        own.every(({ error }) => !error) && !called.includes(id) && entries.every((entry) => entry.id !== id);
      return withWaiting(
        record,
        integrations.filter((id) => !works(id) && (waiting.includes(id) || isMissing(id))),
        called.filter((id) => !works(id)),
      );
    };
    if (isDeepStrictEqual(records.map(update), records)) return records;
    return await engine.records.change((known) => known.map(update));
  });
}

interface CheckContext {
  readonly integrations: readonly EntryTarget[];
  readonly records: readonly AppRecord[];
}

async function checkFile(engine: AppDependencies, entryFile: EntryFile, known: CheckContext): Promise<CheckedFile> {
  try {
    const { content } = await readAppFile(engine, entryFile.app, entryFile.file);
    const entries: CheckedEntry[] = [];
    for (const entry of await ourEntries(engine, entryFile.file.path, content)) {
      const value = entryNamed(content, entry.name);
      const { words } = readEntry(value);
      const excludedBy = await findExcludedEntries(engine, entryFile.app, entryFile.file, content, [
        [entry.name, value],
      ]);
      const setting = excludedBy.get(entry.name);
      const fault =
        problemOf(entry, entryFile, known) ??
        (setting === undefined ? await commandProblem(engine, words) : ('excluded' as const));
      entries.push({
        name: entry.name,
        server: entry.server,
        ...(words[0] !== undefined && { command: words[0] }),
        ...(fault && { fault }),
        ...(fault === 'excluded' && setting !== undefined && { setting }),
      });
    }
    return { ...entryFile, entries };
  } catch (error) {
    if (!(error instanceof AppFileFault)) throw error;
    return { ...entryFile, entries: [], error };
  }
}

/** `words`: the command line; empty if the entry has a URL. */
async function commandProblem(
  { pipe, files }: AppDependencies,
  words: readonly string[],
): Promise<EntryProblem | undefined> {
  const [command] = words;
  if (command === undefined || [pipe.command, ...pipe.args].every((word, index) => words[index] === word))
    return undefined;
  return (await files.find(command)) ? 'other-version' : 'command-gone';
}

function problemOf(
  entry: OurEntry,
  { app }: EntryFile,
  { integrations, records }: CheckContext,
): EntryProblem | undefined {
  const integration = findTarget(integrations, entry.server);
  if (!integration) return 'server-gone';
  const own = records.filter((each) => each.app === app.id && (entry.record === undefined || each.id === entry.record));
  const active = own.filter(({ revokedAt }) => revokedAt === undefined);
  if (active.some(({ integrations: allowed }) => allowed.includes(integration.id)))
    return (entry.hasOldPort && 'old-port') ?? (entry.hasOldSecret && 'old-secret');
  return own.length > 0 && active.length === 0 ? 'revoked' : 'not-allowed';
}
