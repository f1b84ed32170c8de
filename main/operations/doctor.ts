import type { CheckView } from '../../shared/desktop-view.ts';
import type { Collection } from '../../shared/collection.ts';
import { collectionNameIn, titleOf } from '../../shared/entry-name.ts';
import { connectProvider } from '../../shared/error-catalog/sign-in-errors.ts';
import type { Integration } from '../../shared/integration.ts';
import { isOtherApp } from '../../shared/app-record.ts';
import type { AppRecord } from '../../shared/app-record.ts';
import { displayText } from '../address/display-text.ts';
import { checkEntries, recordEntries } from '../apps/inspect/check-entries.ts';
import type { CheckedEntry, CheckedFile, EntryProblem } from '../apps/inspect/check-entries.ts';
import { entryTargets } from '../apps/app-dependencies.ts';
import type { AppDependencies, EntryTarget } from '../apps/app-dependencies.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { requireAllowed } from '../engine/records/local-consent.ts';
import { callbackAddress, callbackUrl } from '../engine/sign-in/callback-address.ts';
import { isExpectedError, PosternError, toPlainError } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import type { EndedStatus } from '../stored-status.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/** 1 November 2026, in milliseconds since 1970: this version is newer, so an earlier clock is wrong. */
export const releasedAfter = 1_793_491_200_000;

/** Result of a check; without `error` it passed. */
export interface Finding {
  readonly name: Exclude<CheckView['name'], 'local' | 'apps' | 'collections'>;
  readonly error?: PosternError;
}

/** Whether a local server can be started. */
export interface LocalFinding {
  readonly server: Pick<Integration, 'id' | 'name'>;
  readonly error?: PosternError;
  /** It is no longer started automatically. */
  readonly ended?: EndedStatus;
}

/** Whether app entries point to servers. */
export interface AppFindings {
  readonly files: readonly CheckedFile[];
  /** Servers whose lines the user still has to paste. */
  readonly waiting: readonly { readonly record: AppRecord; readonly server: EntryTarget }[];
  readonly records: readonly AppRecord[];
  /** Collections without a server. */
  readonly empty: readonly Collection[];
}

interface CheckResults {
  readonly callbackUrl?: string;
  readonly checks: readonly Finding[];
  readonly local: readonly LocalFinding[];
  /** Left out: the list cannot be read, which its own check reports. */
  readonly apps?: AppFindings;
}

interface Scope {
  readonly ports: EnginePorts;
  readonly collections: Pick<Collections, 'list'>;
  readonly openApps: () => Promise<AppDependencies>;
  /** Writes, reads and deletes in keychain and vault. Never throws. */
  readonly testStorage: () => Promise<readonly Finding[]>;
  /** Local servers that are no longer started automatically, by ID. Never rejects. */
  readonly endedServers: () => Promise<Pick<ReadonlyMap<string, EndedStatus>, 'get'>>;
}

/**
 * Checks what every sign-in needs, in sequence, then what local servers and apps need; starts nothing. Never throws for
 * a failed check. Errors: USER_CANCELLED. The command adds what the window shows elsewhere (network, notes on a server,
 * pauses, activity) and what depends on its own process (who serves apps, the pipe, the sandbox).
 */
export async function runChecks(scope: Scope): Promise<CheckResults> {
  const { ports } = scope;
  const settings = await attempt('settings', async () => void (await ports.store.list()));
  const storage = await scope.testStorage();
  let url: string | undefined;
  const callback = await attempt('callback', async () => {
    const address = await callbackAddress(ports);
    url = callbackUrl(address);
    const listener = await ports.callbacks.listen(address, { callback: () => 'not-valid', link: () => 'not-valid' });
    await listener.close();
  });
  const all = settings.error ? [] : await ports.store.list();
  const clock = await attempt('clock', async () => checkClock(ports.clock.now(), all));
  const enterpriseServers = all.filter(({ options }) => options.grant === 'enterprise');
  const providers =
    enterpriseServers.length === 0
      ? []
      : [await attempt('providers', async () => checkProviders(enterpriseServers, all))];
  const apps = settings.error ? undefined : await examineApps(scope, all);
  return {
    ...(url !== undefined && { callbackUrl: url }),
    checks: [settings, ...storage, callback, clock, ...providers],
    local: await examineLocal(scope, all),
    ...(apps && { apps }),
  };
}

/** Checks that each command exists, is allowed, and is still started automatically. */
async function examineLocal(
  { ports, endedServers }: Pick<Scope, 'ports' | 'endedServers'>,
  all: readonly Integration[],
): Promise<readonly LocalFinding[]> {
  const localServers = all.flatMap(({ command, ...server }) => (command ? [{ ...server, command }] : []));
  if (localServers.length === 0) return [];
  const endedStatuses = await endedServers();
  return await Promise.all(
    localServers.map(async ({ id, name, command }): Promise<LocalFinding> => {
      const server = { id, name };
      try {
        await ports.local.resolve(command.path, command.folder);
        await requireAllowed(ports, { id, command });
      } catch (error) {
        if (!isExpectedError(error)) throw error;
        return { server, error };
      }
      const ended = endedStatuses.get(id);
      return { server, ...(ended && { ended }) };
    }),
  );
}

/** Checks only app files that Postern has written to. */
async function examineApps(
  { collections: { list }, openApps }: Pick<Scope, 'collections' | 'openApps'>,
  all: readonly Integration[],
): Promise<AppFindings | undefined> {
  try {
    const engine = await openApps();
    const collections = await list();
    const servers = entryTargets(all, collections);
    const files = await checkEntries(engine, servers);
    const records = await recordEntries(engine, servers, files);
    const waiting = records.flatMap((record) =>
      record.revokedAt === undefined
        ? servers.flatMap((server) => (record.waiting?.includes(server.id) ? [{ record, server }] : []))
        : [],
    );
    const exists = (id: string): boolean => all.some((server) => server.id === id);
    return { files, records, waiting, empty: collections.filter(({ members }) => !members.some(exists)) };
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return undefined;
  }
}

