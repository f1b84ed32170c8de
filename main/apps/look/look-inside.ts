import type { ProgramRecord } from '../../../shared/program-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { Secret } from '../../secret.ts';
import { describeEntry, ourEntries, withoutSecrets } from '../entry/our-entries.ts';
import type { DescribedEntry, KnownProfile } from '../entry/our-entries.ts';
import { readBearer, readEntry } from '../entry/read-entry.ts';
import { unwrapMcpRemote } from '../import/listed-command.ts';
import { editorProfiles } from '../plan/editor-profiles.ts';
import type { EditorProfile } from '../plan/editor-profiles.ts';
import { findKeptOut } from '../plan/kept-out.ts';
import { filesOfLeaving } from '../plan/plan-leaving.ts';
import { readFile } from '../plan/planned-change.ts';
import type { Way } from '../plan/planned-change.ts';
import type { ProgramEngine, UsedServer } from '../program-engine.ts';
import { hashOfSecret } from '../records/program-secret.ts';
import { pathHere } from '../table/program.ts';
import type { LocatedProgram, Program } from '../table/program.ts';

export type FileState = 'absent' | 'unread' | 'readable' | 'denied' | 'damaged';

/** What is in the files of a program. */
interface ProgramInside extends FileInside {
  readonly profiles: readonly ProfileInside[];
}

interface FileInside {
  readonly state: FileState;
  /** Why it could not be read. */
  readonly fault?: PosternError;
  readonly entries: readonly DescribedEntry[];
}

/** A profile of an editor with a list of its own. */
interface ProfileInside extends EditorProfile, Omit<FileInside, 'fault'> {}

/** Of the file that counts, without a look into it. */
export function stateOf({ places }: Pick<LocatedProgram, 'places'>, fault: PosternError | undefined): FileState {
  if (fault) return 'denied';
  return places[0]?.isThere === true ? 'unread' : 'absent';
}

/** Reads the files of a program. */
export async function lookInside(
  engine: ProgramEngine,
  { program, file, places }: Pick<LocatedProgram, 'program' | 'file' | 'places'>,
  integrations: readonly UsedServer[],
): Promise<ProgramInside> {
  const profiles = await lookIntoProfiles(engine, program, integrations);
  if (places[0]?.isThere !== true) return { state: 'absent', entries: [], profiles };
  return { profiles, ...(await lookIntoFile(engine, program, file, integrations)) };
}

/** Of those with a list of their own; none where it cannot be told which there are. */
async function lookIntoProfiles(
  engine: ProgramEngine,
  program: Program,
  integrations: readonly UsedServer[],
): Promise<readonly ProfileInside[]> {
  const profiles = await editorProfiles(engine, program).catch((error: unknown) => {
    if (!(error instanceof ProgramFileFault)) throw error;
    return [];
  });
  const own = profiles.filter(({ file }) => file.editorProfile !== undefined);
  return await Promise.all(
    own.map(async (profile) => {
      const isThere = (await engine.files.find(profile.file.path)) !== undefined;
      if (!isThere) return { ...profile, state: 'absent' as const, entries: [] };
      const { state, entries } = await lookIntoFile(engine, program, profile.file, integrations);
      return { ...profile, state, entries };
    }),
  );
}

async function lookIntoFile(
  engine: ProgramEngine,
  program: Program,
  file: ProgramFile,
  integrations: readonly UsedServer[],
): Promise<FileInside> {
  try {
    const { content } = await readFile(engine, program, file);
    const known = { integrations, ours: await ourEntries(engine, file.path, content) };
    const { entries = [] } = content;
    const keptOut = await findKeptOut(engine, program, file, content, entries);
    return {
      state: 'readable',
      entries: entries.map(([name, value]) => {
        const setting = keptOut.get(name);
        return { ...describeHere(name, value, known), ...(setting !== undefined && { keptOut: setting }) };
      }),
    };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    const isDenied = error instanceof ProgramFileFault && error.kind === 'denied';
    return { entries: [], fault: error, state: isDenied ? 'denied' : 'damaged' };
  }
}

/** A bridge such as `npx mcp-remote URL` is told by what it leads to. */
function describeHere(name: string, value: unknown, known: KnownProfile): DescribedEntry {
  const described = describeEntry(name, value, known);
  const bridge = described.kind === 'local' ? unwrapMcpRemote(readEntry(value).words) : undefined;
  if (!bridge) return described;
  const headers = bridge.headers.map((header) => header.name);
  return { ...described, url: withoutSecrets(bridge.url), headers: [...described.headers, ...headers] };
}

/** How it is given servers. */
export async function wayOf(
  { files, surroundings }: Pick<ProgramEngine, 'files' | 'surroundings'>,
  { program: { command, whenAbsent }, places }: Pick<LocatedProgram, 'program' | 'places'>,
): Promise<Way> {
  if (command) {
    const commands = command.places.map((place) => pathHere(place, surroundings));
    return (await files.findCommand(command.name, commands)) === undefined ? 'paste' : 'command';
  }
  return whenAbsent === 'paste' && places[0]?.isThere !== true ? 'paste' : 'file';
}

/**
 * The secret of a record whose vault is gone, where an entry of its program shows it still: so the entries that are there
 * go on. Errors: CFG_*.
 */
export async function findSecret(
  engine: ProgramEngine,
  program: Program,
  { secretHash }: Pick<ProgramRecord, 'secretHash'>,
): Promise<Secret | undefined> {
  if (secretHash === undefined) return undefined;
  for (const { file } of await filesOfLeaving(engine, { kind: 'program', program })) {
    try {
      const { content } = await readFile(engine, program, file);
      const bearers = (content.entries ?? []).flatMap(([, value]) => readBearer(readEntry(value)) ?? []);
      const found = bearers.find((bearer) => hashOfSecret(bearer) === secretHash);
      if (found !== undefined) return new Secret(found);
    } catch (error) {
      if (!(error instanceof ProgramFileFault)) throw error;
    }
  }
  return undefined;
}
