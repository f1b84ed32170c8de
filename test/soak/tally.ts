import type { WorkerMessage } from './worker-message.ts';

/** Counts of what the workers told. */
export class Tally {
  used = 0;
  signedInAgain = 0;
  /** Integrations whose tokens could be refreshed at the end. */
  alive = 0;
  /** How often an operation ended with each code. */
  readonly codes = new Map<string, number>();
  readonly stored = new Set<string>();
  /** Refresh tokens that were given up since nobody knows what became of them. */
  readonly givenUp = new Set<string>();
  /** How often the outcome of sending a refresh token stayed unknown: no answer, or a death before it. */
  readonly unknown = new Map<string, number>();
  /** What each life of a worker is about, until the outcome is stored. */
  readonly #sending = new Map<string, Set<string>>();
  /** Heap of the process that is never killed, in bytes, oldest first. */
  readonly heap: number[] = [];

  note(message: WorkerMessage, run: string): void {
    switch (message.kind) {
      case 'used':
        this.used += 1;
        return;
      case 'failed':
        this.ended(message.code);
        return;
      case 'sending':
        this.#sending.set(run, (this.#sending.get(run) ?? new Set()).add(message.refreshToken));
        return;
      case 'unanswered':
        this.#sending.get(run)?.delete(message.refreshToken);
        this.#countUnknown(message.refreshToken);
        return;
      case 'settled':
        this.#sending.get(run)?.delete(message.refreshToken);
        return;
      case 'given-up':
        this.givenUp.add(message.refreshToken);
        return;
      case 'signed-in':
        this.signedInAgain += 1;
        return;
      case 'stored':
        this.stored.add(message.refreshToken);
        return;
      case 'memory':
        if (run.startsWith('steady')) this.heap.push(message.bytes);
    }
  }

  /** A worker was killed: nobody can know what became of what it was about. */
  died(run: string): void {
    for (const refreshToken of this.#sending.get(run) ?? []) this.#countUnknown(refreshToken);
    this.#sending.delete(run);
  }

  #countUnknown(refreshToken: string): void {
    this.unknown.set(refreshToken, (this.unknown.get(refreshToken) ?? 0) + 1);
  }

  ended(code: string): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }
}
