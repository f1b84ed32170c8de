import { spawn } from 'node:child_process';

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** It was still running at the timeout, or after the awaited output. */
  readonly stayed: boolean;
  /** With `--json`: the last line of standard output, or empty. */
  readonly last: Readonly<Record<string, unknown>>;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** It is killed once standard error contains this. */
  readonly enough?: RegExp;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Runs a program to its end or timeout. A program that cannot start counts as ended. */
export function runPostern([file = '', ...words]: readonly string[], options: RunOptions): Promise<Ended> {
  const { env, enough, timeout = 120_000 } = options;
  return new Promise((resolve) => {
    const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    let stayed = false;
    const stop = (): void => {
      stayed = true;
      child.kill('SIGKILL');
      // Children may hold the pipes.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(stop, timeout);
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        if (enough?.test(output.stderr)) stop();
      });
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
