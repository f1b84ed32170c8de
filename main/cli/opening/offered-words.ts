import type { Integration } from '../../../shared/integration.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { completeArgument, listPrompts, listResources } from '../../engine/use/browse-server.ts';
import type { CompletedArgument } from '../../engine/use/browse-server.ts';
import { listTools } from '../../engine/use/use-server.ts';
import type { Access } from '../../engine/use/use-server.ts';
import { readTemplate } from '../../mcp/client/uri-template.ts';
import { completion } from '../../mcp/use-bounds.ts';
import type { CommandContext } from '../command-context.ts';
import { commandAt } from '../table/command-table.ts';
import { positionalWords } from '../options/complete-words.ts';
import { openCommandEngine } from './open-command-engine.ts';

interface AskedServer {
  readonly ports: EnginePorts;
  readonly integration: Integration;
  readonly access: Access;
}

/**
 * What a server offers for the last of `words`: names of tools, resources and prompts, names of their arguments with
 * `=`, and what the server itself offers for an argument that is begun. Errors: as `tools`; nobody is asked to sign in.
 */
export async function offeredWords(context: CommandContext, words: readonly string[]): Promise<readonly string[]> {
  const command = commandAt(words);
  const [id = '', name, ...given] = positionalWords(words.slice(0, -1));
  const begun = words.at(-1) ?? '';
  const { ports } = await openCommandEngine(context);
  const integration = await findIntegration(ports.store, id);
  const access = { signal: AbortSignal.any([context.signal, AbortSignal.timeout(completion.patience)]) };
  const server = { ports, integration, access };
  switch (command) {
    case 'call': {
      const tools = await listTools(ports, integration, access);
      if (name === undefined) return tools.map((tool) => tool.name);
      const fields = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
      return Object.entries(fields).map(([field, schema]) => field + (isText(schema) ? '=' : ':='));
    }
    case 'read': {
      if (name !== undefined)
        return await argumentWords(
          server,
          { type: 'ref/resource', uri: name },
          given,
          begun,
          readTemplate(name)?.names ?? [],
        );
      const { resources, templates } = await listResources(ports, integration, access);
      return [...resources.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate)];
    }
    case 'prompt': {
      const isValue = name !== undefined && begun.includes('=');
      const prompts = isValue ? [] : await listPrompts(ports, integration, access);
      if (name === undefined) return prompts.map((prompt) => prompt.name);
      const inputs = prompts.find((prompt) => prompt.name === name)?.arguments ?? [];
      return await argumentWords(
        server,
        { type: 'ref/prompt', name },
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
  { ports, integration, access }: AskedServer,
  ref: CompletedArgument,
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
  const values = await completeArgument(ports, integration, { ref, argument: { name, value }, given: known }, access);
  return values.map((offered) => `${name}=${offered}`);
}

function splitAt(word: string, at: number): readonly [name: string, value: string] {
  return [word.slice(0, at), word.slice(at + 1)];
}

function isText(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'string';
}
