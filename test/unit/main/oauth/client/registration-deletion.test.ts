import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../../../main/address/check-address.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { deleteRegistration } from '../../../../../main/oauth/client/client-configuration.ts';
import type { ClientRegistration } from '../../../../../main/oauth/client/registration-response.ts';
import { Secret } from '../../../../../main/secret.ts';
import { clientCredentials, policy } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const url = 'https://as.example/register/c-1';
const registration: ClientRegistration = {
  credentials: clientCredentials(),
  registrationAccessToken: new Secret('rat'),
  registrationClientUri: url,
  notes: [],
};

const remove = async (
  answers: readonly Omit<ScriptedExchange, 'method' | 'url'>[],
  over: Partial<ClientRegistration> = {},
  from = policy,
) => {
  const http = scriptedHttp(answers.map((response) => ({ method: 'DELETE', url, ...response })));
  const outcome = await deleteRegistration(http, { registration: { ...registration, ...over }, policy: from });
  http.assertDone();
  return { http, outcome };
};

describe('deleteRegistration', () => {
  it('deletes with the registration access token (RFC 7592 section 2.3)', async () => {
    const { http, outcome } = await remove([{ status: 204 }]);
    expect(outcome).toBe('deleted');
    expect(http.requests[0]).toMatchObject({
      purpose: 'registration-deletion',
      headers: { authorization: 'Bearer rat' },
      redirects: 'none',
    });
  });

  it.each([
    [401, 'nothing-to-delete'],
    [404, 'nothing-to-delete'],
    [403, 'refused'],
    [405, 'refused'],
    [302, 'failed'],
    [500, 'failed'],
  ])('reads %i as %s (RFC 7592 section 2.3)', async (status, expected) => {
    expect((await remove([{ status }])).outcome).toBe(expected);
  });

  it.each([
    ['https://login.acme.example/c/1', 'deleted'],
    ['https://rebind.acme.example/c/1', 'not-offered'],
    ['https://acme.example/c/1', 'not-offered'],
  ])('under the sub-domain exception, at %s: %s (MD-37)', async (where, expected) => {
    const issuer = 'https://login.acme.example#https://rebind.acme.example';
    const answers = expected === 'deleted' ? [{ url: where, status: 204 }] : [];
    const over = { registrationClientUri: where, credentials: clientCredentials({ issuerKey: issuer }) };
    expect((await remove(answers, over)).outcome).toBe(expected);
  });

  it('reports a network error as failed', async () => {
    expect((await remove([{ error: new PosternError('DEADLINE', { stage: 'connection' }) }])).outcome).toBe('failed');
  });

  it('does nothing without a management address or token', async () => {
    const { registrationAccessToken: _, ...noToken } = registration;
    const { registrationClientUri: __, ...noAddress } = registration;
    for (const without of [noToken, noAddress]) {
      const outcome = await deleteRegistration(scriptedHttp([]), { registration: without, policy });
      expect(outcome).toBe('not-offered');
    }
  });

  const local = createAddressPolicy({ url: 'https://127.0.0.1/mcp', local: true, allowedHosts: [], allowHttp: true });
  it.each([
    ['http://169.254.169.254/latest'],
    ['https://10.0.0.1/x'],
    ['http://127.0.0.1:22/'],
    ['http://as.example/register/c-1'],
    ['https://evil.example/register/c-1'],
    ['file:///etc/passwd'],
  ])('never contacts %s (RG-09)', async (registrationClientUri) => {
    expect((await remove([], { registrationClientUri })).outcome).toBe('not-offered');
    expect((await remove([], { registrationClientUri }, local)).outcome).toBe('not-offered');
  });

  it('contacts no private host that was not allowed, not even the service itself (RG-09)', async () => {
    const over = {
      registrationClientUri: 'https://10.0.0.7/register/c-1',
      credentials: clientCredentials({ issuerKey: 'https://10.0.0.7' }),
    };
    expect((await remove([], over)).outcome).toBe('not-offered');
  });

  it('always uses https, even on a private host with plain http allowed (RG-09)', async () => {
    const issuer = 'https://10.0.0.7';
    const inside = createAddressPolicy({ url: `${issuer}/mcp`, local: true, allowedHosts: [], allowHttp: true });
    const credentials = clientCredentials({ issuerKey: issuer });
    const registrationClientUri = 'http://10.0.0.7/register/c-1';
    expect((await remove([], { credentials, registrationClientUri }, inside)).outcome).toBe('not-offered');
  });
});
