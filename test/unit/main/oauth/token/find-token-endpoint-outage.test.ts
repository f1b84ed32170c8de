import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../../../main/address/check-address.ts';
import { LostRequest } from '../../../../../main/errors/request-error.ts';
import { findTokenEndpointOutage } from '../../../../../main/oauth/token/token-endpoint.ts';
import type { Http, HttpRequest } from '../../../../../main/ports.ts';
import type { ErrorCode } from '../../../../../shared/error-codes.ts';

const url = 'https://as.example/token';
const policy = createAddressPolicy({
  url: 'https://mcp.example/mcp',
  local: false,
  allowedHosts: [],
  allowHttp: false,
});

async function ask(response: number | ErrorCode, tokenEndpoint = url) {
  const requests: HttpRequest[] = [];
  const http: Http = {
    exchange: async (request) => {
      requests.push(request);
      if (typeof response !== 'number') throw new LostRequest(response, { stage: 'refresh' });
      return { status: response, headers: new Headers(), url, body: new Uint8Array() };
    },
    stream: () => Promise.reject(new Error('not here')),
    resolveHost: () => Promise.reject(new Error('not here')),
  };
  const silence = await findTokenEndpointOutage(http, { tokenEndpoint, issuerKey: 'https://as.example' }, policy);
  return { silence: silence?.code, requests };
}

describe('findTokenEndpointOutage', () => {
  it.each([200, 400, 401, 404, 405, 429, 500, 501, 505])('counts %i as a response', async (status) => {
    expect((await ask(status)).silence).toBeUndefined();
  });

  it.each([502, 503, 504] as const)('counts %i as an outage', async (status) => {
    expect((await ask(status)).silence).toBe('REFRESH_TRANSIENT');
  });

  it.each(['DNS_FAIL', 'TLS_FAIL', 'CONNECT_FAIL', 'DEADLINE'] as const)('counts %s as an outage', async (code) => {
    expect((await ask(code)).silence).toBe('REFRESH_TRANSIENT');
  });

  it.each(['REDIRECT_REFUSED', 'BODY_TOO_LARGE', 'HEADERS_TOO_LARGE'] as const)(
    'counts %s as a response',
    async (code) => {
      expect((await ask(code)).silence).toBeUndefined();
    },
  );

  it.each(['HOST_BLOCKED', 'DNS_REBIND'] as const)('counts %s as neither', async (code) => {
    await expect(ask(code)).rejects.toMatchObject({ code });
  });

  it('sends a bare request, and only if the address policy allows it', async () => {
    const { requests } = await ask(405);
    expect(requests).toEqual([expect.objectContaining({ method: 'GET', url, redirects: 'none' })]);
    expect(requests[0]).not.toHaveProperty('body');
    expect(requests[0]).not.toHaveProperty('headers');
    await expect(ask(405, 'https://10.0.0.1/token')).rejects.toMatchObject({ code: 'HOST_BLOCKED' });
  });
});
