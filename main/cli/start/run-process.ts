import { isatty } from 'node:tty';
import { ownCommandName } from '../../host/installation.ts';
import { importing } from '../../limits.ts';
import type { CommandName } from '../options/command-spec.ts';
import { createAdvice, createOutput } from '../output/output.ts';
import { commandTable } from '../table/command-table.ts';
import { createStdinLines, watchForInterruption } from '../terminal/terminal-input.ts';
import { createLiveSteps, createTextSink, plainSteps, silentSteps } from '../terminal/terminal-output.ts';
import { isAsciiLocale } from '../text.ts';
import { exitCodes, runCommandLine } from './run-command-line.ts';
import type { CommandLine } from './run-command-line.ts';

export interface CommandProcess extends Pick<CommandLine, 'argv' | 'installation' | 'keychains'> {
  readonly exit: (code: number) => void;
}

/** This process as one command: its words, its streams and signals, and its end. */
export async function runProcess({ argv, installation, keychains, exit }: CommandProcess): Promise<void> {
  if (isProxy(argv)) {
    const { runPipe } = await import('../../../pipe/run-pipe.js');
    return runPipe(argv.slice(1), installation.packaged ? [process.execPath, '--background'] : undefined);
  }
  // Half of the threads look up names, and none has begun yet.
  if (argv.includes('import' satisfies CommandName))
    process.env['UV_THREADPOOL_SIZE'] ??= String(2 * importing.lookups);
  // Decided before the words are understood: a mistake in them is told in the right voice too.
  const json = speaksJson(argv);
  // Who reads a file or a pipe decides what it is read as; what a server said goes there unchanged.
  const ascii = isAsciiLocale(process.env);
  const stdout = createTextSink(process.stdout, { ascii: ascii && process.stdout.isTTY });
  const stderr = createTextSink(process.stderr, { ascii });
  const advise = createAdvice(ownCommandName(installation, currentFolder()) ?? 'postern', commandTable.names);
  const output = createOutput({ json, stdout, stderr, advise, columns: terminalColumns(process.stdout) });
  const interruption = watchForInterruption();

  process.on('uncaughtException', (error) => {
    output.fail(error, {});
    void end(1);
  });

  // `process.stdin` is made at its first use: most commands never read it.
  const stdin = createStdinLines(() => process.stdin, isatty(0));
  const steps = json
    ? silentSteps
    : stderr.isTerminal
      ? createLiveSteps({ sink: stderr, env: process.env, columns: () => process.stderr.columns || 80 })
      : plainSteps((line) => output.say(line));

  await end(
    await runCommandLine({
      argv,
      installation,
      keychains,
      output,
      steps,
      stdin,
      prompt: (text) => stderr.write(text),
      canAsk: !json && stdin.isTerminal && stderr.isTerminal,
      interruption,
    }),
  );

  /** Handles that are still open (standard input, idle connections) must not keep the process. */
  async function end(code: number): Promise<void> {
    await stdout.flush();
    if (stdout.hasLost()) stderr.write('Error: The answer could not be written to standard output.\n');
    await stderr.flush();
    exit(stdout.hasLost() && code === exitCodes.done ? exitCodes.failed : code);
  }
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

/** `undefined` where nobody looks, or at one that does not know its width. */
function terminalColumns({ isTTY, columns }: Partial<NodeJS.WriteStream>): number | undefined {
  return isTTY === true && columns !== undefined && columns >= 20 ? columns : undefined;
}

/** Nothing where it has been removed. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** It has standard output to itself, and goes on until its input ends. */
function isProxy([command, ...words]: readonly string[]): boolean {
  return command === ('proxy' satisfies CommandName) && !words.includes('--help') && !words.includes('-h');
}
