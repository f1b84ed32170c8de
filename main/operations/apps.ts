import type { ActivityView } from '../../shared/activity.ts';
import { describeError, isErrorCode } from '../../shared/error-codes.ts';
import { isOtherProgram, withWaiting } from '../../shared/program-record.ts';
import { secretOf } from '../apps/entry/our-entries.ts';
import type { EntrySecret } from '../apps/entry/our-entries.ts';
import { settleWaiting } from '../apps/look/check-entries.ts';
import { stateOf } from '../apps/look/look-inside.ts';
import type { FileState } from '../apps/look/look-inside.ts';
import type { ProgramEngine, ProgramsHere } from '../apps/program-engine.ts';
import { knownPrograms, lastUseOf, programName, revokeProgram, usesOf } from '../apps/records/program-records.ts';
import { faultAtAGlance, locateProgram } from '../apps/table/program.ts';
import type { LocatedProgram, Program } from '../apps/table/program.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { IntegrationStore } from '../ports.ts';
import type { ActivityLog } from '../window-ports.ts';
import { allUsed } from './operation.ts';
import type { OperationInput, OperationOutput, Surface, UsedLists } from './operation.ts';

/** An app is named that is neither in the table nor added by the user. */
export class UnknownApp extends PosternError {
  readonly app: string;

  constructor(app: string) {
    super('PROGRAM_NOT_FOUND', { stage: 'programs', detail: { unknown: true } });
    this.app = app;
  }
}

/** An app that Postern knows, with what it may use. */
export interface ListedApp extends LocatedProgram {
  /** Of the file that counts. */
  readonly state: FileState;
  /** Why it cannot be read. */
  readonly fault?: PosternError;
  /** What in its entries shows that it may use Postern: none, unless one of them holds an address. */
  readonly secret: EntrySecret;
  /** Ids of the servers and collections that it may use, but for those in `waiting`. */
  readonly uses: readonly string[];
  /** Of those that it may use once the user has pasted their lines. */
  readonly waiting: readonly string[];
  /** When it last used one of them, milliseconds since 1970. */
  readonly lastUsedAt: number | undefined;
  /** It was given something once, and may use nothing of it any more. */
  readonly isRevoked: boolean;
  /** Alone: all of them may be paused besides. */
  readonly isPaused: boolean;
}

/**
 * Apps in the order of the table, then those that the user has added, installed or not. None of their files is read.
 * `apps`: left out, all. Errors: CFG_*.
 */
export async function listApps(
  {
    ports,
    programs,
  }: {
    readonly ports: { readonly store: Pick<EnginePorts['store'], 'settings'> };
    readonly programs: Pick<ProgramsHere, 'files' | 'surroundings' | 'records'>;
  },
  apps?: readonly Program[],
): Promise<readonly ListedApp[]> {
  const [known, records, { pausedPrograms = [] }] = await Promise.all([
    apps ?? knownPrograms(programs),
    programs.records.list(),
    ports.store.settings(),
  ]);
  const list = async (app: Program): Promise<ListedApp> => {
    const located = await locateProgram(app, programs.files, programs.surroundings);
    const fault = await faultAtAGlance(programs.files, located);
    const own = records.filter((record) => record.program === app.id);
    const standing = own.filter(({ revokedAt }) => revokedAt === undefined);
    const comesOverHttp = standing.some(({ secretHash }) => secretHash !== undefined);
    return {
      ...located,
      state: stateOf(located, fault),
      ...(fault && { fault }),
      secret: secretOf(app, comesOverHttp),
      ...usesOf(standing, app),
      lastUsedAt: lastUseOf(standing),
      isRevoked: own.length > 0 && standing.length === 0,
      isPaused: pausedPrograms.includes(app.id),
    };
  };
  return await Promise.all(known.map(list));
}

/** The app with this id, or one that the user has added. Errors: PROGRAM_NOT_FOUND as `UnknownApp`, CFG_*. */
export async function knownApp(programs: Pick<ProgramsHere, 'records'>, id: string): Promise<Program> {
  const app = (await knownPrograms(programs)).find((each) => each.id === id);
  if (!app) throw new UnknownApp(id);
  return app;
}

