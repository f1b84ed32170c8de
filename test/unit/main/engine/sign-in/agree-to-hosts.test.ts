import { describe, expect, it } from 'vitest';
import { hostsToAgree } from '../../../../../main/engine/sign-in/agree-to-hosts.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const at = (issuer: string, page: string, token: string, more: Record<string, string> = {}) => ({
  url: asChecked('https://mcp.server.test/mcp'),
  metadata: {
    issuer,
    authorization_endpoint: asChecked(`${page}/authorize`),
    token_endpoint: asChecked(`${token}/token`),
    ...more,
  },
});
const none = { options: { allowedHosts: [] } };
const [one, two] = ['https://login.one.test', 'https://login.two.test'];

describe('hostsToAgree', () => {
  it.each([
    [one, one, one, []],
    [one, 'https://pages.one.test', 'https://tokens.one.test', []],
    [one, two, one, ['login.one.test', 'login.two.test']],
    [one, one, two, ['login.one.test', 'login.two.test']],
    [one, two, two, ['login.one.test', 'login.two.test']],
    [one, two, 'https://three.test', ['login.one.test', 'login.two.test', 'three.test']],
    ['https://id.server.test', two, two, ['login.two.test']],
    [one, 'https://id.server.test', one, ['login.one.test']],
    ['https://a.loca.lt', 'https://b.loca.lt', 'https://a.loca.lt', ['a.loca.lt', 'b.loca.lt']],
    ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', []],
    ['http://a.localhost', 'http://b.localhost', 'http://a.localhost', ['a.localhost', 'b.localhost']],
    ['https://accounts.google.com', 'https://accounts.google.com', 'https://oauth2.googleapis.com', []],
    [
      'https://accounts.google.com',
      'https://accounts.google.com',
      'https://storage.googleapis.com',
      ['accounts.google.com', 'storage.googleapis.com'],
    ],
    ['https://mcp.dropbox.com', 'https://www.dropbox.com', 'https://api.dropboxapi.com', []],
    ['https://sts.windows.net', 'https://login.microsoftonline.com', 'https://login.microsoftonline.com', []],
  ])('returns, for issuer %s, page at %s and token endpoint at %s, %j (MD-38)', (issuer, page, token, expected) => {
    expect(hostsToAgree(at(issuer, page, token), none)).toEqual(expected);
  });

  it.each([
    'registration_endpoint',
    'revocation_endpoint',
    'pushed_authorization_request_endpoint',
    'device_authorization_endpoint',
  ])('includes the %s of another owner, which receives secrets (PU-01)', (name) => {
    expect(hostsToAgree(at(one, one, one, { [name]: `${two}/x` }), none)).toEqual(['login.one.test', 'login.two.test']);
  });

  it('omits hosts that the user allowed or typed', () => {
    const mixed = at(one, two, one);
    const both = ['LOGIN.one.test', 'LOGIN.two.test.'];
    expect(hostsToAgree(mixed, { options: { allowedHosts: both } })).toEqual([]);
    expect(hostsToAgree(mixed, { options: { allowedHosts: [], agreedHosts: both } })).toEqual([]);
    expect(hostsToAgree(mixed, { options: { allowedHosts: ['login.one.test', 'two.test'] } })).toEqual([
      'login.two.test',
    ]);
    const endpoints = { authorization: `${two}/authorize`, token: `${one}/token` };
    expect(hostsToAgree(mixed, { options: { allowedHosts: [], endpoints } })).toEqual([]);
  });

  it('includes a different service that names an agreed page (MD-38)', () => {
    const agreed = { options: { allowedHosts: [], agreedHosts: ['login.one.test', 'login.two.test'] } };
    expect(hostsToAgree(at('https://three.test', two, 'https://three.test'), agreed)).toEqual(['three.test']);
  });

  it('includes every host of a service with another owner than the one shown, even the server’s own (MD-38)', () => {
    const shown = at(one, one, one);
    const [near, own] = ['https://other.one.test', 'https://id.server.test'];
    expect(hostsToAgree(at(near, near, near), { ...none, shownDiscovery: shown })).toEqual([]);
    expect(hostsToAgree(at(two, two, two), { ...none, shownDiscovery: shown })).toEqual(['login.two.test']);
    expect(hostsToAgree(at(own, own, own), { ...none, shownDiscovery: shown })).toEqual(['id.server.test']);
  });
});
