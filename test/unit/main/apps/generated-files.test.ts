import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { fillEntry } from '../../../../main/apps/entry/our-entries.ts';
import { openList, verifyAddition, verifyRemoval, verifyReplacement } from '../../../../main/apps/list/edit-file.ts';
import type { App } from '../../../../main/apps/table/app.ts';
import { findApp } from '../../../../main/apps/table/apps.ts';
import { runs } from '../../../support/runs.ts';

const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 3 });
/** The arguments of two entries, and the order of their removal. */
const plans = fc.record({ args: fc.tuple(words, words), reversed: fc.boolean() });
type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

function known(id: string): App {
  const app = findApp(id);
  if (!app) throw new Error(id);
  return app;
}

/** Adds two entries, replaces the first and removes both; verifies each step and that the file then means the same. */
function addAndRemove(id: string, before: string, { args, reversed }: Plan): void {
  const app = known(id);
  const list = openList(app);
  const entry = (name: string, given: readonly string[]) => fillEntry(app.stdio, name, { command: '/p', args: given });
  const names = ['notes', 'my-mail'] as const;
  let text = before;
  const made = names.map((name, index) => {
    const added = list.add(text, [name, entry(name, args[index] ?? [])]);
    verifyAddition(list, { before: text, after: added.text }, [name, entry(name, args[index] ?? [])]);
    text = added.text;
    return added.made;
  })[0];
  const replaced = list.replace(text, ['notes', entry('notes', ['new'])]);
  verifyReplacement(list, { before: text, after: replaced }, ['notes', entry('notes', ['new'])]);
  for (const name of reversed ? names.toReversed() : names) {
    const removed = list.remove(text, [name], made ?? 'entry');
    verifyRemoval(list, { before: text, after: removed }, name);
    text = removed;
  }
  const together = list.remove(replaced, reversed ? names.toReversed() : names, made ?? 'entry');
  verifyRemoval(list, { before: replaced, after: together }, ...names);
  const old = list.read(before);
  for (const after of [text, together]) {
    const left = list.read(after);
    expect(left.rest).toEqual(old.rest);
    expect(left.entries ?? []).toEqual(old.entries ?? []);
    // A file with only a comment may gain a line end.
    expect(after.replace(/\s/g, '')).toBe(before.replace(/\s/g, ''));
  }
}

const lineEnds = fc.constantFrom('\n', '\r\n');
const comment = fc.stringMatching(/^[ a-z"{}[\]:,]{0,8}$/);

/** Text between two tokens of JSONC: white space and comments. */
const gap = (end: string) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('', ' ', '  ', '\t', end, `${end}  `),
        comment.map((text) => `/*${text}*/`),
        comment.map((text) => `//${text}${end}`),
      ),
      { maxLength: 2 },
    )
    .map((parts) => parts.join(''));

const jsonc = fc
  .record({ end: lineEnds, trailing: fc.boolean(), mark: fc.boolean() })
  .chain(({ end, trailing, mark }) => {
    const between = gap(end);
    const value = fc.oneof(
      fc.json({ maxDepth: 1 }),
      fc.constantFrom('12345678901234567890', '1.50', String.raw`"\u0041"`, '{}', '[ ]'),
    );
    const object = (members: fc.Arbitrary<readonly (readonly [string, string])[]>) =>
      fc
        .tuple(members, fc.array(between, { minLength: 24, maxLength: 24 }), fc.boolean())
        .map(([list, gaps, comma]) => {
          const texts = list.map(
            ([name, text], index) =>
              `${gaps[index * 4] ?? ''}${JSON.stringify(name)}${gaps[index * 4 + 1] ?? ''}:${gaps[index * 4 + 2] ?? ''}${text}${gaps[index * 4 + 3] ?? ''}`,
          );
          return `{${texts.join(',')}${trailing && comma && list.length > 0 ? ',' : ''}${gaps.at(-1) ?? ''}}`;
        });
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'notes2', '"', 'é'), { maxLength: 4 });
    const list = object(
      names.chain((keys) => fc.tuple(...keys.map((key) => value.map((text) => [key, text] as const)))),
    );
    const root = fc.boolean().chain((hasList) =>
      object(
        fc.tuple(list, value, value, fc.nat(2)).map(([servers, one, two, place]) => {
          const members: (readonly [string, string])[] = [
            ['one', one],
            ['two', two],
          ];
          if (hasList) members.splice(place, 0, ['servers', servers]);
          return members;
        }),
      ),
    );
    return fc
      .tuple(between, fc.option(root, { freq: 8, nil: '' }), between)
      .map(([before, text, after]) => `${mark ? '\ufeff' : ''}${before}${text}${after}`);
  });

