import { isatty } from 'node:tty';
import { PosternError } from '../../errors/postern-error.ts';
import { ownCommandName } from '../../host/installation.ts';
import { importLimits } from '../../limits.ts';
import type { CommandName } from '../options/command-spec.ts';
import { createStdinLines, watchForInterruption } from '../terminal/terminal-input.ts';
import { openTerminal } from './open-terminal.ts';
import { runCommandLine } from './run-command-line.ts';
import type { CommandLine } from './run-command-line.ts';
import { currentFolder, exitCodes } from './this-process.ts';

export interface CommandProcess extends Pick<CommandLine, 'argv' | 'installation' | 'keychains'> {
  /** The command was delegated to a process that died: only report that. */
  readonly isLost?: boolean;
  readonly exit: (code: number) => void;
}

/** Runs one command in this process, with its streams and signals, and exits. */
export async function runProcess({
  argv,
  installation,
  keychains,
  isLost = false,
  exit,
}: CommandProcess): Promise<void> {
  if (isProxy(argv)) {
    const { runPipe } = await import('../../../pipe/run-pipe.js');
    return runPipe(argv.slice(1), installation.isPackaged ? [process.execPath, '--background'] : undefined);
  }
  // libuv uses at most half of its threads for DNS lookups. It reads this before it starts the first thread.
  if (argv.includes('import' satisfies CommandName))
    process.env['UV_THREADPOOL_SIZE'] ??= String(2 * importLimits.lookups);
  const terminal = openTerminal({
    argv,
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    // Lazy, because most commands never read it.
    stdin: createStdinLines(() => process.stdin, isatty(0)),
    columns: process.stdout.columns,
    currentColumns: () => process.stderr.columns || 80,
    name: ownCommandName(installation, currentFolder()),
  });
  if (isLost) {
    terminal.output.fail(new PosternError('COMMAND_LOST', { stage: 'postern' }), {});
    return await end(exitCodes.failed);
  }
  const interruption = watchForInterruption();

  process.on('uncaughtException', (error) => {
    terminal.output.fail(error, {});
    void end(exitCodes.failed);
  });

  await end(
    await runCommandLine({
      ...terminal,
      ...{ argv, installation, keychains, currentFolder: currentFolder(), interruption },
      serveCommands: async (engine) => (await import('./serve-commands.ts')).serveCommands(installation, engine),
    }),
  );

  /** Exits even if handles are still open, such as standard input or idle connections. */
  async function end(code: number): Promise<void> {
    exit(await terminal.end(code));
  }
}

/** The pipe owns standard output and runs until its input ends. */
function isProxy([command, ...words]: readonly string[]): boolean {
  return command === ('proxy' satisfies CommandName) && !words.includes('--help') && !words.includes('-h');
}
