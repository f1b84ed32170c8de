import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { commandsOnConnection } from '../options/command-spec.ts';
import { didYouMean, parseArguments, UsageError } from '../options/parse-arguments.ts';
import type { OptionValues } from '../options/parse-arguments.ts';
import { describeItself, wantsToolHelp } from '../output/help.ts';
import type { Answer } from '../output/output.ts';
import { connectAt } from './connect.ts';

/**
 * `postern with URL -- COMMAND …`: connects, uses the connection once and forgets it. Nothing is kept, and no keychain
 * is asked. COMMAND has its own options; `--sign-in` and `--json` hold for both, wherever they stand. Errors: those of `connect` and of the command; USAGE for one that is about more than one connection.
 */
export async function withServer(context: CommandContext): Promise<Answer> {
  const { args, commands } = context;
  const [url = '', word = '', ...words] = args.positionals;
  const usable = commandsOnConnection(commands);
  const command = usable.find((name) => name === word);
  if (command === undefined)
    throw new UsageError(
      `“postern with” runs one of ${usable.join(', ')}, after --.${didYouMean(word, usable)}`,
      args.command,
    );
  // Understood before anybody signs in for it. The id stands there once it is known.
  const inner = parseArguments(commands, [command, ID, ...words]);
  const isToolHelp = wantsToolHelp(inner);
  const about = isToolHelp ? undefined : describeItself(commands, inner, context.output);
  if (about) return about;
  const engine = await openCommandEngine(context, { memory: true });
  const signIn = args.options.get('sign-in') ?? inner.options.get('sign-in');
  const withSignIn = (options: OptionValues): OptionValues =>
    signIn === undefined ? options : new Map([...options, ['sign-in', signIn]]);
  const connecting: CommandContext = {
    ...context,
    lent: engine,
    args: { command: 'connect', positionals: [url], options: withSignIn(new Map([...args.options, ['memory', ['']]])) },
  };
  // By its id: the list has the servers of the profile too.
  const { integration } = await connectAt(connecting);
  const using: CommandContext = {
    ...context,
    lent: engine,
    args: {
      ...inner,
      options: withSignIn(inner.options),
      positionals: [integration.id, ...inner.positionals.slice(1)],
    },
  };
  if (isToolHelp) return await (await import('./tool-help.ts')).toolHelp(using, ['with', url, '--', 'call']);
  const run = await commands.specs[command].load();
  return await run(using);
}

const ID = 'ID';
