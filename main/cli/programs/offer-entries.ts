import { isOneOf, programFileCodes } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import { makeChange } from '../../programs/change/make-change.ts';
import {
  type EntryFile,
  filesOfLeaving,
  type Leaving,
  type LeavingChange,
  planLeaving,
} from '../../programs/plan/plan-leaving.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { toCommandError } from '../output/command-error.ts';
import { changeFields, describeMade, describePreview } from '../output/describe-change.ts';
import { printableLine } from '../text/printable.ts';
import { writeWhere } from '../output/write-where.ts';

/**
 * Entries of programs that would lead nowhere are shown all at once, and taken out when the person says yes. Where
 * nobody can be asked they stay, and so do those that cannot be read or changed; each is said. Errors: USER_CANCELLED,
 * those of `makeChange`, CFG_*.
 */
export async function offerEntries(context: CommandContext, engine: ProgramEngine, leaving: Leaving): Promise<void> {
  const { output, canAsk } = context;
  const planned: LeavingChange[] = [];
  for (const place of await filesOfLeaving(engine, leaving)) {
    const change = await planLeaving(engine, place, leaving).catch((error: unknown) =>
      tellFault(context, place, error),
    );
    if (change && change.edits.length > 0) planned.push(change);
  }
  const byHand = planned.filter(({ way }) => way === 'paste');
  const ours = planned.filter(({ way }) => way !== 'paste');
  if (canAsk || byHand.length > 0) for (const change of canAsk ? planned : byHand) output.tell(describePreview(change));
  if (ours.length === 0) return;
  if (canAsk && (await saysYes(context, leaving, ours))) {
    for (const change of ours) {
      const made = await makeChange(engine, change);
      output.event('changed', changeFields(change, made));
      output.tell(output.advise(describeMade(change, made)));
    }
    return;
  }
  for (const change of ours) {
    // With an address it is known by the port in the settings, which go too.
    const unknown = change.entries.filter(({ record }) => leaving.kind === 'everything' && record === undefined);
    const names = unknown.map(({ name }) => name);
    output.event('entry-stays', { ...changeFields(change), ...(names.length > 0 && { byHand: names }) });
    for (const line of describeStaying(change, names)) output.tell(output.advise(line));
  }
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

/** A file that could not be read is left alone, and said to be, so that nobody takes it for free of entries. */
function tellFault({ output, situation }: CommandContext, { program, file }: EntryFile, error: unknown): undefined {
  if (!(error instanceof PosternError) || !isOneOf(programFileCodes, error)) throw error;
  const { code, message } = toCommandError(error, situation());
  output.event('entry-unread', { program: program.id, path: file.path, code, message });
  output.tell(`${program.name} is left alone. ${message} If an entry of Postern stands in it, take it out by hand.`);
  return undefined;
}

async function saysYes(
  { prompt, stdin, signal }: CommandContext,
  leaving: Leaving,
  { length }: readonly LeavingChange[],
): Promise<boolean> {
  const what = length === 1 ? 'this' : 'all of this';
  prompt(`Take ${what} out ${leaving.kind === 'program' ? 'now' : 'first'}? [Y/n] `);
  const answer = await stdin.next(signal);
  if (answer === undefined) prompt('\n');
  return answer !== undefined && !/^n(o)?$/iu.test(answer.trim());
}
