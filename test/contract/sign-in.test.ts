import { describe, expect, it, onTestFinished } from 'vitest';
import type { FlowState } from '../../shared/flow-state.ts';
import type { SignInEvent } from '../../main/integration/sign-in-interaction.ts';
import { Secret } from '../../main/secret.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { expectNothingKept, proveConnection } from '../support/prove-connection.ts';
import type { Person } from '../support/test-engine.ts';
import { approving, createTestEngine } from '../support/test-engine.ts';

/** The whole flow (spec 3) against oidc-provider and the MCP server of the demo, over real HTTP. */

const typed = { id: 'typed-client', secret: 'typed secret/+:%' };

function typedPair() {
  return startPair({
    registration: 'off',
    typedClients: [
      { ...typed, redirectUris: ['http://127.0.0.1/integration/oauth/callback'], applicationType: 'native' },
    ],
  });
}

function statesOf(events: readonly SignInEvent[]): FlowState['name'][] {
  return events.flatMap((event) => (event.event === 'state' ? [event.state.name] : []));
}

describe('OAuthWithDCR', () => {
  it.each(['', '/tenant1'])('connects at issuer path "%s" and walks the states of spec 3.2', async (issuerPath) => {
    const { as, mcp } = await startPair({ issuerPath });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration).toMatchObject({ method: 'OAuthWithDCR', state: 'integrated', issuer: as.issuer });
    expect(statesOf(engine.events).slice(0, 7)).toEqual([
      'discovering',
      'discovered',
      'registering',
      'authorizationPending',
      'exchanging',
      'ticketIssued',
      'integrated',
    ]);
  });

  it('registers as spec 2.4 says', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url);
    const [registration, ...more] = engine.sent.filter(({ purpose }) => purpose === 'registration');
    expect(more).toEqual([]);
    expect(JSON.parse(registration?.body ?? '')).toEqual({
      client_name: 'Postern MCP Client',
      redirect_uris: [integration.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      scope: integration.scopeRequested,
      token_endpoint_auth_method: 'client_secret_basic',
    });
    expect(requestsTo(as, '/register').map(({ status }) => status)).toEqual([201]);
  });

  it('sends the authorization request of spec 2.6, and the code once', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    await engine.connect(mcp.url);
    const [url] = engine.opened;
    const parameters = Object.fromEntries(url?.searchParams ?? []);
    expect(parameters).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: mcp.url,
      scope: 'notes:read notes:write offline_access',
    });
    expect(Buffer.from(parameters['state'] ?? '', 'base64url')).toHaveLength(32);
    expect(Buffer.from(parameters['code_challenge'] ?? '', 'base64url')).toHaveLength(32);
    expect(requestsTo(as, '/token')).toHaveLength(1);
  });

  it('reads the metadata a second time before the authorization request (spec 3.2)', async () => {
    const { mcp } = await startPair();
    const engine = createTestEngine();
    await engine.connect(mcp.url);
    const purposes = engine.sent.map(({ purpose }) => purpose);
    const after = purposes.slice(purposes.indexOf('registration') + 1, purposes.indexOf('token'));
    expect(after.toSorted()).toEqual(['authorization-server-metadata', 'protected-resource-metadata']);
  });

  it('uses its registration again for the next integration', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const first = await engine.connect(mcp.url);
    const second = await engine.connect(mcp.url);
    expect(second.integration.id).not.toBe(first.integration.id);
    expect(second.integration.name).toBe(`${first.integration.name} 2`);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });

  it('switches to the dialog when the registration is refused, and goes on with what is typed (spec 3.1)', async () => {
    const { mcp } = await startPair({
      registration: 'refuse',
      typedClients: [
        { ...typed, redirectUris: ['http://127.0.0.1/integration/oauth/callback'], applicationType: 'native' },
      ],
    });
    const engine = createTestEngine({
      dialogs: [() => ({ clientId: typed.id, clientSecret: new Secret(typed.secret) })],
    });
    const { integration } = await proveConnection(engine, mcp.url);
    expect(engine.dialogs).toEqual([
      expect.objectContaining({
        serverUrl: mcp.url,
        callbackUrl: integration.redirectUri,
        scopes: ['notes:read', 'notes:write', 'offline_access'],
        error: expect.objectContaining({
          code: 'DCR_UNSUPPORTED',
          cause: expect.objectContaining({ code: 'DCR_REJECTED' }),
        }),
      }),
    ]);
  });

  it('ends with DCR_UNSUPPORTED and its cause where nobody can type', async () => {
    const { mcp } = await startPair({ registration: 'refuse' });
    const engine = createTestEngine();
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({
      code: 'DCR_UNSUPPORTED',
      cause: { code: 'DCR_REJECTED' },
    });
    expect(engine.opened).toEqual([]);
    await expectNothingKept(engine);
  });
});

