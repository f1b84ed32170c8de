import type { CheckView } from '../../shared/app-view.ts';
import type { Collection } from '../../shared/collection.ts';
import { collectionNamed, titleOf } from '../../shared/entry-name.ts';
import type { Integration } from '../../shared/integration.ts';
import { isOtherProgram } from '../../shared/program-record.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import { displayText } from '../address/display-text.ts';
import { checkEntries, settleWaiting } from '../apps/look/check-entries.ts';
import type { CheckedEntry, CheckedFile, EntryFault } from '../apps/look/check-entries.ts';
import { usedServers } from '../apps/program-engine.ts';
import type { ProgramEngine, UsedServer } from '../apps/program-engine.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { requireAllowed } from '../engine/kept/local-consent.ts';
import { callbackAddress, callbackUrl } from '../engine/sign-in/callback-address.ts';
import { isOutcome, PosternError, toPlainError } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import type { EndedStatus } from '../kept-status.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/** 1 November 2026, in milliseconds since 1970: this version was made later, so a clock that says less is wrong. */
export const releasedAfter = 1_793_491_200_000;

/** What was tried; without an error all went well. */
export interface Finding {
  readonly name: Exclude<CheckView['name'], 'local' | 'programs' | 'collections'>;
  readonly error?: PosternError;
}

/** Whether a server on this computer could be started. */
export interface LocalFinding {
  readonly server: Pick<Integration, 'id' | 'name'>;
  readonly error?: PosternError;
  /** It is not started by itself. */
  readonly ended?: EndedStatus;
}

/** Whether what apps have leads to servers. */
export interface AppFindings {
  readonly files: readonly CheckedFile[];
  /** Servers whose lines the user has yet to paste. */
  readonly waiting: readonly { readonly record: ProgramRecord; readonly server: UsedServer }[];
  readonly records: readonly ProgramRecord[];
  /** Without a server. */
  readonly empty: readonly Collection[];
}

export interface Examination {
  readonly callbackUrl?: string;
  readonly checks: readonly Finding[];
  readonly local: readonly LocalFinding[];
  /** Left out: the list cannot be read, which its own check tells. */
  readonly apps?: AppFindings;
}

interface Scope {
  readonly ports: EnginePorts;
  readonly collections: Pick<Collections, 'list'>;
  readonly openPrograms: () => Promise<ProgramEngine>;
  /** Writes, reads and deletes in keychain and vault. Never throws. */
  readonly testStorage: () => Promise<readonly Finding[]>;
  /** Servers on this computer that are not started by themselves, by their ids. Never rejects. */
  readonly endedServers: () => Promise<Pick<ReadonlyMap<string, EndedStatus>, 'get'>>;
}

/**
 * Tries what every sign-in needs, one after the other, then what servers on this computer and apps need; starts nothing.
 * Never throws for what it finds. Errors: USER_CANCELLED. The command adds what the window shows elsewhere (the network,
 * notes on a server, pauses, activity) and what its own process is the answer to (who serves apps, the pipe, the sandbox).
 */
export async function examine(scope: Scope): Promise<Examination> {
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
  const served = all.filter(({ options }) => options.grant === 'enterprise');
  const providers = served.length === 0 ? [] : [await attempt('providers', async () => checkProviders(served, all))];
  const apps = settings.error ? undefined : await examineApps(scope, all);
  return {
    ...(url !== undefined && { callbackUrl: url }),
    checks: [settings, ...storage, callback, clock, ...providers],
    local: await examineLocal(scope, all),
    ...(apps && { apps }),
  };
}

/** Each command is there and is what was allowed, and whoever runs it still starts it. */
async function examineLocal(
  { ports, endedServers }: Pick<Scope, 'ports' | 'endedServers'>,
  all: readonly Integration[],
): Promise<readonly LocalFinding[]> {
  const here = all.flatMap(({ command, ...server }) => (command ? [{ ...server, command }] : []));
  if (here.length === 0) return [];
  const endings = await endedServers();
  return await Promise.all(
    here.map(async ({ id, name, command }): Promise<LocalFinding> => {
      const server = { id, name };
      try {
        await ports.local.resolve(command.path, command.folder);
        await requireAllowed(ports, { id, command });
      } catch (error) {
        if (!isOutcome(error)) throw error;
        return { server, error };
      }
      const ended = endings.get(id);
      return { server, ...(ended && { ended }) };
    }),
  );
}

/** Looks into those files of apps alone that Postern has written to. */
async function examineApps(
  { collections: { list }, openPrograms }: Pick<Scope, 'collections' | 'openPrograms'>,
  all: readonly Integration[],
): Promise<AppFindings | undefined> {
  try {
    const engine = await openPrograms();
    const collections = await list();
    const servers = usedServers(all, collections);
    const files = await checkEntries(engine, servers);
    const records = await settleWaiting(engine, servers, files);
    const waiting = records.flatMap((record) =>
      record.revokedAt === undefined
        ? servers.flatMap((server) => (record.waiting?.includes(server.id) ? [{ record, server }] : []))
        : [],
    );
    const isThere = (id: string): boolean => all.some((server) => server.id === id);
    return { files, records, waiting, empty: collections.filter(({ members }) => !members.some(isThere)) };
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return undefined;
  }
}

