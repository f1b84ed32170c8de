import { describe, expect, it } from 'vitest';
import { updateRegistration } from '../../../../../main/oauth/client/client-configuration.ts';
import type { ClientRegistration } from '../../../../../main/oauth/client/registration-response.ts';
import { Secret } from '../../../../../main/secret.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { clientCredentials, issuer, policy, start } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const url = 'https://as.example/register/c-1';
const redirectUri = 'http://localhost:4712/integration/oauth/callback';
const stored: ClientRegistration = {
  credentials: clientCredentials({ authentication: 'client_secret_post', secretExpiresAt: start + 900_000 }),
  registrationAccessToken: new Secret('rat-1'),
  registrationClientUri: url,
  metadata: { client_name: 'Postern', logo_uri: 'https://as.example/logo', grant_types: ['authorization_code'] },
  notes: ['registration-status-not-201'],
};
const metadata = { issuer, registration_endpoint: asChecked('https://as.example/register') };

const update = async (
  answers: readonly Omit<ScriptedExchange, 'method' | 'url'>[],
  over: Partial<ClientRegistration> = {},
) => {
  const http = scriptedHttp(answers.map((response) => ({ method: 'PUT', url, ...response })));
  const ports = { http, clock: createFakeClock(start) };
  const request = { metadata, issuerKey: issuer, redirectUri, policy };
  const updated = await updateRegistration(ports, { ...stored, ...over }, request);
  http.assertDone();
  return { updated, sent: http.requests.map(({ body }) => JSON.parse(body ?? '{}') as unknown), http };
};

const same = { client_id: 'client-1', token_endpoint_auth_method: 'client_secret_post' };

describe('updateRegistration', () => {
  it('sends back all client metadata of the service with the new callback, and nothing else', async () => {
    const { sent, http } = await update([{ json: same }]);
    expect(sent).toEqual([
      {
        client_name: 'Postern',
        logo_uri: 'https://as.example/logo',
        client_id: 'client-1',
        client_secret: 'secret-1',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ]);
    expect(http.requests[0]).toMatchObject({ headers: { authorization: 'Bearer rat-1' }, redirects: 'none' });
  });

  it('sends the metadata of a new registration if none was stored', async () => {
    const { metadata: _none, ...earlier } = stored;
    const http = scriptedHttp([{ method: 'PUT', url, json: same }]);
    const request = { metadata, issuerKey: issuer, redirectUri, policy };
    await updateRegistration({ http, clock: createFakeClock(start) }, earlier, request);
    expect(JSON.parse(http.requests[0]?.body ?? '')).toMatchObject({
      application_type: 'native',
      response_types: ['code'],
      redirect_uris: [redirectUri],
    });
  });

  it('keeps the secret and the token if the response omits them', async () => {
    const { updated } = await update([{ json: same }]);
    expect(updated?.credentials.clientSecret?.reveal()).toBe('secret-1');
    expect(updated?.credentials).toMatchObject({ redirectUri, secretExpiresAt: start + 900_000 });
    expect(updated?.registrationAccessToken?.reveal()).toBe('rat-1');
    expect(updated?.registrationClientUri).toBe(url);
  });

  it('stores a new secret and token', async () => {
    const fresh = { client_secret: 'secret-2', client_secret_expires_at: 0, registration_access_token: 'rat-2' };
    const { updated } = await update([{ json: { ...same, ...fresh } }]);
    expect(updated?.credentials.clientSecret?.reveal()).toBe('secret-2');
    expect(updated?.credentials.secretExpiresAt).toBeUndefined();
    expect(updated?.registrationAccessToken?.reveal()).toBe('rat-2');
  });

  it.each([
    'https://as.example:8443/register/c-1',
    'https://login.as.example/register/c-1',
    'https://evil.example/register/c-1',
    'http://as.example/register/c-1',
    'https://as.example@evil.example/c-1',
    'javascript:alert(1)',
    'c-1',
  ])('sends nothing to %s, which is not the origin of the registration endpoint', async (registrationClientUri) => {
    expect((await update([], { registrationClientUri })).updated).toBeUndefined();
  });

  it.each([
    ['another client', { client_id: 'client-2' }],
    ['another callback', { redirect_uris: ['https://evil.example/'] }],
    ['an error', { error: 'invalid_client_metadata' }],
    ['a requirement that Postern cannot meet', { require_signed_request_object: true }],
  ])('rejects a response with %s', async (_, changed) => {
    expect((await update([{ json: { ...same, ...changed } }])).updated).toBeUndefined();
  });

  it.each([302, 401, 403, 404, 405, 429, 500])('leaves the registration alone after %i', async (status) => {
    expect((await update([{ status }])).updated).toBeUndefined();
  });
});
