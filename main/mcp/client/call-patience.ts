import { PosternError } from '../../errors/postern-error.ts';

/** Milliseconds that a call gets: in which nothing is heard of it, and in all. */
export interface Patience {
  readonly silence: number;
  readonly longest: number;
}

/**
 * How long somebody waits for one call: progress prolongs it, and the time in which a person answers a question of the
 * server does not count as silence. Ends with CALL_TIMED_OUT.
 */
export class CallPatience {
  readonly #end = new AbortController();
  readonly #patience: Patience;
  readonly #detail: { readonly host: string; readonly tool: string };
  readonly #whole: NodeJS.Timeout;
  #quiet: NodeJS.Timeout | undefined;
  #questions = 0;

  constructor(patience: Patience, detail: { readonly host: string; readonly tool: string }) {
    this.#patience = patience;
    this.#detail = detail;
    this.#whole = setTimeout(() => this.#expire(patience.longest), patience.longest);
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The server has said something about the call. */
  heard(): void {
    clearTimeout(this.#quiet);
    if (this.#questions > 0 || this.signal.aborted) return;
    this.#quiet = setTimeout(() => this.#expire(this.#patience.silence), this.#patience.silence);
  }

  /** Runs `work`, in which the server is not waited for. */
  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#questions += 1;
    this.heard();
    try {
      return await work();
    } finally {
      this.#questions -= 1;
      this.heard();
    }
  }

  /** Nobody waits any more. */
  stop(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#quiet);
    this.#questions = 1;
  }

  #expire(milliseconds: number): void {
    const detail = { ...this.#detail, seconds: Math.round(milliseconds / 1_000) };
    this.stop();
    this.#end.abort(new PosternError('CALL_TIMED_OUT', { stage: 'connection', detail }));
  }
}
