import { openObject, JsonTokens } from '../json-tokens.ts';

const [space, lineEnd] = [0x20, Buffer.from('\n')];

/** What a line came to: an object of several lines that ends with it, and lines that belong to none. */
interface Taken {
  readonly whole: Buffer | undefined;
  readonly noise: readonly Buffer[];
}

/** A JSON object that comes over several lines, of at most `limit` bytes, though each message has one (MCP 2025-11-25, stdio). */
export class SpreadObject {
  readonly #limit: number;
  #tokens = new JsonTokens();
  #lines: Buffer[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether one has begun. */
  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** A line that is no message by itself, without its end. */
  take(line: Buffer): Taken {
    const before = this.isOpen ? this.#add(line) : undefined;
    if (before) return before;
    // It may begin one, whatever the lines before it were.
    const noise = this.drop();
    const begun = line.find((byte) => byte > space) === openObject ? this.#add(line) : undefined;
    if (begun && !begun.whole && begun.noise.length === 0) return { whole: undefined, noise };
    this.drop();
    return { whole: undefined, noise: [...noise, line] };
  }

  /** Nothing more belongs to it: its lines. */
  drop(): readonly Buffer[] {
    const lines = this.#lines;
    this.#tokens = new JsonTokens();
    this.#lines = [];
    this.#bytes = 0;
    return lines;
  }

  /** `undefined`: the line does not belong to it. */
  #add(line: Buffer): Taken | undefined {
    const tokens = this.#tokens;
    tokens.feed(Buffer.concat([line, lineEnd]));
    while (tokens.next(0));
    if (tokens.fault >= 0 || this.#bytes + line.byteLength > this.#limit) return undefined;
    // A copy: what was read shares its memory with what was read beside it.
    this.#lines.push(Buffer.from(line));
    this.#bytes += line.byteLength + lineEnd.byteLength;
    if (!tokens.isJson) return { whole: undefined, noise: [] };
    const lines = this.drop();
    return { whole: Buffer.concat(lines.flatMap((each) => [each, lineEnd])), noise: [] };
  }
}
