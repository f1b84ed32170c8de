import { readResource } from '../../integration/use/browse-server.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { describeContents } from '../output/describe-result.ts';
import type { Answer } from '../output/output.ts';

/** `postern read ID URI`: one resource of a server. Errors: as `tools`. */
export async function read(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  const contents = await readResource(ports, integration, context.args.positionals[1] ?? '', access);
  context.steps.clear();
  if (contents.length === 0) context.output.say('There is nothing in it.');
  return { fields: { contents }, text: context.output.json ? undefined : describeContents(contents) };
}
