import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../renderer/credentials/error-place.ts';
import { errorCodes } from '../../../shared/error-codes.ts';

describe('placeOf', () => {
  it.each([
    [{ code: 'CLIENT_REJECTED', stage: 'credentials' }, 'client'],
    [{ code: 'TOKEN_ERROR', stage: 'token', oauthError: 'invalid_client' }, 'client'],
    [{ code: 'AS_ERROR', stage: 'callback', oauthError: 'unauthorized_client' }, 'clientId'],
    [{ code: 'AS_ERROR', stage: 'callback', oauthError: 'invalid_scope' }, 'scopes'],
    [{ code: 'TOKEN_ERROR', stage: 'token', oauthError: 'invalid_target' }, 'advanced'],
    [{ code: 'HOST_BLOCKED', stage: 'address' }, 'endpoints'],
    // The code or its verifier, the redirect address, the time: nobody says which (RFC 6749 5.2).
    [{ code: 'TOKEN_ERROR', stage: 'token', oauthError: 'invalid_grant' }, undefined],
    [{ code: 'TOKEN_ERROR', stage: 'token' }, undefined],
  ] as const)('finds %j at %s', (error, place) => {
    expect(placeOf(error)).toBe(place);
  });

  it('blames nobody for a client that Postern came by itself', () => {
    for (const code of errorCodes) {
      expect(['client', 'clientId']).not.toContain(placeOf({ code, stage: 'token' }, true));
    }
  });
});
