import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseTokenChallenge } from '../../../../../main/oauth/http/response-headers.ts';

const prm = 'https://mcp.example/.well-known/oauth-protected-resource';
const parse = (...values: string[]) => {
  const headers = new Headers();
  for (const value of values) headers.append('www-authenticate', value);
  return parseTokenChallenge(headers);
};

describe('parseTokenChallenge', () => {
  it.each<[string, string[], ReturnType<typeof parseTokenChallenge>]>([
    ['no header', [], undefined],
    ['another scheme', ['Basic realm="x"'], undefined],
    [
      'DPoP alone',
      [`DPoP resource_metadata="${prm}", algs=" ES256  PS256 ", scope="a"`],
      { resourceMetadata: prm, scope: 'a', dpop: { algs: ['ES256', 'PS256'], only: true } },
    ],
    [
      'a demand for a nonce',
      ['DPoP error="use_dpop_nonce"'],
      { error: 'use_dpop_nonce', dpop: { error: 'use_dpop_nonce', only: true } },
    ],
    [
      'an error with the algorithms of DPoP',
      ['Bearer error="invalid_token", DPoP algs=ES256'],
      { error: 'invalid_token', dpop: { algs: ['ES256'] } },
    ],
    [
      'an error of DPoP next to Bearer',
      ['Bearer, DPoP error="insufficient_scope", scope="b"'],
      { error: 'insufficient_scope', scope: 'b', dpop: { error: 'insufficient_scope' } },
    ],
    ['a bare scheme', ['Bearer'], {}],
    ['quoted', [`Bearer resource_metadata="${prm}", scope="a b"`], { resourceMetadata: prm, scope: 'a b' }],
    ['token form', ['Bearer scope=read, error=invalid_token'], { scope: 'read', error: 'invalid_token' }],
    ['single quotes', [`Bearer resource_metadata='${prm}', scope='a b'`], { resourceMetadata: prm, scope: 'a b' }],
    [
      'single quotes without commas',
      [`Bearer error='e' resource_metadata='${prm}'`],
      { error: 'e', resourceMetadata: prm },
    ],
    ['an apostrophe in a value', [`Bearer scope=it's, error=e`], { scope: "it's", error: 'e' }],
    ['an unclosed single quote', [`Bearer scope='a b, error=e`], { scope: "'a" }],
    ['angle brackets around an address', [`Bearer resource_metadata=<${prm}>`], { resourceMetadata: prm }],
    [
      'semicolons between parameters',
      [`Bearer error="e"; resource_metadata="${prm}"`],
      { error: 'e', resourceMetadata: prm },
    ],
    ['an unquoted address', [`Bearer resource_metadata=${prm}`], { resourceMetadata: prm }],
    ['names in any case', ['bEaReR Resource_Metadata="x", SCOPE="a"'], { resourceMetadata: 'x', scope: 'a' }],
    ['spaces around =', ['Bearer scope = "a"'], { scope: 'a' }],
    ['escapes', ['Bearer scope="a\\"b\\\\c"'], { scope: 'a"b\\c' }],
    ['a comma and a scheme inside quotes', ['Bearer realm="x, Bearer scope=evil", scope="a"'], { scope: 'a' }],
    ['missing commas', [`Bearer error="e" resource_metadata="${prm}"`], { error: 'e', resourceMetadata: prm }],
    ['empty values', ['Bearer resource_metadata="", scope=""'], {}],
    ['a repeated name', ['Bearer scope="a", scope="b"'], { scope: 'a' }],
    ['empty list elements', ['Bearer ,, scope="a",,'], { scope: 'a' }],
    ['several schemes in one header', ['Basic realm="x", Bearer scope="a", Digest nonce="n"'], { scope: 'a' }],
    ['token68 before', ['Negotiate YII/abc==, Bearer scope="a"'], { scope: 'a' }],
    ['several headers', ['Basic realm="x"', 'Bearer scope="a"'], { scope: 'a' }],
    [
      'DPoP next to Bearer',
      [`DPoP resource_metadata="https://evil.example"`, 'Bearer scope="a"'],
      { scope: 'a', dpop: {} },
    ],
    ['two Bearer challenges', ['Bearer realm="x"', `Bearer resource_metadata="${prm}"`], { resourceMetadata: prm }],
    ['an unterminated quote', [`Bearer scope="a", resource_metadata="${prm}`], { scope: 'a' }],
    ['a quote that ends in a backslash', ['Bearer error="x", scope="a\\'], { error: 'x' }],
    ['garbage before', ['(((, Bearer scope="a"'], { scope: 'a' }],
    ['garbage within', ['Bearer @"x, y"@, scope="a"'], { scope: 'a' }],
    ['a colon after the scheme', [`Bearer: scope="a"`], { scope: 'a' }],
    [
      'a colon instead of an equals sign',
      [`Bearer resource_metadata: ${prm}, scope: "a"`],
      { resourceMetadata: prm, scope: 'a' },
    ],
    ['a colon within a value', ['Bearer scope=a:b'], { scope: 'a:b' }],
    ['an address without an auth scheme', [`resource_metadata="${prm}"`], { resourceMetadata: prm }],
    [
      'an address before the auth scheme',
      [`resource_metadata="https://evil.example", Bearer error="e"`],
      { error: 'e' },
    ],
    ['an address of another auth scheme', [`Basic realm="x", resource_metadata="${prm}"`], undefined],
    ['a parameter without a scheme', ['scope="evil", Bearer error="e"'], { error: 'e' }],
  ])('reads %s (RFC 9110 section 11.6.1)', (_, values, expected) => {
    expect(parse(...values)).toEqual(expected);
  });

  it.each([
    ['quotes', '"'],
    ['backslashes in a quote', '\\"'],
    ['commas', ','],
    ['spaces', ' '],
    ['names', 'a '],
    ['open quotes after names', 'a="'],
    ['equals signs', '='],
    ['letters in one unclosed quote', 'x'],
  ])('takes linear time for a megabyte of %s (MD-32, PB-08)', (_, unit) => {
    const junk = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(parse(`Bearer scope="a", realm="${junk}`)?.scope).toBe('a');
    expect(parse(`Bearer scope="a", ${junk}x`)?.scope).toBe('a');
  });

  property.prop([fc.string({ unit: fc.constantFrom(...'Bear ,="\\scope\t(/') })])('never throws (PB-08)', (value) => {
    parse(`Bearer ${value}`);
  });

  property.prop([fc.string({ unit: 'grapheme-ascii', minLength: 1 })])('returns any quoted scope', (scope) => {
    const quoted = scope.replace(/["\\]/g, '\\$&');
    expect(parse(`Digest realm="x", Bearer error="e", scope="${quoted}"`)?.scope).toBe(scope);
  });
});
