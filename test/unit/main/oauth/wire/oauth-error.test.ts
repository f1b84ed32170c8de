import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nameOAuthError, readErrorAnswer } from '../../../../../main/oauth/wire/oauth-error.ts';

const answer = (text: string, type = 'application/json') => ({
  status: 400,
  headers: new Headers({ 'content-type': type }),
  url: 'https://as.example/token',
  body: new TextEncoder().encode(text),
});

describe('nameOAuthError', () => {
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
    expect(nameOAuthError(error)).toBe(name);
  });
});

describe('readErrorAnswer', () => {
  it('reads the code beside a description of any length', () => {
    const text = JSON.stringify({ error: 'invalid_grant', error_description: 'at Server.answer '.repeat(1_000) });
    expect(readErrorAnswer(answer(text))).toMatchObject({ error: 'invalid_grant', sent: 'invalid_grant' });
  });

  it.each([
    ['{"error":"invalid_scope"}', 'application/json', { error: 'invalid_scope', sent: 'invalid_scope', body: 'json' }],
    ['{"error":"invalid_scope"}', 'text/html', { error: 'invalid_scope', sent: 'invalid_scope', body: 'json' }],
    ['{"error":"E42"}', 'application/json', { error: 'unknown', sent: 'unknown', body: 'json' }],
    ['{"error":"bad_refresh_token"}', 'application/json', { error: 'invalid_grant', sent: 'unknown', body: 'json' }],
    ['', 'application/json', { error: 'unknown', sent: 'unknown', body: 'empty' }],
    [' \r\n', 'text/plain', { error: 'unknown', sent: 'unknown', body: 'empty' }],
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
    expect(readErrorAnswer(answer(text, type))).toEqual(expected);
  });

  it.each([
    ['resource is not supported', true],
    ['Unknown audience', true],
    ['The resource owner said no', false],
    ['redirect_uri does not match', false],
    [' ', undefined],
  ])('reads of %j whether it is about the resource (RFC 8707 section 2)', (description, expected) => {
    const text = JSON.stringify({ error: 'invalid_request', error_description: description });
    expect(readErrorAnswer(answer(text)).isAboutResource).toBe(expected);
  });

  property.prop([fc.oneof(fc.string(), fc.json())])('never throws', (text) => {
    expect(readErrorAnswer(answer(text)).error).toMatch(/^[a-z_]+$/);
  });
});