/**
 * The user has pasted lines: answers the servers whose entry is not in the app's file. Of an app without a known file the
 * user's word counts. Errors: PROGRAM_NOT_FOUND, CFG_*.
 */
export async function pastedLines(
  scope: Pick<Surface, 'changed'> &
    UsedLists & {
      readonly programs: Pick<ProgramsHere, 'records'>;
      readonly openPrograms: () => Promise<ProgramEngine>;
    },
  { program: id }: OperationInput<'program:pasted'>,
): Promise<OperationOutput<'program:pasted'>> {
  const app = await knownApp(scope.programs, id);
  const records = isOtherProgram(app.id)
    ? await scope.programs.records.change((known) =>
        known.map((record) => (record.program === app.id ? withWaiting(record, []) : record)),
      )
    : await settleWaiting(await scope.openPrograms(), await allUsed(scope));
  await scope.changed('programs');
  return { missing: [...usesOf(records, app).waiting] };
}

/** Refuses whatever an app requests, until it is resumed. Errors: PROGRAM_NOT_FOUND, CFG_*. */
export async function pauseApp(
  {
    ports,
    programs,
    changed,
  }: Pick<Surface, 'changed'> & {
    readonly ports: { readonly store: Pick<EnginePorts['store'], 'updateSettings'> };
    readonly programs: Pick<ProgramsHere, 'records'>;
  },
  { program, paused }: OperationInput<'program:pause'>,
): Promise<OperationOutput<'program:pause'>> {
  const { id } = await knownApp(programs, program);
  await ports.store.updateSettings(({ pausedPrograms = [], ...settings }) => {
    const others = pausedPrograms.filter((each) => each !== id);
    return { ...settings, pausedPrograms: paused ? [...others, id] : others };
  });
  await changed('programs');
  return null;
}

/** Revokes all that an app may use; its entries stay in its file. Null: the user said no. Errors: PROGRAM_NOT_FOUND, CFG_*. */
export async function revokeApp(
  { programs, user, changed }: Surface & { readonly programs: Pick<ProgramsHere, 'records' | 'locks' | 'clock'> },
  { program }: OperationInput<'program:revoke'>,
): Promise<OperationOutput<'program:revoke'>> {
  const app = await knownApp(programs, program);
  const records = await programs.records.list();
  const current = records.filter((record) => record.program === app.id && record.revokedAt === undefined);
  if (!(await user.confirm({ kind: 'revoke', app: app.name, records: current }))) return null;
  const revoked = await revokeProgram(programs, app);
  await changed('programs');
  return { revoked: revoked.map(({ id, program: of, name }) => ({ id, program: of, name })) };
}

export const appOperations = {
  'program:pasted': pastedLines,
  'program:pause': pauseApp,
  'program:revoke': revokeApp,
} as const;

interface Scope {
  readonly activity: Pick<ActivityLog, 'read'>;
  readonly programs: { readonly records: Pick<ProgramsHere['records'], 'list'> };
  readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
}

/** Which app called what, by whichever process that was noted, with the names that apps and servers have now. Errors: CFG_*. */
export async function readActivity(
  { activity, programs, ports: { store } }: Scope,
  { after }: OperationInput<'activity:read'>,
): Promise<OperationOutput<'activity:read'>> {
  const { first, last, calls } = await activity.read(after);
  if (calls.length === 0) return { first, last, calls: [] };
  const records = await programs.records.list();
  const names = new Map((await store.list()).map(({ id, name }) => [id, name]));
  const named = calls.map((call): ActivityView => {
    const app = call.program === undefined ? undefined : programName(call.program, records);
    const code = call.outcome;
    return {
      ...call,
      ...(app !== undefined && { programName: app }),
      serverName: names.get(call.integration ?? '') ?? call.server,
      ...(isErrorCode(code) && { failure: { code, sentence: describeError(code, {}).message } }),
    };
  });
  return { first, last, calls: named };
}

export const activityOperations = {
  'activity:read': readActivity,
} as const;