/** Runs `runChecks` and returns plain data. Errors: USER_CANCELLED. */
export async function runDoctor(
  scope: Pick<Surface, 'changed'> & Scope,
  _input: OperationInput<'storage:selfTest'>,
): Promise<OperationOutput<'storage:selfTest'>> {
  const { callbackUrl: url, checks, local, apps } = await runChecks(scope);
  await scope.changed('desktop', 'integrations');
  return {
    ...(url !== undefined && { callbackUrl: url }),
    checks: [
      ...checks.map(({ name, error }): CheckView => ({ name, ok: !error, ...(error && plainErrorFields(error)) })),
      ...failuresOrOk('local', local.length > 0, local.flatMap(describeLocal)),
      ...(apps ? describeApps(apps) : []),
    ],
  };
}

async function attempt(name: Finding['name'], work: () => Promise<void>): Promise<Finding> {
  try {
    await work();
    return { name };
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return { name, error };
  }
}

function plainErrorFields(error: PosternError): Pick<CheckView, 'code' | 'message' | 'detail' | 'remedy'> {
  const { code, message, detail, remedy } = toPlainError(error);
  return { code, message, ...(detail && { detail }), remedy };
}

/** The failures, or a single pass. */
function failuresOrOk(name: CheckView['name'], isUsed: boolean, failures: readonly CheckView[]): readonly CheckView[] {
  return failures.length > 0 || !isUsed ? failures : [{ name, ok: true }];
}

function describeLocal({ server, error, ended }: LocalFinding): readonly CheckView[] {
  if (!error && !ended) return [];
  const of = displayText(server.name);
  return [{ name: 'local', ok: false, of, ...(error ? plainErrorFields(error) : { fault: ended }) }];
}

/** Maximum characters of a path or setting, and of a collection's name. */
const maxFactLength = 200;
const maxReferenceLength = 40;

/** Facts for the message about an entry's fault, on each surface. */
export function faultFacts(
  { server, command, setting }: CheckedEntry,
  fault: EntryProblem,
): Pick<CheckView, 'collection' | 'command' | 'setting'> {
  const startsAnother = fault === 'command-gone' || fault === 'other-version';
  return {
    ...(fault === 'server-gone' &&
      collectionNameIn(server) !== undefined && { collection: displayText(server, maxReferenceLength) }),
    ...(startsAnother && command !== undefined && { command: displayText(command, maxFactLength) }),
    ...(setting !== undefined && { setting: displayText(setting, maxFactLength) }),
  };
}

function describeApps({ files, waiting, empty }: AppFindings): readonly CheckView[] {
  const fileChecks = files.flatMap(({ app, entries, error }): readonly CheckView[] => {
    const failed = { name: 'apps', ok: false, of: displayText(app.name) } as const;
    if (error) return [{ ...failed, ...plainErrorFields(error) }];
    return entries.flatMap((entry) =>
      entry.fault
        ? [{ ...failed, entry: displayText(entry.name), fault: entry.fault, ...faultFacts(entry, entry.fault) }]
        : [],
    );
  });
  // An app without a known file only shows that with its first call.
  const waitingChecks = waiting
    .filter(({ record }) => !isOtherApp(record.app))
    .map(({ record, server }): CheckView => {
      const shown = { of: displayText(record.name), entry: displayText(server.name) };
      return { name: 'apps', ok: false, ...shown, fault: 'waiting' };
    });
  const isUsed = files.some(({ entries }) => entries.length > 0);
  return [
    ...failuresOrOk('apps', isUsed, [...fileChecks, ...waitingChecks]),
    ...empty.map((one): CheckView => ({
      name: 'collections',
      ok: false,
      of: displayText(titleOf(one)),
      fault: 'empty',
    })),
  ];
}

const day = 24 * 60 * 60_000;
/** No version is used for longer; certificates expire before that. */
const longestUse = 20 * 365 * day;

/**
 * Checks that the wall clock is plausible: not before this version was released or far after it, nor before the last
 * recorded use of an integration. `now` in milliseconds since 1970. Errors: CLOCK_WRONG.
 */
export function checkClock(now: number, integrations: readonly Integration[]): void {
  const recorded = integrations.flatMap(({ createdAt, signedInAt, refreshedAt }) => [
    createdAt,
    signedInAt,
    refreshedAt,
  ]);
  const lastRecorded = Math.max(0, ...recorded.filter((moment) => moment !== undefined));
  const isPossible = now >= releasedAfter && now <= releasedAfter + longestUse;
  // Tolerates a day: time zones are no fault, and a fast clock may have been corrected.
  if (isPossible && now >= lastRecorded - day) return;
  throw new PosternError('CLOCK_WRONG', { stage: 'postern', detail: { moment: now } });
}

/** Checks that the user is signed in to every identity provider in use. Errors: PROVIDER_SIGN_IN. */
function checkProviders(enterpriseServers: readonly Integration[], all: readonly Integration[]): void {
  for (const { options } of enterpriseServers) {
    const provider = all.find(({ id }) => id === options.identityProvider);
    if (provider?.options.isIdentityProvider && provider.state === 'integrated') continue;
    throw new PosternError('PROVIDER_SIGN_IN', {
      stage: 'token',
      ...(provider ? { detail: { name: provider.name } } : { remedy: connectProvider }),
    });
  }
}

export const doctorOperations = {
  'storage:selfTest': runDoctor,
} as const;
