import { expect, it } from 'vitest';
import { exchangeIdentity } from '../../../../../main/oauth/token/identity-exchange.ts';
import { Secret } from '../../../../../main/secret.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { clientCredentials, formFields, policy, start } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const provider = 'https://idp.example';
const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const assertion = (claims: object = {}): string =>
  [
    part({ alg: 'RS256', typ: 'oauth-id-jag+jwt' }),
    part({ iss: provider, aud: 'https://as.example', client_id: 'c', exp: start / 1_000 + 300, ...claims }),
    'c2lnbmVk',
  ].join('.');
const granted = { access_token: assertion(), issued_token_type: idJag, token_type: 'N_A' };

async function exchange(answers: readonly Omit<ScriptedExchange, 'method' | 'url'>[], issuerKey = provider) {
  const tokenEndpoint = `${provider}/token`;
  const http = scriptedHttp(answers.map((response) => ({ method: 'POST', url: tokenEndpoint, ...response })));
  const secret = await exchangeIdentity(
    { http, clock: createFakeClock(start) },
    {
      tokens: { issuerKey: provider, tokenEndpoint },
      identity: { idToken: new Secret('id-token'), issuer: provider },
      credentials: clientCredentials({ issuerKey }),
      policy,
      use: { audience: 'https://as.example', clientId: 'c', resource: 'https://mcp.example/mcp' },
    },
  );
  http.assertDone();
  return { http, text: secret.reveal() };
}

it('exchanges the ID token for an assertion for one audience and one resource (RFC 8693 2.1)', async () => {
  const { http, text } = await exchange([{ json: granted }]);
  expect(text).toBe(granted.access_token);
  expect(formFields(http.requests[0]?.body)).toMatchObject({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'id-token',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    requested_token_type: idJag,
    audience: 'https://as.example',
    resource: 'https://mcp.example/mcp',
  });
});

it('sends the credentials of one provider to no other', async () => {
  await expect(exchange([], 'https://other.example')).rejects.toMatchObject({ code: 'REG_ISSUER_MISMATCH' });
});

it.each([
  ['a token of another type (RFC 8693 2.2.1)', { json: { ...granted, issued_token_type: undefined } }, 'type'],
  ['no token', { json: { ...granted, access_token: undefined } }, 'format'],
  ['a token that is not a string', { json: { ...granted, access_token: 7 } }, 'format'],
  ['a page', { text: '<h1>Welcome</h1>' }, 'format'],
  ['a list', { json: [granted] }, 'format'],
  [
    'an assertion for another service',
    { json: { ...granted, access_token: assertion({ aud: 'https://b.example' }) } },
    'audience',
  ],
  ['an assertion for another client', { json: { ...granted, access_token: assertion({ client_id: 'd' }) } }, 'client'],
  [
    'an assertion for another server',
    { json: { ...granted, access_token: assertion({ resource: 'https://b.example' }) } },
    'resource',
  ],
])('rejects %s', async (_, response, fault) => {
  await expect(exchange([{ status: 200, ...response }])).rejects.toMatchObject({
    code: 'IDENTITY_INVALID',
    detail: { host: 'idp.example', fault },
  });
});

it.each([
  [400, { error: 'invalid_grant' }, 'IDENTITY_REFUSED'],
  [200, { error: 'invalid_grant', ...granted }, 'IDENTITY_REFUSED'],
  [300, granted, 'IDENTITY_REFUSED'],
  [429, {}, 'TOKEN_RATE_LIMITED'],
  [503, {}, 'TOKEN_SERVER_ERROR'],
])('reads %i with %j as a refusal or as a busy service', async (status, json, code) => {
  await expect(exchange([{ status, json }])).rejects.toMatchObject({ code });
});
