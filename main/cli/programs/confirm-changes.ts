import { isAbout } from '../../../shared/error-facts.ts';
import { createSeal } from '../../apps/make-change.ts';
import { withLines } from '../../apps/plan/plan-edits.ts';
import type { Leaving, LeavingChange } from '../../apps/plan/plan-leaving.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import { rightChange } from '../../apps/records/program-records.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { makeWanted, wantedLeaving, wantedPort } from '../../operations/app-changes.ts';
import type {
  AgreedChange,
  EntriesScope,
  RemovalScope,
  WantedChange,
  WantedOfFile,
} from '../../operations/app-changes.ts';
import { askForYes, askLine } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { changeFields, describeEndedSecret, describeMade, describePreview } from '../output/describe-change.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { Answer } from '../output/output.ts';
import { writeWhere } from '../output/write-command.ts';
import { printableLine } from '../text.ts';
import type { CommandPrograms } from './open-command-programs.ts';

/**
 * Plans the changes, shows them, asks, and makes them one after the other. One that cannot be planned stops them all; one
 * that fails later keeps no other from being made: the answer has both. `check` runs before they are shown. Errors: USAGE
 * where nobody can be asked, USER_CANCELLED, those of a plan, those of `makeWanted` that are no app's.
 */
export async function confirmChanges(
  context: CommandContext,
  engine: ProgramEngine,
  wanted: readonly WantedChange[],
  check: (planned: readonly PlannedChange[]) => Promise<void> = async () => {},
): Promise<Answer> {
  const { args, output } = context;
  const records = await engine.records.list();
  const shown: ShownHere[] = [];
  for (const change of wanted) shown.push({ wanted: change, planned: await change.plan(engine) });
  await check(shown.map(({ planned }) => planned));
  const previews = shown.map(({ planned }): Outcome => {
    const right = rightChange(records, planned.records(records), planned.program);
    const text = describePreview(planned, { right });
    return { change: planned, fields: changeFields(planned, { right }), text, failure: faultOf(planned) };
  });
  if (args.options.has('dry-run')) return answerOf(context, previews);
  await askForYes(context, {
    event: { changes: previews.map(({ fields }) => fields) },
    lines: previews.flatMap(({ text }) => text ?? []),
  });
  return await makeConfirmed(context, engine, shown, (fields) => output.event('changed', fields));
}

/** Makes what the user has confirmed, one after the other; one that fails keeps no other from being made. */
export async function makeConfirmed(
  context: CommandContext,
  engine: ProgramEngine,
  shown: readonly ShownHere[],
  onMade: (fields: Readonly<Record<string, unknown>>) => void = () => {},
): Promise<Answer> {
  const done: Outcome[] = [];
  for (const change of shown) {
    const one = await make(engine, change, context.output.advise);
    done.push(one);
    if (one.fields) onMade(one.fields);
    // What is no program's own fault is the next one's too.
    if (one.failure && !isAbout(one.failure, 'app-file')) break;
  }
  return answerOf(context, done);
}

/** A change with what the user was shown of it. */
interface ShownHere<Planned extends PlannedChange = PlannedChange> {
  readonly wanted: WantedChange;
  readonly planned: Planned;
}

/** As it was shown, or not at all. */
async function makeAsShown(engine: ProgramEngine, { wanted, planned }: ShownHere) {
  const seal = createSeal(engine.random);
  const shown = seal(planned);
  return await makeWanted(engine, wanted, (now) => seal(now) === shown);
}

