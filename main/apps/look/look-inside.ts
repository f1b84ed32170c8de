import type { ProgramRecord } from '../../../shared/program-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { Secret } from '../../secret.ts';
import { describeEntry, ourEntries, secretOf, withoutSecrets } from '../entry/our-entries.ts';
import type { DescribedEntry, EntrySecret, KnownProfile } from '../entry/our-entries.ts';
import { readBearer, readEntry } from '../entry/read-entry.ts';
import { unwrapMcpRemote } from '../import/listed-command.ts';
import { editorProfiles } from '../plan/editor-profiles.ts';
import type { EditorProfile } from '../plan/editor-profiles.ts';
import { findKeptOut } from '../plan/kept-out.ts';
import { filesOfLeaving } from '../plan/plan-leaving.ts';
import { readFile } from '../plan/planned-change.ts';
import type { Way } from '../plan/planned-change.ts';
import type { ProgramEngine, UsedServer } from '../program-engine.ts';
import { lastUseOf, usesOf } from '../records/program-records.ts';
import { hashOfSecret } from '../records/program-secret.ts';
import { faultAtAGlance, locateProgram, pathHere } from '../table/program.ts';
import type { LocatedProgram, Program } from '../table/program.ts';

type FileState = 'absent' | 'unread' | 'readable' | 'denied' | 'damaged';

/** A program on this computer. */
export interface DescribedProgram extends LocatedProgram {
  readonly way: Way;
  /** Of the file that counts. */
  readonly state: FileState;
  /** What in its entries shows that it may use Postern: none, unless one of them holds an address. */
  readonly secret: EntrySecret;
  /** Why it could not be read. */
  readonly fault?: PosternError;
  /** Empty while nobody looks inside, as `profiles`. */
  readonly entries: readonly DescribedEntry[];
  readonly profiles: readonly DescribedProfile[];
  /** Ids of the integrations that it may use, but for those in `waiting`. */
  readonly uses: readonly string[];
  /** Of those that it may use once the user has pasted their lines. */
  readonly waiting: readonly string[];
  /** When it last used one of them, milliseconds since 1970. */
  readonly lastUsedAt: number | undefined;
}

/** A profile of an editor with a list of its own. */
interface DescribedProfile extends EditorProfile {
  readonly state: FileState;
  readonly entries: readonly DescribedEntry[];
}

/** Whether it is there, and may be read, without a look into any file. */
export async function describeProgram(engine: ProgramEngine, program: Program): Promise<DescribedProgram> {
  const located = await locateProgram(program, engine.files, engine.surroundings);
  const isThere = located.places[0]?.isThere === true;
  const records = (await engine.records.list()).filter(
    (record) => record.program === program.id && record.revokedAt === undefined,
  );
  const fault = await faultAtAGlance(engine.files, located);
  return {
    ...located,
    ...(fault && { fault }),
    way: await wayOf(engine, program, isThere),
    state: fault ? 'denied' : isThere ? 'unread' : 'absent',
    secret: secretOf(
      program,
      records.some(({ secretHash }) => secretHash !== undefined),
    ),
    entries: [],
    profiles: [],
    ...usesOf(records, program),
    lastUsedAt: lastUseOf(records),
  };
}

/** The same with what stands in its files, which are read. */
export async function lookInside(
  engine: ProgramEngine,
  program: Program,
  integrations: readonly UsedServer[],
): Promise<DescribedProgram> {
  const described = await describeProgram(engine, program);
  const profiles = await lookIntoProfiles(engine, program, integrations);
  if (described.state === 'absent') return { ...described, profiles };
  return { ...described, profiles, ...(await lookIntoFile(engine, program, described.file, integrations)) };
}

/** Of those with a list of their own; none where it cannot be told which there are. */
async function lookIntoProfiles(
  engine: ProgramEngine,
  program: Program,
  integrations: readonly UsedServer[],
): Promise<readonly DescribedProfile[]> {
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
): Promise<Pick<DescribedProgram, 'state' | 'entries' | 'fault'>> {
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

async function wayOf({ files, surroundings }: ProgramEngine, program: Program, isThere: boolean): Promise<Way> {
  const { command, whenAbsent } = program;
  if (command) {
    const places = command.places.map((place) => pathHere(place, surroundings));
    return (await files.findCommand(command.name, places)) === undefined ? 'paste' : 'command';
  }
  return whenAbsent === 'paste' && !isThere ? 'paste' : 'file';
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
