import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterTest } from './after-test.ts';
import { openApprovingBrowser } from './open-approving-browser.ts';
import { checkPromisedResult } from './promised-results.ts';

export interface PosternOptions {
  /** POSTERN_HOME. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The working directory. Default: that of this process. */
  readonly cwd?: string;
  /** Standard input, then its end. Without it nothing is typed. */
  readonly stdin?: string;
}

export interface PosternResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** With `--json`: every line on standard output. */
  readonly lines: readonly Record<string, unknown>[];
  /** The last line. */
  readonly last: Record<string, unknown>;
}

export interface PosternProcess {
  /** Resolves with the match in either output; rejects if the process ends without one. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Types text and leaves the input open. */
  type(text: string): void;
  kill(signal: NodeJS.Signals): void;
  closeStdout(): void;
  readonly ended: Promise<PosternResult>;
}

/** The build, or one with a deliberate defect to see whether the tests notice. */
const app = process.env['POSTERN_TEST_ENTRY'] ?? fileURLToPath(new URL('../../bin/postern.js', import.meta.url));

/** A folder for PATH that contains `postern`, as after `npm link`, so that advice uses the usual command name. */
function linkCommand(): string {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/postern-linked', import.meta.url));
  const ours = fileURLToPath(new URL('../../bin/postern.js', import.meta.url));
  const link = path.join(folder, 'postern');
  mkdirSync(folder, { recursive: true });
  // In a copied checkout, the link points to the original.
  if (lstatSync(link, { throwIfNoEntry: false }) && readlinkSync(link) !== ours) rmSync(link, { force: true });
  try {
    symlinkSync(ours, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return folder;
}

const searchPath = [linkCommand(), process.env['PATH']].join(path.delimiter);

/** A browser that signs in and allows automatically. */
export const approvingBrowser = openApprovingBrowser();

/** The built command line, as words to start without a shell. */
export function posternCommand(...args: string[]): string[] {
  if (!existsSync(new URL('../../dist/cli/index.js', import.meta.url))) throw new Error('not built: npm run build');
  return [process.execPath, app, ...args];
}

/** Runs the built command and waits for its end. */
export async function runPostern(args: readonly string[], options: PosternOptions): Promise<PosternResult> {
  return await startPostern(args, { stdin: '', ...options }).ended;
}

/** Starts the built command; killed after the test if it still runs. */
export function startPostern(args: readonly string[], options: PosternOptions): PosternProcess {
  return startCommand(posternCommand(...args), options);
}

/** The environment of a command. */
export function commandEnvironment({ home, env }: Pick<PosternOptions, 'home' | 'env'>): NodeJS.ProcessEnv {
  // The tests may run in a limited terminal, or in none.
  return { ...process.env, TERM: 'xterm', PATH: searchPath, BROWSER: approvingBrowser, POSTERN_HOME: home, ...env };
}

/** Starts any command the same way. */
export function startCommand(
  [file = '', ...rest]: readonly string[],
  { cwd, stdin, ...surroundings }: PosternOptions,
): PosternProcess {
  const child = spawn(file, rest, { cwd, env: commandEnvironment(surroundings) });
  afterTest(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  let over = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const check of waiting) check();
    });
    child[name].on('error', () => {});
  }
  child.stdin.on('error', () => {});
  if (stdin !== undefined) child.stdin.end(stdin);
  const ended = new Promise<PosternResult>((resolve, reject) => {
    child.once('close', (code) => {
      over = true;
      for (const check of waiting) check();
      try {
        // Only for Postern: tests also run other commands with these streams.
        const words = rest.includes(app) ? rest.slice(rest.indexOf(app) + 1) : [];
        resolve(resultOf(words, { code, ...output }));
      } catch (error) {
        reject(error);
      }
    });
  });
  ended.catch(() => {});
  return {
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
          if (!found && !over) return;
          waiting.delete(check);
          if (found) resolve(found);
          else reject(new Error(`ended without ${String(pattern)}:\n${output.stdout}\n${output.stderr}`));
        };
        waiting.add(check);
        check();
      }),
    type: (text) => void child.stdin.write(text),
    kill: (signal) => void child.kill(signal),
    closeStdout: () => void child.stdout.destroy(),
    ended,
  };
}

/** The result of a Postern command. Errors: a result that breaks the documented schema. */
export function resultOf(
  words: readonly string[],
  ended: Pick<PosternResult, 'code' | 'stdout' | 'stderr'>,
): PosternResult {
  const read = readLines(ended.stdout);
  if (words.includes('--json')) checkPromisedResult(words, read.lines);
  return { ...ended, ...read };
}

function readLines(stdout: string): Pick<PosternResult, 'lines' | 'last'> {
  // Without --json, a result can also be JSON, over several lines.
  if (!stdout.startsWith('{"')) return { lines: [], last: {} };
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { lines, last: lines.at(-1) ?? {} };
}
