import type { ProgramFile } from '../../program-ports.ts';
import { editorProfiles } from '../../programs/plan/editor-profiles.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import type { Program } from '../../programs/table/program.ts';
import { optionValue } from '../options/option-values.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import { writeReference } from '../output/write-command.ts';
import { printableLine } from '../text/printable.ts';

/**
 * The files that `--editor-profile` names, by its name or id; without it, and in the default profile, none is named.
 * Errors: USAGE where a program has no such profile, PROGRAM_FILE_*.
 */
export async function filesInProfile(
  engine: ProgramEngine,
  programs: readonly Program[],
  args: ParsedArguments,
): Promise<(program: Program) => ProgramFile | undefined> {
  const wanted = optionValue(args, 'editor-profile');
  if (wanted === undefined) return () => undefined;
  if (optionValue(args, 'project') !== undefined)
    throw new UsageError('Say --editor-profile or --project, not both.', args.command);
  const files = new Map<string, ProgramFile>();
  for (const program of programs) {
    if (program.hasProfiles !== true)
      throw new UsageError(`${printableLine(program.name)} has no profiles: leave out --editor-profile.`, args.command);
    const profiles = await editorProfiles(engine, program);
    const bare = wanted.toLowerCase();
    const fitting = profiles.filter(({ name, id }) => id === wanted || name.toLowerCase() === bare);
    const [found] = fitting;
    if (!found || fitting.length > 1) {
      const names = profiles.map(({ name, id }) => `${writeReference(name)} (${id})`).join(', ');
      const what = found ? 'several profiles of that name: take the id of one' : 'no such profile';
      const all = profiles.length === 0 ? 'It has the default one alone' : `It has the default one and ${names}`;
      const near = didYouMean(
        wanted,
        profiles.map(({ name }) => name),
      );
      throw new UsageError(`${program.name} has ${what}. ${all}.${found ? '' : near}`, args.command);
    }
    files.set(program.id, found.file);
  }
  return ({ id }) => files.get(id);
}
