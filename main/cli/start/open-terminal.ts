import type { Writable } from 'node:stream';
import type { CommandName } from '../options/command-spec.ts';
import { createAdvice, createOutput } from '../output/output.ts';
import { commandTable } from '../table/command-table.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';
import { createLiveSteps, createTextSink, plainSteps, silentSteps } from '../terminal/terminal-output.ts';
import { isAsciiLocale } from '../text.ts';
import type { CommandLine } from './run-command-line.ts';
import { exitCodes, lostAnswer } from './this-process.ts';

type OutputStream = Writable & { readonly isTTY?: boolean };

export interface TerminalOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: StdinLines;
  /** Of standard output, where that is a terminal, and of standard error now. */
  readonly columns: number | undefined;
  readonly columnsNow: () => number;
  /** How the user types `postern`. */
  readonly name: string | undefined;
}

export interface Terminal extends Pick<CommandLine, 'output' | 'steps' | 'stdin' | 'prompt' | 'canAsk'> {
  /** Waits until all has been written; answers the exit code. */
  end(code: number): Promise<number>;
}

/** Where a command writes and asks: the streams of this process, or of another one that it runs for. */
export function openTerminal({
  argv,
  env,
  stdout,
  stderr,
  stdin,
  columns,
  columnsNow,
  name,
}: TerminalOptions): Terminal {
  // Decided before the words are understood: a mistake in them is told in the right voice too.
  const json = speaksJson(argv);
  // Who reads a file or a pipe decides what it is read as; what a server said goes there unchanged.
  const ascii = isAsciiLocale(env);
  const out = createTextSink(stdout, { ascii: ascii && stdout.isTTY === true });
  const error = createTextSink(stderr, { ascii });
  const advise = createAdvice(name ?? 'postern', commandTable.names);
  const shownColumns = stdout.isTTY === true && columns !== undefined && columns >= 20 ? columns : undefined;
  const output = createOutput({ json, stdout: out, stderr: error, advise, columns: shownColumns });
  const plain = error.isTerminal
    ? createLiveSteps({ sink: error, env, columns: columnsNow })
    : plainSteps((line) => output.say(line));
  return {
    output,
    steps: json ? silentSteps : plain,
    stdin,
    prompt: (text) => error.write(text),
    canAsk: !json && stdin.isTerminal && error.isTerminal,
    async end(code) {
      await out.flush();
      if (out.hasLost()) error.write(lostAnswer);
      await error.flush();
      return out.hasLost() && code === exitCodes.done ? exitCodes.failed : code;
    },
  };
}

/** What follows `--` is said to somebody else; after `with URL --` it is a command of ours. */
function speaksJson(argv: readonly string[]): boolean {
  const at = argv.indexOf('--');
  const ours = at === -1 ? argv : argv.slice(0, at);
  if (ours.includes('--json')) return true;
  if (at === -1 || ours.find((word) => !word.startsWith('-')) !== ('with' satisfies CommandName)) return false;
  const rest = argv.slice(at + 1);
  return speaksJson(rest[1] === '--' ? rest.slice(2) : rest);
}
