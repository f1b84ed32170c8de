import type { ProgramChange } from '../../shared/program-change.ts';
import type { ProgramOutcomes, ProgramPreviews } from '../../shared/program-view.ts';
import { toPlainError } from '../plain-error.ts';
import { PosternError } from '../postern-error.ts';
import { makeShown } from '../programs/make-change.ts';
import type { PlannedChange } from '../programs/planned-change.ts';
import type { Program } from '../programs/program.ts';
import type { ProgramEngine } from '../programs/program-engine.ts';
import type { SealChange } from '../programs/seal-change.ts';
import { describeMade, describePreview } from './views/describe-programs.ts';

/** What a window asks for. */
export interface WantedChange {
  readonly program: Program;
  /** Reads, and changes nothing; it runs once to be shown, and once more before it is made. */
  readonly plan: (engine: ProgramEngine) => Promise<PlannedChange>;
  /** What it takes back. */
  readonly undoes?: ProgramChange;
}

/** Changes of programs: each is shown first, and made once, as it was shown or not at all. */
export class ShownChanges {
  readonly #openPrograms: () => Promise<ProgramEngine>;
  readonly #seal: SealChange;
  /** What a person looks at, by its token: the seal of what was shown. */
  readonly #shown = new Map<string, WantedChange>();

  constructor(openPrograms: () => Promise<ProgramEngine>, seal: SealChange) {
    this.#openPrograms = openPrograms;
    this.#seal = seal;
  }

  /** Errors: of a change that is wanted alone; of several each stands in `refused`. */
  async show(wanted: readonly WantedChange[]): Promise<ProgramPreviews> {
    const engine = await this.#openPrograms();
    this.#shown.clear();
    const shown: ProgramPreviews = { previews: [], refused: [] };
    for (const change of wanted) {
      try {
        const planned = await change.plan(engine);
        const token = this.#seal(planned);
        this.#shown.set(token, change);
        shown.previews.push(describePreview(token, planned, change.undoes !== undefined));
      } catch (error) {
        shown.refused.push(refusal(change, error, wanted.length === 1));
      }
    }
    return shown;
  }

  /** One after the other: one that fails stops no other. Errors: as of `show`, PROGRAM_FILE_CHANGED before the first. */
  async make(tokens: readonly string[]): Promise<ProgramOutcomes> {
    const wanted = tokens.map((token) => ({ token, change: this.#take(token) }));
    const engine = await this.#openPrograms();
    const outcomes: ProgramOutcomes = { made: [], refused: [] };
    for (const { token, change } of wanted) {
      try {
        const shown = { seal: token, plan: () => change.plan(engine) };
        const { planned, id } = await makeShown(engine, shown, this.#seal);
        if (change.undoes) await noteUndone(engine, change.undoes);
        outcomes.made.push(describeMade(planned, id));
      } catch (error) {
        outcomes.refused.push(refusal(change, error, wanted.length === 1));
      }
    }
    return outcomes;
  }

  /** Errors: PROGRAM_FILE_CHANGED for what was not shown, was made, or gave way to something else. */
  #take(token: string): WantedChange {
    const change = this.#shown.get(token);
    this.#shown.delete(token);
    if (!change) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    return change;
  }
}

function refusal({ program: { id, name } }: WantedChange, error: unknown, isAlone: boolean) {
  if (isAlone) throw error;
  return { program: id, name, error: toPlainError(error) };
}

async function noteUndone({ backups, clock }: ProgramEngine, change: ProgramChange): Promise<void> {
  await backups.note({ ...change, undoneAt: clock.now() }).catch((error: unknown) => {
    // It may have gone for the one that took it back.
    if (!(error instanceof PosternError)) throw error;
  });
}
