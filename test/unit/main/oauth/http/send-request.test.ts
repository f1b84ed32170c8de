import { dynamicClientRegistrationRequest } from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { sendRequest, isSuccess } from '../../../../../main/oauth/http/send-request.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { failureOf, issuer, policy } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';

const url = 'https://as.example/register';
const settings = { purpose: 'registration', stage: 'registration', policy, deadline: 10, bodyLimit: 20 } as const;
const send = (http: ReturnType<typeof scriptedHttp>, endpoint = url, signal?: AbortSignal) =>
  sendRequest(http, asChecked(endpoint), { ...settings, signal }, (options) =>
    dynamicClientRegistrationRequest({ issuer, registration_endpoint: endpoint }, { client_name: 'x' }, options),
  );

describe('sendRequest', () => {
  it('sends the request through Http with its limits and policy, and follows no redirect', async () => {
    const http = scriptedHttp([{ method: 'POST', url, status: 418, text: 'as it came' }]);
    const response = await send(http);
    expect(response.status).toBe(418);
    expect(new TextDecoder().decode(response.body)).toBe('as it came');
    expect(http.requests[0]).toMatchObject({
      ...settings,
      redirects: 'none',
      method: 'POST',
      body: '{"client_name":"x"}',
    });
    expect(Object.keys(http.requests[0]?.headers ?? {}).toSorted()).toEqual(['accept', 'content-type']);
  });

  it('accepts statuses that a Response cannot have', async () => {
    expect((await send(scriptedHttp([{ method: 'POST', url, status: 799 }]))).status).toBe(799);
  });

  it('rethrows typed errors, and passes the abort signal on', async () => {
    const error = new PosternError('TLS_FAIL', { stage: 'registration' });
    expect(await failureOf(() => send(scriptedHttp([{ method: 'POST', url, error }])))).toBe(error);
    const http = scriptedHttp([{ method: 'POST', url }]);
    expect((await failureOf(() => send(http, url, AbortSignal.abort()))).code).toBe('USER_CANCELLED');
  });

  it('does not reveal a request that the library refuses to send', async () => {
    const error = await failureOf(() => send(scriptedHttp([]), 'canary:'));
    expect(error).toMatchObject({ code: 'INTERNAL', stage: 'registration' });
    expect(error.cause).toBeUndefined();
  });
});

it.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [404, false],
])('counts %i as success: %s (RFC 9110 15.3)', (status, is) => {
  expect(isSuccess(status)).toBe(is);
});
