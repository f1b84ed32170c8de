import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../../renderer/credentials/credential-values.ts';
import { afterAuthorizationRefusal, afterTokenRefusal } from '../../../../shared/error-catalogue/sign-in-errors.ts';
import { errorCatalogue } from '../../../../shared/error-codes.ts';
import { errorCodes } from '../../../../shared/error-codes.ts';
import type { Stated } from '../../../../shared/error-facts.ts';
import { remediesOf } from '../../../support/error-details.ts';

describe('placeOf', () => {
  it.each([
    ['a client that was refused before', errorCatalogue.CLIENT_REJECTED.remedy, 'client'],
    ['invalid_client of a token endpoint', afterTokenRefusal('invalid_client'), 'client'],
    ['invalid_client of a sign-in page', afterAuthorizationRefusal('invalid_client').remedy, 'client'],
    ['unauthorized_client of a sign-in page', afterAuthorizationRefusal('unauthorized_client').remedy, 'clientId'],
    ['unauthorized_client of a token endpoint', afterTokenRefusal('unauthorized_client'), 'clientId'],
    ['invalid_scope', afterAuthorizationRefusal('invalid_scope').remedy, 'scopes'],
    ['invalid_target', afterTokenRefusal('invalid_target'), 'advanced'],
    ['invalid_request', afterTokenRefusal('invalid_request'), 'advanced'],
    ['PKCE that is not listed', errorCatalogue.PKCE_UNSUPPORTED.remedy, 'advanced'],
    // The code or its verifier, the redirect address, the time: nobody says which (RFC 6749 5.2).
    ['invalid_grant', afterTokenRefusal('invalid_grant'), undefined],
    ['a refusal without a reason', afterTokenRefusal('unknown'), undefined],
  ] as const)('finds where %s is mended', (_, remedy, place) => {
    expect(placeOf({ blame: 'answer', remedy })).toBe(place);
  });

  it('finds an address that was refused among the endpoints that were typed', () => {
    const { about }: Stated = errorCatalogue.HOST_BLOCKED;
    for (const remedy of remediesOf('HOST_BLOCKED')) {
      expect(placeOf({ about, blame: 'input', remedy })).toBe('endpoints');
      expect(placeOf({ about, blame: 'document', remedy })).toBeUndefined();
    }
  });

  it('blames nobody for a client that Postern came by itself', () => {
    for (const code of errorCodes)
      for (const remedy of remediesOf(code))
        expect(['client', 'clientId']).not.toContain(placeOf({ blame: 'answer', remedy }, true));
  });
});
