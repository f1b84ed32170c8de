import { withWaiting } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import { findUsed, ourEntries } from '../entry/our-entries.ts';
import type { OurEntry } from '../entry/our-entries.ts';
import { readEntry } from '../entry/read-entry.ts';
import { entryNamed } from '../list/entry-list.ts';
import { findKeptOut } from '../plan/kept-out.ts';
import { filesOfLeaving } from '../plan/plan-leaving.ts';
import type { EntryFile } from '../plan/plan-leaving.ts';
import { readFile } from '../plan/planned-change.ts';
import type { ProgramEngine, UsedServer } from '../program-engine.ts';

/**
 * Why an entry of ours is of no use: its server is gone, its program was revoked, was never allowed to use it, Postern has
 * another port now, or the program another secret; a setting of the program keeps it out; or what it starts is gone, or
 * is not what this version would write.
 */
export type EntryFault =
  'server-gone' | 'revoked' | 'not-allowed' | 'old-port' | 'old-secret' | 'kept-out' | 'command-gone' | 'other-version';

/** An entry with one of these has been pasted all the same. */
const pastedWith: readonly (EntryFault | undefined)[] = [undefined, 'kept-out', 'command-gone', 'other-version'];

export interface CheckedEntry {
  readonly name: string;
  /** Alias or id, as it stands there. */
  readonly server: string;
  /** What it starts; absent: it holds an address. */
  readonly command?: string;
  readonly fault?: EntryFault;
  /** Of `kept-out`. */
  readonly setting?: string;
}

export interface CheckedFile extends EntryFile {
  readonly entries: readonly CheckedEntry[];
  /** It cannot be read. */
  readonly error?: PosternError;
}

/**
 * Entries of this profile in the files that we have written to. Those of another profile are somebody else's. Errors:
 * CFG_*.
 */
export async function checkEntries(
  engine: ProgramEngine,
  integrations: readonly UsedServer[],
): Promise<readonly CheckedFile[]> {
  const files = await filesOfLeaving(engine, { kind: 'everything', servers: integrations });
  const records = await engine.records.list();
  return await Promise.all(files.map((place) => checkFile(engine, place, { integrations, records })));
}

/**
 * Ends the wait of programs whose file has the pasted entry. Answers the records; `files`: as checked just now. Errors:
 * CFG_*.
 */
export async function settleWaiting(
  engine: ProgramEngine,
  servers: readonly UsedServer[],
  files?: readonly CheckedFile[],
): Promise<readonly ProgramRecord[]> {
  const records = await engine.records.list();
  if (!records.some(({ waiting }) => waiting)) return records;
  const checked = files ?? (await checkEntries(engine, servers));
  const isThere = (program: string, id: string): boolean =>
    checked
      .filter((file) => file.program.id === program)
      .flatMap(({ entries }) => entries)
      .some(({ server, fault }) => pastedWith.includes(fault) && findUsed(servers, server)?.id === id);
  return await engine.records.change((known) =>
    known.map((record) =>
      withWaiting(
        record,
        (record.waiting ?? []).filter((id) => !isThere(record.program, id)),
      ),
    ),
  );
}

interface Known {
  readonly integrations: readonly UsedServer[];
  readonly records: readonly ProgramRecord[];
}

async function checkFile(engine: ProgramEngine, place: EntryFile, known: Known): Promise<CheckedFile> {
  try {
    const { content } = await readFile(engine, place.program, place.file);
    const entries: CheckedEntry[] = [];
    for (const entry of await ourEntries(engine, place.file.path, content)) {
      const value = entryNamed(content, entry.name);
      const { words } = readEntry(value);
      const keptOut = await findKeptOut(engine, place.program, place.file, content, [[entry.name, value]]);
      const setting = keptOut.get(entry.name);
      const fault =
        faultOf(entry, place, known) ??
        (setting === undefined ? await faultOfCommand(engine, words) : ('kept-out' as const));
      entries.push({
        name: entry.name,
        server: entry.server,
        ...(words[0] !== undefined && { command: words[0] }),
        ...(fault && { fault }),
        ...(fault === 'kept-out' && setting !== undefined && { setting }),
      });
    }
    return { ...place, entries };
  } catch (error) {
    if (!(error instanceof ProgramFileFault)) throw error;
    return { ...place, entries: [], error };
  }
}

/** `words`: what it starts; none where it holds an address. */
async function faultOfCommand(
  { pipe, files }: ProgramEngine,
  words: readonly string[],
): Promise<EntryFault | undefined> {
  const [command] = words;
  if (command === undefined || [pipe.command, ...pipe.args].every((word, index) => words[index] === word))
    return undefined;
  return (await files.find(command)) ? 'other-version' : 'command-gone';
}

function faultOf(entry: OurEntry, { program }: EntryFile, { integrations, records }: Known): EntryFault | undefined {
  const integration = findUsed(integrations, entry.server);
  if (!integration) return 'server-gone';
  const own = records.filter(
    (each) => each.program === program.id && (entry.record === undefined || each.id === entry.record),
  );
  const standing = own.filter(({ revokedAt }) => revokedAt === undefined);
  if (standing.some(({ integrations: allowed }) => allowed.includes(integration.id)))
    return (entry.hasOldPort && 'old-port') ?? (entry.hasOldSecret && 'old-secret');
  return own.length > 0 && standing.length === 0 ? 'revoked' : 'not-allowed';
}
