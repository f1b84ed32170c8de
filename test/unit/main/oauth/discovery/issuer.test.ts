import { describe, expect, it } from 'vitest';
import { compareIssuer, isIssuerOfOrigin } from '../../../../../main/oauth/discovery/authorization-server-metadata.ts';
import { secretEndpoints } from '../../../../../main/oauth/http/metadata-schemas.ts';

const endpointsAt = (base: string) => ({
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
});

describe('compareIssuer', () => {
  it.each([
    ['https://as.example', 'https://as.example', 'https://elsewhere.test', 'identical'],
    ['HTTPS://AS.example:443', 'HTTPS://AS.example:443', 'https://as.example', 'identical'],
    ['https://as.example', 'https://as.example/', 'https://as.example', 'trailing-slash'],
    ['https://as.example/t/', 'https://as.example/t', 'https://login.as.example', 'trailing-slash'],
    ['https://as.example', 'https://as.example//', 'https://as.example', 'mismatch'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/', 'http://127.0.0.1:9000', 'trailing-slash'],
    ['http://as.example', 'http://as.example/', 'http://as.example', 'mismatch'],
    ['https://as.example', 'https://as.example/', 'https://elsewhere.test', 'mismatch'],
    ['https://mcp.vendor.example', 'https://auth.vendor.example', 'https://auth.vendor.example', 'subdomain'],
    ['https://mcp.vendor.example', 'https://vendor.example', 'https://vendor.example', 'subdomain'],
    ['https://mcp.vendor.example', 'https://auth.vendor.example', 'https://mcp.vendor.example', 'subdomain-name'],
    ['https://mcp.vendor.example/a', 'https://vendor.example/b', 'https://mcp.vendor.example', 'subdomain-name'],
    ['https://mcp.vendor.example', 'https://auth.vendor.example', 'https://mcp.vendor.example:8443', 'mismatch'],
    ['https://mcp.vendor.example', 'http://auth.vendor.example', 'https://mcp.vendor.example', 'mismatch'],
    ['https://mcp.vendor.example', 'https://auth.vendor.example', 'http://mcp.vendor.example', 'mismatch'],
    ['https://evil.loca.lt', 'https://honest.loca.lt', 'https://evil.loca.lt', 'mismatch'],
    ['https://mallory.github.io', 'https://alice.github.io', 'https://mallory.github.io', 'mismatch'],
    ['https://a.co.uk', 'https://b.co.uk', 'https://a.co.uk', 'mismatch'],
    ['https://10.0.0.1', 'https://10.0.0.2', 'https://10.0.0.1', 'mismatch'],
    ['https://mcp.vendor.example', 'https://auth.vendor.example', 'https://vendor.example', 'mismatch'],
    ['https://evil.loca.lt', 'https://honest.loca.lt', 'https://honest.loca.lt', 'mismatch'],
    ['https://evil.b-cdn.net', 'https://honest.b-cdn.net', 'https://honest.b-cdn.net', 'mismatch'],
    ['https://mcp.vendor.example', 'https://auth.vendor.example', 'https://elsewhere.test', 'mismatch'],
    ['https://mcp.vendor.example', 'http://auth.vendor.example', 'https://auth.vendor.example', 'mismatch'],
    ['https://alice.github.io', 'https://mallory.github.io', 'https://mallory.github.io', 'mismatch'],
    ['https://a.co.uk', 'https://b.co.uk', 'https://b.co.uk', 'mismatch'],
    ['https://10.0.0.1', 'https://10.0.0.2', 'https://10.0.0.2', 'mismatch'],
    ['http://one.localhost', 'http://two.localhost', 'http://two.localhost', 'mismatch'],
    ['https://as.example', 'https://AS.example', 'https://as.example', 'mismatch'],
    ['https://as.example', 'https://as.example:443', 'https://as.example', 'mismatch'],
    ['https://as.example/a', 'https://as.example/b', 'https://as.example', 'mismatch'],
    ['https://as.example/a', 'https://as.example', 'https://as.example', 'mismatch'],
    ['https://vendor.example', 'https://auth.vendor.example?x', 'https://auth.vendor.example', 'mismatch'],
    ['https://vendor.example', 'https://u@auth.vendor.example', 'https://auth.vendor.example', 'mismatch'],
    ['https://as.example', 'not an address', 'https://as.example', 'mismatch'],
    ['https://as.example', 'https://attacker.test', 'https://attacker.test', 'mismatch'],
  ])(
    'expected %s, published %s, endpoints at %s: %s (RFC 8414 section 3.3)',
    (requested, published, base, expected) => {
      expect(compareIssuer(requested, published, endpointsAt(base))).toBe(expected);
    },
  );

  it('checks every endpoint for the fallback, including optional ones', () => {
    const endpoints = endpointsAt('https://as.example');
    const registration = { ...endpoints, registration_endpoint: 'https://elsewhere.test/register' };
    const revocation = { ...endpoints, revocation_endpoint: 'https://elsewhere.test/revoke' };
    expect(compareIssuer('https://as.example', 'https://as.example/', registration)).toBe('mismatch');
    expect(compareIssuer('https://as.example', 'https://as.example/', revocation)).toBe('mismatch');
  });
});

describe('the sub-domain exception', () => {
  const [requested, published] = ['https://rebind.acme.example', 'https://login.acme.example'];
  const honest = {
    ...endpointsAt(published),
    registration_endpoint: `${published}/register`,
    revocation_endpoint: `${published}/revoke`,
    pushed_authorization_request_endpoint: `${published}/push`,
    device_authorization_endpoint: `${published}/device`,
  };

  it.each([...secretEndpoints])(
    'requires %s on the named issuer’s own host, since it receives a secret (MD-37)',
    (name) => {
      expect(compareIssuer(requested, published, honest)).toBe('subdomain');
      for (const host of [requested, 'https://other.acme.example', 'https://acme.example']) {
        expect(compareIssuer(requested, published, { ...honest, [name]: `${host}/x` })).toBe('mismatch');
      }
    },
  );

  it('allows the page, which receives no secret, anywhere on the domain', () => {
    const authorization_endpoint = 'https://accounts.acme.example/authorize';
    expect(compareIssuer(requested, published, { ...honest, authorization_endpoint })).toBe('subdomain');
  });

  it('does not apply to a name that is too long to store', () => {
    expect(compareIssuer(`${requested}/${'a'.repeat(2_020)}`, published, honest)).toBe('mismatch');
  });
});

describe('isIssuerOfOrigin', () => {
  it.each([
    ['https://h.example/oauth', true],
    ['https://h.example/', true],
    ['https://h.example:8443', false],
    ['http://h.example', false],
    ['https://auth.h.example', false],
    ['https://h.example/#x', false],
    ['nonsense', false],
  ])('%s: %s', (published, expected) => {
    expect(isIssuerOfOrigin(published, 'https://h.example')).toBe(expected);
  });
});
