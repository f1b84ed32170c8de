import { errorCatalog } from '../../../shared/error-codes.ts';
import { hasTrait, userActionFor } from '../../../shared/error-traits.ts';
import { crashSite, PosternError, toPlainError } from '../../errors/postern-error.ts';
import { CommandNotFound, CommandNotRunnable } from '../../errors/request-error.ts';
import type { Installation } from '../../host/installation.ts';
import type { Keychains } from '../../host/keychains.ts';
import type { Log } from '../../ports.ts';
import type { Command, CommandContext, CommandEngine } from '../command-context.ts';
import type { CommandName } from '../options/command-spec.ts';
import { parseArguments, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { describeHelpOrVersion, describeAllCommands, describeUsage, wantsToolHelp } from '../output/help.ts';
import type { CommandResult, Output } from '../output/output.ts';
import { addressedServer } from '../output/write-command.ts';
import type { TargetServer, AdviceContext } from '../output/write-command.ts';
import { commandTable } from '../table/command-table.ts';
import type { Interruption, StdinLines } from '../terminal/terminal-input.ts';
import type { LiveSteps } from '../terminal/terminal-output.ts';
import { exitCodes } from './this-process.ts';

export interface CommandLine {
  /** Arguments without the program name. */
  readonly argv: readonly string[];
  readonly output: Output;
  readonly steps: LiveSteps;
  readonly stdin: StdinLines;
  readonly prompt: (text: string) => void;
  readonly canAsk: boolean;
  readonly interruption: Interruption;
  readonly installation: Installation;
  /** Base of relative file names; `undefined` if the folder has been removed. */
  readonly currentFolder: string | undefined;
  /** The engine of the process that this command was delegated to. */
  readonly sharedEngine?: CommandEngine | undefined;
  readonly serveCommands?: CommandContext['serveCommands'];
  /** Keychains that are already open. */
  readonly keychains?: Keychains | undefined;
}

/** Milliseconds for cleanup. Then the process ends anyway. */
const closeTimeout = 2_000;

/** Runs one command, from parsing to its last line. Returns the exit code; never rejects. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const { output, steps, interruption } = line;
  let log: Log | undefined;
  const reporters: ((failure?: PosternError) => void)[] = [];
  const closers: (() => Promise<void>)[] = [];
  const finishers: (() => Promise<unknown>)[] = [];
  let args: ParsedArguments | undefined;
  let server: TargetServer | undefined;
  let keychains = line.keychains && Promise.resolve(line.keychains);
  const adviceContext = (): AdviceContext => ({ command: args?.command, name: integrationName(args), server });
  const codeOf = (reason: unknown): number => exitCode(reason, args?.command);
  const reportFailure = (reason: unknown, partial?: CommandResult): number => {
    for (const report of reporters) report(reason instanceof PosternError ? reason : undefined);
    log?.write('command-failed', describeFailure(reason, args?.command));
    if (reason instanceof UsageError) {
      // A usage error may name the command even if parsing failed.
      const command = commandTable.names.find((name) => name === reason.command) ?? args?.command;
      output.fail(reason, { command }, describeUsageHint(command, args));
    } else output.fail(reason, adviceContext(), undefined, partial);
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
      openProfile: async () => {
        const { openCommandProfile } = await import('../opening/open-command-profile.ts');
        return await openCommandProfile(context, line.sharedEngine?.folder);
      },
      openEngine: async (options) => {
        const { openCommandEngine } = await import('../opening/open-command-engine.ts');
        return await openCommandEngine(context, line.sharedEngine, options);
      },
      logTo: (target) => void (log = target),
      setTargetServer: (found) => void (server = found),
      adviceContext,
      beforeResult: (report) => void reporters.push(report),
      onEnd: (close) => void closers.push(close),
      finishBeforeEnd: (finish) => void finishers.push(finish),
    };
    const result = await Promise.race([runCommand(context, args), interruption.forced]);
    steps.clear();
    if (result.failure) return reportFailure(result.failure, result);
    for (const report of reporters) report();
    output.succeed(result);
    return result.exitCode ?? exitCodes.done;
  } catch (thrown) {
    steps.clear();
    const reportsInterruption = codeOf(thrown) === exitCodes.interrupted;
    return reportFailure(interruption.signal.aborted && !reportsInterruption ? interruption.signal.reason : thrown);
  } finally {
    const closed = Promise.allSettled(closers.map((close) => close()));
    const finished = Promise.allSettled(finishers.map((finish) => finish()));
    const ended = finished.then(() => Promise.race([closed, pause(closeTimeout)]));
    await Promise.race([ended, interruption.forced]).catch(() => {});
  }
}

async function runCommand(context: CommandContext, args: ParsedArguments): Promise<CommandResult> {
  const { command, options } = args;
  if (wantsToolHelp(args)) {
    await loadCommand('call');
    return await (await import('../commands/call.ts')).toolHelp(context);
  }
  const help = describeHelpOrVersion(commandTable, args, context.output);
  if (help) return help;
  if (command === undefined) throw new UsageError('Give a command, such as “postern connect URL”.');
  const run = await loadCommand(command);
  // Create the keyring now, even if this command stores no secret.
  if (options.has('vault')) await context.keychains();
  return await run(context);
}

/** Loaded only by commands that need a secret. */
async function openKeychainsOf(context: CommandContext): Promise<Keychains> {
  const { openCommandKeychains } = await import('../opening/open-command-keychains.ts');
  return await openCommandKeychains(context);
}

/** The ID argument, if the command takes one. */
function integrationName(args: ParsedArguments | undefined): string | undefined {
  if (args?.command === undefined) return undefined;
  const { positionals } = commandTable.specs[args.command];
  return positionals[0] === 'ID' ? args.positionals[0] : undefined;
}

function describeFailure(error: unknown, command: CommandName | undefined): Parameters<Log['write']>[1] {
  const plain = toPlainError(error);
  const { code, cause, stage } = plain;
  return { command, code, cause, stage, at: hasTrait(plain, 'bug') ? crashSite(error) : undefined };
}

/** Hint after a usage error: the usage of the command, or the full help if no command was given. */
function describeUsageHint(command: CommandName | undefined, args: ParsedArguments | undefined): string | undefined {
  if (command !== undefined) return `Usage: ${describeUsage(commandTable, command)}`;
  return args === undefined ? undefined : `\n${describeAllCommands(commandTable)}`;
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** Loads one command. */
async function loadCommand(command: CommandName): Promise<Command> {
  // Must be loaded before the modules that create schemas.
  await import('./configure-zod.ts');
  return await commandTable.specs[command].load();
}

/**
 * The exit code for an error of `command`. 3: only the user can fix it, with a sign-in or a key. 126 and 127: the
 * program to run could not be started (POSIX). Errors that are not ours are INTERNAL.
 */
export function exitCode(error: unknown, command: CommandName | undefined): number {
  if (command !== 'import' && error instanceof CommandNotFound) return exitCodes.notFound;
  if (command !== 'import' && error instanceof CommandNotRunnable) return exitCodes.notRunnable;
  if (!(error instanceof PosternError)) return exitCodes.failed;
  if (error instanceof UsageError) return exitCodes.usage;
  if (hasTrait(error, 'interrupted')) return exitCodes.interrupted;
  const { code }: PosternError = error;
  // For other commands, a refused sign-in is an ordinary failure.
  const spec = command && commandTable.specs[command];
  if (spec?.usesSignIn && userActionFor(errorCatalog[code].remedy)) return exitCodes.signIn;
  return exitCodes.failed;
}
