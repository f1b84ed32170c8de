import { displayText } from '../../address/display-text.ts';
import { closestWord } from '../../closest-word.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { logLines, toolCall } from '../../limits.ts';
import type { LogEntry } from '../../mcp/client/server-questions.ts';
import type { Progress } from '../../mcp/client/use-tools.ts';
import type { CutTexts } from '../../mcp/messages/exact-json.ts';
import { callTool, listTools, UnfitArguments } from '../../operations/use.ts';
import { questionedOnTerminal } from '../asking/questioned-on-terminal.ts';
import { terminalUser } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { hasOption, logLevelValue, timeoutValue } from '../options/parse-arguments.ts';
import { describeToolHelp, sayUnusable, unusableField } from '../output/describe-capabilities.ts';
import { answerWith, describeResult, saveTarget } from '../output/describe-result.ts';
import type { Answer, Output } from '../output/output.ts';
import type { LiveSteps } from '../terminal/terminal-output.ts';
import { printableLine } from '../text.ts';
import { readArguments, toArgumentUsage } from './call-arguments.ts';

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
  const { ports, integration, access, history } = await useIntegration(context);
  const { onProgress, showAgain } = callProgress(context, name);
  const user = terminalUser(context, {
    ...access.user,
    ...(context.canAsk && { questioned: (asked) => questionedOnTerminal(context, { ...asked, goOn: showAgain }) }),
  });
  // Nobody looks at it here: it goes on as it comes, however long it is.
  const cut: CutTexts | undefined = output.json || output.isShown ? undefined : new Map();
  const {
    found: result,
    unusable,
    meant,
  } = await callTool(
    {
      ports,
      integration,
      history,
      access: {
        ...access,
        asWritten: { texts: cut },
        user,
        onProgress,
        logLevel,
        onLog: serverLog(context, showAgain),
      },
    },
    { name, arguments: input, anyField: hasOption(args, 'any-field'), isWatched: output.isWatched, longest },
  ).catch((error: unknown) => {
    throw error instanceof UnfitArguments ? toArgumentUsage(error) : error;
  });
  steps.clear();
  sayUnusable(output, integration.name, unusable);
  const { content, isError = false, structuredContent } = result;
  const structured = structuredContent !== undefined && { structuredContent };
  if (isError && !hasOption(args, 'allow-tool-error')) {
    const detail = { tool: displayText(name, 80), ...(meant !== undefined && { meant }) };
    return {
      fields: { content, isError, ...structured, ...unusableField(unusable) },
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
    ...unusableField(unusable),
  }));
}

/** Milliseconds between two lines about one call for programs. */
const interval = 1_000;

export interface CallProgress {
  onProgress(this: void, progress: Progress): void;
  /** After something else was written. */
  showAgain(this: void): void;
}

/** Shows how far a call of `tool` is: on a terminal in one moving line with its time, for programs in lines. */
export function callProgress(
  { output, steps }: { readonly output: Output; readonly steps: LiveSteps },
  tool: string,
): CallProgress {
  const started = performance.now();
  let last = -Infinity;
  let latest: Progress | undefined;
  const begin = (): void => steps.begin(() => [describe(tool, latest), clock(performance.now() - started)].join('  '));
  begin();
  const onProgress = (progress: Progress): void => {
    latest = progress;
    const now = performance.now();
    if (now - last < interval) return;
    last = now;
    const { progress: done, total, message } = progress;
    output.event('progress', {
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: printableLine(message, 200) }),
    });
  };
  return { onProgress, showAgain: begin };
}

function describe(tool: string, latest: Progress | undefined): string {
  const name = printableLine(tool, 60);
  if (!latest) return `Calling ${name}`;
  const { progress, total, message } = latest;
  const isPart = total !== undefined && total > 0 && progress >= 0 && progress <= total;
  const part = isPart ? `${Math.floor((progress / total) * 100)} %` : '';
  return [`Calling ${name}`, part, printableLine(message ?? '', 200)].filter((text) => text !== '').join('  ');
}

/** `1:05`, or `1:02:05`. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** Shows what a server writes into its log during a call; `goOn` shows again how far the call is. */
export function serverLog(
  { output, steps }: { readonly output: Output; readonly steps: LiveSteps },
  goOn: () => void,
): (entry: LogEntry) => void {
  let left: number = logLines.count;
  return ({ level, data }) => {
    if (left === 0) return;
    left -= 1;
    const whole = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    const text = printableLine(whole, logLines.length);
    output.event('log', { level: printableLine(level, 20), text });
    if (output.json) return;
    steps.clear();
    output.say(`${printableLine(level, 20)}: ${text}`);
    goOn();
  };
}

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
      detail: { name: displayText(name, 128), ...(meant !== undefined && { meant: displayText(meant, 120) }) },
    });
  }
  return {
    fields: { tool },
    text: output.json ? undefined : output.advise(describeToolHelp(tool, command, output.columns)),
  };
}
