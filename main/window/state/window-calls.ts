import type { IpcEvent, Occasion } from '../../../shared/ipc-event.ts';
import type { RefusedQuestion } from '../../../shared/question-view.ts';
import { displayText } from '../../address/display-text.ts';
import { logLines } from '../../limits.ts';
import type { LogEntry } from '../../mcp/client/server-questions.ts';
import type { Progress } from '../../mcp/client/use-tools.ts';
import type { Clock } from '../../ports.ts';

/** Milliseconds between two words about the progress of one call. */
const progressInterval = 100;

/** What the window has asked of servers and waits for, by the id that it gave each. */
export class WindowCalls {
  readonly #running = new Map<string, AbortController>();
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #tell: (event: IpcEvent) => void;

  constructor(clock: Pick<Clock, 'monotonic'>, tell: (event: IpcEvent) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  async run<Result>(call: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ending = new AbortController();
    this.#running.set(call, ending);
    try {
      return await work(ending.signal);
    } finally {
      if (this.#running.get(call) === ending) this.#running.delete(call);
    }
  }

  stop(call: string): void {
    this.#running.get(call)?.abort();
  }

  /** No window waits for anything any more. */
  end(): void {
    for (const ending of this.#running.values()) ending.abort();
  }

  /** Tells the window to read what it follows by that call. */
  changedIn(call: string): (occasion: Occasion) => void {
    return (occasion) => {
      if (this.#running.has(call)) this.#tell({ event: 'changed', call, occasion });
    };
  }

  /** Tells the window that a question of the server was answered for the person. */
  refusedIn(call: string): (why: RefusedQuestion) => void {
    return (why) => this.#tell({ event: 'refused-question', call, why });
  }

  /** Tells the window what the server writes into its log. */
  logOf(call: string): (entry: LogEntry) => void {
    let left: number = logLines.count;
    return ({ level, data }) => {
      if (left === 0 || !this.#running.has(call)) return;
      left -= 1;
      const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
      this.#tell({ event: 'log', call, level: displayText(level, 20), text: displayText(text, logLines.length) });
    };
  }

  /** Tells the window how far a call is, as often as a person can read it. */
  progressOf(call: string): (progress: Progress) => void {
    let last = -Infinity;
    return ({ progress, total, message }) => {
      const now = this.#clock.monotonic();
      if (now - last < progressInterval || !this.#running.has(call)) return;
      last = now;
      this.#tell({
        event: 'progress',
        call,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: displayText(message, 200) }),
      });
    };
  }
}
