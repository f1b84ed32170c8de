import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  errorMember,
  normalizeOAuthError,
  readErrorResponse,
  readForm,
} from '../../../../../main/oauth/http/oauth-error.ts';

const responseWith = (text: string, type = 'application/json') => ({
  status: 400,
  headers: new Headers({ 'content-type': type }),
  url: 'https://as.example/token',
  body: new TextEncoder().encode(text),
});

describe('normalizeOAuthError', () => {
  it.each([
    ['invalid_grant', 'invalid_grant'],
    ['bad_refresh_token', 'invalid_grant'],
    ['incorrect_client_credentials', 'invalid_client'],
    ['Invalid_Grant', 'invalid_grant'],
    [' invalid grant', 'invalid_grant'],
    ['InvalidGrant', 'invalid_grant'],
    ['RATE-LIMITED', 'slow_down'],
    ['invalid_grants', 'unknown'],
    ['Paste your token here', 'unknown'],
    ['toString', 'unknown'],
    ['', 'unknown'],
  ])('names %j %s: no server text is shown', (error, name) => {
    expect(normalizeOAuthError(error)).toBe(name);
  });
});

describe('normalizeOAuthError with a description', () => {
  it.each([
    ['invalid_request', 'the invalid_scope was asked for', 'invalid_scope'],
    ['server_error', 'Invalid Scope: notes', 'invalid_scope'],
    ['E42', 'invalid_target', 'invalid_target'],
    // Only the code itself can end a sign-in.
    ['invalid_request', 'invalid_grant', 'invalid_request'],
    ['invalid_client', 'invalid_scope', 'invalid_client'],
    ['invalid_request', 'neither invalid_scope nor invalid_target', 'invalid_request'],
    ['invalid_request', 'noninvalid_scope', 'invalid_request'],
    ['invalid_request', ['invalid_scope'], 'invalid_request'],
    ['invalid_request', undefined, 'invalid_request'],
  ])('names %j, described as %j, %s', (error, description, name) => {
    expect(normalizeOAuthError(error, description)).toBe(name);
  });
});

describe('readForm', () => {
  it.each([
    ['access_token=a&token_type=bearer', { access_token: 'a', token_type: 'bearer' }],
    ['error=invalid_grant', { error: 'invalid_grant' }],
    ['state=a', undefined],
    ['access_token', undefined],
    ['error=in valid', undefined],
    ['<p class=a&error=x>', undefined],
  ])('reads %j as %j: a form must contain tokens or an error', (text, expected) => {
    expect(readForm(responseWith(text))).toEqual(expected);
  });

  it('refuses a repeated field, as in JSON', () => {
    expect(() => readForm(responseWith('error=a&error=b'))).toThrowError(
      expect.objectContaining({ code: 'JSON_DUPLICATE_KEY' }),
    );
  });
});

it.each([
  [{ error: 'a' }, 'a'],
  [{ error: '', errors: ['b'] }, 'b'],
  [{ error: { code: 7, type: 'c' } }, 'c'],
  [{ error: { code: '', error: 'd' } }, 'd'],
  [[{ error: 'a' }], undefined],
  ['error', undefined],
  [null, undefined],
  [undefined, undefined],
])('finds the error code in %j: %s', (document, code) => {
  expect(errorMember(document)).toBe(code);
});

describe('readErrorResponse', () => {
  it('reads the code next to a description of any length', () => {
    const text = JSON.stringify({ error: 'invalid_grant', error_description: 'at Server.answer '.repeat(1_000) });
    expect(readErrorResponse(responseWith(text))).toMatchObject({ error: 'invalid_grant', sent: 'invalid_grant' });
  });

  it.each([
    ['{"error":"invalid_scope"}', 'application/json', { error: 'invalid_scope', sent: 'invalid_scope', body: 'json' }],
    ['{"error":"invalid_scope"}', 'text/html', { error: 'invalid_scope', sent: 'invalid_scope', body: 'json' }],
    ['{"error":"E42"}', 'application/json', { error: 'unknown', sent: 'unknown', body: 'json' }],
    ['{"error":"bad_refresh_token"}', 'application/json', { error: 'invalid_grant', sent: 'unknown', body: 'json' }],
    ['', 'application/json', { error: 'unknown', sent: 'unknown', body: 'empty' }],
    [' \r\n', 'text/plain', { error: 'unknown', sent: 'unknown', body: 'empty' }],
    ['\u0008', 'text/plain', { error: 'unknown', sent: 'unknown', body: 'other' }],
    ['\t\r', 'text/plain', { error: 'unknown', sent: 'unknown', body: 'empty' }],
    ['error=invalid_grant', 'text/plain', { error: 'invalid_grant', sent: 'invalid_grant', body: 'json' }],
    ['a page', 'text/html; charset=utf-8', { error: 'unknown', sent: 'unknown', body: 'page' }],
    [' <h1>No</h1>', 'text/plain', { error: 'unknown', sent: 'unknown', body: 'page' }],
    ['plain', 'text/htmlx', { error: 'unknown', sent: 'unknown', body: 'other' }],
    [
      '{"code":7,"error_code":"invalid_grant"}',
      'text/plain',
      { error: 'invalid_grant', sent: 'invalid_grant', body: 'json' },
    ],
    ['[{"code":"invalid_grant"}]', 'text/plain', { error: 'unknown', sent: 'unknown', body: 'other' }],
    ['<h1>No</h1>', 'text/html', { error: 'unknown', sent: 'unknown', body: 'page' }],
    [
      '{"error":{"code":"invalid_grant"}}',
      'application/json',
      { error: 'invalid_grant', sent: 'invalid_grant', body: 'json' },
    ],
    ['{"errors":[{"type":"E42"}]}', 'application/json', { error: 'unknown', sent: 'unknown', body: 'json' }],
    ['{"code":"invalid_grant"}', 'application/json', { error: 'invalid_grant', sent: 'invalid_grant', body: 'json' }],
    ['{"code":"42"}', 'application/json', { error: 'unknown', sent: 'unknown', body: 'other' }],
    ['{"error":7}', 'application/json', { error: 'unknown', sent: 'unknown', body: 'other' }],
    ['null', 'application/json', { error: 'unknown', sent: 'unknown', body: 'other' }],
    ['{"error":"a","error":"b"}', 'application/json', { error: 'unknown', sent: 'unknown', body: 'other' }],
  ])('reads %j as %s (RFC 6749 section 5.2)', (text, type, expected) => {
    expect(readErrorResponse(responseWith(text, type))).toEqual(expected);
  });

  it.each([
    ['resource is not supported', true],
    ['Unknown audience', true],
    ['The resource owner said no', false],
    ['redirect_uri does not match', false],
    [' ', undefined],
  ])('detects whether %j is about the resource (RFC 8707 section 2)', (description, expected) => {
    const text = JSON.stringify({ error: 'invalid_request', error_description: description });
    expect(readErrorResponse(responseWith(text)).isAboutResource).toBe(expected);
  });

  property.prop([fc.oneof(fc.string(), fc.json())])('never throws', (text) => {
    expect(readErrorResponse(responseWith(text)).error).toMatch(/^[a-z_]+$/);
  });
});
