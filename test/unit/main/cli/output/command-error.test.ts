import { describe, expect, it } from 'vitest';
import { toCommandError } from '../../../../../main/cli/output/command-error.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';

describe('toCommandError', () => {
  it('names the help of the command that was wrong', () => {
    const error = new PosternError('USAGE', { stage: 'app' });
    expect(toCommandError(error, { command: 'call' }).nextStep).toContain('`postern call --help`');
    expect(toCommandError(error, {}).nextStep).toContain('`postern --help`');
  });

  it('says the next step in words, for programs too', () => {
    const told = toCommandError(new PosternError('NOT_FOUND', { stage: 'app' }), {});
    expect(Object.keys(told).toSorted()).toEqual(['blame', 'code', 'message', 'nextStep', 'retryable', 'stage']);
  });

  it('carries the callback URL where a client id has to be had by hand (spec 2.11)', () => {
    const callbackUrl = 'http://127.0.0.1:4711/integration/oauth/callback';
    expect(
      toCommandError(
        new PosternError('CREDENTIALS_REQUIRED', {
          stage: 'credentials',
          remedy: { kind: 'type-credentials', callbackUrl, documents: false },
        }),
        {},
      ).callbackUrl,
    ).toBe(callbackUrl);
  });

  it.each([
    ['invalid_client', 'invalid_client'],
    ['unknown', undefined],
    ['canary from the server', undefined],
  ])('tells the error of an authorization server only by a known name: %s', (error, name) => {
    const told = toCommandError(
      new PosternError('TOKEN_ERROR', { stage: 'token', detail: { error, status: 401 } }),
      {},
    );
    expect(told.oauthError).toBe(name);
  });
});
