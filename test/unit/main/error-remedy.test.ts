import { describe, expect, it } from 'vitest';
import { describeRemedy } from '../../../main/cli/output/describe-error.ts';
import { PosternError, remedyOf, requiresSignIn } from '../../../main/errors/postern-error.ts';
import { describeNextStep } from '../../../main/gateway/responses/responses.ts';
import { errorCodes } from '../../../shared/error-codes.ts';
import { blames, checksInput } from '../../../shared/error-traits.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { english } from '../../../shared/words/english.ts';
import { german } from '../../../shared/words/german.ts';
import { remediesOf } from '../../support/error-details.ts';

describe('remedyOf', () => {
  const checksTyped =
    /\bcheck (?:the|its|your|both|them|it)\b.*(?:address|spelling|port\b|client|secret|key\b|both|letter)|in front/iu;
  const prueftEingabe =
    /Prüfen Sie.*(?:Adresse|Schreibweise|Port|Client|Secret|Schlüssel\b|beides)|davor|https:\/\/ vor/u;

  it.each(errorCodes)('suggests checking the input only if it is to blame, in every wording: %s', (code) => {
    const named = { name: 'Notes', reference: 'notes', command: 'postern' };
    for (const blame of blames.filter((each) => each !== 'input')) {
      for (const given of [undefined, ...remediesOf(code)]) {
        const remedy = remedyOf(new PosternError(code, { stage: 'postern', blame, remedy: given }));
        expect(checksInput(remedy)).toBe(false);
        expect(describeRemedy(remedy, {})).not.toMatch(checksTyped);
        expect(english.errors.nextStep(remedy)).not.toMatch(checksTyped);
        expect(german.errors.nextStep(remedy)).not.toMatch(prueftEingabe);
        expect(describeNextStep(remedy, named).text).not.toMatch(checksTyped);
      }
    }
  });

  it.each(['URL_INVALID', 'CONNECT_FAIL', 'MCP_FAILED', 'CONTENT_TYPE', 'CLIENT_REJECTED'] as const)(
    'suggests checking the input if it is to blame: %s',
    (code) => {
      const remedy = remedyOf(new PosternError(code, { stage: 'probe', blame: 'input' }));
      expect(checksInput(remedy)).toBe(true);
    },
  );
});

describe('requiresSignIn', () => {
  it.each([
    ['SIGN_IN_REQUIRED', true],
    ['SCOPE_REQUIRED', true],
    ['TOKEN_REJECTED', true],
    ['REFRESH_REVOKED', true],
    ['REFRESH_REFUSED', true],
    ['REFRESH_ISSUER_CHANGED', true],
    ['ADDRESS_CHANGED', true],
    ['CLIENT_REJECTED', true],
    ['API_KEY_REFUSED', false],
    ['REFRESH_TRANSIENT', false],
    ['TOKEN_ERROR', false],
    ['NO_SIGN_IN', false],
    ['DEADLINE', false],
  ] as const)('is, for %s without a remedy, %s', (code, expected) => {
    expect(requiresSignIn(new PosternError(code, { stage: 'connection' }))).toBe(expected);
  });

  it.each<[remedy: Remedy, expected: boolean]>([
    [{ kind: 'sign-in', access: 'lives' }, true],
    [{ kind: 'grant-scopes', answered: true }, true],
    [{ kind: 'replace-key', because: 'missing' }, false],
    [{ kind: 'use-as-it-is', with: 'nothing' }, false],
  ])('follows the remedy of the error: %o', (remedy, expected) => {
    for (const code of ['SIGN_IN_REQUIRED', 'MCP_FAILED'] as const)
      expect(requiresSignIn(new PosternError(code, { stage: 'connection', remedy }))).toBe(expected);
  });
});
