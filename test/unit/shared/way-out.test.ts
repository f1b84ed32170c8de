import { describe, expect, it } from 'vitest';
import { describeError } from '../../../shared/error-catalogue.ts';
import { errorCodes } from '../../../shared/error-codes.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { wayOutOf } from '../../../shared/way-out.ts';
import type { WayOut } from '../../../shared/way-out.ts';

/** What a person is told to do, as what only a person can do; every remedy is one or none of them. */
const wayOfRemedy: Readonly<Partial<Record<Remedy['kind'], WayOut>>> = {
  'sign-in': 'sign-in',
  'sign-in-or-remove': 'sign-in',
  'correct-credentials': 'sign-in',
  'try-then-sign-in': 'try-or-sign-in',
  'grant-scopes': 'permissions',
  'replace-key': 'key',
};

describe('the way out of an error', () => {
  it.each(errorCodes)('is the one that its remedy tells a person: %s', (code) => {
    expect(wayOutOf({ code })).toBe(wayOfRemedy[describeError(code, {}).remedy.kind]);
  });
});
