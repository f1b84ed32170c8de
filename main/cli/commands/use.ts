import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isOtherProgram, programNameSchema } from '../../../shared/program-record.ts';
import { otherProgram } from '../../programs/records/other-program.ts';
import { planUse } from '../../programs/plan/plan-use.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import type { Program } from '../../programs/table/program.ts';
import type { CommandContext } from '../command-context.ts';
import { type CompletedChange, confirmChanges } from '../programs/confirm-changes.ts';
import { namedPrograms } from '../programs/named-program.ts';
import { namedUsed } from '../programs/named-used.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { isServed } from '../../engine/gateway/is-served.ts';
import { openCommandPrograms, openEnginePrograms, type CommandPrograms } from '../programs/open-command-programs.ts';
import { filesInProfile } from '../programs/files-in-profile.ts';
import { hasOption, optionValue } from '../options/option-values.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import { printableLine } from '../text/printable.ts';
import type { Answer } from '../output/output.ts';
import { prepareHttp } from '../programs/use-over-http.ts';

/** `postern use ID PROGRAM…`: adds an entry to each. Errors: NOT_FOUND, PROGRAM_*, USAGE, USER_CANCELLED, CFG_*. */
export async function use(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [reference = '', ...words] = args.positionals;
  const options = { as: entryName(args), project: await projectFolder(args) };
  const isHttp = hasOption(args, 'http');
  const { engine, store, collections, vault }: CommandPrograms = isHttp
    ? await openWithVault(context)
    : await openCommandPrograms(context);
  const other = otherName(args);
  if (words.length === 0 && other === undefined)
    throw new UsageError('“postern use” needs a PROGRAM, or --other.', 'use');
  const programs = [
    ...(await namedPrograms(words, engine.records)),
    ...(other === undefined ? [] : [otherProgram(other)]),
  ];
  for (const program of programs) refuseUnfit(program, options, isHttp);
  const fileOf = await filesInProfile(engine, programs, args);
  const integration = await namedUsed({ store, collections }, reference, 'use');
  const http = vault && (await prepareHttp(engine, store, vault));
  // All of them first: a program that is not there stops the others too.
  const planned: PlannedChange[] = [];
  for (const program of programs)
    planned.push(
      await planUse(engine, program, [integration], { ...options, file: fileOf(program), ...http?.wantedFor(program) }),
    );
  const complete = async (shown: PlannedChange): Promise<CompletedChange> =>
    http
      ? await http.complete(shown, (wanted) =>
          planUse(engine, shown.program, [integration], { ...options, file: fileOf(shown.program), ...wanted }),
        )
      : { change: shown };
  const answer = await confirmChanges(context, engine, planned, complete);
  const isToServe = http !== undefined && !hasOption(args, 'dry-run') && !(await isServed(engine.profileFolder));
  return isToServe ? { ...answer, text: [answer.text, context.output.advise(toServe)].join('\n') } : answer;
}

/** An entry that holds an address cannot start Postern, as one with a command does. */
const toServe =
  'Nobody answers at that address now: open the window of Postern, or run `postern serve`, and let it run.';

/** The same with the vault, which keeps the secrets of programs. */
async function openWithVault(context: CommandContext): Promise<CommandPrograms> {
  const engine = await openCommandEngine(context);
  const { store, vault } = engine.ports;
  return { engine: await openEnginePrograms(context, engine), store, collections: engine.collections, vault };
}

/** Errors: USAGE for what the program does not take. */
function refuseUnfit(
  program: Program,
  { as: name, project }: { readonly as: string | undefined; readonly project: string | undefined },
  isHttp: boolean,
): void {
  refuseProject(program, project, 'use');
  if (program.nameRule === 'no-underscore' && name?.includes('_') === true)
    throw new UsageError(`${program.name} takes no “_” in a name.`, 'use');
  if (isHttp && !program.http) throw new UsageError(`${program.name} starts commands alone: leave out --http.`, 'use');
}

/** Errors: USAGE. */
export function refuseProject(program: Program, project: string | undefined, command: 'use' | 'unuse'): void {
  if (project !== undefined && isOtherProgram(program.id))
    throw new UsageError(`Postern knows no file of ${printableLine(program.name)}: leave out --project.`, command);
  if (project !== undefined && program.projectFiles === undefined)
    throw new UsageError(`${program.name} reads no file of a project: leave out --project.`, command);
}

/** `--other`. Errors: USAGE for what is no name. */
function otherName(args: ParsedArguments): string | undefined {
  const name = optionValue(args, 'other')?.trim();
  if (name !== undefined && !programNameSchema.safeParse(name).success)
    throw new UsageError('--other takes a name of 1 to 80 characters.', 'use');
  return name;
}

/** `--project`, absolute. Errors: USAGE for what is no folder. */
export async function projectFolder(args: ParsedArguments): Promise<string | undefined> {
  const named = optionValue(args, 'project');
  if (named === undefined) return undefined;
  const folder = path.resolve(named);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) throw new UsageError(`There is no folder ${printableLine(folder, 1_000)}.`, args.command);
  return folder;
}

/** `--as`. Errors: USAGE for what some program or model could not take. */
function entryName(args: ParsedArguments): string | undefined {
  const name = optionValue(args, 'as');
  if (name !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/.test(name))
    throw new UsageError('--as takes letters, digits, “-” and “_”, at most 48 of them.', args.command);
  return name;
}
