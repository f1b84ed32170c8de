import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import { notEmulated, strictEmitter, strictObject } from './not-emulated.ts';

const prelude = fileURLToPath(new URL('utility-child.cjs', import.meta.url));
const running = new Set<ChildProcess>();
const streamKinds: readonly string[] = ['inherit', 'pipe', 'ignore'];

/** A Node child process with `process.parentPort`. */
export class StandInUtilityProcess
  extends strictEmitter('utilityProcess', ['error', 'exit', 'message', 'spawn'])
  implements Pick<Electron.UtilityProcess, 'kill' | 'pid' | 'postMessage' | 'stderr' | 'stdout'>
{
  readonly stdout: NodeJS.ReadableStream | null;
  readonly stderr: NodeJS.ReadableStream | null;
  readonly #child: ChildProcess;
  #isRunning = false;
  #isKilled = false;

  constructor(modulePath: string, values: readonly string[], options: Electron.ForkOptions) {
    super();
    if (modulePath === undefined) throw new Error('Missing UtilityProcess entry script.');
    const { env, execArgv = [], cwd, stdio = 'inherit' } = options;
    if (!Array.isArray(execArgv)) throw new Error('execArgv must be an array of strings.');
    for (const stream of [stdio].flat())
      if (!streamKinds.includes(stream))
        throw new Error(`stdio must be of the following values: ${streamKinds.join(', ')}`);
    if (Array.isArray(stdio) && stdio.length < 3) throw new Error('configuration missing for stdin, stdout or stderr.');
    const streams = typeof stdio === 'string' ? [stdio, stdio] : stdio.slice(1, 3);
    this.#child = fork(modulePath, values, {
      execArgv: ['--require', prelude, ...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', ...(streams as ('inherit' | 'ignore' | 'pipe')[]), 'ipc'],
      ...(env === undefined ? {} : { env: env as NodeJS.ProcessEnv }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.stdout = this.#child.stdout;
    this.stderr = this.#child.stderr;
    running.add(this.#child);
    this.#child.once('spawn', () => {
      this.#isRunning = true;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('error', () => {});
    this.#child.once('exit', (code, signal) => {
      running.delete(this.#child);
      this.#isRunning = false;
      this.emit('exit', this.#isKilled ? 0 : (code ?? (signal === 'SIGTERM' ? 15 : 9)));
    });
  }

  get pid(): number | undefined {
    return this.#isRunning ? this.#child.pid : undefined;
  }

  postMessage(message: unknown, transfer?: readonly unknown[]): void {
    if (transfer !== undefined && transfer.length > 0) notEmulated('MessagePorts to a utility process');
    if (this.#child.connected) this.#child.send(message as never, () => {});
  }

  kill(): boolean {
    if (!this.#isRunning) return false;
    this.#isKilled = true;
    return this.#child.kill();
  }
}

export const utilityProcess = strictObject('utilityProcess', {
  fork: (modulePath: string, values: readonly string[] = [], options: Electron.ForkOptions = {}) =>
    new StandInUtilityProcess(modulePath, values, options),
});

// As in Electron, they end with the app.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
