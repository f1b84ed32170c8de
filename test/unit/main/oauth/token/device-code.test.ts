import { describe, expect, it } from 'vitest';
import { requestDeviceCode } from '../../../../../main/oauth/token/device-grant.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { clientCredentials, formFields, policy } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const url = 'https://as.example/device/code';
const granted = {
  device_code: 'device-code',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://as.example/device',
  expires_in: 600,
};

async function request(endpoint: string, answers: readonly Omit<ScriptedExchange, 'method' | 'url'>[], reused = false) {
  const http = scriptedHttp(answers.map((response) => ({ method: 'POST', url: endpoint, ...response })));
  const result = await requestDeviceCode(
    { http, clock: createFakeClock() },
    {
      credentials: clientCredentials(),
      metadata: {
        issuer: 'https://as.example',
        authorization_endpoint: asChecked('https://as.example/authorize'),
        token_endpoint: asChecked('https://as.example/token'),
      },
      endpoint: asChecked(endpoint),
      issuerKey: 'https://as.example',
      scope: 'notes read',
      resource: 'https://mcp.example/mcp',
      reused,
      policy,
    },
  );
  http.assertDone();
  return { http, result };
}

describe('requestDeviceCode', () => {
  it('sends client, scope and resource (RFC 8628 section 3.1)', async () => {
    const { http, result } = await request(url, [{ json: granted }]);
    expect(formFields(http.requests[0]?.body)).toMatchObject({
      client_id: 'client-1',
      scope: 'notes read',
      resource: 'https://mcp.example/mcp',
    });
    expect(http.requests[0]).toMatchObject({ purpose: 'device-authorization', redirects: 'none' });
    expect(result).toMatchObject({
      kind: 'given',
      code: { userCode: 'ABCD-EFGH', page: granted.verification_uri, lifetime: 600_000, interval: 5_000 },
    });
  });

  it.each([
    [{ interval: 0 }, { interval: 1_000 }],
    [{ interval: -5 }, { interval: 1_000 }],
    [{ interval: 1e9 }, { interval: 60_000 }],
    [{ interval: '7' }, { interval: 7_000 }],
    [{ interval: 'often' }, { interval: 5_000 }],
    [{ expires_in: '600' }, { lifetime: 600_000 }],
    [{ expires_in: 1e9 }, { lifetime: 1_800_000 }],
  ])('limits %j (DG-03)', async (more, code) => {
    const { result } = await request(url, [{ json: { ...granted, ...more } }]);
    expect(result).toMatchObject({ kind: 'given', code });
  });

  it.each([
    { expires_in: 0 },
    { expires_in: -1 },
    { expires_in: 'soon' },
    { expires_in: null },
    { device_code: '' },
    { device_code: 'a\nb' },
    { device_code: undefined },
    { device_code: 7 },
    { device_code: 'x'.repeat(8_193) },
    { user_code: '' },
    { user_code: undefined },
    { user_code: 12_345_678 },
    { user_code: ' ABCD' },
    { user_code: 'AB\u202eCD' },
    { user_code: 'A'.repeat(40 + 1) },
    { verification_uri: undefined },
    { verification_uri: 7 },
  ])('rejects a response with %j (DG-03)', async (more) => {
    await expect(request(url, [{ json: { ...granted, ...more } }])).rejects.toMatchObject({
      code: 'DEVICE_RESPONSE_INVALID',
    });
  });

  it.each([[{ text: '<h1>Welcome</h1>' }], [{ json: [] }], [{ json: null }], [{ text: '{' }]])(
    'rejects the response %j (DG-03)',
    async (response) => {
      await expect(request(url, [{ status: 200, ...response }])).rejects.toMatchObject({
        code: 'DEVICE_RESPONSE_INVALID',
      });
    },
  );

  it('accepts codes of the maximum length', async () => {
    const [device, user] = ['x'.repeat(8_192), 'A'.repeat(40)];
    const { result } = await request(url, [{ json: { ...granted, device_code: device, user_code: user } }]);
    expect(result).toMatchObject({ kind: 'given', code: { userCode: user } });
  });

  it.each([
    [`${granted.verification_uri}?user_code=ABCD-EFGH`, true],
    ['https://evil.example/device?user_code=ABCD-EFGH', false],
    ['http://as.example/device', false],
    ['nowhere', false],
    [7, false],
  ])('uses the page with the code at %s only if it is the same page: %s (RFC 8628 3.3.1)', async (page, is) => {
    const { result } = await request(url, [{ json: { ...granted, verification_uri_complete: page } }]);
    expect(result.kind === 'given' && result.code.pageWithCode).toBe(is ? page : undefined);
  });

  it.each([
    [400, { error: 'unauthorized_client' }, 'unauthorized_client'],
    [300, granted, 'unknown'],
  ])('reads no code from a %i response (RFC 8628 3.2)', async (status, json, name) => {
    const { result } = await request(url, [{ status, json }], true);
    expect(result).toMatchObject({ kind: 'refused', name, error: { code: 'AS_ERROR' } });
  });

  it.each([
    [429, 'TOKEN_RATE_LIMITED'],
    [503, 'TOKEN_SERVER_ERROR'],
  ])('reports the service as busy after %i', async (status, code) => {
    await expect(request(url, [{ status, json: {} }], true)).rejects.toMatchObject({ code });
  });

  it('accepts Google’s name for the page', async () => {
    const { verification_uri: page, ...rest } = granted;
    const { result } = await request(url, [{ json: { ...rest, verification_url: page } }]);
    expect(result).toMatchObject({ kind: 'given', code: { page } });
  });

  it.each(['http://as.example/device/code', 'https://10.0.0.1/device/code'])(
    'sends nothing to %s (MD-23)',
    async (endpoint) => {
      await expect(request(endpoint, [])).rejects.toMatchObject({
        code: expect.stringMatching(/^(TOKEN_ENDPOINT_INSECURE|HOST_BLOCKED)$/u),
      });
    },
  );
});
