import { callTool } from '../../integration/use/use-server.ts';
import { toolInputDepth } from '../../limits.ts';
import { toolCall } from '../../mcp/use-bounds.ts';
import type { CommandContext } from '../command-context.ts';
import { questionedOnTerminal } from '../asking/questioned-on-terminal.ts';
import { callProgress } from '../output/call-progress.ts';
import { serverLog } from '../output/server-log.ts';
import { describeResult } from '../output/describe-result.ts';
import type { Answer } from '../output/output.ts';
import { logLevelValue, timeoutValue } from '../options/option-values.ts';
import { UsageError } from '../options/usage-error.ts';
import { useIntegration } from '../opening/use-integration.ts';

/**
 * `postern call ID TOOL [JSON]`. A tool that says it failed has still been called: its answer has `isError`.
 * Errors: USAGE for arguments that are no JSON object, CALL_*, else as `tools`.
 */
export async function call(context: CommandContext): Promise<Answer> {
  const input = await readArguments(context);
  const longest = timeoutValue(context.args, toolCall.longest);
  const logLevel = logLevelValue(context.args);
  const { ports, integration, access } = await useIntegration(context);
  const name = context.args.positionals[1] ?? '';
  const { onProgress, showAgain } = callProgress(context, name);
  const result = await callTool(
    ports,
    integration,
    { name, arguments: input },
    {
      ...access,
      ...(context.canAsk && { person: questionedOnTerminal(context, { integration, tool: name, goOn: showAgain }) }),
      onProgress,
      logLevel,
      onLog: serverLog(context, showAgain),
      ...(longest !== undefined && { patience: { silence: longest, longest } }),
    },
  );
  context.steps.clear();
  const { content, isError = false, structuredContent } = result;
  if (isError) context.output.say('The tool reports an error:');
  return {
    fields: { content, isError, ...(structuredContent !== undefined && { structuredContent }) },
    text: context.output.json ? undefined : describeResult(result),
  };
}

async function readArguments({ args, stdin, signal }: CommandContext): Promise<Record<string, unknown>> {
  const given = args.positionals[2] ?? '{}';
  const text = given === '-' ? await stdin.readAll(signal) : given;
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw new UsageError(
      'The arguments are not valid JSON. Put them in single quotes, and names in double quotes.',
      'call',
    );
  }
  if (isDeeperThan(input, toolInputDepth)) {
    throw new UsageError(`The arguments are nested more than ${toolInputDepth} levels deep.`, 'call');
  }
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input };
  throw new UsageError(`The arguments have to be one JSON object, such as '{"text":"Hello"}'.`, 'call');
}

/** Whether a JSON value has more levels of arrays and objects than that. Without recursion, which such a value ends. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = containers([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    level = containers(level.flatMap((container): unknown[] => Object.values(container)));
  }
  return false;
}

function containers(values: readonly unknown[]): readonly object[] {
  return values.filter((value): value is object => typeof value === 'object' && value !== null);
}
