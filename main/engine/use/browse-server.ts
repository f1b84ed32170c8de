import type { Integration } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { callServer, serverLabel, useServer } from './use-server.ts';
import type { UseOptions } from './use-server.ts';

type Client = McpConnection['client'];

export type Resource = Awaited<ReturnType<Client['listResources']>>['resources'][number];
export type ResourceTemplate = Awaited<ReturnType<Client['listResourceTemplates']>>['resourceTemplates'][number];
export type Prompt = Awaited<ReturnType<Client['listPrompts']>>['prompts'][number];
export type ResourceContents = Awaited<ReturnType<Client['readResource']>>['contents'][number];
export type PromptMessage = Awaited<ReturnType<Client['getPrompt']>>['messages'][number];

/** Resources and templates of a server; none if it does not offer resources. Errors: as `listTools`. */
export async function listResources(
  ports: EnginePorts,
  integration: Integration,
  options: UseOptions,
): Promise<{ resources: readonly Resource[]; templates: readonly ResourceTemplate[] }> {
  return await useServer(
    ports,
    integration,
    options,
    async ({ client, isPartial, unusableParts: unusable }, signal) => {
      if (!client.getServerCapabilities()?.resources) return { resources: [], templates: [] };
      const { resources } = await client.listResources(undefined, { signal, cacheMode: 'bypass' });
      let unreadable: readonly UnusablePart[] = [];
      const templates = await client
        .listResourceTemplates(undefined, { signal, cacheMode: 'bypass' })
        .catch(async (error: unknown) => {
          if (signal.aborted) throw error;
          const { isUnknownMethod } = await import('../../mcp/http/mcp-failure.ts');
          // Many servers with resources do not implement templates.
          if (!isUnknownMethod(error)) unreadable = [{ list: 'resourceTemplates' }];
          return { resourceTemplates: [] };
        });
      if (isPartial('resources/list') || isPartial('resources/templates/list')) options.onPartial?.();
      const unusableParts = [...unusable('resources/list'), ...unusable('resources/templates/list'), ...unreadable];
      if (unusableParts.length > 0) options.onUnusable?.(unusableParts);
      return { resources, templates: templates.resourceTemplates };
    },
  );
}

/** All prompts; none if the server does not offer any. Errors: as `listTools`. */
export async function listPrompts(
  ports: EnginePorts,
  integration: Integration,
  options: UseOptions,
): Promise<readonly Prompt[]> {
  return await useServer(
    ports,
    integration,
    options,
    async ({ client, isPartial, unusableParts: unusable }, signal) => {
      if (!client.getServerCapabilities()?.prompts) return [];
      const { prompts } = await client.listPrompts(undefined, { signal, cacheMode: 'bypass' });
      if (isPartial('prompts/list')) options.onPartial?.();
      if (unusable('prompts/list').length > 0) options.onUnusable?.(unusable('prompts/list'));
      return prompts;
    },
  );
}

/** Errors: as `listTools`. */
export async function readResource(
  ports: EnginePorts,
  integration: Integration,
  uri: string,
  options: UseOptions,
): Promise<readonly ResourceContents[]> {
  return await callServer(ports, integration, options, async ({ client }, signal) => {
    try {
      return (await reportUnusable(options, await client.readResource({ uri }, { signal }))).contents;
    } catch (error) {
      const { toFailedCall, isUnknownResource } = await import('../../mcp/http/mcp-failure.ts');
      throw isUnknownResource(error) ? toFailedCall(error, serverLabel(integration), 'RESOURCE_NOT_FOUND') : error;
    }
  });
}

/** Errors: as `listTools`. */
export async function getPrompt(
  ports: EnginePorts,
  integration: Integration,
  { name, arguments: input }: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
  options: UseOptions,
): Promise<readonly PromptMessage[]> {
  return await callServer(ports, integration, options, async ({ client }, signal) => {
    try {
      return (await reportUnusable(options, await client.getPrompt({ name, arguments: { ...input } }, { signal })))
        .messages;
    } catch (error) {
      const { toFailedCall, mayBeUnknownName } = await import('../../mcp/http/mcp-failure.ts');
      if (!mayBeUnknownName(error) || !client.getServerCapabilities()?.prompts) throw error;
      const listed = await client.listPrompts(undefined, { signal, cacheMode: 'bypass' }).catch(() => undefined);
      if (!listed || listed.prompts.some((prompt) => prompt.name === name)) throw error;
      throw toFailedCall(error, serverLabel(integration), 'PROMPT_NOT_FOUND');
    }
  });
}

async function reportUnusable<Result extends { readonly _meta?: unknown }>(
  options: UseOptions,
  result: Result,
): Promise<Result> {
  const { unusableIn } = await import('../../mcp/messages/repair-result.ts');
  const parts = unusableIn(result);
  if (parts.length > 0) options.onUnusable?.(parts);
  return result;
}

/** An argument's prompt or resource template. */
export type CompletedArgument =
  { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };

/**
 * Completions for a partly typed argument (MCP 2025-11-25, completion); none if the server offers none. Errors: as
 * `listTools`.
 */
export async function completeArgument(
  ports: EnginePorts,
  integration: Integration,
  completion: {
    readonly ref: CompletedArgument;
    readonly argument: { readonly name: string; readonly value: string };
    /** Arguments already filled in. */
    readonly otherArguments: Readonly<Record<string, string>>;
  },
  options: UseOptions,
): Promise<readonly string[]> {
  return await callServer(ports, integration, options, async ({ client }, signal) => {
    if (!client.getServerCapabilities()?.completions) return [];
    const { ref, argument, otherArguments } = completion;
    const context = Object.keys(otherArguments).length > 0 && { context: { arguments: { ...otherArguments } } };
    return (await client.complete({ ref, argument, ...context }, { signal })).completion.values;
  });
}
