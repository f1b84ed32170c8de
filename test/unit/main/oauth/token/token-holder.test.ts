import { describe, expect, it } from 'vitest';
import { namedAccount } from '../../../../../main/oauth/token/token-set.ts';

describe('namedAccount', () => {
  it.each([
    [{ sub: 'u1', email: 'ada@example.com' }, 'u1'],
    [{ user_id: 42, username: 'ada' }, '42'],
    [{ email: 'ada@example.com' }, 'ada@example.com'],
    [{ sub: '', account: 'ada' }, 'ada'],
    [{ sub: 'a\u202eda\u0000' }, 'ada'],
    [{ sub: { name: 'ada' } }, undefined],
    [{ sub: 'x'.repeat(257) }, undefined],
    [{ id_token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.' }, undefined],
    [{}, undefined],
  ])('of %j', (answer, name) => {
    expect(namedAccount(answer)).toBe(name);
  });
});
