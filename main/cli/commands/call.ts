import { closestWord } from '../../closest-word.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { callTool } from '../../integration/use/use-server.ts';
import type { CutTexts } from '../../mcp/messages/cut-texts.ts';
import { toolCall } from '../../mcp/use-bounds.ts';
import { PosternError } from '../../postern-error.ts';
import type { CommandContext } from '../command-context.ts';
import { questionedOnTerminal } from '../asking/questioned-on-terminal.ts';
import { answerWith } from '../output/answer-result.ts';
import { callProgress } from '../output/call-progress.ts';
import { describeResult } from '../output/describe-result.ts';
import { UnusableParts } from '../output/say-cut.ts';
import { serverLog } from '../output/server-log.ts';
import type { Answer } from '../output/output.ts';
import { saveTarget } from '../output/save-result.ts';
import { readArguments } from '../arguments/argument-words.ts';
import { refuseTextFields, refuseUnknownFields } from '../arguments/check-fields.ts';
import { hasOption, logLevelValue, timeoutValue } from '../options/option-values.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { displayText } from '../../address/display-text.ts';

/**
 * `postern call ID TOOL [ARGUMENT…]`. Errors: USAGE for what the tool does not take, TOOL_FAILED where it says that it
 * failed, CALL_*, OUTPUT_FAILED, else as `tools`.
 */
export async function call(context: CommandContext): Promise<Answer> {
  const { args, output, steps } = context;
  const [, name = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const input = await readArguments(words, context);
  const longest = timeoutValue(args, toolCall.longest);
  const logLevel = logLevelValue(args);
  const { ports, integration, access } = await useIntegration(context);
  const { onProgress, showAgain } = callProgress(context, name);
  const isChecked = Object.keys(input).length > 0 && !hasOption(args, 'any-field');
  // Nobody looks at it here: it goes on as it comes, however long it is.
  const cut: CutTexts | undefined = output.json || output.isShown ? undefined : new Map();
  const unusable = new UnusableParts();
  const result = await callTool(
    ports,
    integration,
    {
      name,
      arguments: input,
      ...(isChecked && {
        check(tool) {
          refuseUnknownFields(tool, input);
          refuseTextFields(tool, input);
        },
      }),
    },
    {
      ...access,
      onUnusable: unusable.add,
      asWritten: { texts: cut },
      ...(context.canAsk && { person: questionedOnTerminal(context, { integration, tool: name, goOn: showAgain }) }),
      onProgress,
      logLevel,
      onLog: serverLog(context, showAgain),
      ...(longest !== undefined && { patience: { silence: longest, longest } }),
    },
  );
  steps.clear();
  unusable.say(output, integration.name);
  const { content, isError = false, structuredContent } = result;
  const structured = structuredContent !== undefined && { structuredContent };
  if (isError && !hasOption(args, 'allow-tool-error')) {
    const meant = await unknownTool(ports, integration.id, name);
    const detail = { tool: displayText(name, 80), ...(meant !== undefined && { meant }) };
    return {
      fields: { content, isError, ...structured, ...unusable.field },
      text: output.json ? undefined : describeResult(result, cut),
      failure: new PosternError('TOOL_FAILED', { stage: 'connection', detail }),
    };
  }
  if (isError) output.say('The tool reports an error:');
  return await answerWith(context, result, { name, target, cut }, (left, files) => ({
    content: left,
    isError,
    ...structured,
    ...files,
    ...unusable.field,
  }));
}

/** Many a server answers for a tool that it does not have: the one that was probably meant, of those it last listed. */
async function unknownTool({ pins }: EnginePorts, id: string, name: string): Promise<string | undefined> {
  const seen = await pins.read(id);
  const known = [...(seen?.tools ?? []), ...(seen?.changed ?? [])].map((tool) => tool.name);
  return known.includes(name) ? undefined : closestWord(name, known);
}
