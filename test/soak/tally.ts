import type { WorkerMessage } from './worker-message.ts';

/** Counts of what the workers reported. */
export class Tally {
  used = 0;
  signedInAgain = 0;
  /** Integrations whose tokens could be refreshed at the end. */
  alive = 0;
  /** How often an operation ended with each code. */
  readonly codes = new Map<string, number>();
  readonly stored = new Set<string>();
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

  ended(code: string): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }
}
