import { createHash } from 'node:crypto';
import { isOtherApp, otherPrefix, withoutServer, withWaiting } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import type { AppDependencies, AppReader } from '../app-dependencies.ts';
import { commandAndArgs, urlAndHeaders } from '../table/app.ts';
import type { App } from '../table/app.ts';
import { findApp, apps } from '../table/apps.ts';

type Records = readonly AppRecord[];

/** The active record of an app; new entries name it. */
export function recordOf(records: Records, app: App): AppRecord | undefined {
  return records.find((record) => record.app === app.id && record.revokedAt === undefined);
}

/** Grants record `id` permission to use `integration`; creates the record if needed. */
export function withAccess(
  records: Records,
  grant: { readonly id: string; readonly app: App; readonly integration: string; readonly now: number },
): Records {
  const { id, app, integration, now } = grant;
  if (!records.some((record) => record.id === id))
    return [...records, { id, app: app.id, name: app.name, integrations: [integration], createdAt: now }];
  return records.map((record) =>
    record.id === id && !record.integrations.includes(integration)
      ? { ...record, integrations: [...record.integrations, integration] }
      : record,
  );
}

export function withoutAccess(records: Records, app: App, integration: string): Records {
  return withoutServer(records, integration, app.id);
}

/** The server of one of our entries. */
export interface LinkedServer {
  /** ID of the integration or collection. */
  readonly id: string;
  /** A working entry for it already exists. */
  readonly hasEntry: boolean;
}

/** Marks servers as waiting whose lines the user must paste, and clears the mark of those that were written. */
export function updateWaitingMarks(
  records: Records,
  { app, servers = [] }: { readonly app: Pick<App, 'id'>; readonly servers?: readonly LinkedServer[] },
  isPasted: boolean,
): Records {
  if (servers.length === 0) return records;
  const newIds = new Set(servers.map(({ id }) => id));
  const pasted = isPasted ? servers.filter(({ hasEntry }) => !hasEntry).map(({ id }) => id) : [];
  return records.map((record) =>
    record.app === app.id && record.revokedAt === undefined
      ? withWaiting(record, [...(record.waiting ?? []).filter((id) => !newIds.has(id)), ...pasted])
      : record,
  );
}

/**
 * IDs of the servers that an app uses, and of those that wait for their entry. The one place that decides it: see
 * `recordEntries` and the gateway's call log for what is recorded.
 */
export function serverAccess(records: Records, { id }: Pick<App, 'id'>) {
  const own = records.filter(({ app, revokedAt }) => app === id && revokedAt === undefined);
  const uses = new Set(
    own.flatMap(({ integrations, waiting }) => integrations.filter((each) => !waiting?.includes(each))),
  );
  const waiting = new Set(own.flatMap((record) => record.waiting ?? []).filter((each) => !uses.has(each)));
  return { uses: [...uses], waiting: [...waiting] };
}

/** Whether an app gained or lost a server. */
export type AccessChange = 'given' | 'ended';

/** `undefined` if nothing changed. */
export function accessChange(before: Records, after: Records, { id }: Pick<App, 'id'>): AccessChange | undefined {
  const serversIn = (records: Records): readonly string[] =>
    records
      .filter(({ app, revokedAt }) => app === id && revokedAt === undefined)
      .flatMap(({ integrations }) => integrations);
  const [old, now] = [serversIn(before), serversIn(after)];
  if (now.some((each) => !old.includes(each))) return 'given';
  return old.some((each) => !now.includes(each)) ? 'ended' : undefined;
}

/** Revokes the app's records that existed at `now`; a later one is a new consent. */
function withRevoked(records: Records, app: Pick<App, 'id'>, now: number): Records {
  return records.map((record) =>
    record.app === app.id && record.revokedAt === undefined && record.createdAt <= now
      ? { ...record, revokedAt: now }
      : record,
  );
}

/** Milliseconds since 1970; `undefined` if none was ever used. */
export function latestUse(records: Records): number | undefined {
  const moments = records.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/** Every later request of the app is refused. Returns the revoked records. Errors: CFG_*. */
export async function revokeRecords(
  { records, locks, clock }: Pick<AppDependencies, 'records' | 'locks' | 'clock'>,
  app: Pick<App, 'id'>,
): Promise<readonly AppRecord[]> {
  const now = clock.now();
  const revoke = (): Promise<readonly AppRecord[]> => records.change((before) => withRevoked(before, app, now));
  await revoke();
  // Repeat under the lock: a change in flight restores the old records if it fails.
  const after = await locks.hold('apps', revoke);
  return after.filter((record) => record.app === app.id && record.revokedAt === now);
}

/** Characters of an ID after its prefix. */
const maxNameLength = 30;

/**
 * An app that is not in the table, identified by the name the user gave it. Only the user knows where it stores its
 * servers, so they paste the entries, in the most common format.
 */
export function otherApp(name: string, id = idOf(name)): App {
  return {
    id,
    name,
    files: { darwin: [], win32: [], linux: [] },
    format: 'json',
    list: 'mcpServers',
    trailingCommas: false,
    stdio: commandAndArgs,
    http: { type: 'http', ...urlAndHeaders },
    nameRule: 'any',
    whenAbsent: 'paste',
    notice: 'restart',
    evidence: 'the user',
  };
}

/** Apps added by the user that are not revoked, in the order they were added. */
function otherApps(records: readonly AppRecord[]): readonly App[] {
  const own = records.filter(({ app, revokedAt }) => isOtherApp(app) && revokedAt === undefined);
  return [...new Map(own.map((record) => [record.app, otherApp(record.name, record.app)])).values()];
}

/** The table and the apps that the user added. Errors: CFG_*. */
export async function knownApps({
  records,
}: {
  readonly records: Pick<AppReader['records'], 'list'>;
}): Promise<readonly App[]> {
  return [...apps, ...otherApps(await records.list())];
}

/** Like `findApp`, but also finds apps that the user added. */
export function findKnownApp(word: string, records: readonly AppRecord[]): App | undefined {
  const other = otherApp(word);
  return findApp(word) ?? otherApps(records).find(({ id }) => [word.toLowerCase(), other.id].includes(id));
}

export function appName(id: string, records: readonly AppRecord[]): string | undefined {
  return findApp(id)?.name ?? records.find(({ app }) => app === id)?.name;
}

/** Names with characters that an ID cannot hold get a hash, so that they stay distinct. */
function idOf(name: string): string {
  const bare = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
  const hash = createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex').slice(0, 8);
  const isWhole = bare !== '' && bare.length <= maxNameLength && /^[\x20-\x7e]+$/u.test(name);
  return `${otherPrefix}${isWhole ? bare : [bare.slice(0, 20).replace(/-$/u, ''), hash].filter(Boolean).join('-')}`;
}
