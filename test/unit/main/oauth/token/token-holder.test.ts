import { describe, expect, it } from 'vitest';
import { readAccount } from '../../../../../main/oauth/token/token-set.ts';

describe('readAccount', () => {
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
  ])('reads the account from %j', (response, name) => {
    expect(readAccount(response)).toBe(name);
  });
});
