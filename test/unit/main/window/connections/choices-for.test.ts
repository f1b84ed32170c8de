import { describe, expect, it } from 'vitest';
import { defaultOptions } from '../../../../../main/engine/kept/integration-policy.ts';
import { choicesFor } from '../../../../../main/window/connections/choices-for.ts';

const everywhere = { pkce: 'always', scope: 'read', signInSurface: 'browser', callbackHost: 'localhost' } as const;
const ofThePlace = { local: true, legacyEndpoints: true, sendResource: false };
const options = defaultOptions({
  ...everywhere,
  ...ofThePlace,
  allowHttp: true,
  allowedHosts: ['login.example'],
  agreedHosts: ['token.example'],
  authorizationServer: 'https://login.example',
  clientMetadataUrl: 'https://client.example/id',
  headerName: 'X-Key',
  endpoints: { authorization: 'https://login.example/authorize', token: 'https://token.example/token' },
});
const from = (url: string) => ({ url, options });

describe('choicesFor', () => {
  it('takes all of them along to another address of the same origin, and to the same one however it is written', () => {
    expect(choicesFor('http://one.example/sse', from('http://one.example/mcp'))).toBe(options);
    expect(choicesFor('not an address', from('not an address'))).toBe(options);
  });

  it('takes what is said of a host along when it is reached by https, and nothing that leads a secret anywhere', () => {
    expect(choicesFor('https://one.example/mcp', from('http://one.example/mcp'))).toEqual({
      ...everywhere,
      ...ofThePlace,
    });
    expect(choicesFor('https://one.example/mcp', from('http://one.example:80/mcp'))).toMatchObject(ofThePlace);
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
  ])('takes none of that along to another server: %s', (url, before) => {
    expect(choicesFor(url, from(before))).toEqual(everywhere);
  });
});
