import type { IpcInput } from '../../../shared/ipc-contract.ts';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { PosternError } from '../../postern-error.ts';
import { planUndo } from '../../programs/plan-undo.ts';
import { planUnuse, planUse } from '../../programs/plan-use.ts';
import type { Program } from '../../programs/program.ts';
import { newId } from '../../programs/program-engine.ts';
import { withRevoked } from '../../programs/program-records.ts';
import { programs as everyProgram } from '../../programs/table.ts';
import { windowWords } from '../../window-words.ts';
import { createSeal } from '../../programs/seal-change.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { lookAtEntries, wantedTakeOver } from '../program-entries.ts';
import { ShownChanges, type WantedChange } from '../shown-changes.ts';

type ProgramHandlers = Pick<IpcHandlers, Extract<keyof IpcHandlers, `program:${string}`>>;
type UseInput = IpcInput<'program:preview'>['changes'][number];
type UndoInput = IpcInput<'program:previewUndo'>['changes'][number];

/** A change of a program is shown first, and made as it was shown or not at all. */
export function programHandlers(context: DesktopContext): ProgramHandlers {
  const { ports, programs, openPrograms, ask, changed } = context;
  const shown = new ShownChanges(openPrograms, createSeal(ports.random));

  return {
    'program:find': async () => {
      changed('programs');
      return null;
    },
    'program:preview': async ({ changes }) => await shown.show(changes.map(wantedUse)),
    'program:previewUndo': async ({ changes }) => await shown.show(await Promise.all(changes.map(wantedUndo))),
    'program:look': async ({ program }) => await lookAtEntries(context, knownProgram(program)),
    'program:previewTakeOver': async ({ entry }) => await shown.show([wantedTakeOver(context, entry)]),
    'program:change': async ({ tokens }) => await shown.make(tokens).finally(() => changed('programs')),
    'program:revoke': async ({ program: programId }) => {
      const program = knownProgram(programId);
      if (!(await ask(windowWords.ask.revoke(program.name)))) return null;
      await programs.records.change((records) => withRevoked(records, program, programs.clock.now()));
      changed('programs');
      return { revoked: true };
    },
  };

  function wantedUse({ program: programId, integration: id, use }: UseInput): WantedChange {
    const program = knownProgram(programId);
    // The same one, however often it is planned.
    const record = newId(programs, 8);
    return {
      program,
      plan: async (engine) => {
        const integration = await ports.store.read(id);
        if (!integration) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
        return use
          ? await planUse(engine, program, integration, { record })
          : await planUnuse(engine, program, integration);
      },
    };
  }

  async function wantedUndo({ program: programId, change: id }: UndoInput): Promise<WantedChange> {
    const program = knownProgram(programId);
    const change = (await programs.backups.list()).find((each) => each.id === id && each.program === program.id);
    // The newest changes alone are kept: it may have gone.
    const gone = new PosternError('UNDO_STALE', { stage: 'programs' });
    return {
      program,
      ...(change && { undoes: change }),
      plan: async (engine) => {
        if (!change) throw gone;
        return await planUndo(engine, program, change, await ports.store.list());
      },
    };
  }
}

/** Errors: PROGRAM_NOT_FOUND. */
function knownProgram(id: string): Program {
  const program = everyProgram.find((each) => each.id === id);
  if (!program) throw new PosternError('PROGRAM_NOT_FOUND', { stage: 'programs', detail: { unknown: 1 } });
  return program;
}
