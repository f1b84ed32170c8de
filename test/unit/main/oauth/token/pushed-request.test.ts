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

async function pushTo(endpoint: string, answers: readonly Omit<ScriptedExchange, 'method' | 'url'>[]) {
  const http = scriptedHttp(answers.map((answer) => ({ method: 'POST', url: endpoint, ...answer })));
  const clock = createFakeClock(1_000_000);
  const parameters = new Map([['scope', 'notes read']]);
  const answer = await pushAuthorizationRequest(
    { http, clock },
    {
      request: authorizationRequest({ parameters }),
      credentials: clientCredentials(),
      metadata,
      endpoint: asChecked(endpoint),
      reused: false,
      policy,
    },
  );
  http.assertDone();
  return { http, answer };
}

describe('pushAuthorizationRequest', () => {
  it('leaves a reference in the address, beside the query of the endpoint itself (RFC 9126 section 4)', async () => {
    const { http, answer } = await pushTo(push, [{ status: 201, json: { request_uri: 'urn:x:1', expires_in: 90 } }]);
    expect(answer).toMatchObject({ kind: 'pushed', openBefore: 1_090_000 });
    const url = answer.kind === 'pushed' ? new URL(answer.request.url) : undefined;
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
    ['a lifetime of nothing', { expires_in: 0 }],
    ['a lifetime in words', { expires_in: 'soon' }],
  ])('takes an answer with %s, and expects a minute', async (_, more) => {
    const { answer } = await pushTo(push, [{ status: 200, json: { request_uri: 'urn:x:1', ...more } }]);
    expect(answer).toMatchObject({ kind: 'pushed', openBefore: 1_060_000 });
  });

  it.each(['http://as.example/push', 'https://10.0.0.1/push'])('is sent to nobody at %s (MD-23)', async (endpoint) => {
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
  ])('for metadata %j, client %j and a wish of %s is %s', (more, client, wanted, expected) => {
    expect(pushEndpoint({ ...metadata, ...more }, client, wanted)).toBe(expected);
  });

  it('is a demand that is not met where it must be and is not there (RFC 9126 section 5)', () => {
    expect(() => pushEndpoint(metadata, { pushesRequests: true }, false)).toThrowError(
      expect.objectContaining({ code: 'DEMAND_UNMET' }),
    );
  });
});
