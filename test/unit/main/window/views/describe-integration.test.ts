import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { FailedCall } from '../../../../../main/errors/request-error.ts';
import { notMcpError } from '../../../../../main/oauth/discovery/discovery.ts';
import { describeIntegration, describeStatus } from '../../../../../main/window/views/describe-integration.ts';
import type { ErrorCode } from '../../../../../shared/error-codes.ts';
import { integrationViewSchema } from '../../../../../shared/integration-view.ts';
import { anIntegration, typedAt } from '../../../../support/an-integration.ts';

const errorOf = (code: ErrorCode) =>
  new PosternError(code, { stage: code.startsWith('KC_') ? 'storage' : 'connection' });
const integrated = anIntegration();

describe('describeStatus', () => {
  it.each([
    ['SCOPE_REQUIRED', 'needsAccess'],
    ['SIGN_IN_REQUIRED', 'signInAgain'],
    ['REFRESH_REVOKED', 'signInAgain'],
    ['REFRESH_REFUSED', 'signInAgain'],
    ['TOKEN_REJECTED', 'signInAgain'],
    ['CLIENT_REJECTED', 'signInAgain'],
    ['API_KEY_REFUSED', 'signInAgain'],
    ['REFRESH_TRANSIENT', 'offline'],
    ['CONNECT_FAIL', 'offline'],
    ['DNS_FAIL', 'offline'],
    ['CONTENT_TYPE', 'offline'],
    ['KC_LOCKED', 'storageProblem'],
    ['CFG_DISK_FULL', 'storageProblem'],
    ['MCP_FAILED', 'failing'],
    ['SESSION_ENDED', 'failing'],
    ['LOCAL_NOT_FOUND', 'failing'],
    ['TOOL_NOT_FOUND', 'ready'],
    ['RESULT_TOO_LARGE', 'ready'],
  ] as const)('after %s is %s', (code, name) => {
    expect(describeStatus(integrated, { error: errorOf(code) }).name).toBe(name);
  });

  it.each([
    [500, 'offline'],
    [503, 'offline'],
    [429, 'offline'],
    [404, 'failing'],
  ])('after status %i instead of MCP is %s, even with added details', (status, name) => {
    const error = notMcpError('connection', { status }).with({ detail: { tool: 'whoami' } });
    expect(describeStatus(integrated, { error }).name).toBe(name);
  });

  it.each([
    [404, true],
    [403, undefined],
    [503, undefined],
  ])('after status %i reports whether the server may have moved, also from the stored failure', (status, moved) => {
    const error = notMcpError('connection', { status });
    expect(describeStatus(integrated, { error }).mayHaveMoved).toBe(moved);
    const failure = { since: 1, code: error.code, stage: error.stage, ...(error.remedy && { remedy: error.remedy }) };
    if (status < 500) expect(describeStatus({ ...integrated, failure }, {}).mayHaveMoved).toBe(moved);
  });

  it('is ready after an error response to one call, even with added details', () => {
    const error = new FailedCall('SERVER_ERROR', { stage: 'connection', words: { code: 0, message: '' } }).with({
      detail: { tool: 'whoami' },
    });
    expect(describeStatus(integrated, { error })).toEqual({ name: 'ready' });
  });

  it('reports a stored refused refresh once the access token has expired', () => {
    const refused = { ...integrated, expiresAt: 10, retryAt: 50, renewalRefused: true };
    expect(describeStatus(refused, { now: 9 })).toEqual({ name: 'ready' });
    const { name, error } = describeStatus(refused, { now: 11 });
    expect([name, error?.code, error?.remedy]).toEqual([
      'signInAgain',
      'REFRESH_REFUSED',
      { kind: 'sign-in', access: 'gone' },
    ]);
  });

  it('reports a stored rejected token', () => {
    const failure = { since: 1, code: 'TOKEN_REJECTED', stage: 'connection' } as const;
    const { name, error } = describeStatus({ ...integrated, failure }, {});
    expect([name, error?.code]).toEqual(['signInAgain', 'TOKEN_REJECTED']);
  });

  it('reports the time of the next attempt only if there is one', () => {
    const refresh = { nextRefreshAt: 5, error: errorOf('REFRESH_TRANSIENT'), isRefreshing: false };
    expect(describeStatus(integrated, { refresh })).toMatchObject({ name: 'offline', retryAt: 5 });
    expect(describeStatus(integrated, { refresh: { nextRefreshAt: 5, isRefreshing: false } })).toEqual({
      name: 'ready',
    });
  });

  it('distinguishes a sign-out by the user from a revoked grant', () => {
    expect(describeStatus({ state: 'signedOut' }, { error: errorOf('SIGN_IN_REQUIRED') }).name).toBe('signIn');
    expect(describeStatus({ state: 'reauthenticationRequired' }, {}).name).toBe('signInAgain');
  });

  it('reports a storage problem first, because it explains the rest', () => {
    const seen = { storageProblem: errorOf('KC_LOCKED'), error: errorOf('SIGN_IN_REQUIRED') };
    expect(describeStatus({ state: 'reauthenticationRequired' }, seen)).toMatchObject({
      name: 'storageProblem',
      error: { code: 'KC_LOCKED' },
    });
  });
});

describe('a failed refresh', () => {
  it("keeps the integration's sign-in, and reports the next attempt", () => {
    const error = new PosternError('REFRESH_TRANSIENT', { stage: 'refresh', detail: { status: 500, retryAt: 9 } });
    expect(
      describeStatus({ state: 'integrated' }, { refresh: { error, nextRefreshAt: 9, isRefreshing: false } }),
    ).toMatchObject({ name: 'offline', retryAt: 9, error: { code: 'REFRESH_TRANSIENT' } });
  });
});

describe('describeIntegration', () => {
  it('matches the contract, with the host in Punycode and the missing scopes (IP-22)', () => {
    const view = describeIntegration(
      anIntegration({ url: 'https://xn--80ak6aa92e.example/mcp', scope: 'a', scopeRequested: 'a b offline_access' }),
      { refresh: { nextRefreshAt: 9, isRefreshing: true } },
    );
    expect(integrationViewSchema.parse(view)).toMatchObject({
      host: 'xn--80ak6aa92e.example',
      missingScopes: ['b'],
      nextRefreshAt: 9,
      busy: 'refreshing',
    });
  });

  it('does not report a typed token endpoint as issuer, but still names the sign-in host', () => {
    const view = describeIntegration(typedAt('https://as.example:8443/token'), {});
    expect(view).toMatchObject({ signInHost: 'as.example:8443' });
    expect(view).not.toHaveProperty('issuer');
    expect(describeIntegration(integrated, {})).toMatchObject({
      signInHost: 'as.example',
      issuer: 'https://as.example',
    });
  });

  it('is busy signing in during a sign-in', () => {
    const view = describeIntegration(integrated, { connectionId: 'c', busy: 'connecting' });
    expect(view).toMatchObject({ busy: 'signingIn', connectionId: 'c' });
  });
});
