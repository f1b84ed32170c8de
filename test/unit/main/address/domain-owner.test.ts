import { describe, expect, it } from 'vitest';
import { registrableDomain, sameRegistrableDomain } from '../../../../main/address/domain-owner.ts';

describe('registrableDomain', () => {
  it.each([
    ['auth.example.com', 'example.com'],
    ['AUTH.Example.com.', 'example.com'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['me.github.io', 'me.github.io'],
    ['x.me.workers.dev', 'me.workers.dev'],
    ['github.io', undefined],
    ['a.evil.loca.lt', 'evil.loca.lt'],
    ['EVIL.B-CDN.net.', 'evil.b-cdn.net'],
    ['acme.us.auth0.com', 'acme.us.auth0.com'],
    ['acme.auth0.com', 'acme.auth0.com'],
    ['x-3000.euw.devtunnels.ms', 'x-3000.euw.devtunnels.ms'],
    ['x.one.ngrok-free.app', 'one.ngrok-free.app'],
    ['203.0.113.7.nip.io', '203.0.113.7.nip.io'],
    ['app.203-0-113-7.sslip.io', 'app.203-0-113-7.sslip.io'],
    ['acme.jp.auth0.com', 'acme.jp.auth0.com'],
    ['acme.us-3.auth0.com', 'acme.us-3.auth0.com'],
    ['acme.westeurope.cloudapp.azure.com', 'acme.westeurope.cloudapp.azure.com'],
    ['login.acme.kinde.com', 'acme.kinde.com'],
    ['loca.lt', undefined],
    ['euw.devtunnels.ms', undefined],
    ['notloca.lt', 'notloca.lt'],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['[::1]', undefined],
  ])('is, for %s, %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain);
  });
});

describe('sameRegistrableDomain', () => {
  it.each<[string, string, boolean]>([
    ['mcp.example.com', 'auth.example.com', true],
    ['mcp.example.com', 'mcp.example.org', false],
    ['one.github.io', 'two.github.io', false],
    ['one.workers.dev', 'two.workers.dev', false],
    ['one.loca.lt', 'two.loca.lt', false],
    ['one.b-cdn.net', 'two.b-cdn.net', false],
    ['login.one.loca.lt', 'one.loca.lt', true],
    ['203.0.113.7.nip.io', '198.51.100.7.nip.io', false],
    ['203.0.113.7.sslip.io', '203.0.114.7.sslip.io', false],
    ['203.0.113.7.NIP.io.', '203.0.113.7.nip.io', true],
    ['203.0.113.7.nip.io', 'nip.io', false],
    ...['uk', 'ca', 'jp', 'us', 'eu', 'au', 'us-3'].map((region): [string, string, boolean] => [
      `one.${region}.auth0.com`,
      `two.${region}.auth0.com`,
      false,
    ]),
    ['one.westeurope.cloudapp.azure.com', 'two.westeurope.cloudapp.azure.com', false],
    ['one.cloudapp.azure.com', 'two.cloudapp.azure.com', false],
    ...['proxy.runpod.net', 'app.n8n.cloud', 'kinde.com', 'frontegg.com', 'projects.oryapis.com'].map(
      (domain): [string, string, boolean] => [`one.${domain}`, `two.${domain}`, false],
    ),
    ...['cloudflareaccess.com', 'okta-emea.com', 'atlassian.net', 'zendesk.com'].map(
      (domain): [string, string, boolean] => [`one.${domain}`, `two.${domain}`, false],
    ),
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['localhost', 'localhost.', true],
    ['localhost', 'example.com', false],
  ])('is, for %s and %s, %s', (one, other, same) => {
    expect(sameRegistrableDomain(one, other)).toBe(same);
    expect(sameRegistrableDomain(other, one)).toBe(same);
  });
});
