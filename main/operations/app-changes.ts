import { comesOverHttp, isOtherProgram, withoutServer } from '../../shared/program-record.ts';
import type { ProgramChange } from '../../shared/program-view.ts';
import { findSecret } from '../apps/look/look-inside.ts';
import { makeShown } from '../apps/make-change.ts';
import type { MadeChange, ShownChange } from '../apps/make-change.ts';
import {
  filesElsewhere,
  filesOfLeaving,
  filesWithAddresses,
  planLeaving,
  planNewPort,
} from '../apps/plan/plan-leaving.ts';
import type { Leaving, LeavingChange } from '../apps/plan/plan-leaving.ts';
import { planUndo } from '../apps/plan/plan-undo.ts';
import { planUnuse, planUse } from '../apps/plan/plan-use.ts';
import type { PlannedChange } from '../apps/plan/planned-change.ts';
import { gatewayUrlOf, newId } from '../apps/program-engine.ts';
import type { ProgramEngine, ProgramsHere, UsedServer } from '../apps/program-engine.ts';
import { programName, recordOf } from '../apps/records/program-records.ts';
import {
  authorizationOf,
  giveBackSecret,
  hiddenAuthorization,
  keepSecret,
  keptSecret,
  newSecret,
  withSecret,
} from '../apps/records/program-secret.ts';
import { locateProgram } from '../apps/table/program.ts';
import type { Program } from '../apps/table/program.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { ProgramFile } from '../program-ports.ts';
import type { Secret } from '../secret.ts';
import { knownApp } from './apps.ts';
import { allUsed } from './operation.ts';
import type { UsedLists } from './operation.ts';

/** A change of an app's configuration. A surface shows it, lets the user confirm it, and then makes it. */
export interface WantedChange {
  readonly program: Program;
  /** Reads, and changes nothing; it runs once to be shown, and once more before it is made. */
  readonly plan: (engine: ProgramEngine) => Promise<PlannedChange>;
  /** Puts in what is shown to nobody: the app's secret. */
  readonly complete?: (engine: ProgramEngine, planned: PlannedChange) => Promise<PlannedChange>;
  /** What has to be stored before it is made. */
  readonly prepare?: (engine: ProgramEngine) => Promise<void>;
  /** If it was not made after all. Never rejects. */
  readonly giveBack?: () => Promise<void>;
  /** What it takes back. */
  readonly undoes?: ProgramChange;
}

/**
 * Plans it again and makes it. Errors: PROGRAM_FILE_CHANGED where it is no longer what was shown, those of its plan and of
 * `makeChange`.
 */
export async function makeWanted(
  engine: ProgramEngine,
  { plan, complete, prepare, giveBack, undoes }: WantedChange,
  isAsShown?: ShownChange['isAsShown'],
): Promise<MadeChange & { readonly planned: PlannedChange }> {
  const make = async () => {
    await prepare?.(engine);
    return await makeShown(engine, {
      plan: () => plan(engine),
      ...(complete && { complete: (planned) => complete(engine, planned) }),
      ...(isAsShown && { isAsShown }),
    });
  };
  const made = await make().catch(async (error: unknown) => {
    await giveBack?.();
    throw error;
  });
  if (undoes) await noteUndone(engine, undoes);
  return made;
}

/** So that it is not offered to be taken back once more. */
async function noteUndone({ backups, clock }: ProgramEngine, change: ProgramChange): Promise<void> {
  await backups.note({ ...change, undoneAt: clock.now() }).catch((error: unknown) => {
    // The record may have been dropped to make room for the one that took it back.
    if (!(error instanceof PosternError)) throw error;
  });
}

interface UseScope {
  readonly ports: Pick<EnginePorts, 'vault'> & {
    readonly store: Pick<EnginePorts['store'], 'settings' | 'updateSettings'>;
  };
  readonly programs: Pick<ProgramsHere, 'records' | 'random'>;
  /** One for apps over HTTP that nobody has. Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
}

interface UseOptions {
  readonly as?: string | undefined;
  readonly project?: string | undefined;
  readonly file?: ProgramFile | undefined;
  /** The entry holds an address; left out: as the lines that an app without a known file has. */
  readonly isHttp?: boolean | undefined;
}

