import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { chooseScope, missingScope, readScope, unionScope } from '../../../../../main/oauth/authorization/scope.ts';

describe('chooseScope', () => {
  const challenge = { scope: 'from:challenge' };
  const resourceMetadata = { scopes_supported: ['from:resource'] };
  const metadata = { scopes_supported: ['from:server'] };

  it.each([
    [{ typedScope: 'mine', challenge, resourceMetadata, metadata }, 'mine'],
    [{ challenge, resourceMetadata, metadata }, 'from:challenge'],
    [{ challenge: {}, resourceMetadata, metadata }, 'from:resource'],
    [{ challenge: { scope: '' }, resourceMetadata, metadata }, 'from:resource'],
    [{ resourceMetadata: { scopes_supported: [] }, metadata }, 'from:server'],
    [{ typedScope: ' ', metadata }, 'from:server'],
    [{ resourceMetadata: {}, metadata: {} }, undefined],
    [{}, undefined],
  ])('uses the first source that has a scope: %j (MCP 2026-07-28, scope selection)', (sources, scope) => {
    expect(chooseScope(sources)).toEqual({ ...(scope && { scope }), offlineAccess: false, openid: false });
  });

  it('adds offline_access if the authorization server lists it (MCP 2026-07-28, refresh tokens)', () => {
    const lists = { scopes_supported: ['a', 'offline_access'] };
    expect(chooseScope({ challenge: { scope: 'b' }, metadata: lists })).toMatchObject({
      scope: 'b offline_access',
      offlineAccess: true,
    });
    expect(chooseScope({ metadata: lists })).toMatchObject({ scope: 'a offline_access', offlineAccess: true });
  });

  it('omits offline_access if the authorization server does not list it (MCP 2026-07-28)', () => {
    const sources = { challenge: { scope: 'offline_access b' }, metadata: { scopes_supported: ['b'] } };
    expect(chooseScope(sources)).toEqual({ scope: 'b', offlineAccess: false, openid: false });
    expect(chooseScope({ resourceMetadata: { scopes_supported: ['offline_access'] } }).scope).toBeUndefined();
  });

  it('sends exactly what the user chose', () => {
    const lists = { scopes_supported: ['a', 'offline_access'] };
    expect(chooseScope({ typedScope: 'a  b a', metadata: lists })).toEqual({
      scope: 'a b',
      offlineAccess: false,
      openid: false,
    });
    expect(chooseScope({ typedScope: 'offline_access openid' })).toMatchObject({ offlineAccess: true, openid: true });
  });

  it('drops anything that is not a scope token (RFC 6749 section 3.3)', () => {
    const listed = { scopes_supported: ['good', 'a b', 'quo"te', 'back\\slash', 'naïve', 'new\nline', ''] };
    expect(chooseScope({ resourceMetadata: listed }).scope).toBe('good');
  });
});

describe('unionScope', () => {
  it.each([
    ['a b', 'b c', 'a b c'],
    [undefined, 'c', 'c'],
    ['a', undefined, 'a'],
    [undefined, undefined, undefined],
  ])('joins %j and %j (MCP 2026-07-28, step-up)', (first, second, union) => {
    expect(unionScope(first, second)).toBe(union);
  });

  const scope = fc.array(fc.constantFrom('a', 'b', 'c', 'mcp:tools', 'https://x.example/y'), { maxLength: 6 });
  property.prop([scope, scope])('contains every scope once', (first, second) => {
    const union = unionScope(first.join(' '), second.join(' '))?.split(' ') ?? [];
    expect(new Set(union)).toEqual(new Set([...first, ...second]));
    expect(new Set(union).size).toBe(union.length);
  });
});

describe('missingScope', () => {
  it.each([
    ['a b', 'b', ['a']],
    ['a b', 'b a c', []],
    ['a b', undefined, []],
    ['a offline_access openid', 'a', []],
    [undefined, 'a', []],
  ])('is, for %j with %j granted, %j (RFC 6749 section 5.1)', (requested, granted, missing) => {
    expect(missingScope(requested, granted)).toEqual(missing);
  });
});

describe('readScope', () => {
  it('drops scopes with control characters', () => {
    expect(readScope('a \u001b[31mb c')).toBe('a c');
    expect(readScope('  ')).toBeUndefined();
  });
});
