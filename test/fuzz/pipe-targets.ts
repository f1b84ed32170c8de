import * as fc from 'fast-check';
import { EnvelopeScanner } from '../../pipe/scan-envelope.js';
import { fuzzTarget } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { hostileText } from './hostile-values.ts';
import { isRawNumber, jsonText, keepNumbers } from './message-texts.ts';
import { assert } from './typed.ts';

/** What a scanner reads from a text that is split at `cuts`. */
function scan(scanner: EnvelopeScanner, text: string, cuts: readonly number[]) {
  const bytes = Buffer.from(text);
  let from = 0;
  for (const cut of [...cuts.map((part) => part % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    if (cut > from) scanner.feed(bytes, from, cut);
    from = Math.max(from, cut);
  }
  return scanner.finish();
}

/** The same with `JSON.parse`. */
function parse(text: string) {
  const message: unknown = JSON.parse(text, keepNumbers);
  if (typeof message !== 'object' || message === null || Array.isArray(message) || isRawNumber(message)) return {};
  const { id, method } = message as { id?: unknown; method?: unknown };
  return {
    ...(isRawNumber(id) && { key: id.raw }),
    ...(typeof id === 'string' && { key: `"${id}` }),
    ...(typeof method === 'string' && { method }),
  };
}

const cuts = fc.array(fc.nat(400), { maxLength: 4 });

export const pipeTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: "a message's envelope matches JSON.parse, however it is chunked and whatever precedes it",
    input: fc.tuple(jsonText, cuts, hostileText),
    holds([text, pieces, before]) {
      const scanner = new EnvelopeScanner();
      scan(scanner, before, []);
      const { key, method, id } = scan(scanner, text, pieces);
      const expected = parse(text);
      assert(key === expected.key && method === expected.method, `${text}: ${key}, ${method}`);
      const again: unknown = id === undefined ? undefined : JSON.parse(id, keepNumbers);
      const written = isRawNumber(again) ? again.raw : typeof again === 'string' ? `"${again}` : undefined;
      assert(written === key, `${text}: the id as it was written is ${id}`);
    },
  }),
];
