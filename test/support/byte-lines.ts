/** Splits chunks of bytes into lines, in order. */
export class ByteLines {
  readonly #keep: (line: string) => boolean;
  #rest: Buffer[] = [];
  readonly #left: string[] = [];
  readonly #waiting: ((line: string) => void)[] = [];

  /** `keep`: receives each line without its end; returns whether to queue it. */
  constructor(accept: (line: string) => boolean = () => true) {
    this.#keep = accept;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, end)]).toString();
      this.#rest = [];
      from = end + 1;
      if (!this.#keep(line)) continue;
      const taker = this.#waiting.shift();
      if (taker) taker(line);
      else this.#left.push(line);
    }
    if (from < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(from)));
  }

  next(): Promise<string> {
    const line = this.#left.shift();
    return line === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(line);
  }

  pending(): readonly string[] {
    return this.#left;
  }

  /** Bytes of an unfinished line. */
  rest(): string {
    return Buffer.concat(this.#rest).toString();
  }
}
