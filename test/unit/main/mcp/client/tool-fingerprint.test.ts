import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { pinKey, fingerprintTool } from '../../../../../main/mcp/client/tool-fingerprint.ts';

const formOf = (text: string) => {
  const tool = JSON.parse(text) as { name: string };
  return fingerprintTool(tool, Buffer.from(text)).form;
};
const tool = {
  name: 'write',
  description: 'Writes a note',
  inputSchema: { type: 'object', properties: { text: { type: 'string', default: 1 } }, required: ['text', 'id'] },
  annotations: { readOnlyHint: true },
};
const original = formOf(JSON.stringify(tool));
const changed = (change: object) => formOf(JSON.stringify({ ...tool, ...change }));

it.each([
  ['white space', JSON.stringify(tool, undefined, 2)],
  ['another member order', JSON.stringify(Object.fromEntries(Object.entries(tool).toReversed()))],
  ['another order of required', JSON.stringify(tool).replace('["text","id"]', '["id","text"]')],
  ['escaped letters', JSON.stringify(tool).replace('Writes', '\\u0057rites')],
  ['another notation of a number', JSON.stringify(tool).replace('"default":1', '"default":1.0')],
  [
    'null for an optional member',
    JSON.stringify({ ...tool, title: null, outputSchema: null, annotations: { ...tool.annotations, title: null } }),
  ],
  ['members that models never read', JSON.stringify({ ...tool, _meta: { seen: 7 }, icons: [] })],
])('PM-13 ignores %s', (_what, text) => expect(formOf(text)).toBe(original));

it.each([
  ['a description', changed({ description: 'Writes a note.' })],
  ['a look-alike letter', changed({ description: 'Writеs a note' })],
  ['an invisible character', changed({ description: 'Writes\u200b a note' })],
  ['a title', changed({ title: 'Write' })],
  ['a reversed hint', changed({ annotations: { readOnlyHint: false } })],
  ['another hint', changed({ annotations: { readOnlyHint: true, destructiveHint: true } })],
  ['a field', changed({ inputSchema: { ...tool.inputSchema, properties: {} } })],
  ['the order of an ordered list', changed({ inputSchema: { ...tool.inputSchema, prefixItems: ['b', 'a'] } })],
  ['the output schema', changed({ outputSchema: { type: 'object' } })],
  ['a repeated member', JSON.stringify(tool).replace('{', '{"description":"Reads",')],
  ['a repeated member in the schema', JSON.stringify(tool).replace('"properties":{', '"properties":{},"properties":{')],
  ['a member in capitals', changed({ Description: 'Deletes' })],
  ['a string instead of a number', JSON.stringify(tool).replace('"default":1', '"default":"1"')],
  ['an infinite number', JSON.stringify(tool).replace('"default":1', '"default":1e999')],
  ['a __proto__ member', changed({ inputSchema: JSON.parse('{"__proto__":{"a":1}}') as object })],
])('PM-13 detects a change of %s', (_what, form) => {
  expect(form.length > 50 ? formOf(form) : form).not.toBe(original);
});

it('distinguishes lists in a different order', () => {
  const orders = ['["b","a"]', '["a","b"]'].map((list) => formOf(`{"name":"x","inputSchema":{"items":${list}}}`));
  expect(new Set(orders).size).toBe(2);
});

it('PM-14 stores little of a string of megabytes, and still distinguishes it', () => {
  const [one, other] = ['a', 'b'].map((end) => fingerprintTool({ ...tool, description: 'x'.repeat(5_000_000) + end }));
  expect(one?.form).not.toBe(other?.form);
  expect(one?.text?.length).toBeLessThan(20_000);
  const names = ['a', 'b'].map((end) => pinKey('n'.repeat(1_000_000) + end));
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name.length).toBeLessThan(257);
});

const anyTool = fc.record({ description: fc.string({ unit: 'binary' }), inputSchema: fc.jsonValue() });
test.prop([anyTool, anyTool])('has one fingerprint for each meaning', (one, other) => {
  const [first, second] = [one, other].map((each) => formOf(JSON.stringify({ name: 'x', ...each })));
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  if (isSame) expect(first).toBe(second);
  if (one.description !== other.description) expect(first).not.toBe(second);
});