describe('OAuth with typed credentials', () => {
  it('asks, with the callback URL already bound, and connects', async () => {
    const { mcp } = await typedPair();
    const engine = createTestEngine({
      dialogs: [() => ({ clientId: typed.id, clientSecret: new Secret(typed.secret) })],
    });
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration.method).toBe('OAuth');
    expect(engine.dialogs).toHaveLength(1);
    expect(engine.dialogs[0]).not.toHaveProperty('error');
  });

  it('comes back with the error and the earlier input after a wrong secret, then takes the right one (spec 3.2)', async () => {
    const { mcp } = await typedPair();
    const engine = createTestEngine({
      dialogs: [
        () => ({ clientId: typed.id, clientSecret: new Secret('wrong') }),
        () => ({ clientId: typed.id, clientSecret: new Secret(typed.secret) }),
      ],
    });
    await proveConnection(engine, mcp.url);
    expect(engine.dialogs[1]).toMatchObject({
      error: { code: 'TOKEN_ERROR', stage: 'token' },
      earlier: { clientId: typed.id, secretKept: true },
    });
  });

  it('keeps the earlier secret where only the id is typed again', async () => {
    const { mcp } = await typedPair();
    const engine = createTestEngine({
      dialogs: [() => ({ clientId: typed.id, clientSecret: new Secret('wrong') }), () => 'try-again'],
    });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'TOKEN_ERROR' });
    expect(engine.dialogs).toHaveLength(3);
    await expectNothingKept(engine);
  });

  it('ends with CREDENTIALS_REQUIRED and the callback URL where nobody can type', async () => {
    const { mcp } = await typedPair();
    const engine = createTestEngine();
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({
      code: 'CREDENTIALS_REQUIRED',
      detail: { callbackUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback$/) },
    });
    await expectNothingKept(engine);
  });
});

describe('NoAuth', () => {
  it('is installed when its tools can be listed, without a popup (spec 3.1)', async () => {
    const mcp = await startMcpServer();
    onTestFinished(() => mcp.close());
    const engine = createTestEngine();
    const { integration, tools } = await engine.connect(mcp.url);
    expect(integration).toMatchObject({ method: 'NoAuth', state: 'integrated', reason: 'PRM_MISSING' });
    expect(tools.length).toBeGreaterThan(0);
    expect(engine.opened).toEqual([]);
  });
});

describe('what ends a sign-in', () => {
  const deny: Person = approving({ deny: true });

  it('is the refusal of the person: nothing is kept but the registration', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine({ person: deny });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'USER_DENIED', stage: 'callback' });
    expect(requestsTo(as, '/token')).toEqual([]);
    await expectNothingKept(engine);
    expect(statesOf(engine.events).at(-1)).toBe('failed');
  });

  it('is the end of the ten minutes (spec 3.3)', async () => {
    const { as, mcp } = await startPair();
    const clock = createFakeClock();
    const engine = createTestEngine({ clock, person: async () => clock.advance(600_000) });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'STATE_EXPIRED' });
    expect(requestsTo(as, '/token')).toEqual([]);
    await expectNothingKept(engine);
  });

  it('is a callback that comes after the ten minutes although the timer slept', async () => {
    const { as, mcp } = await startPair();
    const clock = createFakeClock();
    const engine = createTestEngine({
      clock,
      person: async (pending, signal) => {
        clock.setWall(clock.now() + 600_001);
        await approving()(pending, signal);
      },
    });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'STATE_EXPIRED' });
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  it('is a token endpoint that is down: back to the dialog, then the error (spec 7)', async () => {
    const { mcp } = await startPair({
      intercept: (request, response) => {
        if (request.url !== '/token') return false;
        response.writeHead(503).end();
        return true;
      },
    });
    const engine = createTestEngine();
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ stage: 'token' });
    expect(engine.dialogs).toEqual([expect.objectContaining({ error: expect.objectContaining({ stage: 'token' }) })]);
    await expectNothingKept(engine);
  });
});
