import type { Command, CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { commandNamed } from '../options/command-specs.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';
import { connectAt } from './connect.ts';

/** Each is given the connection in the place of its ID. */
const usable: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['tools', async () => (await import('./tools.ts')).tools],
  ['call', async () => (await import('./call.ts')).call],
  ['resources', async () => (await import('./resources.ts')).resources],
  ['read', async () => (await import('./read.ts')).read],
  ['prompts', async () => (await import('./prompts.ts')).prompts],
  ['prompt', async () => (await import('./prompt.ts')).prompt],
  ['token', async () => (await import('./token.ts')).token],
]);

/**
 * `postern with URL -- COMMAND …`: connects, uses the connection once and forgets it. Nothing is kept, and no keychain
 * is asked. Errors: those of `connect` and of the command; USAGE for one that is about more than one connection.
 */
export async function withServer(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [url = '', word = '', ...words] = args.positionals;
  const load = usable.get(word);
  if (load === undefined)
    throw new UsageError(
      `“postern with” runs one of ${[...usable.keys()].join(', ')}, after --.${didYouMean(word, [...usable.keys()])}`,
      'with',
    );
  const engine = await openCommandEngine(context, { memory: true });
  const connecting: CommandContext = {
    ...context,
    lent: engine,
    args: { command: 'connect', positionals: [url], options: new Map([...args.options, ['memory', ['']]]) },
  };
  // Understood before anybody signs in for it. The id stands there once it is known.
  const inner = parseArguments([word, ID, ...words]);
  // By its id: the list has the servers of the profile too.
  const { integration } = await connectAt(connecting);
  const command = commandNamed(word);
  const using: CommandContext = {
    ...context,
    lent: engine,
    args: { ...inner, command, positionals: [integration.id, ...inner.positionals.slice(1)] },
  };
  return await (
    await load()
  )(using);
}

const ID = 'ID';
