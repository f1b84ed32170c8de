import { listPrompts } from '../../integration/use/browse-server.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { describePrompt } from '../output/describe-offer.ts';
import type { Answer } from '../output/output.ts';
import { sayCut } from '../output/say-cut.ts';

/** `postern prompts ID`: the prompts of a server with what they take. Errors: as `tools`. */
export async function prompts(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  let isPartial = false;
  const found = await listPrompts(ports, integration, { ...access, onPartial: () => (isPartial = true) });
  context.steps.clear();
  if (found.length === 0 && !isPartial) context.output.say('This server offers no prompts.');
  if (isPartial) sayCut(context.output, 'prompts');
  return {
    fields: { prompts: found },
    text:
      found.length === 0 ? undefined : found.map((each) => describePrompt(each, context.output.columns)).join('\n\n'),
  };
}
