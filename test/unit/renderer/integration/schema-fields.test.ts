import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { groupOf, readArguments, startGroup, writeTemplate } from '../../../../renderer/integration/argument-draft.ts';
import type { GroupDraft } from '../../../../renderer/integration/argument-draft.ts';
import { formBounds, readSchema } from '../../../../renderer/integration/schema-fields.ts';
import type { JsonValue, SchemaField, Shape } from '../../../../renderer/integration/schema-fields.ts';

const form = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  readSchema({ type: 'object', properties, ...rest });
const kinds = (properties: Record<string, unknown>, rest?: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(form(properties, rest).fields.map(({ name, shape }) => [name, shape.kind]));
const one = (property: unknown, rest?: Record<string, unknown>): SchemaField => {
  const [field] = form({ it: property }, rest).fields;
  if (!field) throw new Error('no field');
  return field;
};

describe('readSchema', () => {
  it('chooses the control by the type', () => {
    expect(
      kinds({
        title: { type: 'string' },
        count: { type: 'integer' },
        open: { type: 'boolean' },
        team: { enum: ['a', 2] },
        always: { const: 'x' },
        labels: { type: 'array', items: { type: 'string' } },
        person: { properties: { name: { type: 'string' } } },
        filter: { type: 'object' },
        pair: { type: 'array', prefixItems: [{}, {}] },
        unknown: true,
      }),
    ).toEqual({
      title: 'text',
      count: 'number',
      open: 'boolean',
      team: 'choice',
      always: 'choice',
      labels: 'list',
      person: 'group',
      filter: 'json',
      pair: 'json',
      unknown: 'json',
    });
    expect(one({ type: 'string', maxLength: 5_000 }).shape).toMatchObject({ long: true });
    expect(one({ type: 'string', format: 'date' }).shape).toMatchObject({ format: 'date' });
    expect(one({ type: 'integer' }).shape).toMatchObject({ whole: true });
  });

  it('reads "this or null" as this', () => {
    for (const schema of [
      { type: ['integer', 'null'] },
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, { $ref: '#/$defs/count' }] },
    ]) {
      const rest = { $defs: { count: { type: 'integer' } } };
      expect(one(schema, rest)).toMatchObject({ nullable: true, shape: { kind: 'number', whole: true } });
    }
  });

  it('shows a choice for several alternative schemas, including the keywords next to them', () => {
    const { shape } = one({
      properties: { note: { type: 'string' } },
      oneOf: [
        { title: 'A user', properties: { name: { type: 'string' } } },
        { properties: { kind: { const: 'team' } } },
      ],
    });
    expect(shape).toMatchObject({ kind: 'variant', options: [{ label: 'A user' }, { label: 'team' }] });
    const fields = shape.kind === 'variant' && shape.options[0]?.shape;
    expect(fields).toMatchObject({ kind: 'group', fields: [{ name: 'note' }, { name: 'name' }] });
    expect(one({ anyOf: [{ const: 1, title: 'Low' }, { const: 2 }] }).shape).toEqual({
      kind: 'choice',
      choices: [
        { value: '1', label: 'Low' },
        { value: '2', label: '2' },
      ],
    });
    // The server decides which properties go together.
    const either = { properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    expect(one(either).shape.kind).toBe('group');
  });

  it('follows only references inside the schema, and merges allOf', () => {
    const rest = { $defs: { 'a/b': { type: 'boolean', description: 'Theirs' }, loop: { $ref: '#/$defs/loop' } } };
    expect(one({ $ref: '#/$defs/a~1b', description: 'Ours' }, rest)).toMatchObject({
      description: 'Ours',
      shape: { kind: 'boolean' },
    });
    for (const $ref of ['#/$defs/loop', 'https://example.com/schema', '#/$defs/none', '#/constructor', '#/%', 7])
      expect(one({ $ref }, rest).shape.kind).toBe('json');
    const all = { allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: true } }] };
    expect(one(all).shape).toMatchObject({ fields: [{ name: 'a', required: true }, { name: 'b' }] });
  });

  it('puts required fields first', () => {
    expect(form({ a: true, b: true, c: true }, { required: ['c', 'b'] }).fields.map(({ name }) => name)).toEqual([
      'b',
      'c',
      'a',
    ]);
  });

  it('IP-23 stays small and fast, whatever a server nests', () => {
    const names = Array.from({ length: 400 }, (_, index) => `p${index}`);
    const wide = { properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])) };
    const bushy = { properties: Object.fromEntries(names.slice(0, 20).map((name) => [name, { $ref: '#' }])) };
    const deep = {
      properties: { again: { type: 'array', items: { $ref: '#' } }, also: { oneOf: [{ $ref: '#' }, { const: 1 }] } },
    };
    const parts = { allOf: [1, 2, 3, 4, 5].map(() => ({ $ref: '#' })), properties: wide.properties };
    const options = { properties: { it: { oneOf: names.map(() => ({ $ref: '#' })) } } };
    for (const schema of [wide, bushy, deep, parts, options]) {
      const before = process.cpuUsage();
      const shape = readSchema(schema);
      expect(countOf(shape)).toBeLessThan(names.length + formBounds.fields);
      expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
      expect(JSON.stringify(startGroup(shape)).length).toBeLessThan(50_000);
    }
  });

  test.prop([fc.json()])('makes a form from anything a server sends', (text) => {
    const schema = JSON.parse(text) as JsonValue;
    expect(() => startGroup(readSchema({ properties: { it: schema } }))).not.toThrow();
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
      expect(() => startGroup(readSchema(schema))).not.toThrow();
  });
});

