import { randomInt } from 'node:crypto';
import { fairTurn } from '../../fair-turn.ts';
import { closeObject, JsonTokens, openObject, quote } from '../../json-tokens.ts';
import { surveyJson } from '../../mcp/messages/survey-json.ts';

/** What a call, or an answer, is read from (JSON-RPC 2.0 sections 4 and 5; MCP 2025-11-25, tools/call). */
const members: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const parameters: ReadonlySet<string> = new Set(['name', 'arguments', 'task', '_meta']);

/** Bytes of a message that is worth turns of its own. */
const long = 64 * 1_024;
/**
 * Whether a server may read a message otherwise than Postern has: a member stands in it twice (RFC 8259 section 4: which
 * one counts is open), or one is a known name but for its capitals, which many libraries take for that name. What is
 * judged, and shown to a person, has to be what is done. `bytes`: sound JSON.
 */
export function isAmbiguous(bytes: Uint8Array): boolean {
  return new NamesOfMessage().read(new JsonTokens(bytes));
}

/** The same of a long text, in slices, since others may wait for it; `undefined`: it is short, or no JSON. */
export async function isAmbiguousInTurn(bytes: Uint8Array): Promise<boolean | undefined> {
  if (bytes.byteLength < long || !surveyJson(bytes).isJson) return undefined;
  const tokens = new JsonTokens(bytes);
  const names = new NamesOfMessage();
  while (tokens.beginSlice()) {
    if (names.read(tokens)) return true;
    await fairTurn();
  }
  return false;
}

class NamesOfMessage {
  /** Of each open object. A message may have as many names as values: each is kept as one number. */
  readonly #open: (NamesOfObject | undefined)[] = [];
  #isParams = false;
  #last = '';
  #isAmbiguous = false;

  /** As far as the slice goes. Answers whether it is ambiguous already. */
  read(tokens: JsonTokens): boolean {
    while (!this.#isAmbiguous && tokens.next()) {
      const { kind, depth } = tokens;
      if (kind === quote && tokens.isName) this.#note(tokens.text(Infinity), depth);
      else if (kind === openObject) {
        if (depth === 2) this.#isParams = this.#last === 'params';
        this.#open[depth] = undefined;
      } else if (kind === closeObject) {
        if (depth === 2) this.#isParams = false;
        this.#isAmbiguous ||= this.#open[depth]?.hasTwice === true;
        this.#open[depth] = undefined;
      }
    }
    return this.#isAmbiguous;
  }

  #note(name: string, depth: number): void {
    if (depth === 1) this.#last = name;
    const known = depth === 1 ? members : depth === 2 && this.#isParams ? parameters : undefined;
    const names = (this.#open[depth] ??= new NamesOfObject());
    names.add(known ? fold(name) : name);
    // One that differs by capitals alone is that name to many a library.
    this.#isAmbiguous ||= known !== undefined && fold(name) !== name && known.has(fold(name));
  }
}

class NamesOfObject {
  readonly #hashes: number[] = [];

  add(name: string): void {
    this.#hashes.push(hashOf(name));
  }

  /** Two names that are not the same are taken for it once in 10^15: then the message is refused. */
  get hasTwice(): boolean {
    if (this.#hashes.length < 2) return false;
    const sorted = Float64Array.from(this.#hashes).toSorted();
    return sorted.some((hash, index) => hash === sorted[index + 1]);
  }
}

/** Without capitals, as Unicode folds them: by way of capitals, since `ſ` is an `s` there too. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase();
}

const [firstSeed, secondSeed] = [randomInt(2 ** 32), randomInt(2 ** 32)];

/** A number of 53 bits, another one in each process. */
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
