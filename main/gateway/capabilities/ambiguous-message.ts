// Detects messages that a server may read differently than Postern does.

import { randomInt } from 'node:crypto';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { closeObject, JsonTokens, openObject, quote } from '../../json-tokens.ts';
import { surveyJson } from '../../mcp/messages/survey-json.ts';

/** Members that define a request or response (JSON-RPC 2.0 sections 4 and 5), and those of `tools/call` parameters. */
const members: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const parameters: ReadonlySet<string> = new Set(['name', 'arguments', 'task', '_meta']);

/** Bytes from which a message is scanned in slices. */
const longMessage = 64 * 1_024;

/**
 * Whether a server may read a message differently than Postern: a member appears twice (RFC 8259 section 4 leaves open
 * which one counts), or differs from a known name only in case, which many libraries ignore. What Postern checks and
 * shows to the user must be what runs. `bytes`: valid JSON.
 */
export function isAmbiguous(bytes: Uint8Array): boolean {
  return new MessageNames().read(new JsonTokens(bytes));
}

/** Like `isAmbiguous` for a long message, in slices, so that others need not wait; `undefined`: short, or not JSON. */
export async function isAmbiguousInSlices(bytes: Uint8Array): Promise<boolean | undefined> {
  if (bytes.byteLength < longMessage || !surveyJson(bytes).isJson) return undefined;
  const tokens = new JsonTokens(bytes);
  const names = new MessageNames();
  while (tokens.beginSlice()) {
    if (names.read(tokens)) return true;
    await yieldIfBusy();
  }
  return false;
}

class MessageNames {
  /** Names seen in each open object, as hashes: a message can have as many names as values. */
  readonly #open: (ObjectNames | undefined)[] = [];
  #isParams = false;
  #last = '';
  #isAmbiguous = false;

  /** Reads to the end of the slice. Returns whether the message is known to be ambiguous. */
  read(tokens: JsonTokens): boolean {
    while (!this.#isAmbiguous && tokens.next()) {
      const { kind, depth } = tokens;
      if (kind === quote && tokens.isName) this.#note(tokens.text(Infinity), depth);
      else if (kind === openObject) {
        if (depth === 2) this.#isParams = this.#last === 'params';
        this.#open[depth] = undefined;
      } else if (kind === closeObject) {
        if (depth === 2) this.#isParams = false;
        this.#isAmbiguous ||= this.#open[depth]?.hasDuplicate === true;
        this.#open[depth] = undefined;
      }
    }
    return this.#isAmbiguous;
  }

  #note(name: string, depth: number): void {
    if (depth === 1) this.#last = name;
    const known = depth === 1 ? members : depth === 2 && this.#isParams ? parameters : undefined;
    const names = (this.#open[depth] ??= new ObjectNames());
    names.add(known ? fold(name) : name);
    // Many libraries match member names without regard to case.
    this.#isAmbiguous ||= known !== undefined && fold(name) !== name && known.has(fold(name));
  }
}

class ObjectNames {
  readonly #hashes: number[] = [];

  add(name: string): void {
    this.#hashes.push(hashOf(name));
  }

  /** Different names collide once in 10^15; then the message is refused. */
  get hasDuplicate(): boolean {
    if (this.#hashes.length < 2) return false;
    const sorted = Float64Array.from(this.#hashes).toSorted();
    return sorted.some((hash, index) => hash === sorted[index + 1]);
  }
}

/** Unicode case folding. Goes through upper case because `ſ` folds to `s`. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase();
}

const [firstSeed, secondSeed] = [randomInt(2 ** 32), randomInt(2 ** 32)];

/** A 53-bit hash, seeded per process. */
function hashOf(name: string): number {
  let [first, second] = [firstSeed ^ name.length, secondSeed ^ name.length];
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    first = Math.imul(first ^ code, 0x85_eb_ca_6b);
    first ^= first >>> 13;
    second = Math.imul(second ^ code, 0xc2_b2_ae_35);
    second ^= second >>> 16;
  }
  return (first >>> 0) * 2 ** 21 + (second >>> 11);
}
