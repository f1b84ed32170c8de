import { expect, it } from 'vitest';
import type { AddressPolicy } from '../../../../../main/address/check-address.ts';
import { refusalIn } from '../../../../../main/mcp/http/credential-gate.ts';
import type { Credential } from '../../../../../main/mcp/http/credential-gate.ts';
import { createMcpFetch } from '../../../../../main/mcp/http/mcp-fetch.ts';
import type { Http } from '../../../../../main/ports.ts';
import { Secret } from '../../../../../main/secret.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const resource = asChecked('https://mcp.example/mcp');
const bearer = (token: string): Credential => ({ kind: 'bearer', token: new Secret(token), resource });

it('says of a renewed token that is refused what a later use would, with the demand of the server', async () => {
  const challenge = { 'www-authenticate': 'Bearer error="invalid_token", scope="notes"' };
  const http: Pick<Http, 'stream'> = { stream: async () => new Response(null, { status: 401, headers: challenge }) };
  const policy: AddressPolicy = { local: false, typedHost: 'mcp.example', allowedHosts: [], allowHttp: false };
  const fetch = createMcpFetch({
    http: {
      ...http,
      exchange: () => Promise.reject(new Error('not expected')),
      locate: () => Promise.reject(new Error('not expected')),
    },
    policy,
    clock: { now: () => 0 },
    credentials: { current: async () => bearer('old'), renew: async () => bearer('new') },
  });
  const thrown: unknown = await fetch(resource, { method: 'POST', body: '{}' }).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'TOKEN_REJECTED' });
  expect(refusalIn(thrown)).toMatchObject({ kind: 'unauthorized', challenge: { scope: 'notes' } });
});
