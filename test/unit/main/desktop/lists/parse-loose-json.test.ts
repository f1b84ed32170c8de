import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseLooseJson } from '../../../../../main/desktop/lists/parse-loose-json.ts';

/** The same rules as two expressions: short, but their time grows with the square of the text. */
function parseByExpressions(text: string): unknown {
  const plain = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (_match, quoted?: string) => quoted ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/gu, (_match, quoted?: string) => quoted ?? '');
  for (const candidate of [text, plain]) {
    try {
      return JSON.parse(candidate);
    } catch {
      continue;
    }
  }
  return undefined;
}

const scraps = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\"', '/', '*', '//', '/*', '*/', '/*/', '\n', ' ', '\r', '\u00a0'],
  ...['"a"', '"a":', '1', 'null', '"//"', '"/*"', '",]"', '[1,', '1,]', '{"a":1', ',}', 'x'],
);
const space = fc.constantFrom('', ' ', '\n', '/* , ] */', '// }\n', '/**/', '/*/*/', '// "\n');

/** JSON with comments and spare commas wherever they may stand. */
const loose = fc
  .tuple(fc.jsonValue({ maxDepth: 3 }), fc.array(space, { minLength: 1, maxLength: 8 }), fc.boolean())
  .map(([value, spaces, spare]) => {
    let turn = 0;
    const gap = (): string => spaces[turn++ % spaces.length] ?? '';
    return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/gu, (token) => {
      const end = spare && (token === ']' || token === '}');
      return `${end && turn % 3 === 0 ? `,${gap()}` : gap()}${token}${gap()}`;
    });
  });

describe('parseLooseJson', () => {
  it('reads what the two expressions read', () => {
    const text = fc.oneof(
      fc.array(scraps, { maxLength: 14 }).map((all) => all.join('')),
      loose,
    );
    fc.assert(
      fc.property(text, (candidate) => {
        expect(parseLooseJson(candidate)).toEqual(parseByExpressions(candidate));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['an open string', `{${'\\"'.repeat(40_000)}`],
    ['open strings', `{${'"\\'.repeat(40_000)}`],
    ['open comments', `{${'/* '.repeat(40_000)}`],
    ['commas', `{${', '.repeat(40_000)}`],
  ])('looks at each character of %s a fixed number of times', (_, text) => {
    const expressions = vi.spyOn(RegExp.prototype, Symbol.replace);
    const search = vi.spyOn(String.prototype, 'indexOf');
    const steps = vi.spyOn(String.prototype, 'charCodeAt');
    const read = parseLooseJson(text);
    const counted = [steps, search, expressions].map(({ mock }) => mock.calls.length);
    vi.restoreAllMocks();
    expect(read).toBeUndefined();
    expect(counted[0]).toBeGreaterThan(text.length / 4);
    expect(counted[0]).toBeLessThanOrEqual(2 * text.length);
    expect(counted.slice(1)).toEqual([0, 0]);
  });
});
