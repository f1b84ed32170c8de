import { describe, expect, it } from 'vitest';
import { hostsToAgree } from '../../../../../main/integration/sign-in/hosts-to-agree.ts';

const at = (issuer: string, page: string, token: string, more: Record<string, string> = {}) => ({
  metadata: {
    issuer,
    authorization_endpoint: `${page}/authorize`,
    token_endpoint: `${token}/token`,
    ...more,
  },
});
const none = { options: { allowedHosts: [] } };
const [one, two] = ['https://login.one.test', 'https://login.two.test'];

describe('hostsToAgree', () => {
  it.each([
    [one, one, one, []],
    [one, 'https://pages.one.test', 'https://tokens.one.test', []],
    [one, two, one, ['login.two.test']],
    [one, one, two, ['login.two.test']],
    [one, two, two, ['login.two.test']],
    [one, two, 'https://three.test', ['login.two.test', 'three.test']],
    ['https://a.loca.lt', 'https://b.loca.lt', 'https://a.loca.lt', ['b.loca.lt']],
    ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', []],
    ['http://a.localhost', 'http://b.localhost', 'http://a.localhost', ['b.localhost']],
    ['https://accounts.google.com', 'https://accounts.google.com', 'https://oauth2.googleapis.com', []],
    [
      'https://accounts.google.com',
      'https://accounts.google.com',
      'https://storage.googleapis.com',
      ['storage.googleapis.com'],
    ],
    ['https://mcp.dropbox.com', 'https://www.dropbox.com', 'https://api.dropboxapi.com', []],
    ['https://sts.windows.net', 'https://login.microsoftonline.com', 'https://login.microsoftonline.com', []],
  ])('of issuer %s, page at %s and token endpoint at %s are %j (MD-38)', (issuer, page, token, expected) => {
    expect(hostsToAgree(at(issuer, page, token), none)).toEqual(expected);
  });

  it.each(['registration_endpoint', 'revocation_endpoint'])('has %s of another owner too: it gets secrets', (name) => {
    expect(hostsToAgree(at(one, one, one, { [name]: `${two}/x` }), none)).toEqual(['login.two.test']);
  });

  it('leaves out what the person allowed, by host, and what they typed', () => {
    const mixed = at(one, two, one);
    expect(hostsToAgree(mixed, { options: { allowedHosts: ['LOGIN.two.test.'] } })).toEqual([]);
    expect(hostsToAgree(mixed, { options: { allowedHosts: ['two.test'] } })).toEqual(['login.two.test']);
    const endpoints = { authorization: `${two}/authorize`, token: `${one}/token` };
    expect(hostsToAgree(mixed, { options: { allowedHosts: [], endpoints } })).toEqual([]);
  });

  it('has the service’s own where the sign-in before was at another owner’s', () => {
    const allowed = { options: { allowedHosts: ['login.two.test'] } };
    expect(hostsToAgree(at(one, two, one), { ...allowed, earlierIssuer: 'https://other.one.test' })).toEqual([]);
    expect(hostsToAgree(at(one, two, one), { ...allowed, earlierIssuer: 'https://three.test' })).toEqual([
      'login.one.test',
    ]);
  });
});
