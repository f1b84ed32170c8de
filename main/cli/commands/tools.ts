import { listTools } from '../../engine/use/use-server.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { describeTool } from '../output/describe-tool.ts';
import type { Answer } from '../output/output.ts';
import { sayCut, UnusableParts } from '../output/say-cut.ts';

/**
 * `postern tools ID`: what a server can do. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED, NOT_FOUND.
 */
export async function tools(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  let isPartial = false;
  const unusable = new UnusableParts();
  const found = await listTools(ports, integration, {
    ...access,
    onPartial: () => (isPartial = true),
    onUnusable: unusable.add,
  });
  const { output, steps } = context;
  steps.clear();
  if (found.length === 0 && !isPartial && unusable.isEmpty) output.say('This server offers no tools.');
  if (isPartial) sayCut(output, 'tools');
  unusable.say(output, integration.name);
  return {
    fields: { tools: found, ...unusable.field },
    text: found.length === 0 ? undefined : found.map((tool) => describeTool(tool, output.columns)).join('\n\n'),
  };
}
