import { describe, expect, it } from 'vitest';
import { readIdToken } from '../../../../../main/oauth/token/jwt-claims.ts';
import type { IdTokenContext } from '../../../../../main/oauth/token/jwt-claims.ts';

const context: IdTokenContext = {
  issuer: 'https://as.example',
  clientId: 'client-1',
  url: 'https://as.example/token',
  now: 1_790_000_000_000,
};
const honest = {
  iss: 'https://as.example',
  aud: 'client-1',
  exp: 1_790_000_600,
  sub: 'u-1',
  name: 'Ada Example',
  email: 'ada@example.com',
};
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (claims: object, header: object = { alg: 'RS256' }): string => `${part(header)}.${part(claims)}.c2ln`;

describe('readIdToken', () => {
  it('reads who signed in', () => {
    const user = { name: 'Ada Example', email: 'ada@example.com' };
    expect(readIdToken(token(honest), context)).toEqual({ subject: 'u-1', user, claims: honest });
    const inside = { ...honest, org_id: 'o-1', org_name: 'Acme\u202e' };
    expect(readIdToken(token(inside), context)?.user).toEqual({ ...user, organization: 'Acme' });
    const several = { ...honest, aud: ['client-1', 'other'], azp: 'client-1' };
    expect(readIdToken(token(several), context)).toMatchObject({ subject: 'u-1' });
    expect(readIdToken(token({ ...honest, nonce: 'n' }), { ...context, nonce: 'n' })).toMatchObject({ user });
  });

  it('reads any available name, sanitized, and only a verified email address', () => {
    const { name: _none, ...unnamed } = honest;
    const claims = { ...unnamed, preferred_username: 'a\u202eda\n', email_verified: false };
    expect(readIdToken(token(claims), context)?.user).toEqual({ name: 'ada' });
    expect(readIdToken(token({ ...unnamed, email: 5 }), context)).not.toHaveProperty('user');
    expect(readIdToken(token({ ...honest, name: 'x'.repeat(300) }), context)?.user).toEqual({ email: honest.email });
  });

  it.each([
    [undefined, true],
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [null, false],
    [1, false],
  ])('with email_verified %j, accepts the email address: %s', (verified, isTaken) => {
    const { user } = readIdToken(token({ ...honest, email_verified: verified }), context) ?? {};
    expect(user?.email).toBe(isTaken ? honest.email : undefined);
  });

  it.each([
    ['from another issuer', { iss: 'https://evil.example' }],
    ['from its issuer with an extra slash', { iss: 'https://as.example/' }],
    ['for another client', { aud: 'client-2' }],
    ['without an audience', { aud: undefined }],
    ['for other clients, too', { aud: ['client-1', 'client-2'] }],
    ['used by another client', { azp: 'client-2' }],
    ['from yesterday', { exp: 1_789_900_000 }],
    ['without an expiry', { exp: undefined }],
    ['with a string as expiry', { exp: '1790000600' }],
    ['without a subject', { sub: undefined }],
    ['with a number as subject', { sub: 5 }],
  ])('rejects a token %s (TK-19)', (_what, change) => {
    expect(readIdToken(token({ ...honest, ...change }), context)).toBeUndefined();
  });

  it('rejects a token with the nonce of another request (TK-19)', () => {
    expect(readIdToken(token(honest), { ...context, nonce: 'n' })).toBeUndefined();
    expect(readIdToken(token({ ...honest, nonce: 'm' }), { ...context, nonce: 'n' })).toBeUndefined();
  });

  it('rejects a token received without TLS, which replaces checking its signature (TK-19)', () => {
    expect(readIdToken(token(honest), { ...context, url: 'http://as.example/token' })).toBeUndefined();
  });

  it.each([
    ['an unsigned token', token(honest, { alg: 'none' })],
    ['an unsigned token, in capitals', token(honest, { alg: 'NONE' })],
    ['a token without an algorithm', token(honest, {})],
    ['a token without its signature', `${part({ alg: 'RS256' })}.${part(honest)}.`],
    ['an encrypted token', `${token(honest)}.x.y`],
    ['a token that is not JSON', 'a.b.c'],
    ['a list', `${part([])}.${part([])}.c2ln`],
    [
      'a token with a repeated member',
      `${part({ alg: 'RS256' })}.${Buffer.from('{"iss":"https://as.example","iss":"x"}').toString('base64url')}.c2ln`,
    ],
    ['a token that is too long', token({ ...honest, x: 'x'.repeat(200_000) })],
    ['a number', 5],
    ['null', null],
    ['an object', {}],
  ])('rejects %s (TK-19)', (_what, value) => {
    expect(readIdToken(value, context)).toBeUndefined();
  });
});
