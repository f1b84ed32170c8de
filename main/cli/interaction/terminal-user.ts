import type { ServerUser } from '../../engine/use/use-server.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { stdinLength } from '../../limits.ts';
import type { Question, Surface, User } from '../../operations/operation.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, UsageError } from '../options/parse-arguments.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';

/**
 * The user at this terminal. `extra`: further interaction of the command; most commands only ask for consent and load
 * nothing more. Apps are served by other processes.
 */
export function terminalUser(context: CommandContext, extra: ServerUser = {}): User {
  return {
    ...extra,
    confirm: async (question) => {
      if (question.kind === 'remove-everything') return await confirmDeletion(context, question.servers);
      const preview = await previewOf(question, context);
      if (preview) await requireConfirmation(context, preview);
      return true;
    },
  };
}

/** The terminal as a surface for operations. A running window detects changes on its own. */
export function terminalSurface(context: CommandContext): Surface {
  return { user: terminalUser(context), changed: async () => {} };
}

async function confirmDeletion(context: CommandContext, servers: number | undefined): Promise<boolean> {
  if (hasOption(context.args, 'yes')) return true;
  return isYes(await askLine(context, `Delete ${describeAllData(servers)} from this computer? [y/N] `));
}

function describeAllData(servers: number | undefined): string {
  if (servers === undefined) return 'all sign-ins and the settings file, which cannot be read,';
  if (servers === 0) return 'all Postern settings';
  return servers === 1
    ? 'one server, its sign-in and the settings'
    : `all ${servers} servers, their sign-ins and the settings`;
}

/** `undefined`: typing the command is enough consent. */
async function previewOf(
  question: Exclude<Question, { kind: 'remove-everything' }>,
  { output }: Pick<CommandContext, 'output'>,
): Promise<Preview | undefined> {
  switch (question.kind) {
    case 'revoke':
      return {
        event: { revokes: question.records.map(({ id, app, name }) => ({ id, app, name })) },
        lines: [`${question.app} will lose all access to Postern.`],
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
 * Reads one line from a terminal without echo. `ask` writes the question once the echo is off, so that fast typing is
 * not shown. `undefined`: Ctrl-D on an empty line.
 * Errors: USER_CANCELLED on Ctrl-C (in raw mode the terminal sends no signal), the reason of `signal`.
 */
export async function readHiddenLine(
  stdin: StdinLines,
  writePrompt: () => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let typed: string[] = [];
  let isDone = false;
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const release = stdin.readKeys((keys) => {
    // Drop escape sequences: paste marks (`ESC [200~`) and arrow keys are not part of a secret.
    for (const key of keys.replace(/\u001b\[[0-9;]*[~A-Za-z]/gu, '')) {
      if (isDone) return;
      if (key === '\r' || key === '\n' || (key === endOfInput && typed.length > 0)) finish(typed.join(''));
      else if (key === endOfInput) finish(undefined);
      else if (key === interrupt) reject(new PosternError('USER_CANCELLED', { stage: 'credentials' }));
      else if (key === '\u007f' || key === '\b') typed.pop();
      else if (key === '\u0015') typed = [];
      else if (key >= ' ' && typed.push(key) > stdinLength) reject(new UsageError('The line is too long.'));
    }
  });
  function finish(line: string | undefined): void {
    isDone = true;
    resolve(line);
  }
  try {
    writePrompt();
    return await promise;
  } finally {
    release();
    signal.removeEventListener('abort', abort);
  }
}

/** Reads a one-line secret: asks without echo on a terminal, else reads standard input. */
export async function readSecretLine(
  { stdin, canAsk, prompt, signal }: Pick<CommandContext, 'stdin' | 'canAsk' | 'prompt' | 'signal'>,
  question: string,
): Promise<string | undefined> {
  if (!canAsk) return await stdin.next(signal);
  const line = await readHiddenLine(stdin, () => prompt(question), signal);
  prompt('\n');
  return line;
}

/** Asks a question and reads one line. `undefined`: end of input. */
export async function askLine(
  { stdin, prompt, signal }: Pick<CommandContext, 'stdin' | 'prompt' | 'signal'>,
  question: string,
): Promise<string | undefined> {
  prompt(question);
  const reply = await stdin.next(signal);
  if (reply === undefined) prompt('\n');
  return reply?.trim();
}

function isYes(reply: string | undefined): boolean {
  return /^y(es)?$/iu.test(reply ?? '');
}

/** What an operation is about to do. */
interface Preview {
  /** Fields of the `preview` event. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** Shows what will be done and asks, unless --yes was given. Errors: USAGE if nobody can be asked, USER_CANCELLED. */
export async function requireConfirmation(context: CommandContext, { event, lines }: Preview): Promise<void> {
  const { args, output, canAsk } = context;
  if (hasOption(args, 'yes')) return;
  output.event('preview', event);
  for (const line of lines) output.notify(line);
  if (!canAsk) throw new UsageError('This needs your confirmation. Without a terminal, add --yes.', args.command);
  if (!isYes(await askLine(context, 'Continue? [y/N] '))) throw new PosternError('USER_CANCELLED', { stage: 'apps' });
}