/**
 * An app uses servers: `read` answers them, each time that it is planned. Errors of its plan: those of `planUse`; of its
 * preparation KC_*, CFG_*.
 */
export function wantedUse(
  scope: UseScope,
  program: Program,
  read: () => Promise<readonly UsedServer[]>,
  { isHttp, ...options }: UseOptions = {},
): WantedChange {
  const fresh = newId(scope.programs, 8);
  const access = new HttpAccess(scope, program, fresh);
  const usesHttp = async ({ records }: ProgramEngine): Promise<boolean> =>
    isHttp ?? (isOtherProgram(program.id) && recordOf(await records.list(), program)?.secretHash !== undefined);
  const planWith = async (engine: ProgramEngine, authorization: string): Promise<PlannedChange> => {
    const http = (await usesHttp(engine))
      ? { gatewayUrl: gatewayUrlOf(await access.port()), authorization }
      : undefined;
    return await planUse(engine, program, await read(), { ...options, record: fresh, http });
  };
  return {
    program,
    plan: (engine) => planWith(engine, hiddenAuthorization),
    async complete(engine, planned) {
      if (!(await usesHttp(engine))) return planned;
      const { id, secret, isNew } = await access.open(engine);
      const isInside = planned.secret === 'header';
      const whole = isInside ? await planWith(engine, authorizationOf(secret)) : planned;
      return {
        ...whole,
        // Lines that a user pastes are of no use without it.
        shown: whole.way === 'paste' ? whole.shown : planned.shown,
        ...(isInside && isNew && { endsSecret: true as const }),
        records: (records) => withSecret(planned.records(records), { id }, secret),
      };
    },
    async prepare(engine) {
      if (await usesHttp(engine)) await access.store(engine);
    },
    giveBack: () => access.giveBack(),
  };
}

interface AppSecret {
  /** Of the app's record. */
  readonly id: string;
  readonly secret: Secret;
  /** The earlier one is lost, so that entries that hold it are useless. */
  readonly isNew: boolean;
}

/** How an app gets in over HTTP: port and secret, the same whenever a change is planned. */
class HttpAccess {
  readonly #scope: UseScope;
  readonly #program: Program;
  readonly #fresh: string;
  #port: number | undefined;
  #secret: AppSecret | undefined;

  constructor(scope: UseScope, program: Program, fresh: string) {
    this.#scope = scope;
    this.#program = program;
    this.#fresh = fresh;
  }

