import type { AppRecord } from '../../../shared/app-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { AppFileFault } from '../../app-ports.ts';
import type { AppFile } from '../../app-ports.ts';
import { Secret } from '../../secret.ts';
import { describeEntry, ourEntries, withoutSecrets } from '../entry/our-entries.ts';
import type { DescribedEntry, KnownProfile } from '../entry/our-entries.ts';
import { readBearer, readEntry } from '../entry/read-entry.ts';
import { unwrapMcpRemote } from '../import/listed-command.ts';
import { editorProfiles } from '../plan/editor-profiles.ts';
import type { EditorProfile } from '../plan/editor-profiles.ts';
import { findExcludedEntries } from '../plan/excluded-entries.ts';
import { findEntryFiles } from '../plan/entry-files.ts';
import { readAppFile } from '../plan/planned-change.ts';
import type { ChangeMethod } from '../plan/planned-change.ts';
import type { AppDependencies, EntryTarget } from '../app-dependencies.ts';
import { hashOfSecret } from '../records/app-secret.ts';
import { expandPath } from '../table/app.ts';
import type { LocatedApp, App } from '../table/app.ts';

export type FileState = 'absent' | 'present' | 'readable' | 'denied' | 'damaged';

/** The contents of an app's files. */
interface AppContents extends FileContents {
  readonly profiles: readonly ProfileContents[];
}

interface FileContents {
  readonly state: FileState;
  /** Why the file could not be read. */
  readonly fault?: PosternError;
  readonly entries: readonly DescribedEntry[];
}

/** An editor profile with a list of its own. */
interface ProfileContents extends EditorProfile, Omit<FileContents, 'fault'> {}

/** State of the file in use, without reading it. */
export function stateOf({ candidates }: Pick<LocatedApp, 'candidates'>, fault: PosternError | undefined): FileState {
  if (fault) return 'denied';
  return candidates[0]?.exists === true ? 'present' : 'absent';
}

/** Reads the files of an app. */
export async function inspectApp(
  engine: AppDependencies,
  { app, file, candidates }: Pick<LocatedApp, 'app' | 'file' | 'candidates'>,
  integrations: readonly EntryTarget[],
): Promise<AppContents> {
  const profiles = await inspectProfiles(engine, app, integrations);
  if (candidates[0]?.exists !== true) return { state: 'absent', entries: [], profiles };
  return { profiles, ...(await inspectFile(engine, app, file, integrations)) };
}

/** Profiles with a list of their own; none if the editor's list of profiles cannot be read. */
async function inspectProfiles(
  engine: AppDependencies,
  app: App,
  integrations: readonly EntryTarget[],
): Promise<readonly ProfileContents[]> {
  const profiles = await editorProfiles(engine, app).catch((error: unknown) => {
    if (!(error instanceof AppFileFault)) throw error;
    return [];
  });
  const own = profiles.filter(({ file }) => file.editorProfile !== undefined);
  return await Promise.all(
    own.map(async (profile) => {
      const exists = (await engine.files.find(profile.file.path)) !== undefined;
      if (!exists) return { ...profile, state: 'absent' as const, entries: [] };
      const { state, entries } = await inspectFile(engine, app, profile.file, integrations);
      return { ...profile, state, entries };
    }),
  );
}

async function inspectFile(
  engine: AppDependencies,
  app: App,
  file: AppFile,
  integrations: readonly EntryTarget[],
): Promise<FileContents> {
  try {
    const { content } = await readAppFile(engine, app, file);
    const known = { integrations, ours: await ourEntries(engine, file.path, content) };
    const { entries = [] } = content;
    const excludedBy = await findExcludedEntries(engine, app, file, content, entries);
    return {
      state: 'readable',
      entries: entries.map(([name, value]) => {
        const setting = excludedBy.get(name);
        return { ...describeWithBridge(name, value, known), ...(setting !== undefined && { excludedBy: setting }) };
      }),
    };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    const isDenied = error instanceof AppFileFault && error.kind === 'denied';
    return { entries: [], fault: error, state: isDenied ? 'denied' : 'damaged' };
  }
}

/** Describes a bridge such as `npx mcp-remote URL` by the server behind it. */
function describeWithBridge(name: string, value: unknown, known: KnownProfile): DescribedEntry {
  const described = describeEntry(name, value, known);
  const bridge = described.kind === 'local' ? unwrapMcpRemote(readEntry(value).words) : undefined;
  if (!bridge) return described;
  const headers = bridge.headers.map((header) => header.name);
  return { ...described, url: withoutSecrets(bridge.url), headers: [...described.headers, ...headers] };
}

/** How Postern adds servers to the app. */
export async function changeMethod(
  { files, host }: Pick<AppDependencies, 'files' | 'host'>,
  { app: { command, whenAbsent }, candidates }: Pick<LocatedApp, 'app' | 'candidates'>,
): Promise<ChangeMethod> {
  if (command) {
    const commands = command.places.map((place) => expandPath(place, host));
    return (await files.findCommand(command.name, commands)) === undefined ? 'paste' : 'command';
  }
  return whenAbsent === 'paste' && candidates[0]?.exists !== true ? 'paste' : 'file';
}

/**
 * Recovers a record's secret from an existing entry if the vault is gone, so that existing entries keep working.
 * Errors: CFG_*.
 */
export async function findSecret(
  engine: AppDependencies,
  app: App,
  { secretHash }: Pick<AppRecord, 'secretHash'>,
): Promise<Secret | undefined> {
  if (secretHash === undefined) return undefined;
  for (const { file } of await findEntryFiles(engine, { kind: 'app', app })) {
    try {
      const { content } = await readAppFile(engine, app, file);
      const bearers = (content.entries ?? []).flatMap(([, value]) => readBearer(readEntry(value)) ?? []);
      const found = bearers.find((bearer) => hashOfSecret(bearer) === secretHash);
      if (found !== undefined) return new Secret(found);
    } catch (error) {
      if (!(error instanceof AppFileFault)) throw error;
    }
  }
  return undefined;
}
