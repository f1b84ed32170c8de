import { errorCatalogue } from '../../../shared/error-codes.ts';
import { isAbout, wayOutOf } from '../../../shared/error-facts.ts';
import { crashSite, PosternError, toPlainError } from '../../errors/postern-error.ts';
import { CommandNotFound, CommandNotRunnable } from '../../errors/request-error.ts';
import type { Installation } from '../../host/installation.ts';
import type { Keychains } from '../../host/keychains.ts';
import type { Log } from '../../ports.ts';
import type { Command, CommandContext, CommandEngine } from '../command-context.ts';
import type { CommandName } from '../options/command-spec.ts';
import { parseArguments, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { describeItself, describeProgram, describeUsage, wantsToolHelp } from '../output/help.ts';
import type { Answer, Output } from '../output/output.ts';
import { addressedServer } from '../output/write-command.ts';
import type { ServerAtHand, Situation } from '../output/write-command.ts';
import { commandTable } from '../table/command-table.ts';
import type { Interruption, StdinLines } from '../terminal/terminal-input.ts';
import type { LiveSteps } from '../terminal/terminal-output.ts';
import { exitCodes } from './this-process.ts';

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
  /** What names of files are relative to; `undefined` where it has been removed. */
  readonly currentFolder: string | undefined;
  /** Of the process that runs it for another one. */
  readonly lent?: CommandEngine | undefined;
  readonly serveCommands?: CommandContext['serveCommands'];
  /** Those that are open already. */
  readonly keychains?: Keychains | undefined;
}

/** Milliseconds for closing what a command has opened; the process ends in any case. */
const closingTime = 2_000;

/** One command from its words to its last line. Answers the exit code; never rejects. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const { output, steps, interruption } = line;
  let log: Log | undefined;
  const tellers: ((failure?: PosternError) => void)[] = [];
  const closers: (() => Promise<void>)[] = [];
  const finishers: (() => Promise<unknown>)[] = [];
  let args: ParsedArguments | undefined;
  let server: ServerAtHand | undefined;
  let keychains = line.keychains && Promise.resolve(line.keychains);
  const situation = (): Situation => ({ command: args?.command, name: integrationName(args), server });
  const codeOf = (reason: unknown): number => exitCode(reason, args?.command);
  const end = (reason: unknown, partly?: Answer): number => {
    for (const tell of tellers) tell(reason instanceof PosternError ? reason : undefined);
    log?.write('command-failed', describeFailure(reason, args?.command));
    if (reason instanceof UsageError) {
      // Words that could not be read have a command all the same.
      const command = commandTable.names.find((name) => name === reason.command) ?? args?.command;
      output.fail(reason, { command }, describeRightUse(command, args));
    } else output.fail(reason, situation(), undefined, partly);
    return codeOf(reason);
  };
  try {
    args = parseArguments(commandTable, line.argv);
    server = addressedServer(args);
    const context: CommandContext = {
      ...line,
      args,
      commands: commandTable,
      signal: interruption.signal,
      keychains: () => (keychains ??= openKeychainsOf(context)),
      logTo: (place) => void (log = place),
      serverAtHand: (found) => void (server = found),
      situation,
      onAnswer: (tell) => void tellers.push(tell),
      onEnd: (close) => void closers.push(close),
      finishBeforeEnd: (finish) => void finishers.push(finish),
    };
    const answer = await Promise.race([answerTo(context, args), interruption.forced]);
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
    const closed = Promise.allSettled(closers.map((close) => close()));
    const finished = Promise.allSettled(finishers.map((finish) => finish()));
    const ended = finished.then(() => Promise.race([closed, pause(closingTime)]));
    await Promise.race([ended, interruption.forced]).catch(() => {});
  }
}

async function answerTo(context: CommandContext, args: ParsedArguments): Promise<Answer> {
  const { command, options } = args;
  if (wantsToolHelp(args)) {
    await loadCommand('call');
    return await (await import('../commands/call.ts')).toolHelp(context);
  }
  const about = describeItself(commandTable, args, context.output);
  if (about) return about;
  if (command === undefined) throw new UsageError('Say what to do, such as “postern connect URL”.');
  const run = await loadCommand(command);
  // Made at once, whether or not the command has anything to seal.
  if (options.has('vault')) await context.keychains();
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
  const { positionals } = commandTable.specs[args.command];
  return positionals[0] === 'ID' ? args.positionals[0] : undefined;
}

function describeFailure(error: unknown, command: CommandName | undefined): Parameters<Log['write']>[1] {
  const plain = toPlainError(error);
  const { code, cause, stage } = plain;
  return { command, code, cause, stage, at: isAbout(plain, 'bug') ? crashSite(error) : undefined };
}

/** What helps after a mistake: how the command is used, and without any word the whole overview. */
function describeRightUse(command: CommandName | undefined, args: ParsedArguments | undefined): string | undefined {
  if (command !== undefined) return `Usage: ${describeUsage(commandTable, command)}`;
  return args === undefined ? undefined : `\n${describeProgram(commandTable)}`;
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** Loads one command, after what has to be there before it. */
async function loadCommand(command: CommandName): Promise<Command> {
  // Before the modules that make schemas.
  await import('./interpret-schemas.ts');
  return await commandTable.specs[command].load();
}

/**
 * The exit code for an error of `command`: 3 says that only a user can help, by signing in again or with a key; 126 and
 * 127 that the command which was to run could not (POSIX). Anything that is not ours is INTERNAL.
 */
export function exitCode(error: unknown, command: CommandName | undefined): number {
  if (command !== 'import' && error instanceof CommandNotFound) return exitCodes.notFound;
  if (command !== 'import' && error instanceof CommandNotRunnable) return exitCodes.notRunnable;
  if (!(error instanceof PosternError)) return exitCodes.failed;
  if (error instanceof UsageError) return exitCodes.usage;
  if (isAbout(error, 'interrupted')) return exitCodes.interrupted;
  const { code }: PosternError = error;
  // Elsewhere a refused sign-in is a plain failure.
  const spec = command && commandTable.specs[command];
  if (spec?.usesSignIn && wayOutOf(errorCatalogue[code].remedy)) return exitCodes.signIn;
  return exitCodes.failed;
}
