import { spawn } from 'node:child_process';

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** It was still running when its time was over. */
  readonly stayed: boolean;
  /** With `--json`: the last line of standard output; empty where there is none. */
  readonly last: Readonly<Record<string, unknown>>;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds; a program that was told to wait for a debugger does so for ever. */
  readonly patience?: number;
}

/** Runs a program to its end, or until its time is over. A program that cannot be started at all has ended, too. */
export function runProgram([file = '', ...words]: readonly string[], options: RunOptions): Promise<Ended> {
  const { env, patience = 60_000 } = options;
  return new Promise((resolve) => {
    const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    let stayed = false;
    const timer = setTimeout(() => {
      stayed = true;
      child.kill('SIGKILL');
      // Children that hold the pipes.
      child.stdout.destroy();
      child.stderr.destroy();
    }, patience);
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => void (output[name] += text));
    const end = (): void => {
      clearTimeout(timer);
      resolve({ ...output, stayed, last: lastOf(output.stdout) });
    };
    child.once('error', end);
    child.once('close', end);
  });
}

function lastOf(stdout: string): Record<string, unknown> {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {};
}
