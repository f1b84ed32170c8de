import { canConnectOverHttp, isOtherApp, withoutServer } from '../../shared/app-record.ts';
import type { AppChange } from '../../shared/app-view.ts';
import { findSecret } from '../apps/inspect/inspect-app.ts';
import { applyReviewed } from '../apps/apply-change.ts';
import type { AppliedChange, ReviewedChange } from '../apps/apply-change.ts';
import { filesWithUrls, findEntryFiles, otherFilesUsing } from '../apps/plan/entry-files.ts';
import type { Removal } from '../apps/plan/entry-files.ts';
import { planPortChange, planRemoval } from '../apps/plan/plan-outdated-entries.ts';
import type { RemovalChange } from '../apps/plan/plan-outdated-entries.ts';
import { planUndo } from '../apps/plan/plan-undo.ts';
import { planUnuse, planUse } from '../apps/plan/plan-use.ts';
import type { PlannedChange } from '../apps/plan/planned-change.ts';
import { gatewayUrlOf, newId } from '../apps/app-dependencies.ts';
import type { AppDependencies, AppReader, EntryTarget } from '../apps/app-dependencies.ts';
import { appName, recordOf } from '../apps/records/app-records.ts';
import {
  authorizationOf,
  discardUnusedSecret,
  hiddenAuthorization,
  storeSecret,
  readStoredSecret,
  newSecret,
  withSecret,
} from '../apps/records/app-secret.ts';
import { locateApp } from '../apps/table/app.ts';
import type { App } from '../apps/table/app.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { AppFile } from '../app-ports.ts';
import type { Secret } from '../secret.ts';
import { knownApp } from './apps.ts';
import { listEntryTargets } from './operation.ts';
import type { EntryTargetLists } from './operation.ts';

/** A change of an app's configuration. A surface shows it, has the user confirm it, and then makes it. */
export interface ProposedChange {
  readonly app: App;
  /** Only reads. Runs once for display and once more before the change is made. */
  readonly plan: (engine: AppDependencies) => Promise<PlannedChange>;
  /** Adds what is never shown: the app's secret. */
  readonly complete?: (engine: AppDependencies, planned: PlannedChange) => Promise<PlannedChange>;
  /** Stores what is needed before the change is made. */
  readonly prepare?: (engine: AppDependencies) => Promise<void>;
  /** Reverts `prepare` if the change was not made. Never rejects. */
  readonly rollBack?: () => Promise<void>;
  /** The change that it undoes. */
  readonly undoes?: AppChange;
}

/**
 * Plans the change again and makes it. Errors: APP_FILE_CHANGED if it differs from what was shown, those of its plan
 * and of `applyReviewed`.
 */
export async function applyProposed(
  engine: AppDependencies,
  { plan, complete, prepare, rollBack, undoes }: ProposedChange,
  isAsShown?: ReviewedChange['isAsShown'],
): Promise<AppliedChange & { readonly planned: PlannedChange }> {
  const make = async () => {
    await prepare?.(engine);
    return await applyReviewed(engine, {
      plan: () => plan(engine),
      ...(complete && { complete: (planned) => complete(engine, planned) }),
      ...(isAsShown && { isAsShown }),
    });
  };
  const made = await make().catch(async (error: unknown) => {
    await rollBack?.();
    throw error;
  });
  if (undoes) await recordUndo(engine, undoes);
  return made;
}

/** Marks a change as undone, so that it cannot be undone again. */
async function recordUndo({ backups, clock }: AppDependencies, change: AppChange): Promise<void> {
  await backups.recordOutcome({ ...change, undoneAt: clock.now() }).catch((error: unknown) => {
    // The record may have been dropped to make room for the undo's own.
    if (!(error instanceof PosternError)) throw error;
  });
}

