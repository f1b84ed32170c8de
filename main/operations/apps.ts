import { decisionOf } from '../../shared/activity.ts';
import type { ActivityCall, ActivityView } from '../../shared/activity.ts';
import { dropUndefined } from '../../shared/drop-undefined.ts';
import { describeError, isErrorCode } from '../../shared/error-codes.ts';
import { isOtherApp, withWaiting } from '../../shared/app-record.ts';
import { secretOf } from '../apps/entry/our-entries.ts';
import type { EntrySecret } from '../apps/entry/our-entries.ts';
import { recordEntries } from '../apps/inspect/check-entries.ts';
import { stateOf } from '../apps/inspect/inspect-app.ts';
import type { FileState } from '../apps/inspect/inspect-app.ts';
import type { AppDependencies, AppReader } from '../apps/app-dependencies.ts';
import { knownApps, latestUse, appName, revokeRecords, serverAccess } from '../apps/records/app-records.ts';
import { faultFromStat, locateApp } from '../apps/table/app.ts';
import type { LocatedApp, App } from '../apps/table/app.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { IntegrationStore } from '../ports.ts';
import type { ActivityLog } from '../window-ports.ts';
import { listEntryTargets } from './operation.ts';
import type { OperationInput, OperationOutput, Surface, EntryTargetLists } from './operation.ts';

/** The app is neither in the table nor added by the user. */
export class UnknownApp extends PosternError {
  readonly app: string;

  constructor(app: string) {
    super('APP_NOT_FOUND', { stage: 'apps', detail: { unknown: true } });
    this.app = app;
  }
}

/** An app that Postern knows, with what it may use. */
export interface ListedApp extends LocatedApp {
  /** State of its configuration file. */
  readonly state: FileState;
  /** Why it cannot be read. */
  readonly fault?: PosternError;
  /** How its entries prove that it may use Postern; none unless an entry contains an address. */
  readonly secret: EntrySecret;
  /** IDs of servers and collections that it uses: its file has their entry, as last checked, or calls have come. */
  readonly uses: readonly string[];
  /** IDs of those it may use once their entry is in its file. */
  readonly waiting: readonly string[];
  /** Last use, in milliseconds since 1970. */
  readonly lastUsedAt: number | undefined;
  /** It once had access, which was revoked. */
  readonly isRevoked: boolean;
  /** Paused individually; all apps may be paused too. */
  readonly isPaused: boolean;
}

/**
 * Apps in table order, then those added by the user, installed or not. Reads none of their files. `apps`: defaults to
 * all. Errors: CFG_*.
 */
export async function listApps(
  {
    ports,
    apps: engine,
  }: {
    readonly ports: { readonly store: Pick<EnginePorts['store'], 'settings'> };
    readonly apps: Pick<AppReader, 'files' | 'host' | 'records'>;
  },
  apps?: readonly App[],
): Promise<readonly ListedApp[]> {
  const [known, records, { pausedApps = [] }] = await Promise.all([
    apps ?? knownApps(engine),
    engine.records.list(),
    ports.store.settings(),
  ]);
  const describeApp = async (app: App): Promise<ListedApp> => {
    const located = await locateApp(app, engine.files, engine.host);
    const fault = await faultFromStat(engine.files, located);
    const own = records.filter((record) => record.app === app.id);
    const active = own.filter(({ revokedAt }) => revokedAt === undefined);
    const usesHttp = active.some(({ secretHash }) => secretHash !== undefined);
    return {
      ...located,
      state: stateOf(located, fault),
      ...(fault && { fault }),
      secret: secretOf(app, usesHttp),
      ...serverAccess(active, app),
      lastUsedAt: latestUse(active),
      isRevoked: own.length > 0 && active.length === 0,
      isPaused: pausedApps.includes(app.id),
    };
  };
  return await Promise.all(known.map(describeApp));
}

/** The app with this ID, from the table or added by the user. Errors: APP_NOT_FOUND as `UnknownApp`, CFG_*. */
export async function knownApp(apps: Pick<AppReader, 'records'>, id: string): Promise<App> {
  const app = (await knownApps(apps)).find((each) => each.id === id);
  if (!app) throw new UnknownApp(id);
  return app;
}