  async port(): Promise<number> {
    const { ports, freePort } = this.#scope;
    return (this.#port ??= (await ports.store.settings()).gatewayPort ?? (await freePort()));
  }

  /** Errors: KC_*; PROGRAM_FILE_CHANGED if the app was revoked, or added by somebody else, since. */
  async open(engine: ProgramEngine): Promise<AppSecret> {
    const record = recordOf(await engine.records.list(), this.#program);
    const id = record?.id ?? this.#fresh;
    if (this.#secret && this.#secret.id !== id) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    if (this.#secret) return this.#secret;
    const vault = await this.#scope.ports.vault();
    const known = record && ((await keptSecret(vault, record)) ?? (await findSecret(engine, this.#program, record)));
    const isNew = record?.secretHash !== undefined && known === undefined;
    return (this.#secret = { id, secret: known ?? newSecret(this.#scope.programs.random), isNew });
  }

  /** Before its record has the hash: with a helper the secret is there before the app asks for it. */
  async store(engine: ProgramEngine): Promise<void> {
    const { id, secret } = await this.open(engine);
    const { store, vault } = this.#scope.ports;
    const port = await this.port();
    await store.updateSettings((settings) =>
      settings.gatewayPort === port ? settings : { ...settings, gatewayPort: port },
    );
    await keepSecret(await vault(), { id }, secret);
  }

  async giveBack(): Promise<void> {
    const { ports, programs } = this.#scope;
    if (this.#secret) await giveBackSecret(ports.vault, programs.records, this.#secret, this.#secret.secret);
  }
}

/** Entries that lead to servers are taken out of one file. Errors of its plan: those of `planUnuse`. */
export function wantedUnuse(
  program: Program,
  read: () => Promise<readonly (UsedServer | string)[]>,
  options: Parameters<typeof planUnuse>[3],
): WantedChange {
  return { program, plan: async (engine) => await planUnuse(engine, program, await read(), options) };
}

/** The same of all files of an app, since an entry that stayed would lead nowhere. Errors: CFG_*. */
export async function wantedUnuseEverywhere(
  engine: ProgramEngine,
  program: Program,
  read: () => Promise<readonly UsedServer[]>,
): Promise<readonly WantedChange[]> {
  const own = wantedUnuse(program, read, { endsRight: true });
  if (isOtherProgram(program.id)) return [own];
  const { path } = (await locateProgram(program, engine.files, engine.surroundings)).file;
  const others = await filesElsewhere(engine, program, path, await read());
  return [own, ...others.map((file) => wantedUnuse(program, read, { endsRight: true, file }))];
}

/**
 * A change of an app's file is taken back, by its id. Errors: PROGRAM_NOT_FOUND, CFG_*; of its plan those of `planUndo`, and
 * UNDO_STALE if only newer ones are known.
 */
export async function wantedUndo(
  scope: UsedLists & { readonly programs: Pick<ProgramsHere, 'records' | 'backups'> },
  { program: programId, change: id }: { readonly program: string; readonly change: string },
): Promise<WantedChange> {
  const program = await knownApp(scope.programs, programId);
  const change = (await scope.programs.backups.list()).find((each) => each.id === id && each.program === program.id);
  return {
    program,
    ...(change && { undoes: change }),
    plan: async (engine) => {
      if (!change) throw new PosternError('UNDO_STALE', { stage: 'programs' });
      return await planUndo(engine, program, change, await allUsed(scope));
    },
  };
}

/** A change of one file, which is without `edits` where there is nothing to do. */
export interface WantedOfFile<Planned extends PlannedChange = PlannedChange> extends WantedChange {
  readonly file: ProgramFile;
  readonly plan: (engine: ProgramEngine) => Promise<Planned>;
}

/** Entries that would lead nowhere are taken out of each file that may have some. Errors: CFG_*; of a plan PROGRAM_FILE_*. */
export async function wantedLeaving(
  engine: ProgramEngine,
  leaving: Leaving,
): Promise<readonly WantedOfFile<LeavingChange>[]> {
  return (await filesOfLeaving(engine, leaving)).map((place) => ({
    ...place,
    plan: (now) => planLeaving(now, place, leaving),
  }));
}

/** What taking entries out of the files of apps and putting them back needs. */
export interface EntriesScope extends UsedLists {
  readonly programs: Pick<ProgramsHere, 'records' | 'backups'>;
  readonly openPrograms: () => Promise<ProgramEngine>;
}

/** Makes a change that the user has agreed to. Answers its id, which `takeBackChanges` undoes, if there was one to make. */
export type AgreedChange = () => Promise<string | undefined>;

export interface RemovalScope extends EntriesScope {
  /**
   * Asks the user about the entries that would lead nowhere. `shown`: tokens of the changes that they have seen, where the
   * surface shows them first. Errors: PROGRAM_FILE_*, USER_CANCELLED, CFG_*.
   */
  readonly agreeOnEntries: (leaving: Leaving, shown: readonly string[]) => Promise<readonly AgreedChange[]>;
  /** Nothing was removed, so entries that had been taken out were put back. */
  readonly onEntriesBack: (entries: EntriesBack) => void | Promise<void>;
}

/**
 * Takes entries out of the files of apps, then removes what they lead to; `remove` gets the ids of those changes. Where
 * one of them fails, or nothing could be removed, the entries come back. Errors: those of all three.
 */
export async function removeWithEntries<Removed>(
  scope: RemovalScope,
  leaving: Exclude<Leaving, { readonly kind: 'program' }>,
  shown: readonly string[],
  remove: (changes: readonly string[]) => Promise<Removed>,
): Promise<Removed> {
  const made: string[] = [];
  try {
    for (const make of await scope.agreeOnEntries(leaving, shown)) {
      const id = await make();
      if (id !== undefined) made.push(id);
    }
    return await remove(made);
  } catch (error) {
    // The user has to learn what failed first, also where the list cannot be read any more.
    await putBackEntries(scope, leaving, made).catch(() => {});
    throw error;
  }
}

/** Unless some of what they lead to is gone already: then its undo brings them back. Errors: CFG_*. */
async function putBackEntries(
  scope: RemovalScope,
  { servers }: { readonly servers: readonly Pick<UsedServer, 'id'>[] },
  made: readonly string[],
): Promise<void> {
  if (made.length === 0) return;
  const there = new Set((await allUsed(scope)).map(({ id }) => id));
  const ids = servers.map(({ id }) => id);
  if (ids.every((id) => there.has(id))) await scope.onEntriesBack(await takeBackChanges(scope, made, ids));
}

export interface EntriesBack {
  /** Apps whose entries are back. */
  readonly entriesBack: readonly NamedApp[];
  /** Those whose file has changed since, or cannot be written. */
  readonly entriesLeft: readonly NamedApp[];
}

interface NamedApp {
  readonly program: string;
  readonly name: string;
  /** Its entries hold an address. */
  readonly isHttp: boolean;
}

/**
 * Takes changes of app files back, the last one first. An app whose file has changed since, or cannot be written, stays as
 * it is, without a right to what came back that no entry uses.
 */
export async function takeBackChanges(
  scope: EntriesScope,
  changes: readonly string[],
  servers: readonly string[],
): Promise<EntriesBack> {
  if (changes.length === 0) return { entriesBack: [], entriesLeft: [] };
  const { programs, openPrograms } = scope;
  const known = await programs.backups.list();
  const left = new Set<string>();
  const back = new Set<string>();
  for (const change of changes.toReversed()) {
    const noted = known.find(({ id }) => id === change);
    // What an earlier try has taken back.
    if (noted?.undoneAt !== undefined) back.add(noted.program);
    if (!noted || noted.undoneAt !== undefined) continue;
    try {
      await makeWanted(await openPrograms(), await wantedUndo(scope, { program: noted.program, change }));
      back.add(noted.program);
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      left.add(noted.program);
    }
  }
  const records = await programs.records.list();
  const withoutEntry = [...left].filter((program) => !back.has(program));
  if (withoutEntry.length > 0)
    await programs.records.change((now) =>
      withoutEntry.reduce(
        (all, program) => servers.reduce((rest, server) => withoutServer(rest, server, program), all),
        now,
      ),
    );
  const named = (ids: ReadonlySet<string>): NamedApp[] =>
    Array.from(ids, (program) => ({
      program,
      name: programName(program, records) ?? program,
      isHttp: records.some((record) => record.program === program && comesOverHttp(record)),
    }));
  return { entriesBack: named(back), entriesLeft: named(left) };
}

/** Entries that hold an address of the gateway lead to `port` from now on. Errors: CFG_*; of a plan PROGRAM_FILE_*. */
export async function wantedPort(
  { ports }: { readonly ports: { readonly store: Pick<EnginePorts['store'], 'list'> } },
  engine: ProgramEngine,
  port: number,
): Promise<readonly WantedOfFile[]> {
  const files = await filesWithAddresses(engine, await ports.store.list());
  return files.map((place) => ({ ...place, plan: (now) => planNewPort(now, place, port) }));
}