interface UseScope {
  readonly ports: Pick<EnginePorts, 'vault'> & {
    readonly store: Pick<EnginePorts['store'], 'settings' | 'updateSettings'>;
  };
  readonly apps: Pick<AppReader, 'records' | 'random'>;
  /** Returns a free port for apps over HTTP. Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
}

interface UseOptions extends Pick<Parameters<typeof planUse>[3], 'as' | 'project' | 'file' | 'preset'> {
  /** The entry contains an address; left out: as in the lines of an app without a known file. */
  readonly isHttp?: boolean | undefined;
}

/**
 * Adds servers to an app. `read` returns them for each plan. Errors of its plan: those of `planUse`; of its
 * preparation: KC_*, CFG_*.
 */
export function proposeUse(
  scope: UseScope,
  app: App,
  read: () => Promise<readonly EntryTarget[]>,
  { isHttp, ...options }: UseOptions = {},
): ProposedChange {
  const recordId = newId(scope.apps, 8);
  const access = new HttpAccess(scope, app, recordId);
  const usesHttp = async ({ records }: AppDependencies): Promise<boolean> =>
    isHttp ?? (isOtherApp(app.id) && recordOf(await records.list(), app)?.secretHash !== undefined);
  const planWith = async (engine: AppDependencies, authorization: string): Promise<PlannedChange> => {
    const http = (await usesHttp(engine))
      ? { gatewayUrl: gatewayUrlOf(await access.port()), authorization }
      : undefined;
    return await planUse(engine, app, await read(), { ...options, record: recordId, http });
  };
  return {
    app,
    plan: (engine) => planWith(engine, hiddenAuthorization),
    async complete(engine, planned) {
      if (!(await usesHttp(engine))) return planned;
      const { id, secret, isNew } = await access.open(engine);
      const isInside = planned.secret === 'header';
      const completed = isInside ? await planWith(engine, authorizationOf(secret)) : planned;
      return {
        ...completed,
        // Pasted lines need the secret.
        shown: completed.method === 'paste' ? completed.shown : planned.shown,
        ...(isInside && isNew && { replacesSecret: true as const }),
        records: (records) => withSecret(planned.records(records), { id }, secret),
      };
    },
    async prepare(engine) {
      if (await usesHttp(engine)) await access.store(engine);
    },
    rollBack: () => access.rollBack(),
  };
}

interface AppSecret {
  /** ID of the app's record. */
  readonly id: string;
  readonly secret: Secret;
  /** The earlier secret is lost, so entries that contain it no longer work. */
  readonly isNew: boolean;
}

/** Port and secret for an app over HTTP, the same for every plan of a change. */
class HttpAccess {
  readonly #scope: UseScope;
  readonly #app: App;
  readonly #recordId: string;
  #port: number | undefined;
  #secret: AppSecret | undefined;

  constructor(scope: UseScope, app: App, recordId: string) {
    this.#scope = scope;
    this.#app = app;
    this.#recordId = recordId;
  }

