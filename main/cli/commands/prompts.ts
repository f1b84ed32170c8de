import { listPrompts } from '../../engine/use/browse-server.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { describePrompt } from '../output/describe-tool.ts';
import type { Answer } from '../output/output.ts';
import { sayCut, UnusableParts } from '../output/say-cut.ts';

/** `postern prompts ID`: the prompts of a server with what they take. Errors: as `tools`. */
export async function prompts(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  let isPartial = false;
  const unusable = new UnusableParts();
  const found = await listPrompts(ports, integration, {
    ...access,
    onPartial: () => (isPartial = true),
    onUnusable: unusable.add,
  });
  context.steps.clear();
  if (found.length === 0 && !isPartial && unusable.isEmpty) context.output.say('This server offers no prompts.');
  if (isPartial) sayCut(context.output, 'prompts');
  unusable.say(context.output, integration.name);
  return {
    fields: { prompts: found, ...unusable.field },
    text:
      found.length === 0 ? undefined : found.map((each) => describePrompt(each, context.output.columns)).join('\n\n'),
  };
}
