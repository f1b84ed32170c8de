import { listPrompts, listResources, listTools } from '../../operations/use.ts';
import type { Found, UseScope } from '../../operations/use.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import {
  describePrompt,
  describeResource,
  describeTool,
  sayCut,
  sayUnusable,
  unusableField,
} from '../output/describe-capabilities.ts';
import type { Answer } from '../output/output.ts';

/** What a command prints of a listing: its last line for programs, and a text for each entry. */
interface Listed {
  readonly fields: Answer['fields'];
  readonly texts: readonly string[];
}

/**
 * `postern tools ID`: what a server can do. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED, NOT_FOUND.
 */
export async function tools(context: CommandContext): Promise<Answer> {
  const { columns } = context.output;
  return await list(context, 'tools', listTools, (found) => ({
    fields: { tools: found },
    texts: found.map((tool) => describeTool(tool, columns)),
  }));
}

/** `postern resources ID`: what a server has to read, and the templates of more. Errors: as `tools`. */
export async function resources(context: CommandContext): Promise<Answer> {
  const { columns } = context.output;
  return await list(context, 'resources', listResources, (found) => ({
    fields: { resources: found.resources, templates: found.templates },
    texts: [...found.resources, ...found.templates].map((each) => describeResource(each, columns)),
  }));
}

/** `postern prompts ID`: the prompts of a server with what they take. Errors: as `tools`. */
export async function prompts(context: CommandContext): Promise<Answer> {
  const { columns } = context.output;
  return await list(context, 'prompts', listPrompts, (found) => ({
    fields: { prompts: found },
    texts: found.map((each) => describePrompt(each, columns)),
  }));
}

async function list<Value>(
  context: CommandContext,
  what: 'tools' | 'resources' | 'prompts',
  read: (scope: UseScope) => Promise<Found<Value>>,
  describe: (found: Value) => Listed,
): Promise<Answer> {
  const { output, steps } = context;
  const used = await useIntegration(context);
  const { found, isPartial, unusable } = await read(used);
  steps.clear();
  const { fields, texts } = describe(found);
  if (texts.length === 0 && !isPartial && unusable.length === 0) output.say(`This server offers no ${what}.`);
  if (isPartial) sayCut(output, what);
  sayUnusable(output, used.integration.name, unusable);
  return {
    fields: { ...fields, ...unusableField(unusable) },
    text: texts.length === 0 ? undefined : texts.join('\n\n'),
  };
}
