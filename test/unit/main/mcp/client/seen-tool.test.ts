import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { pinnedName, seeTool } from '../../../../../main/mcp/client/seen-tool.ts';

const formOf = (text: string) => {
  const tool = JSON.parse(text) as { name: string };
  return seeTool(tool, Buffer.from(text)).form;
};
const tool = {
  name: 'write',
  description: 'Writes a note',
  inputSchema: { type: 'object', properties: { text: { type: 'string', default: 1 } }, required: ['text', 'id'] },
  annotations: { readOnlyHint: true },
};
const was = formOf(JSON.stringify(tool));
const with_ = (change: object) => formOf(JSON.stringify({ ...tool, ...change }));

it.each([
  ['white space', JSON.stringify(tool, undefined, 2)],
  ['another order', JSON.stringify(Object.fromEntries(Object.entries(tool).toReversed()))],
  ['another order of what is required', JSON.stringify(tool).replace('["text","id"]', '["id","text"]')],
  ['escaped letters', JSON.stringify(tool).replace('Writes', '\\u0057rites')],
  ['a number written otherwise', JSON.stringify(tool).replace('"default":1', '"default":1.0')],
  [
    'null where a member is optional',
    JSON.stringify({ ...tool, title: null, outputSchema: null, annotations: { ...tool.annotations, title: null } }),
  ],
  ['what no model reads', JSON.stringify({ ...tool, _meta: { seen: 7 }, icons: [] })],
])('PM-13 is the same by %s', (_what, text) => expect(formOf(text)).toBe(was));

it.each([
  ['a description', with_({ description: 'Writes a note.' })],
  ['a look-alike letter', with_({ description: 'Writеs a note' })],
  ['a character that nobody sees', with_({ description: 'Writes\u200b a note' })],
  ['a title', with_({ title: 'Write' })],
  ['a hint that turns', with_({ annotations: { readOnlyHint: false } })],
  ['another hint', with_({ annotations: { readOnlyHint: true, destructiveHint: true } })],
  ['a field', with_({ inputSchema: { ...tool.inputSchema, properties: {} } })],
  ['the order of a list that has one', with_({ inputSchema: { ...tool.inputSchema, prefixItems: ['b', 'a'] } })],
  ['what it answers', with_({ outputSchema: { type: 'object' } })],
  ['a member that stands twice', JSON.stringify(tool).replace('{', '{"description":"Reads",')],
  [
    'one that stands twice in the schema',
    JSON.stringify(tool).replace('"properties":{', '"properties":{},"properties":{'),
  ],
  ['a member in capitals', with_({ Description: 'Deletes' })],
  ['a text for a number', JSON.stringify(tool).replace('"default":1', '"default":"1"')],
  ['a number beyond all', JSON.stringify(tool).replace('"default":1', '"default":1e999')],
  ['a member called like one of every object', with_({ inputSchema: JSON.parse('{"__proto__":{"a":1}}') as object })],
])('PM-13 is another one by %s', (_what, form) => {
  expect(form.length > 50 ? formOf(form) : form).not.toBe(was);
});

it('tells tools apart where the list of one is the prefix of another', () => {
  const orders = ['["b","a"]', '["a","b"]'].map((list) => formOf(`{"name":"x","inputSchema":{"items":${list}}}`));
  expect(new Set(orders).size).toBe(2);
});

it('PM-14 keeps little of a text of megabytes, and tells it apart all the same', () => {
  const [one, other] = ['a', 'b'].map((end) => seeTool({ ...tool, description: 'x'.repeat(5_000_000) + end }));
  expect(one?.form).not.toBe(other?.form);
  expect(one?.text?.length).toBeLessThan(20_000);
  const names = ['a', 'b'].map((end) => pinnedName('n'.repeat(1_000_000) + end));
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name.length).toBeLessThan(257);
});

const anyTool = fc.record({ description: fc.string({ unit: 'binary' }), inputSchema: fc.jsonValue() });
test.prop([anyTool, anyTool])('has one form for each meaning', (one, other) => {
  const [first, second] = [one, other].map((each) => formOf(JSON.stringify({ name: 'x', ...each })));
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  if (isSame) expect(first).toBe(second);
  if (one.description !== other.description) expect(first).not.toBe(second);
});
