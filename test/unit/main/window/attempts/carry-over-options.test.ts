import { describe, expect, it } from 'vitest';
import { withDefaultOptions } from '../../../../../main/engine/records/integration-policy.ts';
import { carryOverOptions } from '../../../../../main/window/attempts/carry-over-options.ts';

const everywhere = { pkce: 'always', scope: 'read', signInSurface: 'browser', callbackHost: 'localhost' } as const;
const hostOptions = { local: true, legacyEndpoints: true, sendResource: false };
const options = withDefaultOptions({
  ...everywhere,
  ...hostOptions,
  allowHttp: true,
  allowedHosts: ['login.example'],
  agreedHosts: ['token.example'],
  authorizationServer: 'https://login.example',
  clientMetadataUrl: 'https://client.example/id',
  headerName: 'X-Key',
  endpoints: { authorization: 'https://login.example/authorize', token: 'https://token.example/token' },
});
const from = (url: string) => ({ url, options });

describe('carryOverOptions', () => {
  it('keeps all options for another address of the same origin, and for the same address however it is written', () => {
    expect(carryOverOptions('http://one.example/sse', from('http://one.example/mcp'))).toBe(options);
    expect(carryOverOptions('not an address', from('not an address'))).toBe(options);
  });

  it('keeps options about a host when it switches to HTTPS, but none that sends a secret anywhere', () => {
    expect(carryOverOptions('https://one.example/mcp', from('http://one.example/mcp'))).toEqual({
      ...everywhere,
      ...hostOptions,
    });
    expect(carryOverOptions('https://one.example/mcp', from('http://one.example:80/mcp'))).toMatchObject(hostOptions);
  });

  it.each([
    ['http://one.example/mcp', 'https://one.example/mcp'],
    ['https://one.example/mcp', 'http://www.one.example/mcp'],
    ['https://www.one.example/mcp', 'https://one.example/mcp'],
    ['https://one.example:8443/mcp', 'http://one.example/mcp'],
    ['https://one.example/mcp', 'http://one.example:8080/mcp'],
    ['https://one.example:8080/mcp', 'http://one.example:8080/mcp'],
    ['https://one.example.evil.example/mcp', 'http://one.example/mcp'],
    ['not an address', 'http://one.example/mcp'],
  ])('keeps none of them for another server: %s', (url, before) => {
    expect(carryOverOptions(url, from(before))).toEqual(everywhere);
  });
});
