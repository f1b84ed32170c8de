import { describe, expect, it } from 'vitest';
import { findPattern, parseModule } from '../../mutants/code-pattern.ts';

const textsOf = (pattern: string, source: string): string[] =>
  findPattern(pattern, parseModule(source), source).map(({ start, end }) => source.slice(start, end));

describe('a pattern', () => {
  it.each([
    ["if (state !== request.state) throw fail('STATE_UNKNOWN');", 'as it was written'],
    ["if (given !== pending.state) throw problem('STATE_UNKNOWN');", 'with other variables'],
    ['if (\n  state !== request.state\n) {\n  throw fail("STATE_UNKNOWN");\n}', 'in another form'],
    ["if ((state as string) === '') ok(); else if (a !== b.state) throw c('STATE_UNKNOWN');", 'after another one'],
  ])('finds %j, %s', (source) => {
    expect(textsOf("if ($a !== $b.state) throw $fail('STATE_UNKNOWN');", source)).toHaveLength(1);
  });

  it('matches the same code for the same placeholder', () => {
    expect(textsOf('$url.protocol === $url.host', 'a.protocol === b.host; c.protocol === c.host')).toEqual([
      'c.protocol === c.host',
    ]);
  });

  it('matches any number of elements', () => {
    expect(textsOf('send($url, $$more)', 'send(a); send(); send(b, 1, 2); send(a, ...c)')).toEqual([
      'send(a)',
      'send(b, 1, 2)',
      'send(a, ...c)',
    ]);
  });

  it.each([
    ['$a.#end; $next;', ['this.#end; go();']],
    ['this.$end', ['this.#end']],
    ["case 'one': return $;", ["case 'one': return 1;"]],
    ["kind: 'key'", ["kind: 'key'"]],
    ['...$rest', ['...others']],
    ["toJSON() { return 'a'; }", ["toJSON(): string { return 'a'; }"]],
    ['/[a-z]/u', ['/[a-z]/u']],
  ])('may be %s', (pattern, found) => {
    const source = `class A { #end; run() { this.#end; go(); } toJSON(): string { return 'a'; } }
      function read(one) { switch (one) { case 'one': return 1; case 'two': return /[a-z]/u; } }
      const key = { kind: 'key', ...others };`;
    expect(textsOf(pattern, source)).toEqual(found);
  });
});