/** What becomes of one change, or became of it. */
interface Outcome {
  readonly change: PlannedChange;
  /** Absent where nothing came of it. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly failure?: PosternError | undefined;
}

async function make(engine: ProgramEngine, shown: ShownHere, advise: (sentence: string) => string): Promise<Outcome> {
  try {
    const { planned: change, ...made } = await makeAsShown(engine, shown);
    const { endsSecret = false } = change;
    const failure = faultOf(change);
    const text = failure ? describePreview(change, { isMade: true, ...made }) : advise(describeMade(change, made));
    const also = endsSecret ? [advise(describeEndedSecret(change.program))] : [];
    const fields = { ...changeFields(change, made), ...(endsSecret && { endsSecret }) };
    return { change, fields, text: [text, ...also].join('\n'), failure };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { change: shown.planned, failure: error };
  }
}

/** The error that ends the run tells of the first failure, with the lines to paste. */
function answerOf({ situation }: CommandContext, outcomes: readonly Outcome[]): Answer {
  const failed = outcomes.flatMap(({ change: { program, file }, failure }) =>
    failure ? [{ program: program.id, path: file.path, failure }] : [],
  );
  const first = failed[0]?.failure;
  const texts = outcomes.flatMap(({ change, text, failure }) => {
    if (failure && failure === first) return [];
    return text ?? `${change.program.name}: ${toCommandError(failure, situation()).message}`;
  });
  const failures = failed.map(({ failure, ...where }) => ({ ...where, error: toCommandError(failure, situation()) }));
  return {
    fields: { changes: outcomes.flatMap(({ fields }) => fields ?? []), ...(first && { failures }) },
    text: texts.length === 0 ? undefined : texts.join('\n'),
    failure: first,
  };
}

function faultOf(change: PlannedChange): PosternError | undefined {
  return change.fault && withLines(change.fault, change);
}

/** Removing at a terminal, with the entries of apps. */
export function removalScope(context: CommandContext, scope: EntriesScope): RemovalScope {
  return {
    ...scope,
    agreeOnEntries: async (leaving) => await offerEntries(context, await scope.openPrograms(), leaving),
    onEntriesBack({ entriesBack, entriesLeft }) {
      const namesOf = (apps: typeof entriesBack): string => apps.map(({ name }) => printableLine(name)).join(', ');
      const { tell } = context.output;
      if (entriesBack.length > 0) tell(`Put the entries back in ${namesOf(entriesBack)}.`);
      if (entriesLeft.length > 0) tell(`The entries could not be put back in ${namesOf(entriesLeft)}.`);
    },
  };
}

/**
 * Entries of programs that would lead nowhere are shown all at once. Where nobody can be asked they stay, and so do those
 * that cannot be read or changed; each is said. Errors: USER_CANCELLED, CFG_*. Answers the changes that the user wants.
 */
export async function offerEntries(
  context: CommandContext,
  engine: ProgramEngine,
  leaving: Leaving,
): Promise<readonly AgreedChange[]> {
  const { output, canAsk } = context;
  const stays = 'If an entry of Postern stands in it, take it out by hand.';
  const all = await planNeeded(context, engine, await wantedLeaving(engine, leaving), stays);
  const byHand = all.filter(({ planned }) => planned.way === 'paste');
  const ours = all.filter(({ planned }) => planned.way !== 'paste');
  for (const { planned } of canAsk ? all : byHand) output.tell(describePreview(planned));
  if (ours.length === 0) return [];
  if (canAsk && (await saysYes(context, leaving, ours)))
    return ours.map((change) => async () => {
      const fields = await makeAndTell(context, engine, change);
      output.event('changed', fields);
      return typeof fields['id'] === 'string' ? fields['id'] : undefined;
    });
  for (const { planned: change } of ours) {
    // With an address it is known by the port in the settings, which go too.
    const unknown = change.entries.filter(({ record }) => leaving.kind === 'everything' && record === undefined);
    const names = unknown.map(({ name }) => name);
    output.event('entry-stays', { ...changeFields(change), ...(names.length > 0 && { byHand: names }) });
    for (const line of describeStaying(change, names)) output.tell(output.advise(line));
  }
  return [];
}

/** `byHand`: names of entries that no command will find any more. */
function describeStaying({ program, file, entries }: LeavingChange, byHand: readonly string[]): readonly string[] {
  const where = writeWhere(file);
  const known = entries.filter(({ name }) => !byHand.includes(name));
  const servers = [...new Set(known.map(({ server }) => server))];
  const commands = servers.map((server) => `postern unuse ${server} ${program.id}${where}`);
  const [what, them] = known.length === 1 ? ['The entry stays', 'it'] : ['The entries stay', 'them'];
  return [
    ...(known.length > 0 ? [`${what} in ${program.name}. Take ${them} out with: ${commands.join('; ')}`] : []),
    ...byHand.map(
      (name) =>
        `The entry “${printableLine(name, 80)}” stays in ${program.name}, and Postern cannot tell later that it is its own. Take it out by hand: ${printableLine(file.path, 1_000)}`,
    ),
  ];
}

/**
 * Those that change something. A file that cannot be read is left alone and said to be, so that nobody takes it for free
 * of entries; `left`: what that means. Errors: those of a plan that are about no file.
 */
async function planNeeded<Planned extends PlannedChange>(
  { output, situation }: CommandContext,
  engine: ProgramEngine,
  all: readonly WantedOfFile<Planned>[],
  left: string,
): Promise<readonly ShownHere<Planned>[]> {
  const needed: ShownHere<Planned>[] = [];
  for (const wanted of all) {
    try {
      const planned = await wanted.plan(engine);
      if (planned.edits.length > 0) needed.push({ wanted, planned });
    } catch (error) {
      if (!(error instanceof PosternError) || !isAbout(error, 'app-file')) throw error;
      const { program, file } = wanted;
      const { code, message } = toCommandError(error, situation());
      output.event('entry-unread', { program: program.id, path: file.path, code, message });
      output.tell(`${program.name} is left alone. ${message} ${left}`);
    }
  }
  return needed;
}

/** Entries that would lead to the earlier port of the gateway. Errors: CFG_*. */
export async function planPort(
  context: CommandContext,
  { engine, store }: Pick<CommandPrograms, 'engine' | 'store'>,
  port: number,
): Promise<readonly ShownHere[]> {
  const renewed = await wantedPort({ ports: { store } }, engine, port);
  return await planNeeded(context, engine, renewed, 'An address of Postern in it keeps the port of before.');
}

/** Makes one that was shown; answers its fields. Errors: those of `makeWanted`. */
async function makeAndTell({ output }: CommandContext, engine: ProgramEngine, shown: ShownHere) {
  const { planned, ...made } = await makeAsShown(engine, shown);
  output.tell(output.advise(describeMade(planned, made)));
  return changeFields(planned, made);
}

async function saysYes(context: CommandContext, leaving: Leaving, { length }: readonly ShownHere[]): Promise<boolean> {
  const what = length === 1 ? 'this' : 'all of this';
  const answer = await askLine(context, `Take ${what} out ${leaving.kind === 'program' ? 'now' : 'first'}? [Y/n] `);
  return answer !== undefined && !/^n(o)?$/iu.test(answer);
}
