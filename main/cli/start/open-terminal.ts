import type { Writable } from 'node:stream';
import type { CommandName } from '../options/command-spec.ts';
import { createAdvice, createOutput } from '../output/output.ts';
import { commandTable } from '../table/command-table.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';
import { createLiveSteps, createTextSink, plainSteps, silentSteps } from '../terminal/terminal-output.ts';
import { isAsciiLocale } from '../text.ts';
import type { CommandLine } from './run-command-line.ts';
import { exitCodes, outputLostMessage } from './this-process.ts';

type OutputStream = Writable & { readonly isTTY?: boolean };

export interface TerminalOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: StdinLines;
  /** Width of standard output if it is a terminal. `columnsNow`: current width of standard error. */
  readonly columns: number | undefined;
  readonly currentColumns: () => number;
  /** How the user types `postern`. */
  readonly name: string | undefined;
}

export interface Terminal extends Pick<CommandLine, 'output' | 'steps' | 'stdin' | 'prompt' | 'canAsk'> {
  /** Flushes all output. Returns the exit code. */
  end(code: number): Promise<number>;
}

/** Input and output of a command: streams of this process, or of the process that delegated it. */
export function openTerminal({
  argv,
  env,
  stdout,
  stderr,
  stdin,
  columns,
  currentColumns,
  name,
}: TerminalOptions): Terminal {
  // Decided before parsing, so that usage errors also come as JSON.
  const json = wantsJson(argv);
  // Only for terminals: server content goes to files and pipes unchanged.
  const ascii = isAsciiLocale(env);
  const stdoutSink = createTextSink(stdout, { ascii: ascii && stdout.isTTY === true });
  const stderrSink = createTextSink(stderr, { ascii });
  const advise = createAdvice(name ?? 'postern', commandTable.names);
  const outputColumns = stdout.isTTY === true && columns !== undefined && columns >= 20 ? columns : undefined;
  const output = createOutput({ json, stdout: stdoutSink, stderr: stderrSink, advise, columns: outputColumns });
  const textSteps = stderrSink.isTerminal
    ? createLiveSteps({ sink: stderrSink, env, columns: currentColumns })
    : plainSteps((line) => output.info(line));
  return {
    output,
    steps: json ? silentSteps : textSteps,
    stdin,
    prompt: (text) => stderrSink.write(text),
    canAsk: !json && stdin.isTerminal && stderrSink.isTerminal,
    async end(code) {
      await stdoutSink.flush();
      if (stdoutSink.hasLostOutput()) stderrSink.write(outputLostMessage);
      await stderrSink.flush();
      return stdoutSink.hasLostOutput() && code === exitCodes.done ? exitCodes.failed : code;
    },
  };
}

/** Words after `--` are for another program. After `with URL --` they are a Postern command again. */
function wantsJson(argv: readonly string[]): boolean {
  const at = argv.indexOf('--');
  const ownWords = at === -1 ? argv : argv.slice(0, at);
  if (ownWords.includes('--json')) return true;
  if (at === -1 || ownWords.find((word) => !word.startsWith('-')) !== ('with' satisfies CommandName)) return false;
  const rest = argv.slice(at + 1);
  return wantsJson(rest[1] === '--' ? rest.slice(2) : rest);
}
