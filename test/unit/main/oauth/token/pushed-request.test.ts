import { describe, expect, it } from 'vitest';
import { pushAuthorizationRequest, pushEndpoint } from '../../../../../main/oauth/token/pushed-request.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { authorizationRequest, clientCredentials, formFields, policy } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const metadata = {
  issuer: 'https://as.example',
  authorization_endpoint: asChecked('https://as.example/authorize?tenant=a'),
  token_endpoint: asChecked('https://as.example/token'),
};
const push = 'https://as.example/push';

async function pushTo(endpoint: string, answers: readonly Omit<ScriptedExchange, 'method' | 'url'>[], reused = false) {
  const http = scriptedHttp(answers.map((response) => ({ method: 'POST', url: endpoint, ...response })));
  const clock = createFakeClock(1_000_000);
  const parameters = new Map([['scope', 'notes read']]);
  const result = await pushAuthorizationRequest(
    { http, clock },
    {
      request: authorizationRequest({ parameters }),
      credentials: clientCredentials(),
      metadata,
      endpoint: asChecked(endpoint),
      reused,
      policy,
    },
  );
  http.assertDone();
  return { http, result };
}

describe('pushAuthorizationRequest', () => {
  it('puts only a reference into the address, after the endpoint’s own query (RFC 9126 section 4)', async () => {
    const { http, result } = await pushTo(push, [{ status: 201, json: { request_uri: 'urn:x:1', expires_in: 90 } }]);
    expect(result).toMatchObject({ kind: 'pushed', openBefore: 1_090_000 });
    const url = result.kind === 'pushed' ? new URL(result.request.url) : undefined;
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      tenant: 'a',
      client_id: 'client-1',
      request_uri: 'urn:x:1',
    });
    expect(formFields(http.requests[0]?.body)).toMatchObject({ scope: 'notes read', client_id: 'client-1' });
    expect(http.requests[0]).toMatchObject({ purpose: 'pushed-request', redirects: 'none' });
  });

  it.each([
    ['no lifetime', {}],
    ['a lifetime of zero', { expires_in: 0 }],
    ['a lifetime as text', { expires_in: 'soon' }],
  ])('accepts a response with %s, and assumes a minute', async (_, more) => {
    const { result } = await pushTo(push, [{ status: 200, json: { request_uri: 'urn:x:1', ...more } }]);
    expect(result).toMatchObject({ kind: 'pushed', openBefore: 1_060_000 });
  });

  it.each([
    ['no reference', { json: { expires_in: 60 } }],
    ['a reference that is not a string', { json: { request_uri: 7 } }],
    ['a reference with a space', { json: { request_uri: 'urn:x: 1' } }],
    ['an empty reference', { json: { request_uri: '' } }],
    ['a reference over 2 KiB', { json: { request_uri: 'u'.repeat(2_049) } }],
    ['a list', { json: ['urn:x:1'] }],
    ['a page', { text: '<h1>Welcome</h1>' }],
  ])('opens no page after %s (RFC 9126 section 2.2)', async (_, response) => {
    await expect(pushTo(push, [{ status: 201, ...response }])).rejects.toMatchObject({
      code: 'TOKEN_RESPONSE_INVALID',
      stage: 'authorization',
    });
  });

  it('accepts a reference of 2 KiB', async () => {
    const { result } = await pushTo(push, [{ status: 201, json: { request_uri: 'u'.repeat(2_048) } }]);
    expect(result.kind).toBe('pushed');
  });

  it.each([
    [401, 'invalid_client', 'TOKEN_ERROR'],
    [400, 'unauthorized_client', 'TOKEN_ERROR'],
    [400, 'invalid_scope', 'AS_ERROR'],
    [300, undefined, 'AS_ERROR'],
  ])(
    'reports a refusal with %i and %s as one of the client or of the request (RFC 9126 2.3)',
    async (status, error, code) => {
      const json = error === undefined ? { request_uri: 'urn:x:1' } : { error };
      const { result } = await pushTo(push, [{ status, json }], true);
      expect(result).toMatchObject({ kind: 'authorization-refused', name: error ?? 'unknown', error: { code } });
    },
  );

  it.each([
    [429, 'TOKEN_RATE_LIMITED'],
    [503, 'TOKEN_SERVER_ERROR'],
  ])('reports the service as busy after %i', async (status, code) => {
    await expect(pushTo(push, [{ status, json: {} }], true)).rejects.toMatchObject({ code });
  });

  it.each(['http://as.example/push', 'https://10.0.0.1/push'])('sends nothing to %s (MD-23)', async (endpoint) => {
    await expect(pushTo(endpoint, [])).rejects.toMatchObject({
      code: expect.stringMatching(/^(TOKEN_ENDPOINT_INSECURE|HOST_BLOCKED)$/u),
    });
  });
});

describe('pushEndpoint', () => {
  const at = asChecked(push);
  it.each([
    [{}, {}, true, undefined],
    [{ pushed_authorization_request_endpoint: at }, {}, false, undefined],
    [{ pushed_authorization_request_endpoint: at }, {}, true, push],
    [{ pushed_authorization_request_endpoint: at }, { pushesRequests: true }, false, push],
    [{ pushed_authorization_request_endpoint: at, require_pushed_authorization_requests: true }, {}, false, push],
  ])('for metadata %j, client %j and preference %s is %s', (more, client, wanted, expected) => {
    expect(pushEndpoint({ ...metadata, ...more }, client, wanted)).toBe(expected);
  });

  it('throws if the client must push requests but there is no endpoint (RFC 9126 section 5)', () => {
    expect(() => pushEndpoint(metadata, { pushesRequests: true }, false)).toThrowError(
      expect.objectContaining({ code: 'DEMAND_UNMET' }),
    );
  });
});
