import { describe, expect, it } from 'vitest';
import { askCredentialsOnTerminal } from '../../../../../main/cli/interaction/terminal-credentials.ts';
import type { CredentialsRequest } from '../../../../../main/engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { Secret } from '../../../../../main/secret.ts';
import { recordedSink } from '../../../../support/recorded-sink.ts';
import { typedStdin } from '../../../../support/typed-stdin.ts';

const request: CredentialsRequest = {
  serverUrl: 'https://mcp.example/mcp',
  callbackUrl: 'http://127.0.0.1:4711/integration/oauth/callback',
  issuerKey: 'https://login.example',
  scopes: ['notes:read'],
  otherScopes: ['notes:admin'],
};

/** Asks for credentials; types one entry of `typed` at each prompt. */
async function ask(credentials: CredentialsRequest, typed: readonly string[]) {
  const stdin = typedStdin({ isTerminal: true });
  const screen = recordedSink({ isTerminal: true });
  const pending = [...typed];
  const prompts: string[] = [];
  const write = (text: string): void => {
    screen.write(text);
    if (!text.endsWith(': ')) return;
    prompts.push(text);
    // After the prompt, once the input is being read.
    setImmediate(() => stdin.type(pending.shift() ?? ''));
  };
  const reply = await askCredentialsOnTerminal(
    { stdin: stdin.lines, write },
    credentials,
    new AbortController().signal,
  );
  return { reply, prompts, screen: screen.text };
}

describe('askCredentialsOnTerminal', () => {
  it('shows callback URL and scopes before it asks (spec 2.11), and never the secret', async () => {
    const { reply, prompts, screen } = await ask(request, ['my-id\n', 'canary-secret\r']);
    expect(reply).toMatchObject({ clientId: 'my-id' });
    expect(reply).toHaveProperty('clientSecret');
    expect(typeof reply === 'object' && reply.clientSecret?.reveal()).toBe('canary-secret');
    expect(screen.indexOf(request.callbackUrl)).toBeGreaterThan(-1);
    expect(screen.indexOf(request.callbackUrl)).toBeLessThan(screen.indexOf(prompts[0] ?? ''));
    expect(screen).toContain('notes:read');
    expect(screen).toContain('notes:admin');
    expect(screen).not.toContain('canary-secret');
  });

  it('accepts a public client without a secret', async () => {
    expect((await ask(request, ['my-id\n', '\r'])).reply).toEqual({ clientId: 'my-id' });
  });

  it('asks again after an empty client ID', async () => {
    expect((await ask(request, [' \n', 'my-id\n', '\r'])).reply).toEqual({ clientId: 'my-id' });
  });

  it('shows the error and suggests the earlier input after a failure (spec 3.2)', async () => {
    const again: CredentialsRequest = {
      ...request,
      error: new PosternError('CLIENT_REJECTED', { stage: 'token' }),
      earlier: { clientId: 'my-id', secretStored: true },
    };
    const retry = await ask(again, ['\n', '\r']);
    expect(retry.reply).toBe('try-again');
    expect(retry.screen).toContain('CLIENT_REJECTED');
    expect(retry.prompts).toEqual([
      expect.stringMatching(/\(Enter .*my-id\)/u),
      expect.stringMatching(/\(Enter .*\)/u),
    ]);
    expect(retry.screen).not.toMatch(/create/u);
    expect((await ask(again, ['\n', 'right\r'])).reply).toEqual({
      clientId: 'my-id',
      clientSecret: expect.any(Secret),
    });
    expect((await ask(again, ['other\n', '\r'])).reply).toEqual({ clientId: 'other' });
  });

  it.each([
    ['an exchange with a typed OAuth app', { code: 'TOKEN_ERROR', earlier: { clientId: 'c1', secretStored: true } }],
    ['a registration', { code: 'DCR_UNSUPPORTED' }],
  ] as const)('after %s failed, shows the error and tries again on Enter', async (_what, { code, ...rest }) => {
    const error = new PosternError(code, { stage: 'token' });
    const failed: CredentialsRequest = { ...request, ...rest, error, tryAgain: { kind: 'perhaps' } };
    const again = await ask(failed, ['\n']);
    expect(again.reply).toBe('try-again');
    expect(again.screen).toContain(code);
    expect(again.prompts).toEqual([expect.stringMatching(/\(Enter .*again\)/u)]);
    expect((await ask(failed, ['my-id\n', '\r'])).reply).toEqual({ clientId: 'my-id' });
  });

  it('shows when to try again if the service specified it (RFC 9110 10.2.3)', async () => {
    const error = new PosternError('DCR_UNSUPPORTED', { stage: 'registration' });
    const tryAgain = { kind: 'passing', until: new Date(2026, 0, 1, 14, 5, 30).getTime() } as const;
    const { screen } = await ask({ ...request, error, tryAgain }, ['\n']);
    expect(screen).toContain('2:05:30 PM');
    const { screen: withoutTime } = await ask({ ...request, error, tryAgain: { kind: 'passing' } }, ['\n']);
    expect(withoutTime).not.toMatch(/\d\d:\d\d/u);
  });

  it('gives up when the input ends', async () => {
    expect((await ask(request, ['my-id\n', '\u0004'])).reply).toBeUndefined();
  });

  it('removes control characters from server text', async () => {
    const hostile = { ...request, issuer: 'https://login.example/\u001b[2J\u202e', scopes: ['a\u001b[31m'] };
    const { screen } = await ask(hostile, ['my-id\n', '\r']);
    expect(screen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
  });
});
