import { inspect } from 'node:util';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  stateOf,
  validateAuthorizationResponse,
} from '../../../../../main/oauth/authorization/authorization-response.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { authorizationRequest, failureOf, issuer, start, state } from '../../../../support/oauth-fixtures.ts';

const request = authorizationRequest();
const promised = authorizationRequest({ issExpected: true });
const enc = encodeURIComponent;

const validate = (query: string, from = request, clock = createFakeClock(start)) => {
  const response = validateAuthorizationResponse(from, query, clock);
  if (response.kind === 'code') return response.code;
  expect(response.error).toMatchObject({ code: 'AS_ERROR', detail: { error: response.name } });
  throw response.error;
};
const codeOf = async (...parameters: Parameters<typeof validate>) =>
  (await failureOf(() => validate(...parameters))).code;

describe('validateAuthorizationResponse', () => {
  it.each([
    [`state=${state}&code=abc`],
    [`code=abc&state=${state}&scope=a+b&session_state=x&authuser=0`],
    [`state=${state}&code=abc&iss=${enc(issuer)}`],
  ])('accepts %s (RFC 6749 section 4.1.2)', (query) => {
    expect(validate(query).reveal().get('code')).toBe('abc');
  });

  it('returns a code that no rendering shows', () => {
    const code = validate(`state=${state}&code=canary`);
    const renderings = [code.toString(), JSON.stringify(code), inspect(code, { showHidden: true, depth: 9 })];
    expect(renderings.join(' ')).not.toContain('canary');
  });

  it.each([
    [`state=${state}&code=a&code=b`],
    [`state=${state}&state=${state}&code=a`],
    [`state=${state}&state=other&code=a`],
    [`state=${state}&code=a&iss=x&iss=${enc(issuer)}`],
    [`state=${state}&code=a&foo=1&foo=2`],
    [`state=${state}&error=access_denied&error=x`],
    ['code=a'],
    ['state=&code=a'],
    [''],
    [`state=${state}`],
    [`state=${state}&code=`],
    [`state=${state}&code=a&error=access_denied`],
    [`state=${state}&code=a%0d%0ab`],
    [`state=${state}&code=a%00`],
    [`state=${state}&code=%ff`],
    [`state=${state}&code=${'c'.repeat(4_097)}`],
    [`state=${state}&code=a&access_token=t`],
    [`state=${state}&access_token=t&token_type=bearer`],
    [`state=${state}&code=a&id_token=t`],
    [`state=${state}&response=jarm`],
  ])('refuses the callback %.80s (RFC 6749 section 3.1, AZ-02, AZ-30, AZ-38)', async (query) => {
    expect(await codeOf(query)).toBe('CALLBACK_INVALID');
  });

  it('accepts a code of 4 KiB', () => {
    const code = 'c'.repeat(4_096);
    expect(validate(`state=${state}&code=${code}`).reveal().get('code')).toBe(code);
  });

  it.each([
    [`state=${state.toUpperCase()}&code=a`],
    [`state=${state}+&code=a`],
    [`state=+${state}&code=a`],
    [`state=${state.slice(1)}&code=a`],
    [`state=${state}p&code=a`],
    [`state=${'p'.repeat(1_000_000)}&code=a`],
    ['state=other&error=access_denied'],
    ['state=other&code=a&iss=evil'],
  ])('rejects any state but its own: %.60s (AZ-04, AZ-12)', async (query) => {
    expect(await codeOf(query)).toBe('STATE_UNKNOWN');
  });

  property.prop([fc.string()])('accepts no other state', (other) => {
    fc.pre(other !== state);
    expect(() => validate(`state=${enc(other.toWellFormed())}&code=a`)).toThrow(/STATE_UNKNOWN|CALLBACK_INVALID/);
  });

  property.prop([fc.oneof(fc.string(), fc.webQueryParameters())])('throws only its own errors', async (query) => {
    const { code } = await failureOf(() => validate(query));
    expect(['CALLBACK_INVALID', 'STATE_UNKNOWN']).toContain(code);
  });

  it('expires after ten minutes by the wall clock or the monotonic clock (spec 2.7)', async () => {
    const query = `state=${state}&code=a`;
    const clock = createFakeClock(start);
    clock.advance(600_000);
    expect(validate(query, request, clock).reveal().get('code')).toBe('a');
    clock.advance(1);
    expect(await codeOf(query, request, clock)).toBe('STATE_EXPIRED');
    clock.setWall(start);
    expect(await codeOf(query, request, clock)).toBe('STATE_EXPIRED');
    const asleep = createFakeClock(start);
    asleep.setWall(start + 600_001);
    expect(await codeOf(query, request, asleep)).toBe('STATE_EXPIRED');
  });

  it.each([
    ['advertised, present, same', promised, `&iss=${enc(issuer)}`, undefined],
    ['advertised, absent', promised, '', 'ISS_MISSING'],
    ['advertised, present, other', promised, `&iss=${enc('https://evil.example')}`, 'ISS_MISMATCH'],
    ['not advertised, present, same', request, `&iss=${enc(issuer)}`, undefined],
    ['not advertised, present, other', request, `&iss=${enc('https://evil.example')}`, 'ISS_MISMATCH'],
    ['neither', request, '', undefined],
    ['trailing slash', request, `&iss=${enc(`${issuer}/`)}`, 'ISS_MISMATCH'],
    ['upper case', request, `&iss=${enc('https://AS.example')}`, 'ISS_MISMATCH'],
    ['default port', request, `&iss=${enc('https://as.example:443')}`, 'ISS_MISMATCH'],
    ['percent-encoding twice', request, `&iss=${enc(enc(issuer))}`, 'ISS_MISMATCH'],
    ['empty', request, '&iss=', 'ISS_MISMATCH'],
  ])('iss %s (RFC 9207 section 2.4, no normalization)', async (_, from, iss, code) => {
    const query = `state=${state}&code=a${iss}`;
    if (code === undefined) expect(validate(query, from).reveal().get('code')).toBe('a');
    else expect(await codeOf(query, from)).toBe(code);
  });

  it('ignores an error from another issuer (MCP 2026-07-28, I4)', async () => {
    const query = `state=${state}&error=access_denied&error_description=evil&iss=${enc('https://evil.example')}`;
    const error = await failureOf(() => validate(query));
    expect(error).toMatchObject({ code: 'ISS_MISMATCH', detail: {} });
    expect(await codeOf(`state=${state}&error=access_denied`, promised)).toBe('ISS_MISSING');
  });

  it.each([
    ['access_denied', 'USER_DENIED', {}],
    ['Access_Denied', 'USER_DENIED', {}],
    ['consent_required', 'USER_DENIED', {}],
    ['user_cancelled_login', 'USER_DENIED', {}],
    ['invalid_scope', 'AS_ERROR', { error: 'invalid_scope' }],
    ['invalid_target', 'AS_ERROR', { error: 'invalid_target' }],
    ['Call 555-EVIL now', 'AS_ERROR', { error: 'unknown' }],
    ['', 'AS_ERROR', { error: 'unknown' }],
  ])('reads the error %j as %s (RFC 6749 section 4.1.2.1)', async (name, code, detail) => {
    const query = `state=${state}&error=${enc(name)}&error_description=${enc('<b>Call 555-EVIL</b>')}`;
    const error = await failureOf(() => validate(query));
    expect(error).toMatchObject({ code, stage: 'callback' });
    expect(error.detail).toEqual({ host: 'as.example', ...detail });
    expect(inspect(error)).not.toContain('555-EVIL');
  });

  it('checks in order: duplicates, state, expiry, issuer, error, code', async () => {
    const expired = createFakeClock(start + 600_001);
    const evil = `iss=${enc('https://evil.example')}`;
    expect(await codeOf('state=x&code=a&code=b', request, expired)).toBe('CALLBACK_INVALID');
    expect(await codeOf(`state=x&error=e&${evil}`, request, expired)).toBe('STATE_UNKNOWN');
    expect(await codeOf(`state=${state}&error=e&${evil}`, request, expired)).toBe('STATE_EXPIRED');
    expect(await codeOf(`state=${state}&error=e&code=a&${evil}`)).toBe('ISS_MISMATCH');
    expect(await codeOf(`state=${state}&error=access_denied`)).toBe('USER_DENIED');
  });
});

describe('stateOf', () => {
  it.each([
    ['state=a&code=b', 'a'],
    ['code=b&state=a%20b', 'a b'],
    ['code=b', undefined],
    ['state=', undefined],
    ['state=a&state=b', undefined],
    ['state=a&state=a', undefined],
    [`state=${'a'.repeat(4_096)}`, 'a'.repeat(4_096)],
    [`state=${'a'.repeat(4_097)}`, undefined],
    ['', undefined],
  ])('for %.40s is %s', (query, expected) => {
    expect(stateOf(query)).toBe(expected);
  });
});
