import type { IpcHandlers, IpcInput } from '../../../shared/ipc-contract.ts';
import { isOtherProgram, withWaiting } from '../../../shared/program-record.ts';
import { changePermissions } from '../../../shared/tool-permissions.ts';
import { acceptTools, readPins } from '../../engine/kept/tool-pins.ts';
import { readList } from '../../engine/leave/delete-everything.ts';
import { toolChanges } from '../../mcp/client/tool-difference.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { settleWaiting } from '../../apps/look/check-entries.ts';
import { editorProfiles } from '../../apps/plan/editor-profiles.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import { filesElsewhere, filesOfLeaving, planLeaving } from '../../apps/plan/plan-leaving.ts';
import type { Leaving } from '../../apps/plan/plan-leaving.ts';
import { filesWithAddresses, planNewPort } from '../../apps/plan/plan-new-port.ts';
import { planUndo } from '../../apps/plan/plan-undo.ts';
import { planUnuse, planUse } from '../../apps/plan/plan-use.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import { gatewayUrlOf, newId } from '../../apps/program-engine.ts';
import type { ProgramEngine, UsedServer } from '../../apps/program-engine.ts';
import { knownPrograms, otherProgram } from '../../apps/records/other-program.ts';
import { recordOf, revokeProgram, usesOf } from '../../apps/records/program-records.ts';
import {
  authorizationOf,
  giveBackSecret,
  hiddenAuthorization,
  keepSecret,
  keptSecret,
  newSecret,
  withSecret,
} from '../../apps/records/program-secret.ts';
import { locateProgram } from '../../apps/table/program.ts';
import type { Program } from '../../apps/table/program.ts';
import type { Secret } from '../../secret.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../../window/desktop-context.ts';
import { lookAtEntries, wantedTakeOver } from '../programs/program-entries.ts';
import type { ShownChanges, WantedChange } from '../../window/apps/shown-changes.ts';
import { allUsed, readServer, readUsed } from '../../operations/read-server.ts';

type ProgramHandlers = Pick<IpcHandlers, Extract<keyof IpcHandlers, `program:${string}`>>;
type UseInput = IpcInput<'program:preview'>['changes'][number];
type UndoInput = IpcInput<'program:previewUndo'>['changes'][number];

