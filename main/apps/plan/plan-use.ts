import { isOtherApp } from '../../../shared/app-record.ts';
import { collectionNameIn } from '../../../shared/entry-name.ts';
import { withPreset } from '../../../shared/tool-permissions.ts';
import type { ToolPreset } from '../../../shared/tool-permissions.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AppFile } from '../../app-ports.ts';
import { readEntrySettings, restrictsTools, withEntrySettings, withRules } from '../entry/entry-settings.ts';
import { entryFor, ourEntries, secretOf } from '../entry/our-entries.ts';
import type { HttpAccess, OurEntry } from '../entry/our-entries.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { FileContent } from '../list/entry-list.ts';
import { entryNameFor, newId } from '../app-dependencies.ts';
import type { AppDependencies, EntryTarget } from '../app-dependencies.ts';
import { recordOf, serverAccess, withoutAccess, withAccess } from '../records/app-records.ts';
import { locateApp } from '../table/app.ts';
import type { App } from '../table/app.ts';
import { serversInOtherFiles } from './entry-files.ts';
import { planEdits, planPaste } from './plan-edits.ts';
import { unreadableAsEmpty, readAppFile } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

interface UseOptions {
  /** The name of the entry; only with a single server. */
  readonly as?: string | undefined;
  /** Project folder, absolute. */
  readonly project?: string | undefined;
  /** Default: the file that the app reads. */
  readonly file?: AppFile | undefined;
  /** Write a URL instead of a command. */
  readonly http?: HttpAccess | undefined;
  /** ID for the app's record if it has none yet. Default: a random one. */
  readonly record?: string | undefined;
  /** The rule for the servers' tools in this app. Default: it stays. */
  readonly preset?: ToolPreset | undefined;
}

interface UnuseOptions extends Pick<UseOptions, 'project' | 'file'> {
  /** Revoke permission even if entries in the app's other files would stop working. */
  readonly revokesAccess?: boolean;
}

/** Errors: APP_NOT_FOUND if the app is not installed or has no project file. */
export async function fileToChange(engine: AppDependencies, app: App, project?: string): Promise<AppFile> {
  const notFound = new PosternError('APP_NOT_FOUND', { stage: 'apps', detail: { app: app.name } });
  if (project !== undefined) {
    const separator = engine.host.system === 'win32' ? '\\' : '/';
    const paths = (app.projectFiles ?? []).map((name) => `${project}${separator}${name.replaceAll('/', separator)}`);
    const found = await Promise.all(paths.map((path) => engine.files.find(path)));
    const path = paths.find((_path, index) => found[index] !== undefined) ?? paths.at(-1);
    if (path === undefined) throw notFound;
    return { path, project };
  }
  const { isInstalled, file } = await locateApp(app, engine.files, engine.host);
  if (!isInstalled) throw notFound;
  return file;
}

/**
 * One entry in `app` per integration; existing ones are rewritten. Errors: APP_NOT_FOUND, APP_NAME_TAKEN, APP_FILE_*.
 */
export async function planUse(
  engine: AppDependencies,
  app: App,
  integrations: readonly EntryTarget[],
  { as, project, file: given, http, record, preset }: UseOptions,
): Promise<PlannedChange> {
  if (isOtherApp(app.id)) return await planOtherUse(engine, app, integrations, { as, http, record, preset });
  const file = given ?? (await fileToChange(engine, app, project));
  const { content } = await readAppFile(engine, app, file).catch(unreadableAsEmpty);
  const ours = await ourEntries(engine, file.path, content);
  const id = recordOf(await engine.records.list(), app)?.id ?? record ?? newId(engine, 8);
  const entriesFor = ({ id: own, alias = own }: EntryTarget) =>
    ours.filter((entry) => [alias, own].includes(entry.server));
  return await planEdits(engine, {
    app,
    file,
    edits: integrations.map((integration) => {
      const same = entriesFor(integration);
      const name = as ?? same[0]?.name ?? entryNameFor(integration);
      refuseTakenName(app, content, name, same);
      const entry = entryFor(engine, app, { name, integration, id, http });
      return { name, entry: withEntrySettings(entry, entryNamed(content, name), { enables: true }) };
    }),
    secret: secretOf(app, http !== undefined),
    ...presetRules(integrations, preset),
    servers: integrations.map((integration) => ({
      id: integration.id,
      hasEntry: entriesFor(integration).some((entry) => isWorking(entry, id)),
    })),
    records: grantAccess(engine, app, { id, integrations, file }),
  });
}

/** A collection has no rules of its own. */
function presetRules(
  integrations: readonly EntryTarget[],
  preset: ToolPreset | undefined,
): Pick<PlannedChange, 'rules'> {
  if (preset === undefined) return {};
  const servers = integrations.filter(({ id }) => collectionNameIn(id) === undefined);
  return {
    rules: servers.map(({ id }) => ({ integration: id, preset, change: (level) => withPreset(level, preset) })),
  };
}

/** `record`: ID of the app's record. */
function isWorking({ record: entryRecord = '', hasOldPort, hasOldSecret }: OurEntry, record: string): boolean {
  return ['', record].includes(entryRecord) && !hasOldPort && !hasOldSecret;
}

function refuseTakenName(
  app: App,
  { entries = [] }: FileContent,
  name: string,
  ours: readonly { readonly name: string }[],
): void {
  const names = new Set(entries.map(([known]) => known));
  if (!names.has(name) || ours.some((entry) => entry.name === name)) return;
  let count = 2;
  while (names.has(`${name}-${count}`)) count += 1;
  throw new PosternError('APP_NAME_TAKEN', {
    stage: 'apps',
    detail: { app: app.name },
    remedy: { kind: 'choose-entry-name', free: `${name}-${count}` },
  });
}