/**
 * Called when the user has pasted lines: returns servers whose entry is not in the app's file. For an app without a
 * known file the user's word counts. Errors: APP_NOT_FOUND, CFG_*.
 */
export async function pastedLines(
  scope: Pick<Surface, 'changed'> &
    EntryTargetLists & {
      readonly apps: Pick<AppReader, 'records'>;
      readonly openApps: () => Promise<AppDependencies>;
    },
  { app: id }: OperationInput<'app:pasted'>,
): Promise<OperationOutput<'app:pasted'>> {
  const app = await knownApp(scope.apps, id);
  const records = isOtherApp(app.id)
    ? await scope.apps.records.change((known) =>
        known.map((record) => (record.app === app.id ? withWaiting(record, []) : record)),
      )
    : await recordEntries(await scope.openApps(), await listEntryTargets(scope));
  await scope.changed('apps');
  return { missing: [...serverAccess(records, app).waiting] };
}

/** Refuses all requests of an app until it is resumed. Errors: APP_NOT_FOUND, CFG_*. */
export async function pauseApp(
  {
    ports,
    apps,
    changed,
  }: Pick<Surface, 'changed'> & {
    readonly ports: { readonly store: Pick<EnginePorts['store'], 'updateSettings'> };
    readonly apps: Pick<AppReader, 'records'>;
  },
  { app, paused }: OperationInput<'app:pause'>,
): Promise<OperationOutput<'app:pause'>> {
  const { id } = await knownApp(apps, app);
  await ports.store.updateSettings(({ pausedApps = [], ...settings }) => {
    const others = pausedApps.filter((each) => each !== id);
    return { ...settings, pausedApps: paused ? [...others, id] : others };
  });
  await changed('apps');
  return null;
}

/** Revokes an app's access; its entries stay in its file. Null: the user declined. Errors: APP_NOT_FOUND, CFG_*. */
export async function revokeApp(
  { apps, user, changed }: Surface & { readonly apps: Pick<AppReader, 'records' | 'locks' | 'clock'> },
  { app: appId }: OperationInput<'app:revoke'>,
): Promise<OperationOutput<'app:revoke'>> {
  const app = await knownApp(apps, appId);
  const records = await apps.records.list();
  const current = records.filter((record) => record.app === app.id && record.revokedAt === undefined);
  if (!(await user.confirm({ kind: 'revoke', app: app.name, records: current }))) return null;
  const revoked = await revokeRecords(apps, app);
  await changed('apps');
  return { revoked: revoked.map(({ id, app: of, name }) => ({ id, app: of, name })) };
}

export const appOperations = {
  'app:pasted': pastedLines,
  'app:pause': pauseApp,
  'app:revoke': revokeApp,
} as const;

interface Scope {
  readonly activity: Pick<ActivityLog, 'read'>;
  readonly apps: { readonly records: Pick<AppReader['records'], 'list'> };
  readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
}

type CallNames = Pick<ActivityView, 'appName' | 'serverName'>;

/** Current names of the app and the server of each call. Errors: CFG_*. */
export async function namesOfCalls({
  apps,
  ports: { store },
}: Omit<Scope, 'activity'>): Promise<(call: Pick<ActivityCall, 'app' | 'integration' | 'server'>) => CallNames> {
  const records = await apps.records.list();
  const names = new Map((await store.list()).map(({ id, name }) => [id, name]));
  return ({ app, integration = '', server }) => ({
    ...(app !== undefined && { appName: appName(app, records) }),
    serverName: names.get(integration) ?? server,
  });
}

/** App calls recorded by any process, with current app and server names. Errors: CFG_*. */
export async function readActivity(
  { activity, ...scope }: Scope,
  { after }: OperationInput<'activity:read'>,
): Promise<OperationOutput<'activity:read'>> {
  const { first, last, calls } = await activity.read(after);
  if (calls.length === 0) return { first, last, calls: [] };
  const namesOf = await namesOfCalls(scope);
  const named = calls.map((call): ActivityView => {
    const code = call.outcome;
    return {
      ...call,
      ...namesOf(call),
      ...(isErrorCode(code) && {
        failure: dropUndefined({ code, sentence: describeError(code, {}).message, decision: decisionOf(code) }),
      }),
    };
  });
  return { first, last, calls: named };
}

export const activityOperations = {
  'activity:read': readActivity,
} as const;
