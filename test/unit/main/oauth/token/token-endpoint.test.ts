import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../../../main/address/check-address.ts';
import { checkTokenEndpoint } from '../../../../../main/oauth/token/token-endpoint.ts';
import { failureOf, policy } from '../../../../support/oauth-fixtures.ts';

const local = createAddressPolicy({
  url: 'http://127.0.0.1:3000/mcp',
  local: true,
  allowedHosts: [],
  allowHttp: false,
});
/** The policy of a private server with plain http allowed. */
const inside = createAddressPolicy({ url: 'https://10.0.0.7/mcp', local: true, allowedHosts: [], allowHttp: true });

describe('checkTokenEndpoint', () => {
  it.each([
    ['https://as.example/token', 'https://as.example', policy],
    ['https://oauth2.googleapis.example/token', 'https://accounts.google.example', policy],
    ['http://127.0.0.1:4000/token', 'http://127.0.0.1:4000', local],
  ])('allows %s of issuer %s', (endpoint, issuer, allowed) => {
    expect(checkTokenEndpoint(endpoint, issuer, allowed, 'token')).toBe(endpoint);
  });

  it.each([
    ['http://as.example/token', 'https://as.example', policy, 'TOKEN_ENDPOINT_INSECURE'],
    ['http://as.example/token', 'http://as.example', policy, 'TOKEN_ENDPOINT_INSECURE'],
    ['http://as.example/token', 'http://as.example', local, 'TOKEN_ENDPOINT_INSECURE'],
    ['http://10.0.0.7/token', 'https://10.0.0.7', inside, 'TOKEN_ENDPOINT_INSECURE'],
    ['javascript:alert(1)', 'https://as.example', policy, 'TOKEN_ENDPOINT_INSECURE'],
    ['https://127.0.0.1/token', 'https://as.example', policy, 'HOST_BLOCKED'],
    ['https://10.0.0.1/token', 'https://as.example', local, 'HOST_BLOCKED'],
    ['https://169.254.169.254/token', 'https://as.example', local, 'HOST_BLOCKED'],
    ['https://user@as.example/token', 'https://as.example', policy, 'URL_USERINFO'],
    ['not a url', 'https://as.example', policy, 'URL_INVALID'],
  ])(
    'refuses %s of issuer %s at the moment of use (OAuth 2.1 section 1.5)',
    async (endpoint, issuer, allowed, code) => {
      const error = await failureOf(() => checkTokenEndpoint(endpoint, issuer, allowed, 'refresh'));
      expect(error).toMatchObject({ code, stage: 'refresh' });
    },
  );
});