const toml = fc.record({ end: lineEnds, isEnded: fc.boolean() }).chain(({ end, isEnded }) => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => JSON.stringify(text).replaceAll('\u007f', '')),
    fc.constantFrom(
      "'[x]'",
      "''",
      `"""${end}[mcp_servers.x]${end}a"""""`,
      `'''#'''''`,
      `[${end} "]", # ]${end} [1, 2],${end}]`,
      '{ a = "b", c = [ ] }',
      '2026-11-22T10:00:00.5Z',
      '07:32:00',
      '1_000',
      '0xff',
      'inf',
      'true',
    ),
  );
  const pairs = fc
    .array(fc.tuple(value, fc.constantFrom('', ' # c', end, `${end}# [c]`)), { maxLength: 3 })
    .map((list) => list.map(([text, after], index) => `k${index} = ${text}${after}${end}`).join(''));
  const tables = fc.uniqueArray(
    fc.constantFrom('[a]', '[ a . "b.c" ]', '[mcp_servers.x]', '[mcp_servers."y z"]', '[mcp_servers.x.env]', '[[d]]'),
    { maxLength: 4 },
  );
  return fc.tuple(pairs, tables, fc.array(pairs, { minLength: 4, maxLength: 4 })).map(([first, headers, bodies]) => {
    const text = [first, ...headers.map((header, index) => `${header} # h${end}${bodies[index] ?? ''}`)].join('');
    return isEnded ? text : text.trimEnd();
  });
});

const yamlValue = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('a\nb\n', 'long '.repeat(30), '# no', '- no', 'x: y', true, null, 12, 1.5),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const yaml = (list: string, entries: fc.Arbitrary<unknown>) =>
  fc
    .record({
      before: yamlValue,
      held: fc.option(entries),
      after: yamlValue,
      indent: fc.constantFrom(2, 4),
      indentSeq: fc.boolean(),
      isCommented: fc.boolean(),
      end: lineEnds,
      isEnded: fc.boolean(),
    })
    .map(({ before, held, after, indent, indentSeq, isCommented, end, isEnded }) => {
      const document = { before, ...(held !== null && { [list]: held }), after };
      const text = stringify(document, { indent, indentSeq });
      const commented = isCommented ? `# first\n${text}# last\n` : text;
      return (isEnded ? commented : commented.replace(/\n$/, '')).replaceAll('\n', end);
    });
const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), yamlValue, { minKeys: 1, maxKeys: 3 });
const named = fc.tuple(fc.stringMatching(/^[a-m]{1,5}$/), fields).map(([name, more]) => ({ name, ...more }));

describe('adding and removing entries', () => {
  test.prop([jsonc, plans], { numRuns: runs(400) })('restores any JSON with comments', (text, plan) => {
    addAndRemove('vscode', text, plan);
  });

  test.prop([toml, plans], { numRuns: runs(200) })('restores any TOML', (text, plan) => {
    addAndRemove('codex', text, plan);
  });

  test.prop(
    [yaml('extensions', fc.dictionary(fc.stringMatching(/^[a-m]{1,5}$/), fields, { minKeys: 1, maxKeys: 3 })), plans],
    {
      numRuns: runs(80),
    },
  )('restores any YAML map', (text, plan) => {
    addAndRemove('goose', text, plan);
  });

  test.prop(
    [yaml('mcpServers', fc.uniqueArray(named, { minLength: 1, maxLength: 3, selector: ({ name }) => name })), plans],
    {
      numRuns: runs(80),
    },
  )('restores any YAML list', (text, plan) => {
    addAndRemove('continue', text, plan);
  });
});