function countOf(shape: Shape): number {
  switch (shape.kind) {
    case 'group':
      return shape.fields.reduce((sum, field) => sum + countOf(field.shape), 1);
    case 'variant':
      return shape.options.reduce((sum, field) => sum + countOf(field.shape), 1);
    case 'list':
      return 1 + countOf(shape.item.shape);
    default:
      return 1;
  }
}

const notes = form(
  {
    title: { type: 'string' },
    count: { type: 'integer', default: 2 },
    open: { type: 'boolean' },
    team: { enum: ['a', 2] },
    labels: { type: 'array', items: { type: 'string' } },
    person: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 1 }, age: { type: 'number' } },
    },
    target: { oneOf: [{ type: 'number' }, { type: 'object', properties: { id: { type: 'string' } } }] },
    filter: { type: 'object' },
  },
  { required: ['title', 'count'] },
);
const entered = (group: GroupDraft['group']): GroupDraft => ({ group: { ...startGroup(notes).group, ...group } });

describe('readArguments', () => {
  it('converts each value to its type and omits empty optional ones', () => {
    const group = {
      title: '12',
      open: 'false',
      team: '2',
      labels: { list: ['x', 'y z'] },
      person: { group: { name: 'Ann', age: '' } },
      target: { option: 1, drafts: { 0: '7', 1: { group: { id: '9' } } } },
      filter: '{"a":[1]}',
    };
    expect(readArguments(notes, entered(group))).toEqual({
      values: {
        title: '12',
        count: 2,
        open: false,
        team: 2,
        labels: ['x', 'y z'],
        person: { name: 'Ann' },
        target: { id: '9' },
        filter: { a: [1] },
      },
      faults: {},
    });
    expect(readArguments(notes, entered({ title: '' }))).toEqual({ values: { title: '', count: 2 }, faults: {} });
  });

  it('keeps an empty string on purpose, unless the tool rejects it', () => {
    const texts = form(
      { may: { type: 'string' }, must: { type: 'string', minLength: 1 } },
      { required: ['may', 'must'] },
    );
    expect(readArguments(texts, startGroup(texts))).toEqual({ values: { may: '' }, faults: { '/must': 'required' } });
    const nullable = form({ it: { type: ['string', 'null'] } }, { required: ['it'] });
    expect(readArguments(nullable, startGroup(nullable)).values).toEqual({ it: null });
  });

  it('reports mistakes per field', () => {
    const wrong = { count: '1.5', filter: '{', person: { group: { name: '', age: 'x' } }, labels: { list: ['a', ''] } };
    expect(readArguments(notes, entered(wrong)).faults).toEqual({
      '/count': 'invalidNumber',
      '/filter': 'invalidJson',
      '/person/name': 'required',
      '/person/age': 'invalidNumber',
      '/labels/1': 'required',
    });
  });
});

describe('groupOf', () => {
  const like: fc.Arbitrary<Record<string, JsonValue>> = fc.dictionary(
    fc.oneof(fc.constantFrom('title', 'count', 'open', 'team', 'labels', 'person', 'target', 'filter'), fc.string()),
    fc.oneof(
      fc.json().map((text) => JSON.parse(text) as JsonValue),
      fc.constantFrom<JsonValue>(
        '',
        [],
        {},
        [''],
        ['a'],
        { name: 'Ann' },
        { name: '' },
        { id: 'x' },
        7,
        true,
        null,
        'a',
        2,
      ),
    ),
  );

  test.prop([like])('loses nothing that was typed as JSON', (values) => {
    delete values['__proto__'];
    const { title, count } = values;
    // Missing required values are filled in.
    const { values: read } = readArguments(notes, groupOf(notes, values));
    const { title: readTitle, count: readCount, ...rest } = read;
    const { title: _title, count: _count, ...others } = values;
    expect(rest).toEqual(others);
    expect(readTitle).toEqual(title ?? (title === null ? null : ''));
    if (count !== undefined) expect(readCount).toEqual(count);
  });
});

describe('writeTemplate', () => {
  it('contains the entered values and placeholders for required ones', () => {
    const draft = entered({ count: '', labels: { list: ['x'] }, person: { group: { name: '', age: '3' } } });
    expect(JSON.parse(writeTemplate(notes, draft))).toEqual({ title: '', count: 0, labels: ['x'], person: { age: 3 } });
  });
});
