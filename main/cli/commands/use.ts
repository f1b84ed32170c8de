import path from 'node:path';
import { findIntegration } from '../../integration/kept/find-integration.ts';
import { planUse } from '../../programs/plan-use.ts';
import type { PlannedChange } from '../../programs/planned-change.ts';
import type { Program } from '../../programs/program.ts';
import type { CommandContext } from '../command-context.ts';
import { confirmChanges } from '../programs/confirm-changes.ts';
import { namedProgram } from '../programs/named-program.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { isServed } from '../../engine/is-served.ts';
import { openPrograms } from '../../engine/open-programs.ts';
import { openCommandPrograms, type CommandPrograms } from '../programs/open-command-programs.ts';
import { hasOption, optionValue } from '../options/option-values.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';
import { prepareHttp } from '../programs/use-over-http.ts';

/** `postern use ID PROGRAM…`: adds an entry to each. Errors: NOT_FOUND, PROGRAM_*, USAGE, USER_CANCELLED, CFG_*. */
export async function use(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [reference = '', ...words] = args.positionals;
  const programs = new Set(words.map(namedProgram));
  const options = { as: entryName(args), project: projectFolder(args) };
  const isHttp = hasOption(args, 'http');
  for (const program of programs) refuseUnfit(program, options.as, isHttp);
  const { engine, store, vault }: CommandPrograms = isHttp
    ? await openWithVault(context)
    : await openCommandPrograms(context);
  const integration = await findIntegration(store, reference);
  const http = vault && (await prepareHttp(engine, store, vault));
  // All of them first: a program that is not there stops the others too.
  const planned: PlannedChange[] = [];
  for (const program of programs)
    planned.push(await planUse(engine, program, integration, { ...options, http: http?.preview }));
  const answer = await confirmChanges(context, engine, planned, async (shown) =>
    http
      ? await http.complete(shown, (access) =>
          planUse(engine, shown.program, integration, { ...options, http: access }),
        )
      : shown,
  );
  const isToServe = http !== undefined && !hasOption(args, 'dry-run') && !(await isServed(engine.profileFolder));
  return isToServe ? { ...answer, text: [answer.text, ...toServe].join('\n') } : answer;
}

/** An entry that holds an address cannot start Postern, as one with a command does. */
const toServe = [
  'Nobody answers at that address now: open the window of Postern, or run `postern serve`, and let it run.',
];

/** The same with the vault, which keeps the secrets of programs. */
async function openWithVault(context: CommandContext): Promise<CommandPrograms> {
  const { ports, programs, folder } = await openCommandEngine(context);
  const { store, locks, vault } = ports;
  return {
    engine: await openPrograms(context.installation, { folder, locks, records: programs, store }),
    store,
    vault,
  };
}

/** Errors: USAGE for what the program does not take. */
function refuseUnfit(program: Program, name: string | undefined, isHttp: boolean): void {
  if (program.nameRule === 'no-underscore' && name?.includes('_') === true)
    throw new UsageError(`${program.name} takes no “_” in a name.`, 'use');
  if (isHttp && !program.http) throw new UsageError(`${program.name} starts commands alone: leave out --http.`, 'use');
}

/** `--project`, absolute. Errors: USAGE. */
export function projectFolder(args: ParsedArguments): string | undefined {
  const folder = optionValue(args, 'project');
  return folder === undefined ? undefined : path.resolve(folder);
}

/** `--as`. Errors: USAGE for what some program or model could not take. */
function entryName(args: ParsedArguments): string | undefined {
  const name = optionValue(args, 'as');
  if (name !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/.test(name))
    throw new UsageError('--as takes letters, digits, “-” and “_”, at most 48 of them.', args.command);
  return name;
}
