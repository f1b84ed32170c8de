import { describe, expect, it, onTestFinished } from 'vitest';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { storedTokens } from '../../main/engine/refresh/access-token.ts';
import { callbackAddress } from '../../main/engine/sign-in/callback-address.ts';
import type { FlowState } from '../../main/engine/sign-in/flow-state.ts';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import type { SignInEvent, TypedCredentials } from '../../main/engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { createCallbackReceiver } from '../../main/net/callback-listener.ts';
import { Secret } from '../../main/secret.ts';
import { callbackWords } from '../../shared/words/en/sign-in-words.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { localOptions } from '../support/local-options.ts';
import { expectNothingStored, proveConnection } from '../support/prove-connection.ts';
import { approving, createTestEngine } from '../support/test-engine.ts';
import type { ScriptedUser, TestEngine } from '../support/test-engine.ts';

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
    expect(integration).toMatchObject({ method: 'OAuthWithDCR', state: 'integrated', issuerKey: as.issuer });
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

  it('registers as in spec 2.4', async () => {
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

  it('reuses its registration for the next integration', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const first = await engine.connect(mcp.url);
    const second = await engine.connect(mcp.url);
    expect(second.integration.id).not.toBe(first.integration.id);
    expect(second.integration.name).toBe(`${first.integration.name} 2`);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });

  it('switches to the dialog when the registration is refused, and uses what is typed (spec 3.1)', async () => {
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
    // The service would refuse it again.
    expect(engine.dialogs[0]).not.toHaveProperty('tryAgain');
    expect(engine.dialogs[0]).not.toHaveProperty('canRegister');
  });

  it('ends with DCR_UNSUPPORTED and its cause if no client can be entered', async () => {
    const { mcp } = await startPair({ registration: 'refuse' });
    const engine = createTestEngine();
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({
      code: 'DCR_UNSUPPORTED',
      cause: { code: 'DCR_REJECTED' },
    });
    expect(engine.opened).toEqual([]);
    await expectNothingStored(engine);
  });
});

describe('OAuth with typed credentials', () => {
  it('prompts, with the callback URL already bound, and connects', async () => {
    const { mcp } = await typedPair();
    const engine = createTestEngine({
      dialogs: [() => ({ clientId: typed.id, clientSecret: new Secret(typed.secret) })],
    });
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration.method).toBe('OAuth');
    expect(engine.dialogs).toHaveLength(1);
    expect(engine.dialogs[0]).not.toHaveProperty('error');
  });

  it('returns with the error and the earlier input after a wrong secret, then accepts the right one (spec 3.2)', async () => {
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
      earlier: { clientId: typed.id, secretStored: true },
    });
    expect(engine.dialogs[1]).not.toHaveProperty('tryAgain');
  });

  it('keeps the earlier secret if only the ID is entered again', async () => {
    const { mcp } = await typedPair();
    const engine = createTestEngine({
      dialogs: [() => ({ clientId: typed.id, clientSecret: new Secret('wrong') }), () => 'try-again'],
    });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'TOKEN_ERROR' });
    expect(engine.dialogs).toHaveLength(3);
    await expectNothingStored(engine);
  });

  it('ends with CREDENTIALS_REQUIRED and the callback URL if no client can be entered', async () => {
    const { mcp } = await typedPair();
    const engine = createTestEngine();
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({
      code: 'CREDENTIALS_REQUIRED',
      remedy: { callbackUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/integration\/oauth\/callback$/) },
    });
    await expectNothingStored(engine);
  });
});

describe('NoAuth', () => {
  it('is installed when its tools can be listed, without a popup (spec 3.1, MD-35)', async () => {
    const mcp = await startMcpServer();
    onTestFinished(() => mcp.close());
    const engine = createTestEngine();
    const { integration, tools } = await engine.connect(mcp.url);
    expect(integration).toMatchObject({ method: 'NoAuth', state: 'integrated', reason: 'PRM_MISSING' });
    expect(tools.length).toBeGreaterThan(0);
    expect(engine.opened).toEqual([]);
  });
});

describe('a sign-in ends with', () => {
  const deny: ScriptedUser = approving({ deny: true });

  it("the user's refusal: nothing is stored but the registration", async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine({ user: deny });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'USER_DENIED', stage: 'callback' });
    expect(requestsTo(as, '/token')).toEqual([]);
    await expectNothingStored(engine);
    expect(statesOf(engine.events).at(-1)).toBe('failed');
  });

  it('the end of the ten minutes (spec 3.3)', async () => {
    const { as, mcp } = await startPair();
    const clock = createFakeClock();
    const engine = createTestEngine({ clock, user: async () => clock.advance(600_000) });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'STATE_EXPIRED' });
    expect(requestsTo(as, '/token')).toEqual([]);
    await expectNothingStored(engine);
  });

  it('a callback after the ten minutes although the timer slept', async () => {
    const { as, mcp } = await startPair();
    const clock = createFakeClock();
    const engine = createTestEngine({
      clock,
      user: async (pending, signal) => {
        clock.setWall(clock.now() + 600_001);
        await approving()(pending, signal);
      },
    });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'STATE_EXPIRED' });
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  it('a token endpoint that is down: back to the dialog, then the error (spec 7)', async () => {
    const { mcp } = await startPair({
      intercept: (request, response) => {
        if (request.url !== '/token') return false;
        response.writeHead(503).end();
        return true;
      },
    });
    const engine = createTestEngine();
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ stage: 'token' });
    expect(engine.dialogs).toEqual([
      expect.objectContaining({ tryAgain: { kind: 'perhaps' }, error: expect.objectContaining({ stage: 'token' }) }),
    ]);
    // Postern registered this client itself: the user typed nothing.
    expect(engine.dialogs[0]).not.toHaveProperty('earlier');
    expect(engine.dialogs[0]?.error?.blame).toBe('answer');
    await expectNothingStored(engine);
  });
});

