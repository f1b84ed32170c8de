import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loopbackPipe, nativePipe } from '../../scripts/build-native-pipe.ts';
import { afterTest } from './after-test.ts';
import { ByteLines } from './byte-lines.ts';
import type { Message } from './pipe-gateway.ts';

/** One of the pipes. All behave the same and pass the same tests. */
export interface PipeKind {
  readonly name: string;
  readonly isNative: boolean;
  /** Connects over a loopback port, as the native pipe does on Windows. */
  readonly isByPort: boolean;
  readonly command: readonly string[];
  /** Why it cannot be tested on this machine. */
  readonly missing?: string;
}

/** A copy without Postern beside it, so that no test starts a background service by accident. */
const nodePipe = mkdtempSync(path.join(tmpdir(), 'postern-pipe-'));
process.once('exit', () => rmSync(nodePipe, { recursive: true, force: true }));
copyNodePipe(path.join(nodePipe, 'pipe'));

/** The pipes for this system. */
export const pipeKinds: readonly PipeKind[] = [
  {
    name: 'Node',
    isNative: false,
    isByPort: false,
    command: [process.execPath, path.join(nodePipe, 'pipe/pipe.js')],
  },
  nativeKind('Rust', nativePipe),
];

/** Also the pipe for Windows. */
export const everyPipeKind: readonly PipeKind[] = [...pipeKinds, nativeKind('Rust, by a port,', loopbackPipe)];

/** Runs a test with all available pipes at once; they mostly wait. */
export async function withEveryPipe(work: (pipe: PipeKind) => Promise<void>): Promise<void> {
  await Promise.all(everyPipeKind.filter(({ missing }) => missing === undefined).map(work));
}

/** Contains a defect when a mutant is tested. */
function nativeKind(name: string, file: string): PipeKind {
  const defective = path.join(process.env['POSTERN_TEST_PIPE'] ?? '', path.basename(file));
  const command = process.env['POSTERN_TEST_PIPE'] !== undefined && existsSync(defective) ? defective : file;
  const missing = existsSync(command) ? {} : { missing: 'cargo is not here, or `npm run build` has not run' };
  return { name, isNative: true, isByPort: file === loopbackPipe, command: [command], ...missing };
}

export interface PipeProcess {
  readonly child: ChildProcessWithoutNullStreams;
  send(...messages: readonly (Message | string)[]): void;
  /** The next line on standard output. */
  nextLine(): Promise<string>;
  next(): Promise<Message>;
  lines(): readonly string[];
  stderr(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface PipeOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Its modules and their package.json; with a defect when a mutant is tested. */
export function copyNodePipe(to: string): void {
  const from = process.env['POSTERN_TEST_PIPE'] ?? path.join(import.meta.dirname, '../../pipe');
  mkdirSync(to, { recursive: true });
  for (const name of globSync(['*.js', '*.txt'], { cwd: from }))
    copyFileSync(path.join(from, name), path.join(to, name));
  writeFileSync(path.join(to, 'package.json'), '{ "type": "module" }');
}

/**
 * Starts it as an app does: with only HOME, PATH and `env`. Killed after the test if it still runs.
 */
export function startPipe(
  { command: [file = '', ...rest] }: PipeKind,
  words: readonly string[],
  { env, cwd }: PipeOptions = {},
): PipeProcess {
  const child = spawn(file, [...rest, ...words], {
    cwd,
    env: { HOME: process.env['HOME'], PATH: process.env['PATH'], ...env },
  });
  afterTest(() => void child.kill('SIGKILL'));
  const lines = new ByteLines();
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => {});
  return {
    child,
    send(...messages) {
      for (const message of messages)
        child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
    },
    nextLine: () => lines.next(),
    next: async () => JSON.parse(await lines.next()) as Message,
    lines: () => lines.pending(),
    stderr: () => stderr,
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
  };
}
