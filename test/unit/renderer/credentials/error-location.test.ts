import { describe, expect, it } from 'vitest';
import { errorLocation } from '../../../../renderer/credentials/credential-values.ts';
import { afterAuthorizationRefusal, afterTokenRefusal } from '../../../../shared/error-catalog/sign-in-errors.ts';
import { errorCatalog } from '../../../../shared/error-codes.ts';
import { errorCodes } from '../../../../shared/error-codes.ts';
import type { HasTraits } from '../../../../shared/error-traits.ts';
import { remediesOf } from '../../../support/error-details.ts';

describe('errorLocation', () => {
  it.each([
    ['a client that was rejected before', errorCatalog.CLIENT_REJECTED.remedy, 'client'],
    ['invalid_client of a token endpoint', afterTokenRefusal('invalid_client'), 'client'],
    ['invalid_client of a sign-in page', afterAuthorizationRefusal('invalid_client').remedy, 'client'],
    ['unauthorized_client of a sign-in page', afterAuthorizationRefusal('unauthorized_client').remedy, 'clientId'],
    ['unauthorized_client of a token endpoint', afterTokenRefusal('unauthorized_client'), 'clientId'],
    ['invalid_scope', afterAuthorizationRefusal('invalid_scope').remedy, 'scopes'],
    ['invalid_target', afterTokenRefusal('invalid_target'), 'advanced'],
    ['invalid_request', afterTokenRefusal('invalid_request'), 'advanced'],
    ['PKCE that is not listed', errorCatalog.PKCE_UNSUPPORTED.remedy, 'advanced'],
    // The code, its verifier, the redirect URI or the time: the server does not say which (RFC 6749 5.2).
    ['invalid_grant', afterTokenRefusal('invalid_grant'), undefined],
    ['a rejection without a reason', afterTokenRefusal('unknown'), undefined],
  ] as const)('finds where to fix %s', (_, remedy, place) => {
    expect(errorLocation({ blame: 'answer', remedy })).toBe(place);
  });

  it('finds a rejected address among the typed endpoints', () => {
    const { traits }: HasTraits = errorCatalog.HOST_BLOCKED;
    for (const remedy of remediesOf('HOST_BLOCKED')) {
      expect(errorLocation({ traits, blame: 'input', remedy })).toBe('endpoints');
      expect(errorLocation({ traits, blame: 'document', remedy })).toBeUndefined();
    }
  });

  it('blames no field for a client that Postern registered itself', () => {
    for (const code of errorCodes)
      for (const remedy of remediesOf(code))
        expect(['client', 'clientId']).not.toContain(errorLocation({ blame: 'answer', remedy }, true));
  });
});
