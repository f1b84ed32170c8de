import { listResources } from '../../engine/use/browse-server.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { describeResource } from '../output/describe-tool.ts';
import type { Answer } from '../output/output.ts';
import { sayCut, UnusableParts } from '../output/say-cut.ts';

/** `postern resources ID`: what a server has to read, and the templates of more. Errors: as `tools`. */
export async function resources(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  let isPartial = false;
  const unusable = new UnusableParts();
  const found = await listResources(ports, integration, {
    ...access,
    onPartial: () => (isPartial = true),
    onUnusable: unusable.add,
  });
  context.steps.clear();
  const all = [...found.resources, ...found.templates];
  if (all.length === 0 && !isPartial && unusable.isEmpty) context.output.say('This server offers no resources.');
  if (isPartial) sayCut(context.output, 'resources');
  unusable.say(context.output, integration.name);
  return {
    fields: { resources: found.resources, templates: found.templates, ...unusable.field },
    text: all.length === 0 ? undefined : all.map((each) => describeResource(each, context.output.columns)).join('\n\n'),
  };
}
