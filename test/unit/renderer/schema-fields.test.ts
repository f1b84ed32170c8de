import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../renderer/integration/read-arguments.ts';
import { listSchemaFields } from '../../../renderer/integration/schema-fields.ts';

const kinds = (properties: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(listSchemaFields({ type: 'object', properties }).map(({ name, kind }) => [name, kind]));

describe('listSchemaFields', () => {
  it('chooses the control by the type', () => {
    expect(
      kinds({
        title: { type: 'string' },
        text: { type: 'string', maxLength: 5_000 },
        count: { type: 'integer' },
        share: { type: 'number' },
        open: { type: 'boolean' },
        team: { enum: ['a', 2] },
        labels: { type: 'array', items: { type: 'string' } },
        points: { type: 'array', items: { type: 'number' } },
        filter: { type: 'object' },
        unknown: true,
      }),
    ).toEqual({
      title: 'text',
      text: 'longText',
      count: 'integer',
      share: 'number',
      open: 'boolean',
      team: 'choice',
      labels: 'lines',
      points: 'json',
      filter: 'json',
      unknown: 'json',
    });
  });

  it('reads "this or null" as this', () => {
    expect(
      kinds({
        listed: { type: ['string', 'null'] },
        united: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        mixed: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      }),
    ).toEqual({ listed: 'text', united: 'integer', mixed: 'json' });
  });

  it('makes a form of anything a server sends', () => {
    for (const schema of [{}, { properties: [] }, { properties: null }, { properties: { a: null }, required: 'a' }]) {
      expect(() => listSchemaFields(schema)).not.toThrow();
    }
  });
});

describe('readArguments', () => {
  const fields = listSchemaFields({
    type: 'object',
    required: ['title', 'count'],
    properties: {
      title: { type: 'string' },
      count: { type: 'integer', default: 2 },
      open: { type: 'boolean' },
      team: { enum: ['a', 2] },
      labels: { type: 'array', items: { type: 'string' } },
      filter: { type: 'object' },
    },
  });

  it('gives each value its type, and leaves out what is empty and not required', () => {
    const entered = { title: '12', open: 'false', team: '2', labels: 'x\n\ny z\n', filter: '{"a":[1]}' };
    expect(readArguments(fields, entered)).toEqual({
      values: { title: '12', count: 2, open: false, team: 2, labels: ['x', 'y z'], filter: { a: [1] } },
      faults: {},
    });
    expect(readArguments(fields, { title: '', count: '' }).values).toEqual({ title: '' });
  });

  it('lets an empty text be meant, unless the tool takes none', () => {
    const texts = listSchemaFields({
      required: ['may', 'must'],
      properties: { may: { type: 'string' }, must: { type: 'string', minLength: 1 } },
    });
    expect(readArguments(texts, {})).toEqual({ values: { may: '' }, faults: { must: 'needed' } });
  });

  it('says what is wrong, field by field', () => {
    const entered = { title: 'x', count: '1.5', filter: '{' };
    expect(readArguments(fields, entered).faults).toEqual({ count: 'numberWrong', filter: 'jsonWrong' });
    expect(readArguments(fields, { count: ' ' }).faults).toEqual({ count: 'needed' });
  });
});
