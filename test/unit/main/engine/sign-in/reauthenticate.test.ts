import { describe, expect, it } from 'vitest';
import { accountHint, accountNote } from '../../../../../main/engine/sign-in/reauthenticate.ts';

const account = (name: string | undefined) => (name === undefined ? {} : { account: name });

describe('accountNote', () => {
  it.each([
    ['ada', 'ada', false, undefined],
    ['ada', 'grace', false, 'another-account'],
    ['ada', 'grace', true, undefined],
    ['ada', 'ada', true, 'same-account'],
    [undefined, 'ada', false, undefined],
    ['ada', undefined, false, undefined],
    [undefined, undefined, true, undefined],
  ] as const)('for a change from %s to %s, switching accounts: %s', (before, after, isSwitch, note) => {
    expect(accountNote(account(before), account(after), isSwitch)).toBe(note);
  });
});

describe('accountHint', () => {
  it('is something that a user would type, never an opaque ID', () => {
    expect(accountHint(account('ada@example.com'))).toBe('ada@example.com');
    expect(accountHint(account('auth0|5f7c8ec7c33c6c004bbafe82'))).toBeUndefined();
    expect(accountHint(account(undefined))).toBeUndefined();
  });
});
