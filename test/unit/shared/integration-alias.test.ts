import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { aliasOf, aliasPattern, withAliases } from '../../../shared/entry-name.ts';

describe('aliasOf', () => {
  it.each([
    ['Notes', 'notes'],
    ['My Notes (work)', 'my-notes-work'],
    ['Café Zürich', 'cafe-zurich'],
    ['mcp.example.com:8443', 'mcp-example-com-8443'],
    ['a name of more than twenty-four', 'a-name-of-more-than-twen'],
    ['メモ', 'server'],
  ])('turns %s into %s', (name, alias) => {
    expect(aliasOf(name)).toBe(alias);
  });
});

describe('withAliases', () => {
  it('gives one of two equal aliases another name', () => {
    const aliases = (...entries: { name: string; alias?: string }[]) => withAliases(entries).map(({ alias }) => alias);
    expect(aliases({ name: 'Notes' }, { name: 'Other', alias: 'notes' })).toEqual(['notes-2', 'notes']);
    expect(aliases({ name: 'Notes', alias: 'n' }, { name: 'Mail', alias: 'n' })).toEqual(['n', 'mail']);
  });

  test.prop([
    fc.array(
      fc.record({
        name: fc.string({ unit: 'grapheme', maxLength: 40 }),
        alias: fc.option(fc.stringMatching(aliasPattern), { nil: undefined }),
      }),
    ),
  ])('makes aliases unique and valid, and keeps those that are', (entries) => {
    const filled = withAliases(entries);
    expect(new Set(filled.map(({ alias }) => alias)).size).toBe(entries.length);
    for (const { alias } of filled) expect(alias).toMatch(aliasPattern);
    expect(withAliases(filled)).toBe(filled);
  });
});
