import type { IpcInput } from '../../../shared/ipc-contract.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import { completion } from '../../limits.ts';
import { parseUriTemplate } from '../../mcp/client/uri-template.ts';
import { completeArgument, listPrompts, listResources, listTools } from '../../operations/use.ts';
import type { UseScope } from '../../operations/use.ts';
import type { CommandContext } from '../command-context.ts';
import { commandAt } from '../options/command-spec.ts';
import { positionalWords } from '../options/complete-words.ts';

/**
 * Completions from the server for the last of `words`: names of tools, resources and prompts, argument names with `=`,
 * and values that the server completes. Errors: as `tools`; never starts a sign-in.
 */
export async function serverCompletions(context: CommandContext, words: readonly string[]): Promise<readonly string[]> {
  const command = commandAt(context.commands, words);
  const [id = '', name, ...typed] = positionalWords(context.commands, words.slice(0, -1));
  const prefix = words.at(-1) ?? '';
  const { ports } = await context.openEngine();
  const integration = await findIntegration(ports.store, id);
  const access = { signal: AbortSignal.any([context.signal, AbortSignal.timeout(completion.timeout)]) };
  // Completion does not count as use of the server, so nothing is recorded.
  const history = { read: async () => ({ events: [], signIns: [] }), record: async () => {} };
  const server = { ports, integration, access, history };
  switch (command) {
    case 'call': {
      const { value: tools } = await listTools(server);
      if (name === undefined) return tools.map((tool) => tool.name);
      const fields = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
      return Object.entries(fields).map(([field, schema]) => field + (isText(schema) ? '=' : ':='));
    }
    case 'read': {
      if (name !== undefined)
        return await argumentWords(server, { template: name }, typed, prefix, parseUriTemplate(name)?.names ?? []);
      const { resources, templates } = (await listResources(server)).value;
      return [...resources.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate)];
    }
    case 'prompt': {
      const isValue = name !== undefined && prefix.includes('=');
      const prompts = isValue ? [] : (await listPrompts(server)).value;
      if (name === undefined) return prompts.map((prompt) => prompt.name);
      const inputs = prompts.find((prompt) => prompt.name === name)?.arguments ?? [];
      return await argumentWords(
        server,
        { prompt: name },
        typed,
        prefix,
        inputs.map((input) => input.name),
      );
    }
    default:
      return [];
  }
}

async function argumentWords(
  server: UseScope,
  of: IpcInput<'integration:complete'>['of'],
  typed: readonly string[],
  prefix: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const at = prefix.indexOf('=');
  const filled = Object.fromEntries(
    typed.filter((word) => word.includes('=')).map((word) => splitAt(word, word.indexOf('='))),
  );
  if (at < 1) return names.filter((name) => !Object.hasOwn(filled, name)).map((name) => `${name}=`);
  const [name, value] = splitAt(prefix, at);
  const values = await completeArgument(server, { of, argument: { name, value }, given: filled });
  return values.map((each) => `${name}=${each}`);
}

function splitAt(word: string, at: number): readonly [name: string, value: string] {
  return [word.slice(0, at), word.slice(at + 1)];
}

function isText(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'string';
}