describe('a typed client', () => {
  const bothWaiting = {
    typedClients: [
      { ...typed, redirectUris: ['http://127.0.0.1/integration/oauth/callback'], applicationType: 'native' as const },
    ],
  };
  const credentials = { clientId: typed.id, clientSecret: new Secret(typed.secret) };

  it('stays typed at the next sign-in, although the server would register one (spec 3.1)', async () => {
    const { as, mcp } = await startPair(bothWaiting);
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { credentials });
    expect(integration.method).toBe('OAuth');
    const { integration: signedOut } = await signOut(engine.ports, integration, new AbortController().signal);
    await engine.tools(signedOut, { signIn: true });
    expect(await engine.read(integration)).toMatchObject({ method: 'OAuth', redirectUri: integration.redirectUri });
    expect(requestsTo(as, '/register')).toEqual([]);
  });

  it('is stored for the integration by the dialog after a failed registration', async () => {
    const { mcp } = await startPair({ ...bothWaiting, registration: 'refuse' });
    const engine = createTestEngine({ dialogs: [() => credentials] });
    const { integration } = await engine.connect(mcp.url);
    expect(integration.method).toBe('OAuth');
  });

  it('keeps the day on which its secret expires, if the user knows it', async () => {
    const { mcp } = await startPair(bothWaiting);
    const engine = createTestEngine();
    const secretExpiresAt = Date.UTC(2099, 4, 31);
    const { integration } = await engine.connect(mcp.url, { credentials: { ...credentials, secretExpiresAt } });
    expect(await engine.read(integration)).toMatchObject({ clientSecretExpiresAt: secretExpiresAt });
  });

  it('shares its port with another sign-in that waits for its OAuth app, or for its page', async () => {
    const { mcp } = await startPair({ ...bothWaiting, registration: 'off' });
    const waiting = Promise.withResolvers<void>();
    const typing = Promise.withResolvers<void>();
    let pages = 0;
    const engine = createTestEngine({
      user: async (pending, signal) => {
        pages += 1;
        if (pages === 1) {
          typing.resolve();
          await waiting.promise;
        }
        await approving()(pending, signal);
      },
    });
    const first = engine.connect(mcp.url, { credentials });
    await typing.promise;
    const second = await engine.connect(mcp.url, { credentials });
    waiting.resolve();
    for (const { integration } of [second, await first]) {
      expect(await engine.tools(integration)).toContain('whoami');
    }
    expect(new Set(engine.opened.map((url) => url.searchParams.get('redirect_uri'))).size).toBe(1);
  });

  it('cannot move to another port: PORT_UNAVAILABLE before anything opens (AZ-21)', async () => {
    const { mcp } = await startPair(bothWaiting);
    const engine = createTestEngine();
    const squatter = await occupyCallbackPort(engine);
    await expect(engine.connect(mcp.url, { credentials })).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' });
    expect(engine.opened).toEqual([]);
    await squatter.close();
  });

  it('that is stored cannot move either, if the service registers clients too (AZ-21)', async () => {
    const { mcp } = await startPair({ ...bothWaiting, registration: 'open' });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { credentials });
    const pages = engine.opened.length;
    const squatter = await occupyCallbackPort(engine);
    const { signal } = new AbortController();
    await expect(reauthenticate(engine.ports, integration, {}, engine.interaction, signal)).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
    });
    expect(engine.opened).toHaveLength(pages);
    await squatter.close();
  });

  it.each<[string, 'at once' | 'late', 'open' | 'off', TypedCredentials | undefined]>([
    ['opens no browser', 'at once', 'open', credentials],
    ['opens no browser', 'late', 'open', credentials],
    ['asks nobody for a client', 'at once', 'off', undefined],
    ['asks nobody for a client', 'late', 'off', undefined],
    ['registers no client', 'at once', 'open', undefined],
    ['registers no client', 'late', 'open', undefined],
  ])('%s without a keychain, which fails %s', async (_, when, registration, given) => {
    const { as, mcp } = await startPair({ ...bothWaiting, registration });
    const engine = createTestEngine({ dialogs: [() => credentials] });
    const locked = new PosternError('KC_LOCKED', { stage: 'storage' });
    const other = await startPair({ ...bothWaiting, registration });
    // As late as a whole sign-in with another keychain and server takes, so that this one could have got as far.
    const wait = async (): Promise<void> => {
      const control = createTestEngine({ dialogs: [() => credentials] });
      await control.connect(other.mcp.url, given && { credentials: given });
    };
    let waiting: Promise<void> | undefined;
    const vault = {
      ...engine.vault,
      // Like a keychain that waits for a password.
      ready: async () => {
        if (when === 'late') await (waiting ??= wait());
        throw locked;
      },
    };
    const ports = { ...engine.ports, vault: async () => vault };
    const request = { url: mcp.url, options: { ...localOptions }, credentials: given, surface: 'test' };
    const { signal } = new AbortController();
    await expect(connectServer(ports, request, engine.interaction, signal)).rejects.toBe(locked);
    expect(engine.opened).toEqual([]);
    expect(engine.dialogs).toEqual([]);
    expect(requestsTo(as, '/register')).toEqual([]);
    expect(requestsTo(as, '/token')).toEqual([]);
    await expectNothingStored(engine);
  });
});

