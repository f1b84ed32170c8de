import { describe, expect, it } from 'vitest';
import { readPerson } from '../../../../../main/desktop/views/read-person.ts';

const ofText = (text: string) => readPerson({ content: [{ type: 'text', text }] });
const ofJson = (value: unknown) => ofText(JSON.stringify(value));

describe('readPerson', () => {
  it.each([
    [
      { login: 'ada', details: { name: 'Ada Example', email: 'ada@example.com' } },
      { name: 'ada', email: 'ada@example.com' },
    ],
    [
      { name: 'Ada', email: 'ada@example.com', id: '1' },
      { name: 'Ada', email: 'ada@example.com' },
    ],
    [{ handle: 'ada' }, { name: 'ada' }],
    [{ user: { displayName: 'Ada' } }, { name: 'Ada' }],
    [[{ name: 'Ada' }], { name: 'Ada' }],
    [{ results: [{ name: 'Ada' }] }, undefined],
    [[{ name: 'Ada' }, { name: 'Eve' }], undefined],
    [{ name: 5, email: 'none' }, undefined],
    [{ user: { user: { user: { user: { name: 'Ada' } } } } }, undefined],
    [{}, undefined],
  ])('of %j', (value, person) => {
    expect(ofJson(value)).toEqual(person);
  });

  it.each([
    [
      'You are authenticated as Ada Example (ada@example.com).\n\nYour ID is 5.',
      { name: 'Ada Example', email: 'ada@example.com' },
    ],
    ['You are Ada (ada@example.com).', { name: 'Ada', email: 'ada@example.com' }],
    ['You are logged in as Ada.', { name: 'Ada' }],
    ['You are Ada.', undefined],
    ['You are not authenticated.', undefined],
    ['You are rate limited.', undefined],
    ['You are not logged in as Ada.', undefined],
    ['You are not authenticated (help@example.com).', undefined],
    ['You are no member as Ada (ada@example.com).', undefined],
    ['I do not know.', undefined],
    ['', undefined],
    [`You are ${'x'.repeat(10_000)}.`, undefined],
  ])('of the words %j', (text, person) => {
    expect(ofText(text)).toEqual(person);
  });

  it('takes structured content first, shows nothing invisible, and takes no error for an answer', () => {
    const content = [{ type: 'text' as const, text: '{"name":"Other"}' }];
    expect(readPerson({ content, structuredContent: { name: 'A\u202eda\u0000' } })).toEqual({ name: 'Ada' });
    expect(readPerson({ content, isError: true })).toBeUndefined();
  });
});
