import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import type { PosternError } from '../../errors/postern-error.ts';
import { CommandNotFound, CommandNotRunnable } from '../../errors/request-error.ts';
import { findExecutable } from '../../find-executable.ts';
import type { CommandContext } from '../command-context.ts';
import { secretVariables } from '../opening/keyring-secret.ts';
import { hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { CommandResult } from '../output/output.ts';
import { printableLine } from '../text.ts';
import { readUsableToken } from './token.ts';

/** The command must not get the variables that unlock the sign-ins. */
const withoutSecrets = Object.fromEntries(Object.values(secretVariables).map((name) => [name, undefined]));

/** Variable for the token, or for the name of the header file. */
const defaultVariable = { token: 'POSTERN_TOKEN', file: 'POSTERN_HEADER_FILE' } as const;

/**
 * `postern exec ID -- COMMAND…`: runs a command with a fresh access token in an environment variable, or in a header
 * file that only this user can read and that is deleted afterwards. The command gets the standard streams and sets the
 * exit code. Errors: those of `token`; LOCAL_NOT_FOUND if the command cannot be started.
 */
export async function exec(context: CommandContext): Promise<CommandResult> {
  const { args, output } = context;
  const [, file = '', ...words] = args.positionals;
  const inFile = hasOption(args, 'header-file');
  const variable = optionValue(args, 'env') ?? (inFile ? defaultVariable.file : defaultVariable.token);
  if (!/^[A-Za-z_]\w{0,99}$/u.test(variable))
    throw new UsageError('--env needs a variable name of letters, digits and _.', args.command);
  const { accessToken, type, expiryNote, warnings } = await readUsableToken(context);
  output.info(expiryNote);
  for (const warning of warnings) output.notify(warning);
  const value = inFile
    ? writeHeaderFile(`Authorization: ${type} ${accessToken.reveal()}\n`, context.onEnd)
    : accessToken.reveal();
  const exitCode = await run(file, words, { ...process.env, ...withoutSecrets, [variable]: value }, context);
  return { fields: { exitCode }, exitCode };
}

/** In a private temporary folder, which is deleted however the command ends. */
function writeHeaderFile(text: string, onEnd: CommandContext['onEnd']): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-exec-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'headers');
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}

/** Runs the command to its end and forwards signals to it. */
async function run(
  file: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal, interruption, stdin }: Pick<CommandContext, 'signal' | 'interruption' | 'stdin'>,
): Promise<number> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const program = resolveProgram(file);
  if (program === undefined) throw startError(file, Object.assign(new Error('not found'), { code: 'ENOENT' }));
  const child = startCommand(program, words, env);
  // On Ctrl-C, the terminal already signals the command.
  interruption.passTo((name) => void (name === 'SIGINT' && stdin.isTerminal ? true : child.kill(name)));
  child.once('error', (cause) => reject(startError(file, cause)));
  child.once('exit', (code, name) => resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])));
  return await promise;
}

/** Windows searches the current folder first, so a planted program there would get the token. */
function resolveProgram(file: string): string | undefined {
  return process.platform !== 'win32' || /[/\\]/u.test(file) ? file : findExecutable(file, process.env, 'win32');
}

/** `spawn` throws some errors synchronously, such as ENOTDIR. Errors: LOCAL_NOT_FOUND. */
function startCommand(program: string, words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  try {
    return spawn(program, words, { env, stdio: 'inherit' });
  } catch (cause) {
    throw startError(program, cause instanceof Error ? cause : new Error('not started'));
  }
}

function startError(file: string, cause: Error): PosternError {
  const command = printableLine(file, 80);
  const advice = 'code' in cause && cause.code === 'E2BIG' ? 'shortenCommand' : 'checkCommandSpelling';
  const remedy = { kind: 'go-on', advice } as const;
  const isNotFound = 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ERR_INVALID_ARG_VALUE');
  // A script with a missing interpreter gives the same error.
  const exists = /[/\\]/u.test(file)
    ? existsSync(file)
    : findExecutable(file, process.env, process.platform) !== undefined;
  if (isNotFound && !exists)
    return new CommandNotFound('LOCAL_NOT_FOUND', { stage: 'local', cause, detail: { command }, remedy });
  return new CommandNotRunnable('LOCAL_NOT_FOUND', {
    stage: 'local',
    cause,
    detail: { command, denied: true },
    remedy,
  });
}
