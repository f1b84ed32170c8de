import { expect, it } from 'vitest';
import type { AddressPolicy } from '../../../../../main/address/check-address.ts';
import { refusalFrom } from '../../../../../main/mcp/http/credential-gate.ts';
import type { Credential } from '../../../../../main/mcp/http/credential-gate.ts';
import { createMcpFetch } from '../../../../../main/mcp/http/mcp-fetch.ts';
import type { Http } from '../../../../../main/ports.ts';
import { Secret } from '../../../../../main/secret.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const resource = asChecked('https://mcp.example/mcp');
const bearer = (token: string): Credential => ({ kind: 'bearer', token: new Secret(token), resource });

it('reports a refused renewed token as TOKEN_REJECTED, with the server’s challenge', async () => {
  const challenge = { 'www-authenticate': 'Bearer error="invalid_token", scope="notes"' };
  const http: Pick<Http, 'stream'> = { stream: async () => new Response(null, { status: 401, headers: challenge }) };
  const policy: AddressPolicy = { local: false, typedHost: 'mcp.example', allowedHosts: [], allowHttp: false };
  const fetch = createMcpFetch({
    http: {
      ...http,
      exchange: () => Promise.reject(new Error('not expected')),
      resolveHost: () => Promise.reject(new Error('not expected')),
    },
    policy,
    clock: { now: () => 0 },
    credentials: { current: async () => bearer('old'), renew: async () => bearer('new') },
  });
  const thrown: unknown = await fetch(resource, { method: 'POST', body: '{}' }).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'TOKEN_REJECTED' });
  expect(refusalFrom(thrown)).toMatchObject({ kind: 'unauthorized', challenge: { scope: 'notes' } });
});
