import * as fc from 'fast-check';

/** Unusual but valid JSON: duplicate members, unnecessary escapes, white space, long numbers. */

const whiteSpace = fc.constantFrom('', '', '', ' ', '\t', '  ', '\r');
const plain = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    'id',
    'method',
    'params',
    '"',
    '\\',
    '{"id":1}',
    '},"id":2',
    '[',
    'tools/call',
    '\ud83d\ude00',
    '\ud800',
  ),
);

/** A string as JSON, with some unnecessary escapes. */
const stringText = fc.tuple(fc.oneof(plain), fc.array(fc.boolean(), { maxLength: 8 })).map(([text, escapes]) => {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const written = units.map((unit, at) => {
    const isHalf = unit >= 0xd800 && unit < 0xe000;
    if (escapes[at % 8] === true || isHalf) return `\\u${unit.toString(16).padStart(4, '0')}`;
    return JSON.stringify(String.fromCharCode(unit)).slice(1, -1);
  });
  return `"${written.join('')}"`;
});

const numberText = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }).map(String),
  fc.constantFrom('0', '-0', '1.50', '-2E+3', '1e400', '9007199254740993', '12345678901234567890'),
);

const { value: valueText } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    stringText,
    numberText,
    fc.constantFrom('null', 'true', 'false'),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(fc.array(tie('value'), { maxLength: 3 }), whiteSpace)
    .map(([items, space]) => `[${space}${items.join(`${space},`)}${space}]`),
  object: fc.array(fc.tuple(stringText, tie('value'), whiteSpace), { maxLength: 3 }).map(writeObject),
}));

function writeObject(members: readonly (readonly [string, string, string])[]): string {
  return `{${members.map(([name, value, space]) => `${space}${name}${space}:${space}${value}${space}`).join(',')}}`;
}

const name = (word: string) =>
  fc.constantFrom(JSON.stringify(word), `"\\u00${word.charCodeAt(0).toString(16)}${word.slice(1)}"`);
const members = fc.oneof(
  fc.tuple(name('id'), fc.oneof(numberText, stringText, valueText), whiteSpace),
  fc.tuple(name('method'), fc.oneof(stringText, fc.constantFrom('"tools/call"', '"tools\\/list"')), whiteSpace),
  fc.tuple(name('params'), valueText, whiteSpace),
  fc.tuple(fc.oneof(stringText, fc.constantFrom('"result"', '"error"', '"requestId"')), valueText, whiteSpace),
);

/** An object with the members of a message, in any order and number. */
export const requestText = fc.array(members, { maxLength: 6 }).map(writeObject);

/** Any JSON. */
export const jsonText = fc.oneof(requestText, requestText, valueText);

/** A number as text, because a double loses digits. */
class RawNumber {
  readonly raw: string;

  constructor(raw: string) {
    this.raw = raw;
  }
}

/** For `JSON.parse`. */
export function keepNumbers(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new RawNumber(context?.source ?? '') : value;
}

export function isRawNumber(value: unknown): value is { readonly raw: string } {
  return value instanceof RawNumber;
}
