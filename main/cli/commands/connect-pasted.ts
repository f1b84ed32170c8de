import { nameAfter } from '../../../shared/pasted/read-command.ts';
import type { Pasted } from '../../../shared/pasted/read-command.ts';
import { readPasted } from '../../../shared/pasted/read-pasted.ts';
import { readMcpList } from '../../apps/import/read-mcp-json.ts';
import type { CommandContext } from '../command-context.ts';
import { optionValue, UsageError } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { connectAt } from './connect.ts';
import { importEntries } from './import.ts';
import { local } from './local.ts';

/**
 * `postern connect URL`: the whole way from an address to a connection. In its place a command that would add the server
 * to an app, one that would start it, a link to install it, or a piece of a configuration. Errors: every stage.
 */
export async function connect(context: CommandContext): Promise<Answer> {
  return (await connectPasted(context)) ?? (await connectAt(context)).answer;
}

/**
 * What was pasted as one word in the place of an address, as the window reads it. `undefined`: it is an address, or
 * nothing that leads to a server. Errors: those of `connect`, `import` and `local`.
 */
async function connectPasted(context: CommandContext): Promise<Answer | undefined> {
  const { positionals } = context.args;
  const [word = ''] = positionals;
  if (positionals.length !== 1 || !/^[{"]|\s|^(?:cursor|vscode|vscode-insiders):/u.test(word.trim())) return undefined;
  const read = readPasted(word);
  switch (read.kind) {
    case 'address':
      return (await connectAt(withWords(context, [read.url]))).answer;
    case 'list':
      return await connectList(context, read.text);
    case 'local':
      return await connectCommand(context, read);
    default:
      return undefined;
  }
}

function withWords(context: CommandContext, positionals: readonly string[], name?: string): CommandContext {
  const { args } = context;
  const isNamed = name === undefined || args.options.has('name');
  const options = isNamed ? args.options : new Map(args.options).set('name', [name]);
  return { ...context, args: { ...args, positionals: [...positionals], options } };
}

/** One address without a key is connected as if it had been typed; all else is imported. */
async function connectList(context: CommandContext, text: string): Promise<Answer> {
  const { servers = [], unread = [] } = readMcpList(text) ?? {};
  const [server, ...others] = servers;
  const isAlone = others.length === 0 && unread.length === 0;
  const isBare = server?.headers === undefined && server?.notes.every((note) => note === 'unwrapped-mcp-remote');
  if (isAlone && isBare && server?.url !== undefined)
    return (await connectAt(withWords(context, [server.url], server.name))).answer;
  const wanted = optionValue(context.args, 'name');
  if (wanted !== undefined && !isAlone)
    throw new UsageError('--name is for one server, and several were pasted.', context.args.command);
  const stdin = { ...context.stdin, readAll: async () => text };
  return await importEntries({ ...withWords(context, ['-']), stdin }, wanted);
}

/** Shown as it will run, and connected once that was allowed. */
async function connectCommand(
  context: CommandContext,
  { name, program, words, variables }: Extract<Pasted, { readonly kind: 'local' }>,
): Promise<Answer> {
  const called = optionValue(context.args, 'name') ?? name ?? nameAfter(program);
  return await local(withWords(context, [called, ...words]), variables);
}
