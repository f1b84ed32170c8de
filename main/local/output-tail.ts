import type { LocalOutput } from '../local-ports.ts';

/** The last bytes of what is written into it: memory does not grow with the rest. */
export class OutputTail {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.byteLength;
    // A copy: what was read shares its memory with what was read beside it.
    const kept = Buffer.from(chunk.subarray(Math.max(0, chunk.byteLength - this.#limit)));
    this.#parts.push(kept);
    this.#bytes += kept.byteLength;
    if (this.#bytes > 2 * this.#limit || this.#parts.length > 4_096) this.#shorten();
  }

  /** What comes after the first `since` bytes, as far as it is there; where some is missing, from a new line on. */
  read(since = 0): LocalOutput {
    this.#shorten();
    const kept = this.#parts[0] ?? Buffer.alloc(0);
    const missing = this.#total - kept.byteLength;
    if (since >= missing) return { text: kept.subarray(since - missing).toString('utf8'), total: this.#total };
    const text = kept.toString('utf8');
    return { text: text.slice(text.indexOf('\n') + 1), total: this.#total };
  }

  #shorten(): void {
    const all = Buffer.concat(this.#parts);
    const kept = all.byteLength > this.#limit ? Buffer.from(all.subarray(all.byteLength - this.#limit)) : all;
    this.#parts = [kept];
    this.#bytes = kept.byteLength;
  }
}
