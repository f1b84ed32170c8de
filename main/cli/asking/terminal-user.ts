import { isKeyHeaderName, keyHeaderValue } from '../../../shared/header-name.ts';
import type { ServerUser } from '../../engine/use/use-server.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { stdinLength } from '../../limits.ts';
import type { Question, Surface, User } from '../../operations/operation.ts';
import { Secret } from '../../secret.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';

/**
 * The user at this terminal. `also`: what the command asks beside consent, since most load nothing for that. Apps are
 * served by other processes.
 */
export function terminalUser(context: CommandContext, also: ServerUser = {}): User {
  return {
    ...also,
    confirm: async (question) => {
      if (question.kind === 'remove-everything') return await confirmAll(context, question.servers);
      const preview = await previewOf(question, context);
      if (preview) await askForYes(context, preview);
      return true;
    },
  };
}

/** The terminal, as operations know it. A window that runs finds changes by itself. */
export function terminalSurface(context: CommandContext): Surface {
  return { user: terminalUser(context), changed: async () => {} };
}

async function confirmAll(context: CommandContext, servers: number | undefined): Promise<boolean> {
  if (hasOption(context.args, 'yes')) return true;
  return isYes(await askLine(context, `Delete ${whatGoes(servers)} of Postern from this computer? [y/N] `));
}

function whatGoes(servers: number | undefined): string {
  if (servers === undefined) return 'every sign-in and the settings, whose list cannot be read,';
  if (servers === 0) return 'the settings';
  return servers === 1
    ? 'the one server, its sign-in and the settings'
    : `all ${servers} servers, sign-ins and settings`;
}

/** `undefined`: typing the command was the answer. */
async function previewOf(
  question: Exclude<Question, { kind: 'remove-everything' }>,
  { output }: Pick<CommandContext, 'output'>,
): Promise<Preview | undefined> {
  switch (question.kind) {
    case 'revoke':
      return {
        event: { revokes: question.records.map(({ id, program, name }) => ({ id, program, name })) },
        lines: [`${question.app} will be able to use nothing of Postern any more.`],
      };
    case 'run-command': {
      const { describeRun } = await import('../output/describe-command.ts');
      const { command, remote } = question;
      return { event: { command, ...(remote && { remote }) }, lines: describeRun(question, output.advise) };
    }
    case 'sign-out':
    case 'remove':
      return undefined;
  }
}

const interrupt = '\u0003';
const endOfInput = '\u0004';

/**
 * Reads one line from a terminal without showing it. `ask` writes the question once the echo is off, or a fast answer
 * would be shown. `undefined`: the person pressed Ctrl-D on an empty line.
 * Errors: USER_CANCELLED on Ctrl-C (in raw mode the terminal sends no signal), the reason of `signal`.
 */
export async function readHiddenLine(
  stdin: StdinLines,
  ask: () => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let typed: string[] = [];
  let done = false;
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const release = stdin.takeKeys((keys) => {
    // Terminals mark a paste (`ESC [200~`) and send arrow keys as escape sequences: no part of a secret.
    for (const key of keys.replace(/\u001b\[[0-9;]*[~A-Za-z]/gu, '')) {
      if (done) return;
      if (key === '\r' || key === '\n' || (key === endOfInput && typed.length > 0)) finish(typed.join(''));
      else if (key === endOfInput) finish(undefined);
      else if (key === interrupt) reject(new PosternError('USER_CANCELLED', { stage: 'credentials' }));
      else if (key === '\u007f' || key === '\b') typed.pop();
      else if (key === '\u0015') typed = [];
      else if (key >= ' ' && typed.push(key) > stdinLength) reject(new UsageError('The line has no end.'));
    }
  });
  function finish(line: string | undefined): void {
    done = true;
    resolve(line);
  }
  try {
    ask();
    return await promise;
  } finally {
    release();
    signal.removeEventListener('abort', abort);
  }
}

/** A secret of one line: on a terminal it is asked for and not shown, else it comes on standard input. */
export async function readSecretLine(
  { stdin, canAsk, prompt, signal }: Pick<CommandContext, 'stdin' | 'canAsk' | 'prompt' | 'signal'>,
  question: string,
): Promise<string | undefined> {
  if (!canAsk) return await stdin.next(signal);
  const line = await readHiddenLine(stdin, () => prompt(question), signal);
  prompt('\n');
  return line;
}

/** What is typed after the question; `undefined`: the input has ended. */
export async function askLine(
  { stdin, prompt, signal }: Pick<CommandContext, 'stdin' | 'prompt' | 'signal'>,
  question: string,
): Promise<string | undefined> {
  prompt(question);
  const answer = await stdin.next(signal);
  if (answer === undefined) prompt('\n');
  return answer?.trim();
}

function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/iu.test(answer ?? '');
}

/** What an operation will do. */
export interface Preview {
  /** With `--json`. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/**
 * Shows what will be done, and asks, unless --yes was said. Errors: USAGE where nobody can be asked, USER_CANCELLED.
 */
export async function askForYes(context: CommandContext, { event, lines }: Preview): Promise<void> {
  const { args, output, canAsk } = context;
  if (hasOption(args, 'yes')) return;
  output.event('preview', event);
  for (const line of lines) output.tell(line);
  if (!canAsk) throw new UsageError('Nobody can be asked here: say --yes to do this.', args.command);
  if (!isYes(await askLine(context, 'Do this? [y/N] ')))
    throw new PosternError('USER_CANCELLED', { stage: 'programs' });
}

interface ApiKeyOption {
  readonly headerName: string;
  readonly key: Secret;
}

/**
 * `--header NAME --header-value-stdin`: the value is the first line of standard input; on a terminal it is asked for
 * and not shown. Errors: USAGE.
 */
export async function readApiKey(context: CommandContext): Promise<ApiKeyOption | undefined> {
  const { args, canAsk } = context;
  const headerName = optionValue(args, 'header');
  const wantsValue = hasOption(args, 'header-value-stdin');
  if (headerName === undefined && !wantsValue) return undefined;
  if (headerName === undefined) throw new UsageError('--header-value-stdin needs --header NAME too.', args.command);
  if (hasOption(args, 'client-id') || hasOption(args, 'client-secret-stdin') || hasOption(args, 'client-key-stdin')) {
    throw new UsageError(
      '--header is for servers without a sign-in, so --client-id does not go with it.',
      args.command,
    );
  }
  if (!isKeyHeaderName(headerName)) {
    throw new UsageError(
      '--header needs the name of a header that is free for a key, such as X-API-Key.',
      args.command,
    );
  }
  if (!wantsValue && !canAsk) {
    throw new UsageError('--header needs --header-value-stdin and the key on standard input.', args.command);
  }
  const typed = await readSecretLine(context, `Value of ${headerName} (it is not shown): `);
  if (!typed) throw new UsageError('No value for the header came on standard input.', args.command);
  const value = keyHeaderValue(typed);
  if (value === undefined) {
    throw new UsageError('The value of the header may hold visible ASCII characters only.', args.command);
  }
  return { headerName, key: new Secret(value) };
}
