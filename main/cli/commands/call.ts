import { displayText } from '../../address/display-text.ts';
import { closestWord } from '../../closest-word.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { logLines, toolCall } from '../../limits.ts';
import type { LogEntry } from '../../mcp/client/server-questions.ts';
import type { Progress } from '../../mcp/client/call-tool.ts';
import type { ExtractedTexts } from '../../mcp/messages/extract-texts.ts';
import { callTool, listTools, UnfitArguments } from '../../operations/use.ts';
import { terminalElicitation } from '../interaction/terminal-elicitation.ts';
import { terminalUser } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openIntegration } from '../opening/open-command-engine.ts';
import { hasOption, logLevelValue, timeoutValue } from '../options/parse-arguments.ts';
import { describeToolHelp, reportUnusable, unusableField } from '../output/describe-capabilities.ts';
import { toCommandResult, describeResult, saveTarget } from '../output/describe-result.ts';
import type { CommandResult, Output } from '../output/output.ts';
import type { LiveSteps } from '../terminal/terminal-output.ts';
import { printableLine } from '../text.ts';
import { readArguments, toArgumentsError } from './call-arguments.ts';

/**
 * `postern call ID TOOL [ARGUMENT…]`. Errors: USAGE for arguments the tool does not take, TOOL_FAILED if the tool
 * reports an error, CALL_*, OUTPUT_FAILED, else as `tools`.
 */
export async function call(context: CommandContext): Promise<CommandResult> {
  const { args, output, steps } = context;
  const [, name = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const input = await readArguments(words, context);
  const longest = timeoutValue(args, toolCall.longest);
  const logLevel = logLevelValue(args);
  const { ports, integration, access, history } = await openIntegration(context);
  const { onProgress, redraw } = callProgress(context, name);
  const user = terminalUser(context, {
    ...access.user,
    ...(context.canAsk && {
      questionHandler: (source) => terminalElicitation(context, { ...source, onContinue: redraw }),
    }),
  });
  // Not displayed here, so long texts pass through as they are.
  const cut: ExtractedTexts | undefined = output.json || output.isStdoutTerminal ? undefined : new Map();
  const {
    value: result,
    unusable,
    meant,
  } = await callTool(
    {
      ports,
      integration,
      history,
      access: {
        ...access,
        verbatim: { texts: cut },
        user,
        onProgress,
        logLevel,
        onLog: serverLog(context, redraw),
      },
    },
    { name, arguments: input, anyField: hasOption(args, 'any-field'), isWatched: output.showsProgress, longest },
  ).catch((error: unknown) => {
    throw error instanceof UnfitArguments ? toArgumentsError(error) : error;
  });
  steps.clear();
  reportUnusable(output, integration.name, unusable);
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
  if (isError) output.info('The tool reported an error:');
  return await toCommandResult(context, result, { name, target, cut }, (remaining, files) => ({
    content: remaining,
    isError,
    ...structured,
    ...files,
    ...unusableField(unusable),
  }));
}

/** Milliseconds between progress events. */
const eventInterval = 1_000;

interface CallProgress {
  onProgress(this: void, progress: Progress): void;
  /** Shows the progress again after other output. */
  redraw(this: void): void;
}

/** Shows the progress of a call: an animated line with the elapsed time on a terminal, or events with `--json`. */
function callProgress(
  { output, steps }: { readonly output: Output; readonly steps: LiveSteps },
  tool: string,
): CallProgress {
  const started = performance.now();
  let last = -Infinity;
  let latest: Progress | undefined;
  const begin = (): void =>
    steps.begin(() => [describe(tool, latest), formatElapsed(performance.now() - started)].join('  '));
  begin();
  const onProgress = (progress: Progress): void => {
    latest = progress;
    const now = performance.now();
    if (now - last < eventInterval) return;
    last = now;
    const { progress: done, total, message } = progress;
    output.event('progress', {
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: printableLine(message, 200) }),
    });
  };
  return { onProgress, redraw: begin };
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
function formatElapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** Shows the server's log messages during a call. `showProgress`: shows the progress line again. */
function serverLog(
  { output, steps }: { readonly output: Output; readonly steps: LiveSteps },
  showProgress: () => void,
): (entry: LogEntry) => void {
  let remaining: number = logLines.count;
  return ({ level, data }) => {
    if (remaining === 0) return;
    remaining -= 1;
    const whole = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    const text = printableLine(whole, logLines.length);
    output.event('log', { level: printableLine(level, 20), text });
    if (output.json) return;
    steps.clear();
    output.info(`${printableLine(level, 20)}: ${text}`);
    showProgress();
  };
}

/**
 * `postern call ID TOOL --help`: the arguments of a tool, from the server. `command`: the words before TOOL.
 * Errors: TOOL_NOT_FOUND, as `tools`.
 */
export async function toolHelp(
  context: CommandContext,
  command: readonly string[] = ['call', context.args.positionals[0] ?? ''],
): Promise<CommandResult> {
  const { args, output, steps } = context;
  const [, name = ''] = args.positionals;
  const { value: tools } = await listTools(await openIntegration(context));
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