/** `examine`, in plain data. Errors: USER_CANCELLED. */
export async function runDoctor(
  scope: Pick<Surface, 'changed'> & Scope,
  _input: OperationInput<'storage:selfTest'>,
): Promise<OperationOutput<'storage:selfTest'>> {
  const { callbackUrl: url, checks, local, apps } = await examine(scope);
  await scope.changed('app', 'integrations');
  return {
    ...(url !== undefined && { callbackUrl: url }),
    checks: [
      ...checks.map(({ name, error }): CheckView => ({ name, ok: !error, ...(error && toldBy(error)) })),
      ...onceWell('local', local.length > 0, local.flatMap(describeLocal)),
      ...(apps ? describeApps(apps) : []),
    ],
  };
}

async function attempt(name: Finding['name'], work: () => Promise<void>): Promise<Finding> {
  try {
    await work();
    return { name };
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return { name, error };
  }
}

function toldBy(error: PosternError): Pick<CheckView, 'code' | 'message' | 'detail' | 'remedy'> {
  const { code, message, detail, remedy } = toPlainError(error);
  return { code, message, ...(detail && { detail }), remedy };
}

/** What is wrong, or once that nothing is. */
function onceWell(name: CheckView['name'], isUsed: boolean, wrong: readonly CheckView[]): readonly CheckView[] {
  return wrong.length > 0 || !isUsed ? wrong : [{ name, ok: true }];
}

function describeLocal({ server, error, ended }: LocalFinding): readonly CheckView[] {
  if (!error && !ended) return [];
  const of = displayText(server.name);
  return [{ name: 'local', ok: false, of, ...(error ? toldBy(error) : { fault: ended }) }];
}

/** Characters of a path or a setting, and of the name of a collection. */
const shownFact = 200;
const shownReference = 40;

/** What the sentence about the fault of an entry names, on each surface. */
export function faultFacts(
  { server, command, setting }: CheckedEntry,
  fault: EntryFault,
): Pick<CheckView, 'collection' | 'command' | 'setting'> {
  const startsAnother = fault === 'command-gone' || fault === 'other-version';
  return {
    ...(fault === 'server-gone' &&
      collectionNamed(server) !== undefined && { collection: displayText(server, shownReference) }),
    ...(startsAnother && command !== undefined && { command: displayText(command, shownFact) }),
    ...(setting !== undefined && { setting: displayText(setting, shownFact) }),
  };
}

function describeApps({ files, waiting, empty }: AppFindings): readonly CheckView[] {
  const ofFiles = files.flatMap(({ program, entries, error }): readonly CheckView[] => {
    const wrong = { name: 'programs', ok: false, of: displayText(program.name) } as const;
    if (error) return [{ ...wrong, ...toldBy(error) }];
    return entries.flatMap((entry) =>
      entry.fault
        ? [{ ...wrong, entry: displayText(entry.name), fault: entry.fault, ...faultFacts(entry, entry.fault) }]
        : [],
    );
  });
  // Only its first call tells of an app without a known file.
  const ofUser = waiting
    .filter(({ record }) => !isOtherProgram(record.program))
    .map(({ record, server }): CheckView => {
      const shown = { of: displayText(record.name), entry: displayText(server.name) };
      return { name: 'programs', ok: false, ...shown, fault: 'waiting' };
    });
  const isUsed = files.some(({ entries }) => entries.length > 0);
  return [
    ...onceWell('programs', isUsed, [...ofFiles, ...ofUser]),
    ...empty.map((one): CheckView => ({
      name: 'collections',
      ok: false,
      of: displayText(titleOf(one)),
      fault: 'empty',
    })),
  ];
}

const day = 24 * 60 * 60_000;
/** Nobody runs a version for longer; certificates end before that. */
const longestUse = 20 * 365 * day;

/**
 * Whether the wall clock can be right: not before this version was made, nor far after it, and not before what it said
 * when an integration was used last. `now` in milliseconds since 1970. Errors: CLOCK_WRONG.
 */
export function checkClock(now: number, integrations: readonly Integration[]): void {
  const seen = integrations.flatMap(({ createdAt, signedInAt, refreshedAt }) => [createdAt, signedInAt, refreshedAt]);
  const lastSeen = Math.max(0, ...seen.filter((moment) => moment !== undefined));
  const isPossible = now >= releasedAfter && now <= releasedAfter + longestUse;
  // A day: time zones are no fault, and a clock that ran ahead may have been put right.
  if (isPossible && now >= lastSeen - day) return;
  throw new PosternError('CLOCK_WRONG', { stage: 'app', detail: { moment: now } });
}

/** Somebody is signed in at every identity provider that servers depend on. Errors: PROVIDER_SIGN_IN. */
function checkProviders(served: readonly Integration[], all: readonly Integration[]): void {
  for (const { options } of served) {
    const provider = all.find(({ id }) => id === options.identityProvider);
    if (provider?.options.isIdentityProvider && provider.state === 'integrated') continue;
    throw new PosternError('PROVIDER_SIGN_IN', {
      stage: 'token',
      ...(provider && { detail: { name: provider.name } }),
    });
  }
}

export const doctorOperations = {
  'storage:selfTest': runDoctor,
} as const;
