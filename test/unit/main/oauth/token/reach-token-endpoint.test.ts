import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../../../main/address/check-address.ts';
import { LostRequest } from '../../../../../main/errors/request-error.ts';
import { findSilence } from '../../../../../main/oauth/token/token-endpoint.ts';
import type { Http, HttpRequest } from '../../../../../main/ports.ts';
import type { ErrorCode } from '../../../../../shared/error-codes.ts';

const url = 'https://as.example/token';
const policy = createAddressPolicy({
  url: 'https://mcp.example/mcp',
  local: false,
  allowedHosts: [],
  allowHttp: false,
});

async function ask(answer: number | ErrorCode, tokenEndpoint = url) {
  const requests: HttpRequest[] = [];
  const http: Http = {
    exchange: async (request) => {
      requests.push(request);
      if (typeof answer !== 'number') throw new LostRequest(answer, { stage: 'refresh' });
      return { status: answer, headers: new Headers(), url, body: new Uint8Array() };
    },
    stream: () => Promise.reject(new Error('not here')),
    locate: () => Promise.reject(new Error('not here')),
  };
  const silence = await findSilence(http, { tokenEndpoint, issuerKey: 'https://as.example' }, policy);
  return { silence: silence?.code, requests };
}

describe('findSilence', () => {
  it.each([200, 400, 401, 404, 405, 429, 500, 501, 505])('takes %i for an answer', async (status) => {
    expect((await ask(status)).silence).toBeUndefined();
  });

  it.each([502, 503, 504] as const)('takes %i for an outage', async (status) => {
    expect((await ask(status)).silence).toBe('REFRESH_TRANSIENT');
  });

  it.each(['DNS_FAIL', 'TLS_FAIL', 'CONNECT_FAIL', 'DEADLINE'] as const)('takes %s for an outage', async (code) => {
    expect((await ask(code)).silence).toBe('REFRESH_TRANSIENT');
  });

  it.each(['REDIRECT_REFUSED', 'BODY_TOO_LARGE', 'HEADERS_TOO_LARGE'] as const)(
    'takes %s for an answer',
    async (code) => {
      expect((await ask(code)).silence).toBeUndefined();
    },
  );

  it.each(['HOST_BLOCKED', 'DNS_REBIND'] as const)('takes %s for neither', async (code) => {
    await expect(ask(code)).rejects.toMatchObject({ code });
  });

  it('sends nothing but the address, and only where the address rule lets it', async () => {
    const { requests } = await ask(405);
    expect(requests).toEqual([expect.objectContaining({ method: 'GET', url, redirects: 'none' })]);
    expect(requests[0]).not.toHaveProperty('body');
    expect(requests[0]).not.toHaveProperty('headers');
    await expect(ask(405, 'https://10.0.0.1/token')).rejects.toMatchObject({ code: 'HOST_BLOCKED' });
  });
});
