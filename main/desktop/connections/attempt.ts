import type { Trace } from '../../integration/trace/trace.ts';
import type { Waiting } from './waiting.ts';

/** One go at a connection: it can be ended while it runs, and its trace stays to be read. */
export class Attempt {
  /** When it began, milliseconds since 1970. */
  readonly at: number;
  readonly trace: Trace;
  /** Starts it once more, as it was started. */
  readonly again: () => void;
  /** What it has asked the person for last, and waits for. */
  waiting: Waiting | undefined;
  /** Its last page went to the person's browser, where nobody but them can close it. */
  usedBrowser = false;
  /** It is over for the person, who may begin the next; what is kept of it may still be written. */
  hasEnded = false;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor(at: number, trace: Trace, again: () => void) {
    this.at = at;
    this.trace = trace;
    this.again = again;
  }

  /** Settles when it is over, and never rejects; `undefined` once it is. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** `work` never rejects. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running = work(this.#abort.signal).finally(() => (this.#running = undefined));
    return this.#running;
  }

  end(): void {
    this.#abort.abort();
  }
}
