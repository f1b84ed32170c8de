import { describe, expect, it } from 'vitest';
import { wantsSignIn } from '../../../main/error-remedy.ts';
import { PosternError } from '../../../main/postern-error.ts';
import type { Remedy } from '../../../shared/remedy.ts';

describe('wantsSignIn', () => {
  it.each([
    ['SIGN_IN_REQUIRED', true],
    ['SCOPE_REQUIRED', true],
    ['TOKEN_REJECTED', true],
    ['REFRESH_REVOKED', true],
    ['REFRESH_UNCERTAIN', true],
    ['REFRESH_ISSUER_CHANGED', true],
    ['ADDRESS_CHANGED', true],
    ['CLIENT_REJECTED', true],
    ['API_KEY_REFUSED', false],
    ['REFRESH_TRANSIENT', false],
    ['TOKEN_ERROR', false],
    ['NO_SIGN_IN', false],
    ['DEADLINE', false],
  ] as const)('is, for a plain %s, %s', (code, expected) => {
    expect(wantsSignIn(new PosternError(code, { stage: 'connection' }))).toBe(expected);
  });

  it.each<[remedy: Remedy, expected: boolean]>([
    [{ kind: 'sign-in', access: 'lives' }, true],
    [{ kind: 'grant-scopes', answered: true }, true],
    [{ kind: 'replace-key', because: 'refused' }, false],
    [{ kind: 'use-as-it-is', with: 'nothing' }, false],
  ])('follows what the error itself says helps: %o', (remedy, expected) => {
    for (const code of ['SIGN_IN_REQUIRED', 'MCP_FAILED'] as const)
      expect(wantsSignIn(new PosternError(code, { stage: 'connection', remedy }))).toBe(expected);
  });
});
