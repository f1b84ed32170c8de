import { randomUUID } from 'node:crypto';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import type { ProgramChange } from '../../../shared/program-change.ts';
import type { ProgramPreview } from '../../../shared/program-view.ts';
import { PosternError } from '../../postern-error.ts';
import { makeChange } from '../../programs/make-change.ts';
import { planUndo } from '../../programs/plan-undo.ts';
import { planUnuse, planUse } from '../../programs/plan-use.ts';
import type { PlannedChange } from '../../programs/planned-change.ts';
import type { Program } from '../../programs/program.ts';
import { withRevoked } from '../../programs/program-records.ts';
import { programs as everyProgram } from '../../programs/table.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { describePreview } from '../views/describe-programs.ts';

type ProgramHandlers = Pick<
  IpcHandlers,
  'program:find' | 'program:preview' | 'program:previewUndo' | 'program:change' | 'program:revoke'
>;

interface Shown {
  readonly planned: PlannedChange;
  /** What it takes back. */
  readonly undoes?: ProgramChange;
}

/** A change of a program is shown first, and made as it was shown or not at all. */
export function programHandlers({ ports, programs, openPrograms, ask, changed }: DesktopContext): ProgramHandlers {
  /** What a person looks at: one change at a time, which is made once. */
  const shown = new Map<string, Shown>();

  function show(change: Shown): ProgramPreview {
    const id = randomUUID();
    shown.clear();
    shown.set(id, change);
    return describePreview(id, change.planned, change.undoes !== undefined);
  }

  return {
    'program:find': async () => {
      changed('programs');
      return null;
    },
    'program:preview': async ({ program: programId, integration: id, use }) => {
      const program = knownProgram(programId);
      const integration = await ports.store.read(id);
      if (!integration) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
      const planned = use
        ? await planUse(await openPrograms(), program, integration, {})
        : await planUnuse(await openPrograms(), program, integration);
      return show({ planned });
    },
    'program:previewUndo': async ({ change: id }) => {
      const change = (await programs.backups.list()).find((each) => each.id === id);
      // The newest changes alone are kept: it may have gone.
      if (!change) throw new PosternError('UNDO_STALE', { stage: 'programs' });
      const program = knownProgram(change.program);
      const planned = await planUndo(await openPrograms(), program, change, await ports.store.list());
      return show({ planned, undoes: change });
    },
    'program:change': async ({ id }) => {
      const change = shown.get(id);
      shown.delete(id);
      if (!change) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
      try {
        await makeChange(await openPrograms(), change.planned);
        if (change.undoes) await noteUndone(change.undoes);
      } finally {
        changed('programs');
      }
      return null;
    },
    'program:revoke': async ({ program: programId }) => {
      const program = knownProgram(programId);
      if (!(await ask(windowWords.ask.revoke(program.name)))) return null;
      await programs.records.change((records) => withRevoked(records, program, programs.clock.now()));
      changed('programs');
      return { revoked: true };
    },
  };

  async function noteUndone(change: ProgramChange): Promise<void> {
    await programs.backups.note({ ...change, undoneAt: programs.clock.now() }).catch((error: unknown) => {
      // It may have gone for the one that took it back.
      if (!(error instanceof PosternError)) throw error;
    });
  }
}

/** Errors: PROGRAM_NOT_FOUND. */
function knownProgram(id: string): Program {
  const program = everyProgram.find((each) => each.id === id);
  if (!program) throw new PosternError('PROGRAM_NOT_FOUND', { stage: 'programs', detail: { unknown: 1 } });
  return program;
}
