import type { ProgramOutcomes, ProgramPreviews } from '../../../shared/program-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { SealChange } from '../../apps/make-change.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import { UnmadeChange } from '../../apps/plan/plan-edits.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { makeWanted } from '../../operations/app-changes.ts';
import type { AgreedChange, WantedChange } from '../../operations/app-changes.ts';
import { describeMade, describePreview } from './read-programs.ts';

/** Changes whose lines can still be copied. */
const mostLines = 64;
/** Characters that are shown of a path. */
const pathLength = 2_000;

/** What a window asks for. */
interface WantedHere extends WantedChange {
  /** Others that it can go to, in its place. */
  readonly profiles?: readonly EditorProfile[];
}

/** Changes of programs: each is shown first, and made once, as it was shown or not at all. */
export class ShownChanges {
  readonly #openPrograms: () => Promise<ProgramEngine>;
  readonly #seal: SealChange;
  /** What a person looks at, by its token: the seal of what was shown. */
  readonly #shown = new Map<string, WantedHere>();

  /** Lines that a person may paste, by the same tokens; those shown last. */
  readonly #lines = new Map<string, string>();

  constructor(openPrograms: () => Promise<ProgramEngine>, seal: SealChange) {
    this.#openPrograms = openPrograms;
    this.#seal = seal;
  }

  /** Errors: of a change that is wanted alone; of several each stands in `refused`. */
  async show(wanted: readonly WantedHere[]): Promise<ProgramPreviews> {
    return await this.#showAll(wanted, wanted.length === 1);
  }

  /** Those that change something; each that cannot be planned stands in `refused`, also alone. */
  async showNeeded(wanted: readonly WantedHere[]): Promise<ProgramPreviews> {
    const { previews, refused } = await this.#showAll(wanted, false);
    return { previews: previews.filter(({ action }) => action !== 'none'), refused };
  }

  /**
   * One after the other: one that fails stops no other. Errors: as of `show`, PROGRAM_FILE_CHANGED before the first.
   */
  async make(tokens: readonly string[]): Promise<ProgramOutcomes> {
    return await this.making(tokens, tokens.length === 1)();
  }

  /**
   * The same, for whoever does something between: what was not shown is refused at once. `throws`: what fails is an
   * error, and not in `refused`.
   */
  making(tokens: readonly string[], throws: boolean): () => Promise<ProgramOutcomes> {
    if (!tokens.every((token) => this.#shown.has(token)))
      throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    return async () => {
      const wanted = this.#takeAll(tokens);
      const engine = await this.#openPrograms();
      const outcomes: ProgramOutcomes = { made: [], refused: [] };
      for (const { token, change } of wanted) {
        try {
          outcomes.made.push(await this.#makeOne(engine, token, change));
        } catch (error) {
          outcomes.refused.push(refusal(change, this.#withToken(error, token), throws));
        }
      }
      return outcomes;
    };
  }

  /** For whoever makes them one by one. Errors: PROGRAM_FILE_CHANGED; of a change as of `make`. */
  agreed(tokens: readonly string[]): readonly AgreedChange[] {
    return this.#takeAll(tokens).map(({ token, change }) => async () => {
      const made = await this.#makeOne(await this.#openPrograms(), token, change);
      return made.change;
    });
  }

  /** Names of the programs that were shown under these tokens. */
  namesOf(tokens: readonly string[]): readonly string[] {
    return [...new Set(tokens.flatMap((token) => this.#shown.get(token)?.program.name ?? []))];
  }

  async #showAll(wanted: readonly WantedHere[], throws: boolean): Promise<ProgramPreviews> {
    const engine = await this.#openPrograms();
    this.#shown.clear();
    const shown: ProgramPreviews = { previews: [], refused: [] };
    for (const change of wanted) {
      try {
        const planned = await change.plan(engine);
        const token = this.#seal(planned);
        this.#shown.set(token, change);
        // Lines are copied before anything is made, with what is in them.
        const { endsSecret, ...pasted } =
          planned.way === 'paste' && change.complete ? await change.complete(engine, planned) : planned;
        if (planned.way === 'paste') this.#keepLines(token, pasted.shown.after);
        shown.previews.push(describePreview(token, { ...planned, ...(endsSecret && { endsSecret }) }, change.profiles));
      } catch (error) {
        shown.refused.push(refusal(change, error, throws));
      }
    }
    return shown;
  }

  async #makeOne(engine: ProgramEngine, token: string, change: WantedChange): Promise<ProgramOutcomes['made'][number]> {
    const { planned, id } = await makeWanted(engine, change, (now) => this.#seal(now) === token);
    return describeMade(planned, id);
  }

  /** Errors: as of `#take`. */
  #takeAll(tokens: readonly string[]): readonly { readonly token: string; readonly change: WantedHere }[] {
    return tokens.map((token) => ({ token, change: this.#take(token) }));
  }

  /** Lines of a change that a person makes. Errors: PROGRAM_FILE_CHANGED for what was not shown. */
  linesOf(token: string): string {
    const lines = this.#lines.get(token);
    if (lines === undefined) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    return lines;
  }

  #keepLines(token: string, lines: string): void {
    this.#lines.delete(token);
    this.#lines.set(token, lines);
    for (const oldest of this.#lines.keys()) if (this.#lines.size > mostLines) this.#lines.delete(oldest);
  }

  /** An error with lines to paste, so that they can be copied. */
  #withToken(error: unknown, token: string): unknown {
    if (!(error instanceof UnmadeChange)) return error;
    const { paste } = error;
    this.#keepLines(token, paste.lines);
    return error.with({ remedy: { ...paste, path: displayText(paste.path, pathLength), token } });
  }

  /** Errors: PROGRAM_FILE_CHANGED for what was not shown, was made, or gave way to something else. */
  #take(token: string): WantedHere {
    const change = this.#shown.get(token);
    this.#shown.delete(token);
    if (!change) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    return change;
  }
}

function refusal({ program: { id, name } }: WantedChange, error: unknown, throws: boolean) {
  if (throws) throw error;
  return { program: id, name, error: toPlainError(error) };
}
