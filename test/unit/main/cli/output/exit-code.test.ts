import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../../main/cli/options/parse-arguments.ts';
import { exitCode } from '../../../../../main/cli/start/run-command-line.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';

describe('exitCode', () => {
  it.each([
    ['NOT_FOUND', 'show', 1],
    ['INTERNAL', 'list', 1],
    ['SIGN_IN_REQUIRED', 'tools', 3],
    ['SCOPE_REQUIRED', 'call', 3],
    ['REFRESH_REVOKED', 'refresh', 3],
    ['SIGN_IN_REQUIRED', 'token', 3],
    ['REFRESH_TRANSIENT', 'token', 1],
    ['SIGN_IN_REQUIRED', 'connect', 1],
    ['USER_DENIED', 'connect', 1],
    ['USER_CANCELLED', 'connect', 130],
  ] as const)('for %s of %s is %i', (code, command, expected) => {
    expect(exitCode(new PosternError(code, { stage: 'postern' }), command)).toBe(expected);
  });

  it('is 2 for a usage error', () => {
    expect(exitCode(new UsageError('There is no such option.'), undefined)).toBe(2);
  });
});