/**
 * Removes from one file every entry for one of `servers` (existing ones, or aliases or IDs of deleted ones). Permission
 * to use a server is revoked with its last entry. Errors: APP_NOT_FOUND, APP_FILE_*.
 */
export async function planUnuse(
  engine: AppDependencies,
  app: App,
  servers: readonly (EntryTarget | string)[],
  { project, revokesAccess = false, file: given }: UnuseOptions = {},
): Promise<PlannedChange> {
  if (isOtherApp(app.id)) return planOtherUnuse(app, servers);
  const file = given ?? (await fileToChange(engine, app, project));
  const { content } = await readAppFile(engine, app, file);
  const known = servers.flatMap(namesOf);
  const entries = (await ourEntries(engine, file.path, content)).filter((entry) => known.includes(entry.server));
  const others = revokesAccess ? [] : await serversInOtherFiles(engine, app, file.path);
  const unused = servers.filter((server) => !others.some((other) => namesOf(server).includes(other)));
  return await planEdits(engine, {
    app,
    file,
    edits: entries.map(({ name }) => ({ name, entry: undefined })),
    records: revokeAccess(app, unused),
  });
}

/** An entry names a server by its ID or its alias. */
function namesOf(server: EntryTarget | string): readonly string[] {
  return typeof server === 'string' ? [server] : [server.id, ...(server.alias === undefined ? [] : [server.alias])];
}

/** Only the user knows where the app stores its servers. */
const unknownFile = { path: '' };

type OtherUse = Pick<UseOptions, 'as' | 'http' | 'record' | 'preset'>;

/** Lines to paste into an app that is not in the table. Errors: CFG_*. */
async function planOtherUse(
  engine: AppDependencies,
  app: App,
  integrations: readonly EntryTarget[],
  { as, http, record, preset }: OtherUse,
): Promise<PlannedChange> {
  const known = recordOf(await engine.records.list(), app);
  const id = known?.id ?? record ?? newId(engine, 8);
  const { uses } = serverAccess(known ? [known] : [], app);
  return planPaste({
    app,
    file: unknownFile,
    edits: integrations.map((integration) => {
      const name = as ?? entryNameFor(integration);
      return { name, entry: entryFor(engine, app, { name, integration, id, http }) };
    }),
    secret: secretOf(app, http !== undefined),
    ...presetRules(integrations, preset),
    servers: integrations.map((integration) => ({ id: integration.id, hasEntry: uses.includes(integration.id) })),
    records: grantAccess(engine, app, { id, integrations, file: unknownFile }),
  });
}

/** Only revokes permission: we cannot find the entries, which stop working. `servers`: as for `planUnuse`. */
function planOtherUnuse(app: App, servers: readonly (EntryTarget | string)[]): PlannedChange {
  return planPaste({
    app,
    file: unknownFile,
    edits: servers.map((server) => ({
      name: typeof server === 'string' ? server : entryNameFor(server),
      entry: undefined,
    })),
    records: revokeAccess(app, servers),
  });
}

/**
 * Replaces entries by ours, in one change, under the same names and with the user's settings; their tool lists also
 * become tool rules of Postern. `record`: as in `UseOptions`. Errors: APP_FILE_*.
 */
export async function planTakeOver(
  engine: AppDependencies,
  app: App,
  file: AppFile,
  replaced: readonly { readonly name: string; readonly integration: EntryTarget }[],
  record?: string,
): Promise<PlannedChange> {
  const { content } = await readAppFile(engine, app, file);
  const id = recordOf(await engine.records.list(), app)?.id ?? record ?? newId(engine, 8);
  return await planEdits(engine, {
    app,
    file,
    edits: replaced.map(({ name, integration }) => ({
      name,
      entry: withEntrySettings(entryFor(engine, app, { name, integration, id }), entryNamed(content, name)),
    })),
    rules: replaced.flatMap(({ name, integration }) => {
      const settings = readEntrySettings(entryNamed(content, name));
      const { allowed, denied } = settings;
      const source = { entry: name, ...(allowed && { allowed }), denied };
      return restrictsTools(settings)
        ? [{ integration: integration.id, source, change: (level) => withRules(level, settings) }]
        : [];
    }),
    servers: replaced.map(({ integration }) => ({ id: integration.id, hasEntry: false })),
    records: grantAccess(engine, app, { id, integrations: replaced.map(({ integration }) => integration), file }),
  });
}

interface AccessGrant {
  /** ID of the record that the entries name. */
  readonly id: string;
  readonly integrations: readonly EntryTarget[];
  readonly file: AppFile;
}

/**
 * Grants permission to use the servers. Errors: APP_FILE_CHANGED if the app was revoked or got another record since
 * planning: the entries would name an unknown record.
 */
function grantAccess(
  { clock }: Pick<AppDependencies, 'clock'>,
  app: App,
  { id, integrations, file }: AccessGrant,
): PlannedChange['records'] {
  return (records) => {
    const currentId = recordOf(records, app)?.id ?? (records.some((record) => record.id === id) ? undefined : id);
    if (currentId !== id)
      throw new PosternError('APP_FILE_CHANGED', {
        stage: 'apps',
        ...(file.path !== '' && { detail: { file: file.path } }),
      });
    const now = clock.now();
    return integrations.reduce(
      (known, { id: integration }) => withAccess(known, { id, app, integration, now }),
      records,
    );
  };
}

/** Revokes permission. A deleted server is still known by the ID in its entries. */
function revokeAccess(app: App, servers: readonly (EntryTarget | string)[]): PlannedChange['records'] {
  return (records) =>
    servers.reduce(
      (known, server) => withoutAccess(known, app, typeof server === 'string' ? server : server.id),
      records,
    );
}
