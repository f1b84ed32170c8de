import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import type { PosternError } from '../../errors/postern-error.ts';
import { CommandNotFound, CommandNotRunnable } from '../../errors/request-error.ts';
import { findProgram } from '../../find-program.ts';
import type { CommandContext } from '../command-context.ts';
import { secretVariables } from '../opening/keyring-secret.ts';
import { hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text.ts';
import { tokenForOthers } from './token.ts';

/** What opens the sign-ins is nothing for the command. */
const withoutSecrets = Object.fromEntries(Object.values(secretVariables).map((name) => [name, undefined]));

/** The variable that holds the token, or names the file with the header. */
const usualVariable = { token: 'POSTERN_TOKEN', file: 'POSTERN_HEADER_FILE' } as const;

/**
 * `postern exec ID -- COMMAND…`: runs a command with a fresh access token in a variable of its environment, or in a
 * header file that only this user can read and that goes when the command ends. Standard streams are the command's, and
 * the exit code is its own. Errors: those of `token`; LOCAL_NOT_FOUND where the command cannot be started.
 */
export async function exec(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  const [, file = '', ...words] = args.positionals;
  const inFile = hasOption(args, 'header-file');
  const variable = optionValue(args, 'env') ?? (inFile ? usualVariable.file : usualVariable.token);
  if (!/^[A-Za-z_]\w{0,99}$/u.test(variable))
    throw new UsageError('--env needs the name of a variable: letters, digits and _.', args.command);
  const { accessToken, type, remark, warnings } = await tokenForOthers(context);
  output.say(remark);
  for (const warning of warnings) output.tell(warning);
  const given = inFile
    ? writeHeaderFile(`Authorization: ${type} ${accessToken.reveal()}\n`, context.onEnd)
    : accessToken.reveal();
  const exitCode = await run(file, words, { ...process.env, ...withoutSecrets, [variable]: given }, context);
  return { fields: { exitCode }, exitCode };
}

/** In a folder of its own, which nobody else can enter, and which goes in whatever way this process ends its work. */
function writeHeaderFile(text: string, onEnd: CommandContext['onEnd']): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-exec-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'headers');
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}

/** Ends when the command does; each signal that reaches this process is for the command, which decides. */
async function run(
  file: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal, interruption, stdin }: Pick<CommandContext, 'signal' | 'interruption' | 'stdin'>,
): Promise<number> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const program = wholePath(file);
  if (program === undefined) throw notStarted(file, Object.assign(new Error('not found'), { code: 'ENOENT' }));
  const child = startCommand(program, words, env);
  // A terminal gives its Ctrl-C to the command itself.
  interruption.passTo((name) => void (name === 'SIGINT' && stdin.isTerminal ? true : child.kill(name)));
  child.once('error', (cause) => reject(notStarted(file, cause)));
  child.once('exit', (code, name) => resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])));
  return await promise;
}

/** Windows looks for a bare name in the current folder first, and whatever lies there would be given the token. */
function wholePath(file: string): string | undefined {
  return process.platform !== 'win32' || /[/\\]/u.test(file) ? file : findProgram(file, process.env, 'win32');
}

/** Some of the system's refusals are thrown at once, such as for a path through a file. Errors: LOCAL_NOT_FOUND. */
function startCommand(program: string, words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  try {
    return spawn(program, words, { env, stdio: 'inherit' });
  } catch (cause) {
    throw notStarted(program, cause instanceof Error ? cause : new Error('not started'));
  }
}

function notStarted(file: string, cause: Error): PosternError {
  const command = printableLine(file, 80);
  const advice = 'code' in cause && cause.code === 'E2BIG' ? 'shortenCommand' : 'checkCommandSpelling';
  const remedy = { kind: 'go-on', advice } as const;
  const isNoName = 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ERR_INVALID_ARG_VALUE');
  // The system says the same of a script whose interpreter is missing.
  const isThere = /[/\\]/u.test(file)
    ? existsSync(file)
    : findProgram(file, process.env, process.platform) !== undefined;
  if (isNoName && !isThere)
    return new CommandNotFound('LOCAL_NOT_FOUND', { stage: 'local', cause, detail: { command }, remedy });
  return new CommandNotRunnable('LOCAL_NOT_FOUND', {
    stage: 'local',
    cause,
    detail: { command, denied: true },
    remedy,
  });
}
