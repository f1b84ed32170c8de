import { describe, expect, it } from 'vitest';
import { readAccount } from '../../../../../main/window/handlers/identity-handlers.ts';

const ofText = (text: string) => readAccount({ content: [{ type: 'text', text }] });
const ofJson = (value: unknown) => ofText(JSON.stringify(value));

describe('readAccount', () => {
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
    [
      { results: [{ type: 'person', name: 'Ada', email: 'ada@example.com' }], has_more: false },
      { name: 'Ada', email: 'ada@example.com' },
    ],
    [{ results: [{ name: 'Ada' }, { name: 'Eve' }] }, undefined],
    [{ status: 'authenticated', account: { id: '5', name: 'ada' }, organizations: [{ name: 'Org' }] }, { name: 'ada' }],
    [{ status: 'anonymous', account: null, organizations: [] }, undefined],
    [[{ name: 'Ada' }, { name: 'Eve' }], undefined],
    [{ name: 5, email: 'none' }, undefined],
    [{ user: { user: { user: { user: { name: 'Ada' } } } } }, undefined],
    [{}, undefined],
  ])('reads the user from %j', (value, user) => {
    expect(ofJson(value)).toEqual(user);
  });

  it.each([
    [
      'You are authenticated as Ada Example (ada@example.com).\n\nYour ID is 5.',
      { name: 'Ada Example', email: 'ada@example.com' },
    ],
    ['You are Ada (ada@example.com).', undefined],
    ['You are rate limited (help@example.com).', undefined],
    ['You are suspended. Ask (help@example.com).', undefined],
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
  ])('reads the user from the text %j', (text, user) => {
    expect(ofText(text)).toEqual(user);
  });

  it.each([
    { error: 'rate_limited', email: 'help@example.com' },
    { errors: [{ message: 'No.' }], name: 'Support', email: 'help@example.com' },
    { status: 429, email: 'help@example.com' },
    { code: '401', user: { name: 'Anonymous' } },
    { ok: false, user: { name: 'Support' } },
    { success: false, email: 'help@example.com' },
    { name: 'RateLimitError', message: 'Too many requests.', email: 'help@example.com' },
    { user: { error: 'unknown', email: 'help@example.com' } },
  ])('reads no user from an error returned as a result: %j', (result) => {
    expect(ofJson(result)).toBeUndefined();
    expect(readAccount({ content: [], structuredContent: result })).toBeUndefined();
  });

  it('reads a user from a result that reports success', () => {
    const result = { ok: true, status: 200, error: null, errors: '', user: { name: 'Ada', email: 'ada@example.com' } };
    expect(ofJson(result)).toEqual({ name: 'Ada', email: 'ada@example.com' });
  });

  it('prefers structured content, removes invisible characters, and ignores error results', () => {
    const content = [{ type: 'text' as const, text: '{"name":"Other"}' }];
    expect(readAccount({ content, structuredContent: { name: 'A\u202eda\u0000' } })).toEqual({ name: 'Ada' });
    expect(readAccount({ content, isError: true })).toBeUndefined();
  });
});
