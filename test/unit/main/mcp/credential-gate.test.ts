import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { attachCredential } from '../../../../main/mcp/credential-gate.ts';
import { Secret } from '../../../../main/secret.ts';

const resource = 'https://mcp.example/v1/mcp';
const bearer = { kind: 'bearer', token: new Secret('canary'), resource } as const;

describe('attachCredential', () => {
  it.each([resource, `${resource}/`, `${resource}/sub`, `${resource}?session=1`])('attaches to %s', (address) => {
    const headers = new Headers();
    attachCredential(headers, new URL(address), bearer);
    expect(headers.get('authorization')).toBe('Bearer canary');
  });

  it.each([
    'https://mcp.example/v1/mcp2',
    'https://mcp.example/v1',
    'https://mcp.example/',
    'http://mcp.example/v1/mcp',
    'https://mcp.example:8443/v1/mcp',
    'https://mcp.example.evil.example/v1/mcp',
    'https://evil.example/v1/mcp',
    'https://mcp.example/v1/mcp/../other',
  ])('never attaches to %s (RFC 6750 5.3, TK-21)', (address) => {
    const headers = new Headers();
    attachCredential(headers, new URL(address), bearer);
    expect([...headers]).toEqual([]);
  });

  test.prop([fc.webUrl({ withQueryParameters: true })])('attaches to no other server (TK-21)', (address) => {
    const headers = new Headers();
    attachCredential(headers, new URL(address), bearer);
    expect(headers.has('authorization')).toBe(false);
  });

  it('sets the fixed header of a server that wants one, and no other', () => {
    const headers = new Headers();
    attachCredential(headers, new URL(resource), {
      kind: 'header',
      name: 'X-Api-Key',
      value: new Secret('k'),
      resource,
    });
    expect([...headers]).toEqual([['x-api-key', 'k']]);
  });
});
