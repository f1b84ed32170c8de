import { describe, expect, it } from 'vitest';
import {
  applyPkce,
  codeChallenge,
  createCodeVerifier,
} from '../../../../../main/oauth/authorization/authorization-request.ts';
import { Secret } from '../../../../../main/secret.ts';
import { countingRandom, failureOf } from '../../../../support/oauth-fixtures.ts';

describe('createCodeVerifier', () => {
  it('encodes 256 bits as 43 unreserved characters (RFC 7636 section 4.1)', () => {
    const random = countingRandom();
    const verifier = createCodeVerifier(random).reveal();
    expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(createCodeVerifier(random).reveal()).not.toBe(verifier);
  });
});

describe('codeChallenge', () => {
  it('hashes the verifier as in the example (RFC 7636 appendix B)', () => {
    const verifier = new Secret('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
    expect(codeChallenge(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });
});

describe('applyPkce', () => {
  it.each([
    ['when-listed', ['S256'], true],
    ['when-listed', ['plain', 'S256'], true],
    ['when-listed', ['plain'], false],
    ['when-listed', ['s256'], false],
    ['when-listed', [], false],
    ['when-listed', undefined, false],
    ['always', undefined, true],
    ['always', ['plain'], true],
    ['required', ['S256'], true],
  ] as const)('policy %s with %j listed gives %s (spec 5.1, MD-30)', (policy, listed, applied) => {
    const metadata = listed === undefined ? {} : { code_challenge_methods_supported: [...listed] };
    expect(applyPkce(policy, metadata)).toBe(applied);
  });

  it.each([[undefined], [[]], [['plain']]])(
    'refuses %j if the policy is required (MCP 2025-11-25, MD-30)',
    async (listed) => {
      const metadata = listed === undefined ? {} : { code_challenge_methods_supported: listed };
      const error = await failureOf(() => applyPkce('required', metadata));
      expect(error).toMatchObject({ code: 'PKCE_UNSUPPORTED', stage: 'authorization' });
    },
  );
});