/** A change of a program is shown first, and made as it was shown or not at all. */
export function programHandlers(context: DesktopContext, shown: ShownChanges): ProgramHandlers {
  const { ports, programs, openPrograms, ask, changed, shell, gateway } = context;

  return {
    'program:find': async () => {
      changed('programs');
      return null;
    },
    'program:preview': async ({ changes }) => await shown.show((await Promise.all(changes.map(wantedUses))).flat()),
    'program:previewOther': async ({ name, integration, isHttp }) =>
      await shown.show([wantedLines(context, otherProgram(name), { integrations: [integration], isHttp })]),
    'program:previewUndo': async ({ changes }) => await shown.show(await Promise.all(changes.map(wantedUndo))),
    'program:look': async ({ program }) => await lookAtEntries(context, await knownProgram(program)),
    'program:previewTakeOver': async ({ entry }) => await shown.show([wantedTakeOver(context, entry)]),
    'program:previewLeaving': async (what) => {
      const leaving = await whatLeaves(what);
      if (!leaving) return { previews: [], refused: [] };
      const files = await filesOfLeaving(await openPrograms(), leaving);
      return await shown.showNeeded(
        files.map((place) => ({
          program: place.program,
          plan: (engine) => planLeaving(engine, place, leaving),
        })),
      );
    },
    'program:previewPort': async ({ port }) => {
      const integrations = await ports.store.list();
      const files = await filesWithAddresses(await openPrograms(), integrations);
      return await shown.showNeeded(
        files.map((place) => ({
          program: place.program,
          plan: (engine) => planNewPort(engine, place, port),
        })),
      );
    },
    'program:openPort': async () => {
      await gateway?.changed();
      return { isOpen: gateway?.httpTrouble === undefined };
    },
    'program:change': async ({ tokens }) => await shown.make(tokens).finally(() => changed('programs')),
    'program:copyLines': async ({ token }) => {
      shell.copyText(shown.linesOf(token));
      return null;
    },
    'program:pasted': async ({ program: programId }) => {
      const program = await knownProgram(programId);
      const records = isOtherProgram(program.id)
        ? await programs.records.change((known) =>
            known.map((record) => (record.program === program.id ? withWaiting(record, []) : record)),
          )
        : await settleWaiting(await openPrograms(), await allUsed(context));
      changed('programs');
      return { missing: usesOf(records, program).waiting };
    },
    'program:pause': async ({ program: programId, paused }) => {
      const { id } = await knownProgram(programId);
      await ports.store.updateSettings(({ pausedPrograms = [], ...settings }) => {
        const others = pausedPrograms.filter((each) => each !== id);
        return { ...settings, pausedPrograms: paused ? [...others, id] : others };
      });
      changed('programs');
      return null;
    },
    'program:revoke': async ({ program: programId }) => {
      const program = await knownProgram(programId);
      if (!(await ask(windowWords.ask.revoke(program.name)))) return null;
      await revokeProgram(programs, program);
      changed('programs');
      return { revoked: true };
    },
  };

  /** `undefined`: the list cannot be read, and so names nobody. Errors: NOT_FOUND, PROGRAM_NOT_FOUND. */
  async function whatLeaves(what: IpcInput<'program:previewLeaving'>): Promise<Leaving | undefined> {
    if ('program' in what) return { kind: 'program', program: await knownProgram(what.program) };
    if (!('integrations' in what)) {
      const servers = await readList(ports);
      return servers && { kind: 'everything', servers };
    }
    return { kind: 'servers', servers: await readUsed(context, what.integrations) };
  }

  async function wantedUses({
    program: programId,
    integrations,
    use,
    editorProfile,
  }: UseInput): Promise<readonly WantedChange[]> {
    const program = await knownProgram(programId);
    if (use && isOtherProgram(programId)) return [wantedLines(context, program, { integrations })];
    // The same one, however often it is planned.
    const record = newId(programs, 8);
    const wanted = (
      plan: (engine: ProgramEngine, servers: readonly UsedServer[]) => Promise<PlannedChange>,
    ): WantedChange => ({
      program,
      plan: async (engine) => await plan(engine, await readUsed(context, integrations)),
    });
    if (use) {
      const profiles = await profilesOf(program);
      const file = profiles.find((profile) => profile.id === editorProfile)?.file;
      // It has gone since it was shown.
      if (editorProfile !== undefined && !file) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
      const change = wanted((engine, servers) => planUse(engine, program, servers, { record, file }));
      return [{ ...change, profiles }];
    }
    // One switch stands for all files of the program: an entry that stayed would lead nowhere.
    const own = wanted((engine, servers) => planUnuse(engine, program, servers, { endsRight: true }));
    const files = isOtherProgram(programId) ? [] : await filesOf(program, integrations);
    const others = files.map((file) =>
      wanted((engine, servers) => planUnuse(engine, program, servers, { endsRight: true, file })),
    );
    return [own, ...others];
  }

  /** Those with a list of their own; none where it cannot be told which there are. */
  async function profilesOf(program: Program): Promise<readonly EditorProfile[]> {
    const profiles = await editorProfiles(await openPrograms(), program).catch(orNone);
    return profiles.filter(({ file }) => file.editorProfile !== undefined);
  }

  /** Beside the one that it reads now. */
  async function filesOf(program: Program, integrations: readonly string[]): Promise<readonly ProgramFile[]> {
    const engine = await openPrograms();
    const { path } = (await locateProgram(program, engine.files, engine.surroundings)).file;
    return await filesElsewhere(engine, program, path, await readUsed(context, integrations));
  }

  async function wantedUndo({ program: programId, change: id }: UndoInput): Promise<WantedChange> {
    const program = await knownProgram(programId);
    const change = (await programs.backups.list()).find((each) => each.id === id && each.program === program.id);
    // The newest changes alone are kept: it may have gone.
    const gone = new PosternError('UNDO_STALE', { stage: 'programs' });
    return {
      program,
      ...(change && { undoes: change }),
      plan: async (engine) => {
        if (!change) throw gone;
        return await planUndo(engine, program, change, await allUsed(context));
      },
    };
  }

  /** Errors: PROGRAM_NOT_FOUND, CFG_*. */
  async function knownProgram(id: string): Promise<Program> {
    const program = (await knownPrograms(programs)).find((each) => each.id === id);
    if (!program) throw new PosternError('PROGRAM_NOT_FOUND', { stage: 'programs', detail: { unknown: true } });
    return program;
  }
}

