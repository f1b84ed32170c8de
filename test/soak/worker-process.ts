import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Death } from './request-record.ts';
import type { WorkerMessage } from './worker-message.ts';

export interface WorkerOptions {
  readonly name: string;
  readonly folder: string;
  readonly origin: string;
  readonly seed: number;
  readonly onMessage: (message: WorkerMessage, run: string) => void;
}

/** One slot for a process, which may be killed and restarted; each life has its own name. */
export class WorkerProcess {
  readonly deaths: Death[] = [];
  #options: WorkerOptions;
  #child: ChildProcess | undefined;
  #life = 0;
  #isEnding = false;
  /** Worker processes that ended without being killed. */
  crashes = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get run(): string {
    return `${this.#options.name}${this.#life}`;
  }

  start(): void {
    const { folder, origin, seed, onMessage } = this.#options;
    this.#life += 1;
    const { run } = this;
    const script = new URL('worker.ts', import.meta.url);
    const child = fork(script, [folder, origin, run, String(seed + this.#life)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => onMessage(message as WorkerMessage, run));
    child.on('exit', (_code, signal) => {
      if (this.#isEnding || signal === 'SIGKILL') return;
      this.crashes += 1;
    });
    this.#child = child;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    // What it reported before it died may arrive after it has gone.
    const ended = Promise.all(
      (['exit', 'disconnect'] as const).map(
        (event) => new Promise<void>((resolve) => child.once(event, () => resolve())),
      ),
    );
    const { run } = this;
    child.kill('SIGKILL');
    this.deaths.push({ run, at: performance.now() });
    await ended;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.signal('SIGCONT');
    await this.kill();
  }
}
