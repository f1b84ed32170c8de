import type { IpcHandlers, IpcInput } from '../../../shared/ipc-contract.ts';
import { editorProfiles } from '../../apps/plan/editor-profiles.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import type { Leaving } from '../../apps/plan/plan-leaving.ts';
import { otherProgram } from '../../apps/records/program-records.ts';
import type { Program } from '../../apps/table/program.ts';
import { readList } from '../../engine/leave/delete-everything.ts';
import { PosternError } from '../../errors/postern-error.ts';
import {
  wantedLeaving,
  wantedPort,
  wantedUndo,
  wantedUnuseEverywhere,
  wantedUse,
} from '../../operations/app-changes.ts';
import { knownApp } from '../../operations/apps.ts';
import { readUsed } from '../../operations/operation.ts';
import type { Surface } from '../../operations/operation.ts';
import { changeGatewayPort } from '../../operations/settings.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import { lookAtEntries, takeOverOf } from '../apps/program-entries.ts';
import type { ShownChanges } from '../apps/shown-changes.ts';
import type { DesktopContext } from '../desktop-context.ts';

type ProgramHandlers = Pick<
  IpcHandlers,
  Exclude<Extract<keyof IpcHandlers, `program:${string}`>, 'program:pasted' | 'program:pause' | 'program:revoke'>
>;
type UseInput = IpcInput<'program:preview'>['changes'][number];

/** A change of a program is shown first, and made as it was shown or not at all. */
export function programHandlers(
  context: DesktopContext,
  shown: ShownChanges,
  surface: Pick<Surface, 'changed'>,
): ProgramHandlers {
  const { ports, programs, openPrograms, changed, shell, gateway } = context;

  return {
    'program:find': async () => {
      changed('programs');
      return null;
    },
    'program:preview': async ({ changes }) => await shown.show((await Promise.all(changes.map(wantedUses))).flat()),
    'program:previewOther': async ({ name, integration, isHttp }) =>
      await shown.show([wantedUse(context, otherProgram(name), () => readUsed(context, [integration]), { isHttp })]),
    'program:previewUndo': async ({ changes }) =>
      await shown.show(await Promise.all(changes.map((change) => wantedUndo(context, change)))),
    'program:look': async ({ program }) => await lookAtEntries(context, await knownApp(programs, program)),
    'program:previewTakeOver': async ({ entry }) => await shown.show([takeOverOf(context, entry)]),
    'program:previewLeaving': async (what) => {
      const leaving = await whatLeaves(what);
      if (!leaving) return { previews: [], refused: [] };
      return await shown.showNeeded(await wantedLeaving(await openPrograms(), leaving));
    },
    'program:previewPort': async ({ port }) =>
      await shown.showNeeded(await wantedPort(context, await openPrograms(), port)),
    'program:changePort': async ({ port, tokens }) =>
      await changeGatewayPort({ ports, ...surface }, port, shown.making(tokens, false)),
    'program:openPort': async () => {
      await gateway?.changed();
      return { isOpen: gateway?.httpTrouble === undefined };
    },
    'program:change': async ({ tokens }) => {
      try {
        return await shown.make(tokens);
      } finally {
        await surface.changed('programs');
      }
    },
    'program:copyLines': async ({ token }) => {
      shell.copyText(shown.linesOf(token));
      return null;
    },
  };

  /** `undefined`: the list cannot be read, and so names nobody. Errors: NOT_FOUND, PROGRAM_NOT_FOUND. */
  async function whatLeaves(what: IpcInput<'program:previewLeaving'>): Promise<Leaving | undefined> {
    if ('program' in what) return { kind: 'program', program: await knownApp(programs, what.program) };
    if (!('integrations' in what)) {
      const servers = await readList(ports);
      return servers && { kind: 'everything', servers };
    }
    return { kind: 'servers', servers: await readUsed(context, what.integrations) };
  }

  async function wantedUses({ program: programId, integrations, use, editorProfile }: UseInput) {
    const program = await knownApp(programs, programId);
    const read = async () => await readUsed(context, integrations);
    if (!use) return await wantedUnuseEverywhere(await openPrograms(), program, read);
    const profiles = await profilesOf(program);
    const file = profiles.find((profile) => profile.id === editorProfile)?.file;
    // It has gone since it was shown.
    if (editorProfile !== undefined && !file) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    return [{ ...wantedUse(context, program, read, { file }), profiles }];
  }

  /** Those with a list of their own; none where it cannot be told which there are. */
  async function profilesOf(program: Program): Promise<readonly EditorProfile[]> {
    const profiles = await editorProfiles(await openPrograms(), program).catch(orNone);
    return profiles.filter(({ file }) => file.editorProfile !== undefined);
  }
}

function orNone(error: unknown): readonly never[] {
  if (!(error instanceof ProgramFileFault)) throw error;
  return [];
}
