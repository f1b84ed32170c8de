import { isOtherProgram } from '../../shared/program-record.ts';
import type { ProgramChange } from '../../shared/program-view.ts';
import { findSecret } from '../apps/look/look-inside.ts';
import { makeShown } from '../apps/make-change.ts';
import type { MadeChange, ShownChange } from '../apps/make-change.ts';
import { filesElsewhere, filesOfLeaving, planLeaving } from '../apps/plan/plan-leaving.ts';
import type { Leaving, LeavingChange } from '../apps/plan/plan-leaving.ts';
import { filesWithAddresses, planNewPort } from '../apps/plan/plan-new-port.ts';
import { planUndo } from '../apps/plan/plan-undo.ts';
import { planUnuse, planUse } from '../apps/plan/plan-use.ts';
import type { PlannedChange } from '../apps/plan/planned-change.ts';
import { gatewayUrlOf, newId } from '../apps/program-engine.ts';
import type { ProgramEngine, ProgramsHere, UsedServer } from '../apps/program-engine.ts';
import { recordOf } from '../apps/records/program-records.ts';
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
import { allUsed } from './read-server.ts';
import type { UsedLists } from './read-server.ts';

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

/** Entries that hold an address of the gateway lead to `port` from now on. Errors: CFG_*; of a plan PROGRAM_FILE_*. */
export async function wantedPort(
  { ports }: { readonly ports: { readonly store: Pick<EnginePorts['store'], 'list'> } },
  engine: ProgramEngine,
  port: number,
): Promise<readonly WantedOfFile[]> {
  const files = await filesWithAddresses(engine, await ports.store.list());
  return files.map((place) => ({ ...place, plan: (now) => planNewPort(now, place, port) }));
}
