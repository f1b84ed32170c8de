import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterTest } from './after-test.ts';

export interface RunningScript {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  /** The next printed line; rejects once the process has ended. */
  nextLine(): Promise<string>;
  /** How it ended, with all unread lines. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; lines: string[] }>;
}

export interface ScriptOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** Drops stderr: a bus and a keyring report every problem that a test causes. */
  readonly quiet?: boolean;
}

/** Starts `command` as a real process; killed after the test if it still runs. */
export function runScript(command: readonly string[], { quiet, ...options }: ScriptOptions = {}): RunningScript {
  const [file = '', ...rest] = command;
  const child = spawn(file, rest, { ...options, stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'] });
  afterTest(() => void child.kill('SIGKILL'));
  const reader = createInterface({ input: child.stdout });
  const iterator = reader[Symbol.asyncIterator]();
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ended = async () => {
    const how = await exit;
    const lines: string[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) lines.push(next.value);
    return { ...how, lines };
  };
  let ending: ReturnType<typeof ended> | undefined;
  return {
    child,
    async nextLine() {
      const next = await iterator.next();
      if (next.done) throw new Error('the script ended');
      return next.value;
    },
    get ended() {
      ending ??= ended();
      return ending;
    },
  };
}

/** Runs the Node that runs the tests, with these arguments. */
export function node(...rest: string[]): string[] {
  return [process.execPath, ...rest];
}

/** Absolute path of a script below `test/support/`. */
export function supportScript(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
