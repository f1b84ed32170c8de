import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { isPlainEntry } from '../../../../../main/mcp/messages/plain-entry.ts';
import { isValidEntry } from '../../../../../main/mcp/messages/repair-result.ts';

const methods = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
  content: 'tools/call',
  contents: 'resources/read',
  messages: 'prompts/get',
} as const;

const text = { type: 'text', text: 'words' };
const link = { type: 'resource_link', uri: 'a://1', name: 'one', size: 5 };
/** Entries of each list, with every member that is checked. */
const entries: readonly (readonly [list: keyof typeof methods, entry: object])[] = [
  [
    'tools',
    {
      name: 'a',
      title: 'A',
      description: 'd',
      icons: [{ src: 'x', mimeType: 'image/png', sizes: ['any'] }],
      inputSchema: { type: 'object', properties: { a: {} }, required: ['a'] },
      outputSchema: { type: 'object', properties: {} },
      annotations: { title: 't', readOnlyHint: true, destructiveHint: false },
      _meta: { a: 1 },
    },
  ],
  [
    'resources',
    { uri: 'a://1', name: 'one', mimeType: 'a/b', size: 5, annotations: { audience: ['user'], priority: 1 } },
  ],
  ['resourceTemplates', { uriTemplate: 'a://{x}', name: 't', mimeType: 'a/b', annotations: {} }],
  ['prompts', { name: 'p', description: 'd', arguments: [{ name: 'a', description: 'd', required: true }] }],
  ['content', { ...text, annotations: { audience: ['assistant'], priority: 0.5 }, _meta: {} }],
  ['content', { type: 'image', data: 'QUJD', mimeType: 'image/png' }],
  ['content', { type: 'audio', data: '', mimeType: 'audio/wav' }],
  ['content', link],
  ['content', { type: 'resource', resource: { uri: 'a://1', text: 't' } }],
  ['content', { type: 'resource', resource: { uri: 'a://1', blob: 'QUI=', mimeType: 'a/b' } }],
  ['contents', { uri: 'a://1', text: 't', mimeType: 'a/b', _meta: {} }],
  ['contents', { uri: 'a://1', blob: 'QQ==' }],
  ['messages', { role: 'user', content: text }],
  ['messages', { role: 'assistant', content: link }],
];

it.each(entries)('accepts a sound entry of %s as plain: %j', (list, entry) => {
  expect(isPlainEntry(list, entry)).toBe(true);
});

/** The path to every place in a value. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([name, member]) => pathsIn(member).map((path) => [name, ...path]))];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = replaced(copy[name], rest, by);
  return copy;
}

const others = [null, 5, -1, true, '', 'text', '§', [], [null], ['a'], {}, { type: 'text' }, { a: null }];
test.prop([fc.constantFrom(...entries), fc.nat(), fc.constantFrom(...others), fc.boolean()])(
  'accepts nothing as plain that an app would refuse',
  ([list, entry], at, other, isStateless) => {
    const paths = pathsIn(entry);
    const changed = replaced(entry, paths[at % paths.length] ?? [], other);
    fc.pre(isPlainEntry(list, changed));
    expect(isValidEntry(methods[list], changed, isStateless)).toBe(true);
  },
);
