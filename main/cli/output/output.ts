import { quoteServerWords } from '../../../shared/error-codes.ts';
import type { PlainError, ServerWords } from '../../../shared/error-codes.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { serverWordsLength } from '../../limits.ts';
import { UsageError } from '../options/parse-arguments.ts';
import type { TextSink } from '../terminal/terminal-output.ts';
import { printable, printableJson, printableLine } from '../text.ts';
import { toCommandError } from './describe-error.ts';
import type { Situation } from './write-command.ts';

/** What a command ends with: the fields of the last line, and the same for a person. */
export interface Answer {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The answer itself, on standard output; `undefined` where there is nothing to print. */
  readonly text?: string | undefined;
  /** What a server said, byte for byte, in place of `text` where standard output is no terminal. */
  readonly unchanged?: readonly (string | Uint8Array)[] | undefined;
  /** What did not go well of it, the first of all: the run ends with that, and tells the rest as well. */
  readonly failure?: PosternError | undefined;
  /** That of another program, which this command has run. */
  readonly exitCode?: number | undefined;
}

/**
 * Standard output and standard error, in either of two voices: with `--json` objects, one a line, on standard output
 * and nothing else anywhere; without it short lines for a person on standard error and the answer on standard output.
 */
export interface Output {
  readonly json: boolean;
  /** The answer goes to a terminal, so what a server says has to be made fit to be shown. */
  readonly isShown: boolean;
  /** Standard error goes to a terminal, where the user sees what is under way. Never with `json`. */
  readonly isWatched: boolean;
  /** Of the terminal that shows the answer; `undefined` where none does. */
  readonly columns?: number | undefined;
  /** A sentence of ours that names commands, as they can be typed here. */
  readonly advise: (sentence: string) => string;
  /** Something that happened, for programs. */
  event(event: string, fields: Readonly<Record<string, unknown>>): void;
  /**
   * A remark for a person at a terminal. Where standard error is none, a run that goes well says nothing there (so a
   * scheduler has nothing to mail), and one that fails says it before its last line. Only text that is fit to print.
   */
  say(line: string): void;
  /**
   * A line that somebody needs at once, wherever standard error goes: a link to open, a warning. What was said before it
   * comes with it. Fit to print.
   */
  tell(line: string): void;
  /** A line of an answer that has no end yet, for a person. It may hold only text that is fit to print. */
  print(line: string): void;
  /** A part of an answer that has no end yet, as `succeed` writes a whole one; for programs there is `event`. */
  part(answer: Pick<Answer, 'text' | 'unchanged'>): void;
  /** The last line of a run that went well. */
  succeed(answer: Answer): void;
  /** The last line of a run that did not. `hint`: said to a person after it. `partly`: what was done all the same. */
  fail(error: unknown, at: Situation, hint?: string, partly?: Answer): void;
}

/** Remarks that are kept for a failure. */
const mostHeld = 200;

export interface OutputOptions {
  readonly json: boolean;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Writes commands in sentences of ours as they can be typed here; absent where they can as they stand. */
  readonly advise?: (sentence: string) => string;
  readonly columns?: number | undefined;
}

export function createOutput({ json, stdout, stderr, advise = asItStands, columns }: OutputOptions): Output {
  let ended = false;
  const held: string[] = [];

  function writeObject(value: unknown): void {
    stdout.write(`${printableJson(value)}\n`);
  }

  function writeAnswer({ unchanged, text }: Pick<Answer, 'text' | 'unchanged'>): void {
    if (unchanged) for (const piece of unchanged) stdout.writeUnchanged(piece);
    else if (text !== undefined) stdout.write(`${text}\n`);
  }

  /** There is one last line, whatever happens after it (a crash while closing, a late signal). */
  function end(write: () => void): void {
    if (ended) return;
    write();
    // Only now: what cannot be written is an error, and that is then the last line.
    ended = true;
  }

  return {
    json,
    isShown: stdout.isTerminal,
    isWatched: !json && stderr.isTerminal,
    columns,
    advise,
    event(event, fields) {
      if (json && !ended) writeObject({ event, ...fields });
    },
    say(line) {
      if (json || ended) return;
      if (stderr.isTerminal) stderr.write(`${line}\n`);
      else if (held.length < mostHeld) held.push(line);
    },
    tell(line) {
      if (json || ended) return;
      // In their order: who asks for a sign-in stands before its link.
      for (const earlier of held.splice(0)) stderr.write(`${earlier}\n`);
      stderr.write(`${line}\n`);
    },
    print(line) {
      if (!json && !ended) stdout.write(`${line}\n`);
    },
    part(answer) {
      if (!json && !ended) writeAnswer(answer);
    },
    succeed(answer) {
      end(() => (json ? writeObject({ result: 'ok', ...answer.fields }) : writeAnswer(answer)));
    },
    fail(error, at, hint, partly) {
      end(() => {
        const plain = toCommandError(error, at);
        const told = { ...plain, message: advise(plain.message), nextStep: advise(plain.nextStep) };
        if (json) return writeObject({ result: 'error', ...partly?.fields, error: told });
        for (const line of held) stderr.write(`${line}\n`);
        if (partly?.text !== undefined) stderr.write(`${partly.text}\n`);
        stderr.write(`${printable(`Error: ${told.message}`)}\n`);
        const said = told.serverWords && describeWords(told.serverWords);
        if (said) stderr.write(`Server: ${said}\n`);
        if (!(error instanceof UsageError)) stderr.write(`       (${describeOrigin(told)})\n`);
        stderr.write(`${printable(`Next:  ${told.nextStep}`)}\n`);
        if (told.paste)
          stderr.write(
            `${[printableLine(told.paste.path, 1_000), ...printable(told.paste.lines).split('\n')].join('\n  ')}\n`,
          );
        if (hint) stderr.write(`${advise(hint)}\n`);
      });
    },
  };
}

const asItStands = (sentence: string): string => sentence;

/** Sentences of ours name the command `postern`: with the name that can be typed here instead. */
export function createAdvice(name: string, commands: readonly string[]): (sentence: string) => string {
  const ours = new RegExp(`(?<=^|[\\s\`“(])postern(?= (?:${commands.join('|')}|--help|[A-Z])\\b)`, 'gmu');
  return (sentence) => sentence.replaceAll(ours, () => name);
}

/** Cleaned already; quoted, since they are not ours. */
function describeWords({ code, message }: ServerWords): string {
  return quoteServerWords({ code, message: printableLine(message, serverWordsLength) });
}

/** Code and stage, for whoever asks somebody else for help. */
function describeOrigin({ code, cause, stage }: Pick<PlainError, 'code' | 'cause' | 'stage'>): string {
  return `${code} in ${stage}${cause === undefined ? '' : `, because of ${cause}`}`;
}
