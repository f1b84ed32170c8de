import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { attachCredential, attachProof } from '../../../../../main/mcp/http/credential-gate.ts';
import type { Credential } from '../../../../../main/mcp/http/credential-gate.ts';
import { ProofKey } from '../../../../../main/oauth/http/proof-key.ts';
import { Secret } from '../../../../../main/secret.ts';

const resource = 'https://mcp.example/v1/mcp';
const bearer: Credential = { kind: 'bearer', token: new Secret('canary'), resource };
const bound: Credential = { kind: 'dpop', token: new Secret('canary'), key: ProofKey.create(), resource };
const header: Credential = { kind: 'header', name: 'X-Api-Key', value: new Secret('canary'), resource };

function attached(address: string, credential: Credential, namedBy = address): [string, string][] {
  const headers = new Headers();
  attachCredential(headers, new URL(address), credential, new URL(namedBy));
  return [...headers];
}

describe('attachCredential for an HTTP+SSE endpoint (MCP 2024-11-05)', () => {
  it('attaches it if the resource’s own stream named an endpoint on the same origin', () => {
    expect(attached('https://mcp.example/messages?id=1', bearer, resource)).toHaveLength(1);
  });

  it.each([
    ['another host', 'https://evil.example/messages', resource],
    ['another port', 'https://mcp.example:8443/messages', resource],
    ['another scheme', 'http://mcp.example/messages', resource],
    ['an endpoint named by another stream', 'https://mcp.example/v1/mcp', 'https://mcp.example/other/sse'],
  ])('never attaches it to %s', (_, address, namedBy) => {
    expect(attached(address, bearer, namedBy)).toEqual([]);
  });
});

describe('attachCredential with several headers', () => {
  const several: Credential = { ...header, further: [{ name: 'X-Tenant', value: new Secret('tenant') }] };

  it('attaches all of them, or none', () => {
    expect(attached(resource, several)).toEqual([
      ['x-api-key', 'canary'],
      ['x-tenant', 'tenant'],
    ]);
    expect(attached('https://evil.example/v1/mcp', several)).toEqual([]);
  });
});

describe('attachProof', () => {
  const prove = async (credential: Credential, address: string): Promise<string | null> => {
    const headers = new Headers();
    attachCredential(headers, new URL(address), credential);
    await attachProof(headers, 'POST', { url: new URL(address), now: 0 }, credential);
    return headers.get('dpop');
  };

  it('is sent only with a bound token, and only where the token is sent (RFC 9449 section 7)', async () => {
    expect(await prove(bound, resource)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/u);
    expect(await prove(bound, 'https://evil.example/v1/mcp')).toBeNull();
    expect(await prove(bearer, resource)).toBeNull();
    expect(await prove(header, resource)).toBeNull();
  });
});

describe.each<[string, Credential, [string, string]]>([
  ['a bearer token', bearer, ['authorization', 'Bearer canary']],
  ['a bound token', bound, ['authorization', 'DPoP canary']],
  ['an API key', header, ['x-api-key', 'canary']],
])('attachCredential with %s', (_, credential, field) => {
  it.each([resource, `${resource}/`, `${resource}/sub`, `${resource}?session=1`])(
    'attaches it to %s, in a single header',
    (address) => {
      expect(attached(address, credential)).toEqual([field]);
    },
  );

  it.each([
    'https://mcp.example/v1/mcp2',
    'https://mcp.example/v1',
    'https://mcp.example/',
    'http://mcp.example/v1/mcp',
    'https://mcp.example:8443/v1/mcp',
    'https://mcp.example.evil.example/v1/mcp',
    'https://evil.example/v1/mcp',
    'https://mcp.example/v1/mcp/../other',
  ])('never attaches it to %s (RFC 6750 5.3, TK-21)', (address) => {
    expect(attached(address, credential)).toEqual([]);
  });

  test.prop([fc.webUrl({ withQueryParameters: true })])('attaches it to no other server (TK-21)', (address) => {
    expect(attached(address, credential)).toEqual([]);
  });

  test.prop([fc.webPath()])('attaches it to no path of its server outside the resource (TK-21)', (path) => {
    const url = new URL(`https://mcp.example${path}`);
    fc.pre(!url.pathname.startsWith('/v1/mcp'));
    expect(attached(url.href, credential)).toEqual([]);
  });
});
