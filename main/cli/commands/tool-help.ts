import { displayText } from '../../address/display-text.ts';
import { closestWord } from '../../closest-word.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { listTools } from '../../operations/use.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { describeToolHelp } from '../output/describe-capabilities.ts';
import type { Answer } from '../output/output.ts';

/**
 * `postern call ID TOOL --help`: what that tool takes, as its server says now. `command`: what is typed before TOOL.
 * Errors: TOOL_NOT_FOUND, as `tools`.
 */
export async function toolHelp(
  context: CommandContext,
  command: readonly string[] = ['call', context.args.positionals[0] ?? ''],
): Promise<Answer> {
  const { args, output, steps } = context;
  const [, name = ''] = args.positionals;
  const { found: tools } = await listTools(await useIntegration(context));
  steps.clear();
  const tool = tools.find((listed) => listed.name === name);
  if (!tool) {
    const meant = closestWord(
      name,
      tools.map((listed) => listed.name),
    );
    throw new PosternError('TOOL_NOT_FOUND', {
      stage: 'connection',
      detail: { name: displayText(name, 128), ...(meant !== undefined && { meant }) },
    });
  }
  return {
    fields: { tool },
    text: output.json ? undefined : output.advise(describeToolHelp(tool, command, output.columns)),
  };
}