function orNone(error: unknown): readonly never[] {
  if (!(error instanceof ProgramFileFault)) throw error;
  return [];
}

/** What programs may call, as the person says in the window. */
export function permissionHandlers({
  ports,
  gateway,
  heldCalls,
  changed,
}: DesktopContext): Pick<
  IpcHandlers,
  'permission:answer' | 'permission:set' | 'permission:changes' | 'permission:accept'
> {
  return {
    'permission:answer': async ({ id, answer }) => {
      heldCalls.answer(id, answer);
      return null;
    },
    'permission:set': async ({ id, ...change }) => {
      const updated = await ports.store.update(id, ({ permissions, ...kept }) => {
        const set = changePermissions(permissions, change);
        return { ...kept, ...(set && { permissions: set }) };
      });
      if (!updated) throw new PosternError('NOT_FOUND', { stage: 'settings', detail: { count: 0 } });
      // It holds once the window shows it.
      await gateway?.changed();
      changed('integrations');
      return null;
    },
    'permission:changes': async ({ id }) => {
      const pins = await readPins(ports, await readServer(ports, id));
      const all = pins ? toolChanges(pins) : [];
      return { changed: [...all], more: (pins?.changed.length ?? 0) - all.length };
    },
    'permission:accept': async ({ id, forms }) => {
      const integration = await readServer(ports, id);
      const { changed: waiting = [] } = (await readPins(ports, integration)) ?? {};
      const seen = new Set(forms);
      await acceptTools(
        ports,
        integration,
        waiting.filter(({ form }) => seen.has(form)),
      );
      await gateway?.changed();
      changed('integrations');
      return null;
    },
  };
}

/** By HTTP: the lines that are copied hold the secret, which is kept once the person says that they stand there. */
interface Access {
  /** Of the program's record. */
  readonly id: string;
  readonly port: number;
  readonly secret: Secret;
  /** The secret in the lines that it has was lost with the vault. */
  readonly endsSecret: boolean;
}

/**
 * Lines for a program that is not in the table, to use servers. `isHttp`: they hold an address; left out, as those that
 * it has.
 */
function wantedLines(
  context: DesktopContext,
  program: Program,
  { integrations: ids, isHttp }: { readonly integrations: readonly string[]; readonly isHttp?: boolean },
): WantedChange {
  const { ports, programs, freePort } = context;
  const fresh = newId(programs, 8);
  let access: Access | undefined;

  async function open(engine: ProgramEngine): Promise<Access | undefined> {
    const record = recordOf(await engine.records.list(), program);
    const id = record?.id ?? fresh;
    if (!(isHttp ?? record?.secretHash !== undefined)) return undefined;
    // It was revoked, or added by somebody else, since it was shown.
    if (access && access.id !== id) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    if (access) return access;
    const kept = record && (await keptSecret(await ports.vault(), record));
    access = {
      id,
      port: (await ports.store.settings()).gatewayPort ?? (await freePort()),
      secret: kept ?? newSecret(ports.random),
      endsSecret: record?.secretHash !== undefined && kept === undefined,
    };
    return access;
  }

  return {
    program,
    async prepare() {
      if (!access) return;
      const { port } = access;
      await ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
      await keepSecret(await ports.vault(), access, access.secret);
    },
    async giveBack() {
      if (!access) return;
      await giveBackSecret(ports.vault, programs.records, access, access.secret);
    },
    plan: async (engine) => {
      const integrations = await readUsed(context, ids);
      const http = await open(engine);
      if (!http) return await planUse(engine, program, integrations, { record: fresh });
      const planWith = (authorization: string) =>
        planUse(engine, program, integrations, {
          record: http.id,
          http: { gatewayUrl: gatewayUrlOf(http.port), authorization },
        });
      const planned = await planWith(hiddenAuthorization);
      const pasted = (await planWith(authorizationOf(http.secret))).shown.after;
      const records: PlannedChange['records'] = (before) => withSecret(planned.records(before), http, http.secret);
      return { ...planned, pasted, ...(http.endsSecret && { endsSecret: true as const }), records };
    },
  };
}