  async port(): Promise<number> {
    const { ports, freePort } = this.#scope;
    return (this.#port ??= (await ports.store.settings()).gatewayPort ?? (await freePort()));
  }

  /** Errors: KC_*; APP_FILE_CHANGED if the app was revoked, or added elsewhere, since. */
  async open(engine: AppDependencies): Promise<AppSecret> {
    const record = recordOf(await engine.records.list(), this.#app);
    const id = record?.id ?? this.#recordId;
    if (this.#secret && this.#secret.id !== id) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
    if (this.#secret) return this.#secret;
    const vault = await this.#scope.ports.vault();
    const known = record && ((await readStoredSecret(vault, record)) ?? (await findSecret(engine, this.#app, record)));
    const isNew = record?.secretHash !== undefined && known === undefined;
    return (this.#secret = { id, secret: known ?? newSecret(this.#scope.apps.random), isNew });
  }

  /** Stored before its record has the hash: a helper needs the secret before the app requests it. */
  async store(engine: AppDependencies): Promise<void> {
    const { id, secret } = await this.open(engine);
    const { store, vault } = this.#scope.ports;
    const port = await this.port();
    await store.updateSettings((settings) =>
      settings.gatewayPort === port ? settings : { ...settings, gatewayPort: port },
    );
    await storeSecret(await vault(), { id }, secret);
  }

  async rollBack(): Promise<void> {
    const { ports, apps } = this.#scope;
    if (this.#secret) await discardUnusedSecret(ports.vault, apps.records, this.#secret, this.#secret.secret);
  }
}

/** Removes entries for servers from one file. Errors of its plan: those of `planUnuse`. */
export function proposeUnuse(
  app: App,
  read: () => Promise<readonly (EntryTarget | string)[]>,
  options: Parameters<typeof planUnuse>[3],
): ProposedChange {
  return { app, plan: async (engine) => await planUnuse(engine, app, await read(), options) };
}

/** The same for all files of an app, since a remaining entry would stop working. Errors: CFG_*. */
export async function proposeUnuseEverywhere(
  engine: AppDependencies,
  app: App,
  read: () => Promise<readonly EntryTarget[]>,
): Promise<readonly ProposedChange[]> {
  const own = proposeUnuse(app, read, { revokesAccess: true });
  if (isOtherApp(app.id)) return [own];
  const { path } = (await locateApp(app, engine.files, engine.host)).file;
  const others = await otherFilesUsing(engine, app, path, await read());
  return [own, ...others.map((file) => proposeUnuse(app, read, { revokesAccess: true, file }))];
}

/**
 * Undoes a change of an app's file by its ID. Errors: APP_NOT_FOUND, CFG_*; of its plan: those of `planUndo`, and
 * UNDO_STALE if only newer changes are known.
 */
export async function proposeUndo(
  scope: EntryTargetLists & { readonly apps: Pick<AppReader, 'records' | 'backups'> },
  { app: appId, change: id }: { readonly app: string; readonly change: string },
): Promise<ProposedChange> {
  const app = await knownApp(scope.apps, appId);
  const change = (await scope.apps.backups.list()).find((each) => each.id === id && each.app === app.id);
  return {
    app,
    ...(change && { undoes: change }),
    plan: async (engine) => {
      if (!change) throw new PosternError('UNDO_STALE', { stage: 'apps' });
      return await planUndo(engine, app, change, await listEntryTargets(scope));
    },
  };
}

/** A change of one file; without `edits` if there is nothing to do. */
export interface ProposedFileChange<Planned extends PlannedChange = PlannedChange> extends ProposedChange {
  readonly file: AppFile;
  readonly plan: (engine: AppDependencies) => Promise<Planned>;
}

/**
 * Removes entries that would stop working from each file that may contain some. Errors: CFG_*; of a plan: APP_FILE_*.
 */
export async function proposeRemoval(
  engine: AppDependencies,
  removal: Removal,
): Promise<readonly ProposedFileChange<RemovalChange>[]> {
  return (await findEntryFiles(engine, removal)).map((place) => ({
    ...place,
    plan: (now) => planRemoval(now, place, removal),
  }));
}

/** What removing and restoring entries in app files needs. */
export interface EntryChangeScope extends EntryTargetLists {
  readonly apps: Pick<AppReader, 'records' | 'backups'>;
  readonly openApps: () => Promise<AppDependencies>;
}

/**
 * Makes a change that the user confirmed. Returns its ID for `undoChanges`, or `undefined` if there was nothing to
 * change.
 */
export type ConfirmedChange = () => Promise<string | undefined>;

export interface RemovalScope extends EntryChangeScope {
  /**
   * Asks the user about entries that would stop working. `shown`: tokens of changes they have already seen, if the
   * surface shows them first. Errors: APP_FILE_*, USER_CANCELLED, CFG_*.
   */
  readonly confirmEntries: (removal: Removal, shown: readonly string[]) => Promise<readonly ConfirmedChange[]>;
  /** Called when nothing was removed, so the entries were restored. */
  readonly onEntriesRestored: (entries: RestoredEntries) => void | Promise<void>;
}

/**
 * Removes entries from app files, then what they point to; `remove` gets the IDs of those changes. If one step fails,
 * or nothing could be removed, the entries are restored. Errors: those of all three.
 */
export async function removeWithEntries<Removed>(
  scope: RemovalScope,
  removal: Exclude<Removal, { readonly kind: 'app' }>,
  shown: readonly string[],
  remove: (changes: readonly string[]) => Promise<Removed>,
): Promise<Removed> {
  const made: string[] = [];
  try {
    for (const make of await scope.confirmEntries(removal, shown)) {
      const id = await make();
      if (id !== undefined) made.push(id);
    }
    return await remove(made);
  } catch (error) {
    // Report the first failure, even if the list can no longer be read.
    await restoreEntries(scope, removal, made).catch(() => {});
    throw error;
  }
}

/**
 * Restores entries, unless some of their servers are already removed: then undoing that restores them. Errors: CFG_*.
 */
async function restoreEntries(
  scope: RemovalScope,
  { servers }: { readonly servers: readonly Pick<EntryTarget, 'id'>[] },
  made: readonly string[],
): Promise<void> {
  if (made.length === 0) return;
  const existing = new Set((await listEntryTargets(scope)).map(({ id }) => id));
  const ids = servers.map(({ id }) => id);
  if (ids.every((id) => existing.has(id))) await scope.onEntriesRestored(await undoChanges(scope, made, ids));
}

export interface RestoredEntries {
  /** Apps with restored entries. */
  readonly entriesRestored: readonly NamedApp[];
  /** Apps whose file has changed since or cannot be written. */
  readonly entriesNotRestored: readonly NamedApp[];
}

interface NamedApp {
  readonly app: string;
  readonly name: string;
  /** Its entries contain an address. */
  readonly isHttp: boolean;
}

/**
 * Undoes changes of app files, newest first. An app whose file has changed since or cannot be written stays as it is,
 * and gets no right to restored servers that no entry uses.
 */
export async function undoChanges(
  scope: EntryChangeScope,
  changes: readonly string[],
  servers: readonly string[],
): Promise<RestoredEntries> {
  if (changes.length === 0) return { entriesRestored: [], entriesNotRestored: [] };
  const { apps, openApps } = scope;
  const known = await apps.backups.list();
  const failedApps = new Set<string>();
  const restoredApps = new Set<string>();
  for (const changeId of changes.toReversed()) {
    const change = known.find(({ id }) => id === changeId);
    // Already undone by an earlier attempt.
    if (change?.undoneAt !== undefined) restoredApps.add(change.app);
    if (!change || change.undoneAt !== undefined) continue;
    try {
      await applyProposed(await openApps(), await proposeUndo(scope, { app: change.app, change: changeId }));
      restoredApps.add(change.app);
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      failedApps.add(change.app);
    }
  }
  const records = await apps.records.list();
  const withoutEntry = [...failedApps].filter((app) => !restoredApps.has(app));
  if (withoutEntry.length > 0)
    await apps.records.change((now) =>
      withoutEntry.reduce((all, app) => servers.reduce((rest, server) => withoutServer(rest, server, app), all), now),
    );
  const named = (ids: ReadonlySet<string>): NamedApp[] =>
    Array.from(ids, (app) => ({
      app,
      name: appName(app, records) ?? app,
      isHttp: records.some((record) => record.app === app && canConnectOverHttp(record)),
    }));
  return { entriesRestored: named(restoredApps), entriesNotRestored: named(failedApps) };
}

/** Updates entries that contain the gateway's address to `port`. Errors: CFG_*; of a plan: APP_FILE_*. */
export async function proposePortChange(
  { ports }: { readonly ports: { readonly store: Pick<EnginePorts['store'], 'list'> } },
  engine: AppDependencies,
  port: number,
): Promise<readonly ProposedFileChange[]> {
  const files = await filesWithUrls(engine, await ports.store.list());
  return files.map((place) => ({ ...place, plan: (now) => planPortChange(now, place, port) }));
}
