import * as fc from 'fast-check';

/** Social engineering text, which none of our sentences may ever contain. */
export const taunt = 'paste your token here';

const favourites = [
  taunt,
  `https://as.example/${taunt}`,
  '',
  ' ',
  '\u0000',
  '\r\n',
  '\u001b[2J',
  '\u202e',
  '\ud800',
  '__proto__',
  'constructor',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://mcp.example/',
  'https://mcp.example/mcp',
  'https://as.example',
  'https://as.example/',
  'https://AS.example:443',
  'https://evil.example/token',
  'https://user:pass@as.example/',
  'https://169.254.169.254/',
  'https://10.0.0.1/',
  'https://[::ffff:127.0.0.1]/',
  'https://as.example/#x',
  'Bearer',
  'S256',
  'plain',
  '9'.repeat(400),
  'a'.repeat(9_000),
];

export const hostileText = fc.oneof(
  fc.constantFrom(...favourites),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
);

export const hostileJson = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, 0, -5, 1e300, 2 ** 31, 3_600.5, [], {}, [[]], ['S256', 5], [null]),
  fc.array(hostileText, { maxLength: 12 }),
);

/** A valid document with some members replaced, removed or added. */
export function mutated(good: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const names = Object.keys(good);
  const change = fc.record({ name: fc.oneof(fc.constantFrom(...names), hostileText), value: fc.option(hostileJson) });
  const documents = fc.array(change, { maxLength: 4 }).map((changes) => {
    const document = new Map(Object.entries(good));
    for (const { name, value } of changes) {
      if (value === null) document.delete(name);
      else document.set(name, value);
    }
    return Object.fromEntries(document);
  });
  return fc.oneof({ weight: 8, arbitrary: documents }, { weight: 1, arbitrary: hostileJson });
}

/** JSON text of a value, sometimes truncated, repeated or garbled. */
export function asText(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc
    .record({
      value,
      garble: fc.constantFrom('no', 'no', 'no', 'no', 'cut', 'twice', 'members', 'noise'),
      at: fc.nat(200),
    })
    .map(({ value: given, garble, at }) => {
      const text = JSON.stringify(given) ?? 'undefined';
      if (garble === 'cut') return text.slice(0, at);
      if (garble === 'twice') return text + text;
      if (garble === 'members') return text.replace(/^\{(.*)\}$/s, '{$1,$1}');
      return garble === 'noise' ? `${text.slice(0, at)}\u0007${text.slice(at)}` : text;
    });
}

export interface HostileAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

const contentTypes = [
  'application/json',
  'application/json',
  'application/json;charset=utf-8',
  'text/html',
  '',
  'application/octet-stream',
  'text/event-stream',
  'application/json; charset=utf-16',
];

/** Any status, with headers that affect clients. */
export function hostileAnswer(text: fc.Arbitrary<string>): fc.Arbitrary<HostileAnswer> {
  return fc.record({
    status: fc.oneof(
      fc.constantFrom(200, 200, 200, 200, 201, 204, 301, 302, 307, 400, 401, 403, 404, 429, 500, 503),
      fc.integer({ min: 200, max: 599 }),
    ),
    headers: fc
      .tuple(
        fc.constantFrom(...contentTypes),
        fc.option(
          fc.tuple(fc.constantFrom('www-authenticate', 'retry-after', 'location', 'dpop-nonce', 'x-a'), hostileText),
        ),
      )
      .map(([type, extra]) => [['content-type', type] as const, ...(extra ? [extra] : [])]),
    text,
  });
}
