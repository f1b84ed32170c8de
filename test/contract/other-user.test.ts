import { describe, expect, it } from 'vitest';
import { loadRegistration } from '../../main/engine/records/stored-secrets.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** What another user of the same computer can do: reach the callback's port, and the services as anybody can. */
const calledBack = (redirectUri: string | null, query: Record<string, string>): Promise<Response> =>
  fetch(`${redirectUri ?? ''}?${new URLSearchParams(query).toString()}`);

describe('another user of the same computer', () => {
  it('who guesses the state ends nothing: the sign-in continues and accepts only its own code (AZ-19)', async () => {
    const { as, mcp } = await startPair();
    const statuses: number[] = [];
    const engine = createTestEngine({
      user: async ({ url }) => {
        const parameters = new URL(url).searchParams;
        const state = parameters.get('state') ?? '';
        const guesses = ['', 'guess', state.slice(1), `${state}A`, state.toLowerCase(), '0'.repeat(state.length)];
        for (const guess of guesses) {
          const forged = { code: 'forged', state: guess, iss: as.issuer };
          statuses.push((await calledBack(parameters.get('redirect_uri'), forged)).status);
          const { code: _code, ...refusal } = { ...forged, error: 'access_denied' };
          statuses.push((await calledBack(parameters.get('redirect_uri'), refusal)).status);
        }
        await completeSignIn(url);
      },
    });
    const { integration } = await engine.connect(mcp.url);
    expect(integration.state).toBe('integrated');
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(requestsTo(as, '/token')).toHaveLength(1);
    expect(engine.sent.find(({ purpose }) => purpose === 'token')?.body).not.toContain('forged');
  });

  it('who has code, state and even the client’s secret gets no token without the verifier (RFC 7636 4.6, AZ-19)', async () => {
    const { as, mcp } = await startPair();
    const answers: Record<string, unknown>[] = [];
    const engine = createTestEngine({
      user: async ({ url }) => {
        const parameters = new URL(url).searchParams;
        const redirectUri = parameters.get('redirect_uri') ?? '';
        const { url: back } = await completeSignIn(url, { stopBefore: ({ href }) => href.startsWith(redirectUri) });
        const code = new URL(back).searchParams.get('code') ?? '';
        const client = (await loadRegistration(engine.vault, redirectUri, as.issuer))?.credentials;
        const secret = client?.clientSecret?.reveal() ?? '';
        const basic = Buffer.from(`${client?.clientId ?? ''}:${secret}`).toString('base64');
        for (const verifier of [undefined, 'A'.repeat(43), parameters.get('code_challenge') ?? '']) {
          const response = await fetch(`${as.issuer}/token`, {
            method: 'POST',
            headers: { authorization: `Basic ${basic}` },
            body: new URLSearchParams({
              grant_type: 'authorization_code',
              code,
              redirect_uri: redirectUri,
              ...(verifier !== undefined && { code_verifier: verifier }),
            }),
          });
          answers.push((await response.json()) as Record<string, unknown>);
        }
        await calledBack(redirectUri, Object.fromEntries(new URL(back).searchParams));
      },
    });
    // With the verifier the same code works: nothing else was the reason for the refusal.
    expect((await engine.connect(mcp.url)).integration.state).toBe('integrated');
    expect(answers.map(({ error }) => error)).toEqual(['invalid_grant', 'invalid_grant', 'invalid_grant']);
    expect(JSON.stringify(answers)).not.toContain('_token"');
  });
});
