import { withoutServer } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramChange, ProgramOutcomes, ProgramPreviews } from '../../../shared/program-view.ts';
import { displayText } from '../../address/display-text.ts';
import { toPlainError } from '../../plain-error.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { makeChange, makeShown } from '../../apps/make-change.ts';
import type { SealChange, ShownChange } from '../../apps/make-change.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import { UnmadeChange } from '../../apps/plan/plan-edits.ts';
import { planUndo } from '../../apps/plan/plan-undo.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import { knownPrograms } from '../../apps/records/other-program.ts';
import type { Program } from '../../apps/table/program.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { allUsed } from '../../operations/read-server.ts';
import { describeMade, describePreview } from './read-programs.ts';

/** Changes whose lines can still be copied. */
const mostLines = 64;
/** Characters that are shown of a path. */
const pathLength = 2_000;

/** What a window asks for. */
export interface WantedChange {
  readonly program: Program;
  /** Reads, and changes nothing; it runs once to be shown, and once more before it is made. */
  readonly plan: (engine: ProgramEngine) => Promise<PlannedChange>;
  /** What has to be so before it is made. */
  readonly prepare?: () => Promise<void>;
  /** Where it was not made after all. Never rejects. */
  readonly giveBack?: () => Promise<void>;
  /** Others that it can go to, in its place. */
  readonly profiles?: readonly EditorProfile[];
  /** What it takes back. */
  readonly undoes?: ProgramChange;
}

/** Changes of programs: each is shown first, and made once, as it was shown or not at all. */
export class ShownChanges {
  readonly #openPrograms: () => Promise<ProgramEngine>;
  readonly #seal: SealChange;
  /** What a person looks at, by its token: the seal of what was shown. */
  readonly #shown = new Map<string, WantedChange>();

  /** Lines that a person may paste, by the same tokens; those shown last. */
  readonly #lines = new Map<string, string>();

  constructor(openPrograms: () => Promise<ProgramEngine>, seal: SealChange) {
    this.#openPrograms = openPrograms;
    this.#seal = seal;
  }

  /** Errors: of a change that is wanted alone; of several each stands in `refused`. */
  async show(wanted: readonly WantedChange[]): Promise<ProgramPreviews> {
    return await this.#showAll(wanted, wanted.length === 1);
  }

  /** Those that change something; each that cannot be planned stands in `refused`, also alone. */
  async showNeeded(wanted: readonly WantedChange[]): Promise<ProgramPreviews> {
    const { previews, refused } = await this.#showAll(wanted, false);
    return { previews: previews.filter(({ action }) => action !== 'none'), refused };
  }

  /**
   * One after the other: one that fails stops no other. Errors: as of `show`, PROGRAM_FILE_CHANGED before the first.
   */
  async make(tokens: readonly string[]): Promise<ProgramOutcomes> {
    const wanted = this.#takeAll(tokens);
    const engine = await this.#openPrograms();
    const outcomes: ProgramOutcomes = { made: [], refused: [] };
    for (const { token, change } of wanted) {
      try {
        outcomes.made.push(await this.#makeOne(engine, token, change));
      } catch (error) {
        outcomes.refused.push(refusal(change, this.#withToken(error, token), wanted.length === 1));
      }
    }
    return outcomes;
  }

  /** Before something that needs them all: the first that fails ends it. Errors: as of `make`. */
  async makeBefore(tokens: readonly string[]): Promise<ProgramOutcomes['made']> {
    const wanted = this.#takeAll(tokens);
    const made: ProgramOutcomes['made'] = [];
    if (wanted.length === 0) return made;
    const engine = await this.#openPrograms();
    for (const { token, change } of wanted) made.push(await this.#makeOne(engine, token, change));
    return made;
  }

  /** Names of the programs that were shown under these tokens. */
  namesOf(tokens: readonly string[]): readonly string[] {
    return [...new Set(tokens.flatMap((token) => this.#shown.get(token)?.program.name ?? []))];
  }

  async #showAll(wanted: readonly WantedChange[], throws: boolean): Promise<ProgramPreviews> {
    const engine = await this.#openPrograms();
    this.#shown.clear();
    const shown: ProgramPreviews = { previews: [], refused: [] };
    for (const change of wanted) {
      try {
        const planned = await change.plan(engine);
        const token = this.#seal(planned);
        this.#shown.set(token, change);
        if (planned.way === 'paste') this.#keepLines(token, planned.pasted ?? planned.shown.after);
        shown.previews.push(describePreview(token, planned, change.profiles));
      } catch (error) {
        shown.refused.push(refusal(change, error, throws));
      }
    }
    return shown;
  }

  async #makeOne(engine: ProgramEngine, token: string, change: WantedChange): Promise<ProgramOutcomes['made'][number]> {
    const shown = { seal: token, plan: () => change.plan(engine) };
    const { planned, id } = await this.#makePrepared(engine, shown, change);
    if (change.undoes) await noteUndone(engine, change.undoes);
    return describeMade(planned, id);
  }

  async #makePrepared(engine: ProgramEngine, shown: ShownChange, change: WantedChange) {
    try {
      await change.prepare?.();
      return await makeShown(engine, shown, this.#seal);
    } catch (error) {
      await change.giveBack?.();
      throw error;
    }
  }

  /** Errors: as of `#take`. */
  #takeAll(tokens: readonly string[]): readonly { readonly token: string; readonly change: WantedChange }[] {
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
  #take(token: string): WantedChange {
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

/** So that it is not offered to be taken back once more. */
async function noteUndone({ backups, clock }: ProgramEngine, change: ProgramChange): Promise<void> {
  await backups.note({ ...change, undoneAt: clock.now() }).catch((error: unknown) => {
    // The record may have been dropped to make room for the one that took it back.
    if (!(error instanceof PosternError)) throw error;
  });
}

/**
 * Takes back the removal of entries that led to these servers, the last one first. Answers the names of the programs
 * whose file has changed since, or cannot be written: those stay as they are, without a right that no entry uses.
 */
export async function takeBackChanges(
  context: DesktopContext,
  made: ProgramOutcomes['made'],
  servers: readonly string[],
): Promise<readonly string[]> {
  const { programs, openPrograms, changed } = context;
  const left: { readonly id: string; readonly name: string }[] = [];
  const back = new Set<string>();
  for (const { program: id, name, change: changeId } of made.toReversed()) {
    if (changeId === undefined) continue;
    try {
      const engine = await openPrograms();
      const program = (await knownPrograms(programs)).find((each) => each.id === id);
      const change = (await programs.backups.list()).find((each) => each.id === changeId);
      if (!program || !change) throw new PosternError('UNDO_STALE', { stage: 'programs' });
      await makeChange(engine, await planUndo(engine, program, change, await allUsed(context)));
      await noteUndone(engine, change);
      back.add(id);
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      left.push({ id, name });
    }
  }
  const withoutEntry = left.filter(({ id }) => !back.has(id));
  const withoutRights = (records: readonly ProgramRecord[]): readonly ProgramRecord[] =>
    withoutEntry.reduce((known, { id }) => servers.reduce((now, each) => withoutServer(now, each, id), known), records);
  if (withoutEntry.length > 0) await programs.records.change(withoutRights);
  changed('programs');
  return [...new Set(left.map(({ name }) => name))];
}