describe('a registered client', () => {
  it('moves to another port when its own is in use, and registers again (design, callback, AZ-22)', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const squatter = await occupyCallbackPort(engine);
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration.redirectUri).not.toBe(squatter.url);
    expect(requestsTo(as, '/register')).toHaveLength(1);
    await squatter.close();
  });

  it('that the server has forgotten is registered and authorized again, once', async () => {
    const forgotten = new Set<string>();
    const { as, mcp } = await startPair({
      intercept: (request, response) => {
        const isToken = request.url === '/token' && forgotten.size > 0;
        const [id] = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64')
          .toString()
          .split(':');
        if (!isToken || id === undefined || !forgotten.has(decodeURIComponent(id))) return false;
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
        return true;
      },
    });
    const engine = createTestEngine();
    await engine.connect(mcp.url);
    forgotten.add(engine.opened[0]?.searchParams.get('client_id') ?? '');
    await proveConnection(engine, mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(2);
    expect(engine.opened).toHaveLength(3);
    expect(engine.dialogs).toEqual([]);
  });
});

describe('the callback host', () => {
  it('is `localhost` by a setting, registered and sent as such', async () => {
    const { mcp } = await startPair();
    const engine = createTestEngine();
    await engine.ports.store.updateSettings((settings) => ({ ...settings, callbackHost: 'localhost' }));
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration.redirectUri).toMatch(/^http:\/\/localhost:\d+\/integration\/oauth\/callback$/);
    expect(engine.opened[0]?.searchParams.get('redirect_uri')).toBe(integration.redirectUri);
  });
});

describe('the callback host of one server', () => {
  it('is registered, listened on and sent for that server alone, and stored for its next sign-in', async () => {
    const [{ mcp }, { mcp: other }] = [await startPair(), await startPair()];
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url, { callbackHost: 'localhost' });
    expect(integration.redirectUri).toMatch(/^http:\/\/localhost:\d+\/integration\/oauth\/callback$/);
    expect(integration.options.callbackHost).toBe('localhost');
    expect(engine.opened[0]?.searchParams.get('redirect_uri')).toBe(integration.redirectUri);
    expect((await engine.connect(other.url)).integration.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });
});

describe('a server that needs no sign-in', () => {
  it('has no token, and signing out of it changes nothing', async () => {
    const mcp = await startMcpServer();
    onTestFinished(() => mcp.close());
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url);
    const { signal } = new AbortController();
    await expect(storedTokens(engine.ports, integration)).rejects.toMatchObject({ code: 'NO_SIGN_IN' });
    expect(await signOut(engine.ports, integration, signal)).toMatchObject({
      integration: { state: 'integrated' },
      revocation: 'nothing-to-revoke',
    });
  });
});

describe('the page that the browser ends on', () => {
  it('says that the callback could not be used if it was ours and `iss` was another (AZ-07)', async () => {
    const { as, mcp } = await startPair();
    const page = Promise.withResolvers<string>();
    const engine = createTestEngine({
      user: async ({ url }, signal) => {
        const end = await completeSignIn(url, { signal, stopBefore: ({ pathname }) => pathname.endsWith('/callback') });
        const landed = new URL(end.url);
        landed.searchParams.set('iss', 'https://other.example');
        page.resolve((await fetch(landed)).text());
      },
    });
    await expect(engine.connect(mcp.url)).rejects.toMatchObject({ code: 'ISS_MISMATCH' });
    expect(await page.promise).toContain(callbackWords.failed.sentence);
    expect(requestsTo(as, '/token')).toEqual([]);
  });
});

/** Another process holds the port that this profile has chosen. */
async function occupyCallbackPort({ ports }: TestEngine) {
  // As another process does.
  return await createCallbackReceiver().listen(await callbackAddress(ports), {
    callback: () => 'not-valid',
    link: () => 'not-valid',
  });
}
