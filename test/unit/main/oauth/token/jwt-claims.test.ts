import { describe, expect, it } from 'vitest';
import { accessTokenLength } from '../../../../../main/limits.ts';
import { findAssertionFault, findIdentityFault } from '../../../../../main/oauth/token/jwt-claims.ts';
import { issuer, start } from '../../../../support/oauth-fixtures.ts';

const seconds = Math.trunc(start / 1_000);

function jwt(claims: object, header: object = { alg: 'RS256' }): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.c2ln`;
}

describe('findAssertionFault (RFC 7523 section 3)', () => {
  const tokenEndpoint = 'https://as.example/token';
  const use = { issuerKey: issuer, tokenEndpoint, now: start };
  const good = { aud: issuer, exp: seconds + 300 };
  const judge = (claims: object): string | undefined => findAssertionFault(jwt(claims), use);

  it.each([
    ['the issuer', issuer],
    ['the issuer with a slash', `${issuer}/`],
    ['the token endpoint', tokenEndpoint],
    ['both', [issuer, tokenEndpoint]],
    ['the issuer among others', ['https://other.example', issuer]],
  ])('accepts an assertion for %s', (_whom, aud) => {
    expect(judge({ ...good, aud })).toBeUndefined();
  });

  it.each([
    ['somebody else', 'https://other.example'],
    ['a longer address', `${issuer}.evil.example`],
    ['no audience', undefined],
    ['a number', [7]],
    ['an empty list', []],
  ])('rejects an assertion for %s', (_whom, aud) => {
    expect(judge({ ...good, aud })).toBe('audience');
  });

  it('rejects an expired assertion, allowing for clock skew, and one without an expiry', () => {
    expect(judge({ ...good, exp: seconds - 59 })).toBeUndefined();
    expect(judge({ ...good, exp: seconds - 60 })).toBe('ended');
    expect(judge({ ...good, exp: String(seconds + 300) })).toBe('format');
    expect(judge({ aud: issuer })).toBe('format');
  });

  it('rejects a string that is not a JWT or too long', () => {
    expect(findAssertionFault('a.b.c', use)).toBe('format');
    const bare = jwt({ ...good, note: '' }).length;
    const long = (length: number): string => {
      const text = jwt({ ...good, note: 'x'.repeat(Math.floor((length - bare) * 0.75)) });
      return text + 'A'.repeat(length - text.length);
    };
    expect(findAssertionFault(long(accessTokenLength), use)).toBeUndefined();
    expect(findAssertionFault(long(accessTokenLength + 1), use)).toBe('format');
  });
});

describe('findIdentityFault (draft-ietf-oauth-identity-assertion-authz-grant section 3)', () => {
  const use = {
    issuer: 'https://idp.example',
    audience: issuer,
    clientId: 'client-1',
    resource: 'https://mcp.example/mcp',
    now: start,
  };
  const good = {
    iss: use.issuer,
    aud: issuer,
    client_id: 'client-1',
    resource: use.resource,
    exp: seconds + 300,
  };
  const judge = (claims: object, typ: unknown = 'oauth-id-jag+jwt'): string | undefined =>
    findIdentityFault(jwt({ ...good, ...claims }, { alg: 'RS256', typ }), use);

  it('accepts an assertion with the expected claims', () => {
    expect(judge({})).toBeUndefined();
    expect(judge({}, 'OAuth-ID-JAG+JWT')).toBeUndefined();
    expect(judge({ aud: [`${issuer}/`], resource: [use.resource] })).toBeUndefined();
    expect(judge({ resource: undefined })).toBeUndefined();
  });

  it.each(['JWT', 'at+jwt', 'oauth-id-jag', null, 7])('rejects a token of type %s (RFC 8725 3.11)', (typ) => {
    expect(judge({}, typ)).toBe('type');
  });

  it.each([
    [{ iss: 'https://idp.example.evil' }, 'issuer'],
    [{ exp: undefined }, 'format'],
    [{ exp: seconds - 60 }, 'ended'],
    [{ aud: 'https://other.example' }, 'audience'],
    [{ aud: [issuer, 'https://other.example'] }, 'audience'],
    [{ aud: [] }, 'audience'],
    [{ aud: undefined }, 'audience'],
    [{ client_id: 'client-2' }, 'client'],
    [{ client_id: undefined }, 'client'],
    [{ resource: 'https://mcp.example/other' }, 'resource'],
    [{ resource: [use.resource, 'https://other.example'] }, 'resource'],
  ])('rejects an assertion with %j', (claims, fault) => {
    expect(judge(claims)).toBe(fault);
  });
});
