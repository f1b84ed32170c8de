import path from 'node:path';
import { commandBounds, variableName } from '../../../shared/local-command-bounds.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import type { StartWords } from '../../../shared/pasted/read-command.ts';
import { isToFillIn, wordToFillIn } from '../../address/typed-address.ts';
import { connectLocal, findLocalBefore } from '../../engine/connect/connect-local.ts';
import type { LocalValues } from '../../engine/kept/local-consent.ts';
import { sealCommand } from '../../secret.ts';
import { askForYes, readHiddenLine } from '../asking/terminal-prompts.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { tellOutput } from '../opening/use-integration.ts';
import { checkServerName, hasOption, optionValue } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import { describeCommand } from '../output/describe-command.ts';
import { summarise } from '../output/describe-integration.ts';
import { describeRemote, remoteFields } from '../output/describe-remote.ts';
import type { Answer } from '../output/output.ts';
import { writeUse } from '../output/write-command.ts';
import { printableLine } from '../text/printable.ts';

/**
 * `postern local add NAME -- COMMAND…`: shows what will run, and connects it once that was allowed. `pasted`: variables
 * that came with the command. Errors: LOCAL_*, NAME_TAKEN, MCP_FAILED, USAGE, USER_CANCELLED, KC_*, CFG_*.
 */
export async function local(context: CommandContext, pasted: StartWords['variables'] = []): Promise<Answer> {
  const { args, output, steps, signal } = context;
  const [name = '', typed = '', ...words] = args.positionals;
  checkServerName(name, args.command);
  const gap = wordToFillIn([typed, ...words]);
  if (gap !== undefined)
    throw new UsageError(
      `The command has a part to fill in: ${printableLine(gap, 80)}. Put your own value in its place.`,
      args.command,
    );
  const { ports } = await openCommandEngine(context);
  const again = await findLocalBefore(ports, name);
  const given = optionValue(args, 'cwd');
  const folder = given === undefined ? undefined : path.resolve(given);
  const file = await ports.local.resolve(isPlace(typed) ? path.resolve(typed) : typed, folder);
  const typedValues = await readValues(context);
  const variables = { ...Object.fromEntries(pasted.map((each) => [each.name, each.value])), ...typedValues };
  const unset = Object.entries(variables).find(([, value]) => isToFillIn(value));
  if (unset)
    throw new UsageError(`The value of ${unset[0]} is one to fill in: put your own in its place.`, args.command);
  const typedCommand: LocalCommand = {
    command: typed,
    path: file,
    arguments: words,
    ...(folder !== undefined && { folder }),
    variables: Object.keys(variables),
    ...(optionValue(args, 'lifetime') === 'shared' && { lifetime: 'shared' }),
  };
  requireFit(typedCommand, context);
  const { command, values } = sealCommand(typedCommand, variables);
  const runs = [typed, ...command.arguments];
  await askForYes(context, {
    event: { command, ...remoteFields(runs) },
    lines: [
      ...describeRemote(runs).map(output.advise),
      ...describeCommand(command, values),
      ...describeReplaced(again),
    ],
  });
  const id = again?.id ?? crypto.randomUUID();
  tellOutput(context, ports, { id, name, command });
  steps.begin('Starting it');
  const { integration, tools } = await connectLocal(ports, { id, name, command, values, again }, signal);
  const shown = printableLine(integration.name);
  steps.end('done', `Connected to ${shown}`);
  return {
    fields: { integration: summarise(integration), tools: tools.length, ...remoteFields(runs) },
    text: output.advise(
      `Connected “${shown}”, which has ${tools.length === 1 ? 'one tool' : `${tools.length} tools`}. Use it: ${writeUse('tools', integration.name)}`,
    ),
  };
}

/** What goes with the command that has this name so far. */
function describeReplaced(again: Integration | undefined): readonly string[] {
  if (!again?.command) return [];
  const { command, variables } = again.command;
  const values = variables.length === 0 ? '' : `, and the values kept for ${variables.join(', ')} go`;
  return [
    `It takes the place of the command that “${printableLine(again.name)}” has now, ${printableLine(command, 200)}${values}.`,
  ];
}

/** A word that names a place, and so depends on where it was typed. */
function isPlace(word: string): boolean {
  return word.includes('/') || word.includes(path.sep);
}

function requireFit({ arguments: words, variables, command }: LocalCommand, { args }: CommandContext): void {
  const { words: most, length, variables: mostVariables } = commandBounds;
  const isLong = [command, ...words].some((word) => word.length > length);
  if (!isLong && words.length <= most && variables.length <= mostVariables) return;
  throw new UsageError(`A command has at most ${most} words and ${mostVariables} variables.`, args.command);
}

/** From this environment, or asked for, or from standard input: never from the command line. Errors: USAGE. */
async function readValues({ args, stdin, canAsk, prompt, signal }: CommandContext): Promise<LocalValues> {
  const values: Record<string, string> = {};
  for (const name of args.options.get('env') ?? []) {
    if (!variableName.test(name)) throw new UsageError('--env needs the name of a variable, without =.', args.command);
    const asked = async (): Promise<string | undefined> =>
      canAsk ? await readHiddenLine(stdin, () => prompt(`${name}: `), signal) : undefined;
    const value = process.env[name] ?? (await asked());
    if (value === undefined) throw new UsageError(`The variable ${name} is not set here.`, args.command);
    values[name] = value;
  }
  if (!hasOption(args, 'env-stdin')) return values;
  for (const line of (await stdin.readAll(signal)).split(/\r?\n/u)) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim();
    if (!variableName.test(name))
      throw new UsageError('--env-stdin needs lines NAME=VALUE on standard input.', args.command);
    values[name] = line.slice(at + 1);
  }
  return values;
}
