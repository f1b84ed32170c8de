import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { Installation } from '../../engine/installation.ts';
import type { Keychains } from '../../engine/keychains.ts';
import { toPlainError } from '../../plain-error.ts';
import type { Log } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { CommandContext } from '../command-context.ts';
import { commandSpecs } from '../options/command-specs.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import type { CommandName } from '../options/command-specs.ts';
import { crashSite } from '../../crash-site.ts';
import { exitCode, exitCodes } from '../output/exit-code.ts';
import { describeCommand, describeProgram, describeUsage } from '../options/help.ts';
import type { Interruption } from '../terminal/interruption.ts';
import type { LiveSteps } from '../output/live-steps.ts';
import { loadCommand } from './load-command.ts';
import type { Answer, Output } from '../output/output.ts';
import { addressedServer } from '../output/write-command.ts';
import type { ServerAtHand, Situation } from '../output/write-command.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import type { StdinLines } from '../terminal/stdin-lines.ts';
import { UsageError } from '../options/usage-error.ts';
import { readVersion } from '../output/version.ts';
import { wrapLines } from '../text/text-table.ts';

export interface CommandLine {
  /** Its words, without the program. */
  readonly argv: readonly string[];
  readonly output: Output;
  readonly steps: LiveSteps;
  readonly stdin: StdinLines;
  readonly prompt: (text: string) => void;
  readonly canAsk: boolean;
  readonly interruption: Interruption;
  readonly installation: Installation;
  /** Those that are open already. */
  readonly keychains?: Keychains | undefined;
}

/** Milliseconds for closing what a command has opened; the process ends in any case. */
const closingTime = 2_000;

/** One command from its words to its last line. Answers the exit code; never rejects. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const { output, steps, interruption } = line;
  let log: Log | undefined;
  const tellers: ((failure?: ErrorCode) => void)[] = [];
  const closers: (() => Promise<void>)[] = [];
  let args: ParsedArguments | undefined;
  let server: ServerAtHand | undefined;
  let keychains = line.keychains && Promise.resolve(line.keychains);
  const situation = (): Situation => ({ command: args?.command, name: integrationName(args), server });
  const codeOf = (reason: unknown): number => exitCode(reason, args?.command);
  const end = (reason: unknown, partly?: Answer): number => {
    for (const tell of tellers) tell(reason instanceof PosternError ? reason.code : undefined);
    log?.write('command-failed', describeFailure(reason, args?.command));
    if (reason instanceof UsageError) {
      // Words that could not be read have a command all the same.
      const command = reason.command ?? args?.command;
      output.fail(reason, { command }, describeRightUse(command, args));
    } else output.fail(reason, situation(), undefined, partly);
    return codeOf(reason);
  };
  try {
    args = parseArguments(line.argv);
    server = addressedServer(args);
    const context: CommandContext = {
      ...line,
      args,
      signal: interruption.signal,
      keychains: () => (keychains ??= openKeychainsOf(context)),
      logTo: (place) => void (log = place),
      serverAtHand: (found) => void (server = found),
      situation,
      onAnswer: (tell) => void tellers.push(tell),
      onEnd: (close) => void closers.push(close),
    };
    const answer = await Promise.race([answerTo(context), interruption.forced]);
    steps.clear();
    if (answer.failure) return end(answer.failure, answer);
    for (const tell of tellers) tell();
    output.succeed(answer);
    return answer.exitCode ?? exitCodes.done;
  } catch (thrown) {
    steps.clear();
    const tells = codeOf(thrown) === exitCodes.interrupted;
    return end(interruption.signal.aborted && !tells ? interruption.signal.reason : thrown);
  } finally {
    await Promise.race([
      Promise.allSettled(closers.map((close) => close())),
      interruption.forced,
      pause(closingTime),
    ]).catch(() => {});
  }
}

async function answerTo(context: CommandContext): Promise<Answer> {
  const { command, options } = context.args;
  if (options.has('version')) {
    const version = readVersion();
    return { fields: { version }, text: version };
  }
  if (options.has('help') && command === 'call' && context.args.positionals.length > 1) {
    await loadCommand('call');
    return await (await import('../commands/tool-help.ts')).toolHelp(context);
  }
  if (options.has('help')) {
    const help = context.output.advise(command === undefined ? describeProgram() : describeCommand(command));
    return { fields: { help }, text: wrapLines(help, context.output.columns) };
  }
  if (command === undefined) throw new UsageError('Say what to do, such as “postern connect URL”.');
  const run = await loadCommand(command);
  return await run(context);
}

/** Loaded only for the commands that need a secret. */
async function openKeychainsOf(context: CommandContext): Promise<Keychains> {
  const { openCommandKeychains } = await import('../opening/open-command-keychains.ts');
  return await openCommandKeychains(context);
}

/** What stands for ID, if the command has one. */
function integrationName(args: ParsedArguments | undefined): string | undefined {
  if (args?.command === undefined) return undefined;
  const { positionals }: CommandSpec = commandSpecs[args.command];
  return positionals[0] === 'ID' ? args.positionals[0] : undefined;
}

function describeFailure(error: unknown, command: CommandName | undefined): Parameters<Log['write']>[1] {
  const { code, cause, stage } = toPlainError(error);
  return { command, code, cause, stage, at: code === 'INTERNAL' ? crashSite(error) : undefined };
}

/** What helps after a mistake: how the command is used, and without any word the whole overview. */
function describeRightUse(command: CommandName | undefined, args: ParsedArguments | undefined): string | undefined {
  if (command !== undefined) return `Usage: ${describeUsage(command)}`;
  return args === undefined ? undefined : `\n${describeProgram()}`;
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
