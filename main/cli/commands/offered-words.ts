import type { IpcInput } from '../../../shared/ipc-contract.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { completion } from '../../limits.ts';
import { readTemplate } from '../../mcp/client/uri-template.ts';
import { completeArgument, listPrompts, listResources, listTools } from '../../operations/use.ts';
import type { UseScope } from '../../operations/use.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { commandAt } from '../options/command-spec.ts';
import { positionalWords } from '../options/complete-words.ts';

/**
 * What a server offers for the last of `words`: names of tools, resources and prompts, names of their arguments with
 * `=`, and what the server itself offers for an argument that is begun. Errors: as `tools`; nobody is asked to sign in.
 */
export async function offeredWords(context: CommandContext, words: readonly string[]): Promise<readonly string[]> {
  const command = commandAt(context.commands, words);
  const [id = '', name, ...given] = positionalWords(context.commands, words.slice(0, -1));
  const begun = words.at(-1) ?? '';
  const { ports } = await openCommandEngine(context);
  const integration = await findIntegration(ports.store, id);
  const access = { signal: AbortSignal.any([context.signal, AbortSignal.timeout(completion.patience)]) };
  // Nobody has used it: a shell asks while somebody types.
  const history = { read: async () => ({ events: [], signIns: [] }), note: async () => {} };
  const server = { ports, integration, access, history };
  switch (command) {
    case 'call': {
      const { found: tools } = await listTools(server);
      if (name === undefined) return tools.map((tool) => tool.name);
      const fields = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
      return Object.entries(fields).map(([field, schema]) => field + (isText(schema) ? '=' : ':='));
    }
    case 'read': {
      if (name !== undefined)
        return await argumentWords(server, { template: name }, given, begun, readTemplate(name)?.names ?? []);
      const { resources, templates } = (await listResources(server)).found;
      return [...resources.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate)];
    }
    case 'prompt': {
      const isValue = name !== undefined && begun.includes('=');
      const prompts = isValue ? [] : (await listPrompts(server)).found;
      if (name === undefined) return prompts.map((prompt) => prompt.name);
      const inputs = prompts.find((prompt) => prompt.name === name)?.arguments ?? [];
      return await argumentWords(
        server,
        { prompt: name },
        given,
        begun,
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
  given: readonly string[],
  begun: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const at = begun.indexOf('=');
  const known = Object.fromEntries(
    given.filter((word) => word.includes('=')).map((word) => splitAt(word, word.indexOf('='))),
  );
  if (at < 1) return names.filter((name) => !Object.hasOwn(known, name)).map((name) => `${name}=`);
  const [name, value] = splitAt(begun, at);
  const values = await completeArgument(server, { of, argument: { name, value }, given: known });
  return values.map((offered) => `${name}=${offered}`);
}

function splitAt(word: string, at: number): readonly [name: string, value: string] {
  return [word.slice(0, at), word.slice(at + 1)];
}

function isText(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'string';
}
