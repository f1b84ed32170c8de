import { quoteServerWords } from '../../../shared/error-codes.ts';
import type { PlainError, ServerWords } from '../../../shared/error-codes.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { serverMessageLength } from '../../limits.ts';
import { UsageError } from '../options/parse-arguments.ts';
import type { TextSink } from '../terminal/terminal-output.ts';
import { printable, printableJson, printableLine } from '../text.ts';
import { toCommandError } from './describe-error.ts';
import type { AdviceContext } from './write-command.ts';

/** The result of a command, for `--json` and as text. */
export interface CommandResult {
  /** Fields of the last `--json` line. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Text for standard output; `undefined` if there is nothing to print. */
  readonly text?: string | undefined;
  /** Server content, byte for byte; replaces `text` when standard output is not a terminal. */
  readonly raw?: readonly (string | Uint8Array)[] | undefined;
  /** The first failure, if only part of the command succeeded. The command then fails, and still reports the rest. */
  readonly failure?: PosternError | undefined;
  /** Exit code of another program that this command ran. */
  readonly exitCode?: number | undefined;
}

/**
 * What a command writes. With `--json`: one object per line on standard output, and nothing else. Without it: the
 * result on standard output, and short messages for the user on standard error.
 */
export interface Output {
  readonly json: boolean;
  /** Standard output is a terminal, so server text must be escaped. */
  readonly isStdoutTerminal: boolean;
  /** Standard error is a terminal that shows progress. Never with `json`. */
  readonly showsProgress: boolean;
  /** Width of the terminal on standard output; `undefined` without one. */
  readonly columns?: number | undefined;
  /** Rewrites the commands in one of our sentences as the user can type them here. */
  readonly advise: (sentence: string) => string;
  /** Writes an event line with `--json`, else nothing. */
  event(event: string, fields: Readonly<Record<string, unknown>>): void;
  /**
   * A remark on standard error, if that is a terminal. Otherwise it is only written before an error, so that cron has
   * nothing to mail after a success. The text must be safe to print.
   */
  info(line: string): void;
  /**
   * Writes to standard error at once, even if it is not a terminal: a link to open, a warning. Held remarks come first.
   * The text must be safe to print.
   */
  notify(line: string): void;
  /** A line of a result that is still being produced. Nothing with `--json`. The text must be safe to print. */
  print(line: string): void;
  /** Part of a result that is still being produced. Nothing with `--json`, which gets events instead. */
  writePart(part: Pick<CommandResult, 'text' | 'raw'>): void;
  /** Writes the last line after a success. */
  succeed(result: CommandResult): void;
  /** Writes the last line after a failure. `hint`: text after it. `partial`: the part that succeeded. */
  fail(error: unknown, at: AdviceContext, hint?: string, partial?: CommandResult): void;
}

/** Limit of remarks held back for a failure. */
const heldLineLimit = 200;

interface OutputOptions {
  readonly json: boolean;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** See `Output.advise`; absent if `postern` can be typed as it is. */
  readonly advise?: (sentence: string) => string;
  readonly columns?: number | undefined;
}

export function createOutput({ json, stdout, stderr, advise = unchanged, columns }: OutputOptions): Output {
  let ended = false;
  const heldLines: string[] = [];

  function writeObject(value: unknown): void {
    stdout.write(`${printableJson(value)}\n`);
  }

  function writeResult({ raw, text }: Pick<CommandResult, 'text' | 'raw'>): void {
    if (raw) for (const piece of raw) stdout.writeRaw(piece);
    else if (text !== undefined) stdout.write(`${text}\n`);
  }

  /** Writes only one last line, even after a crash while closing or a late signal. */
  function writeLastLine(write: () => void): void {
    if (ended) return;
    write();
    // Set only now: if `write` throws, that error becomes the last line.
    ended = true;
  }

  return {
    json,
    isStdoutTerminal: stdout.isTerminal,
    showsProgress: !json && stderr.isTerminal,
    columns,
    advise,
    event(event, fields) {
      if (json && !ended) writeObject({ event, ...fields });
    },
    info(line) {
      if (json || ended) return;
      if (stderr.isTerminal) stderr.write(`${line}\n`);
      else if (heldLines.length < heldLineLimit) heldLines.push(line);
    },
    notify(line) {
      if (json || ended) return;
      // In order: the remark about who asks for a sign-in comes before its link.
      for (const earlier of heldLines.splice(0)) stderr.write(`${earlier}\n`);
      stderr.write(`${line}\n`);
    },
    print(line) {
      if (!json && !ended) stdout.write(`${line}\n`);
    },
    writePart(part) {
      if (!json && !ended) writeResult(part);
    },
    succeed(result) {
      writeLastLine(() => (json ? writeObject({ result: 'ok', ...result.fields }) : writeResult(result)));
    },
    fail(error, at, hint, partial) {
      writeLastLine(() => {
        const plain = toCommandError(error, at);
        const commandError = { ...plain, message: advise(plain.message), nextStep: advise(plain.nextStep) };
        if (json) return writeObject({ result: 'error', ...partial?.fields, error: commandError });
        for (const line of heldLines) stderr.write(`${line}\n`);
        if (partial?.text !== undefined) stderr.write(`${partial.text}\n`);
        stderr.write(`${printable(`Error: ${commandError.message}`)}\n`);
        const serverMessage = commandError.serverWords && describeServerWords(commandError.serverWords);
        if (serverMessage) stderr.write(`Server: ${serverMessage}\n`);
        if (!(error instanceof UsageError)) stderr.write(`       (${describeOrigin(commandError)})\n`);
        stderr.write(`${printable(`Next:  ${commandError.nextStep}`)}\n`);
        if (commandError.paste)
          stderr.write(
            `${[printableLine(commandError.paste.path, 1_000), ...printable(commandError.paste.lines).split('\n')].join('\n  ')}\n`,
          );
        if (hint) stderr.write(`${advise(hint)}\n`);
      });
    },
  };
}

const unchanged = (sentence: string): string => sentence;

/** Replaces `postern` in our sentences by the command that the user can type here. */
export function createAdvice(name: string, commands: readonly string[]): (sentence: string) => string {
  const commandPattern = new RegExp(`(?<=^|[\\s\`“(])postern(?= (?:${commands.join('|')}|--help|[A-Z])\\b)`, 'gmu');
  return (sentence) => sentence.replaceAll(commandPattern, () => name);
}

/** In quotes, because they are the server's words. */
function describeServerWords({ code, message }: ServerWords): string {
  return quoteServerWords({ code, message: printableLine(message, serverMessageLength) });
}

/** Error code and stage, for support. */
function describeOrigin({ code, cause, stage }: Pick<PlainError, 'code' | 'cause' | 'stage'>): string {
  return `${code} in ${stage}${cause === undefined ? '' : `, because of ${cause}`}`;
}
