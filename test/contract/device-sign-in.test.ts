import { describe, expect, it } from 'vitest';
import type { DevicePage } from '../../main/engine/sign-in/sign-in-interaction.ts';
import { renewIntegration } from '../../main/operations/servers.ts';
import type { AuthorizationServerOptions, EndpointResponse } from '../demo/authorization-server-options.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { startPostern } from '../support/postern-process.ts';
import { expectNothingStored, failureOf, proveConnection, proveUse } from '../support/prove-connection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngine } from '../support/test-engine.ts';

/** Signing in on another device with a code (RFC 8628), on oidc-provider and its own pages. */

const { signal } = new AbortController();
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const deviceSignInOptions: AuthorizationServerOptions = { deviceSignIn: { interval: 1 } };

/** A user with another device who types the code, or follows the link that contains it. */
function withDevice(choice: { readonly deny?: boolean; readonly byLink?: boolean } = {}): {
  readonly engine: TestEngine;
  readonly pages: DevicePage[];
} {
  const pages: DevicePage[] = [];
  const onDevice = (shown: DevicePage): void => {
    pages.push(shown);
    const { page, pageWithCode = page, userCode } = shown;
    void completeSignIn(choice.byLink ? pageWithCode : page, { ...choice, userCode });
  };
  return { engine: createTestEngine({ onDevice }), pages };
}

/** Changes the service's response to a request for a code. */
const atCode = (change: (body: Record<string, unknown>) => Record<string, unknown>): AuthorizationServerOptions => ({
  ...deviceSignInOptions,
  answer: (route: string, response: EndpointResponse): EndpointResponse =>
    route === 'device_authorization'
      ? { ...response, body: change(response.body as Record<string, unknown>) }
      : response,
});
const polls = (as: Parameters<typeof requestsTo>[0]) =>
  requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === deviceGrant);

describe('a sign-in on another device', () => {
  it.each([{ byLink: false }, { byLink: true }])('gets an access token for the named server: %j', async (choice) => {
    const { as, mcp } = await startPair(deviceSignInOptions);
    const { engine, pages } = withDevice(choice);
    const { integration } = await proveConnection(engine, mcp.url);
    expect(engine.opened).toEqual([]);
    expect(pages).toMatchObject([
      { page: `${as.issuer}/device`, userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/u) },
    ]);
    expect(requestsTo(as, '/authorize')).toEqual([]);
    expect(requestsTo(as, '/register')[0]?.body?.['grant_types']).toContain(deviceGrant);
    expect(requestsTo(as, '/device/code')[0]?.body).toMatchObject({ resource: mcp.url });
    expect(polls(as)[0]?.body).toMatchObject({ resource: mcp.url });
    expect(integration).toMatchObject({ method: 'OAuthWithDCR', hasRefreshToken: true });
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    await proveUse(engine, await engine.read(integration));
  });

  it('uses a key that the access token is bound to, with nonces too (RFC 9449 section 5)', async () => {
    const { mcp } = await startPair({ ...deviceSignInOptions, dpop: 'nonces' }, { dpop: { scheme: 'only' } });
    const { engine } = withDevice();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration.boundToKey).toBe(true);
  });

  it('uses a key that the client authenticates with', async () => {
    const { as, mcp } = await startPair({
      ...deviceSignInOptions,
      tokenEndpointAuthMethods: ['client_secret_basic', 'private_key_jwt'],
      metadata: (document) => ({ ...document, token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
    });
    const { engine } = withDevice();
    await proveConnection(engine, mcp.url);
    expect(requestsTo(as, '/device/code')[0]?.body).toMatchObject({ client_assertion: expect.any(String) });
  });

  it("takes the user's OAuth app, and signs in again with it", async () => {
    const client = { id: 'typed', redirectUris: ['http://127.0.0.1/integration/oauth/callback'] };
    const { as, mcp } = await startPair({ ...deviceSignInOptions, registration: 'off', typedClients: [client] });
    const { engine, pages } = withDevice();
    const { integration } = await proveConnection(engine, mcp.url, { credentials: { clientId: 'typed' } });
    expect(integration.method).toBe('OAuth');
    expect(requestsTo(as, '/device/code')).toHaveLength(1);
    expect(pages).toHaveLength(1);
  });

  it('registers once more if the stored client does not support it, and uses the new one for both', async () => {
    const { as, mcp } = await startPair(deviceSignInOptions);
    const inBrowser = createTestEngine();
    await inBrowser.connect(mcp.url);
    const pages: DevicePage[] = [];
    const interaction = {
      ...inBrowser.interaction,
      showDevicePage: (shown: DevicePage) => {
        pages.push(shown);
        void completeSignIn(shown.page, { userCode: shown.userCode });
      },
    };
    const engine = { ...inBrowser, interaction };
    const [integration] = await engine.ports.store.list();
    const { reauthenticate } = await import('../../main/engine/sign-in/reauthenticate.ts');
    if (!integration) throw new Error('nothing is connected');
    await reauthenticate(engine.ports, integration, {}, interaction, signal);
    expect(requestsTo(as, '/register')).toHaveLength(2);
    await reauthenticate(engine.ports, await engine.read(integration), {}, inBrowser.interaction, signal);
    expect(requestsTo(as, '/register')).toHaveLength(2);
    expect(pages).toHaveLength(1);
  });

  it('registers again, once, if the registration is forgotten', async () => {
    let isForgotten = false;
    const { as, mcp } = await startPair({
      ...deviceSignInOptions,
      intercept: ({ url }, response) => {
        if (!isForgotten || url !== '/device/code') return false;
        isForgotten = false;
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
        return true;
      },
    });
    const { engine } = withDevice();
    await engine.connect(mcp.url);
    isForgotten = true;
    await engine.connect(mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(2);
  });

  it('reports that the user declined', async () => {
    const { mcp } = await startPair(deviceSignInOptions);
    const { engine } = withDevice({ deny: true });
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'USER_DENIED' });
    await expectNothingStored(engine);
  });

  it('ends when the code expires', async () => {
    const { mcp } = await startPair({ deviceSignIn: { interval: 1, seconds: 2 } });
    const engine = createTestEngine({ onDevice: () => {} });
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'STATE_EXPIRED' });
    await expectNothingStored(engine);
  });

  it('ends when the user cancels the wait', async () => {
    const { mcp } = await startPair(deviceSignInOptions);
    const engine = createTestEngine({ onDevice: () => {} });
    const error = await failureOf(engine.connect(mcp.url, { timeout: 1_200 }));
    expect(error).toMatchObject({ code: 'STATE_EXPIRED', remedy: { kind: 'start-again', tooShort: true } });
  });
});

describe('a service that supports no sign-in on another device', () => {
  it.each([
    ['since it names no address for it', {}],
    [
      'since it lists other kinds alone',
      {
        ...deviceSignInOptions,
        metadata: (document) => ({ ...document, grant_types_supported: ['authorization_code'] }),
      },
    ],
  ] as [string, AuthorizationServerOptions][])('%s is reported before anything is registered', async (_, options) => {
    const { as, mcp } = await startPair(options);
    const { engine } = withDevice();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'DEVICE_UNSUPPORTED' });
    expect(requestsTo(as, '/register')).toEqual([]);
    await expectNothingStored(engine);
  });
});

describe('a page for the code', () => {
  it.each([
    ['of another owner', 'https://login.other.example/device', 'HOST_NOT_AGREED'],
    ['that is not a web page', 'javascript:alert(1)', 'URL_SCHEME'],
    ['without encryption', 'http://login.other.example/device', 'URL_SCHEME'],
    ['with a name and password in it', 'https://user:word@login.other.example/device', 'URL_USERINFO'],
    ['of a metadata service of a cloud', 'http://169.254.169.254/device', 'HOST_BLOCKED'],
  ])('%s is not shown (DG-01)', async (_, page, code) => {
    const { as, mcp } = await startPair(atCode((body) => ({ ...body, verification_uri: page })));
    const { engine, pages } = withDevice();
    const error = await failureOf(engine.connect(mcp.url));
    expect([code, 'URL_DOWNGRADE']).toContain(error.code);
    expect(pages).toEqual([]);
    expect(polls(as)).toEqual([]);
    await expectNothingStored(engine);
  });

  it('of another owner is shown once the user agrees, named with the service', async () => {
    const { mcp } = await startPair(atCode((body) => ({ ...body, verification_uri: 'https://login.other.example/d' })));
    const pages: DevicePage[] = [];
    const engine = createTestEngine({ acceptsHosts: () => true, onDevice: (shown) => void pages.push(shown) });
    await failureOf(engine.connect(mcp.url, { timeout: 1_100 }));
    expect(engine.hostRequests).toMatchObject([{ page: 'login.other.example', hosts: ['login.other.example'] }]);
    expect(pages).toMatchObject([{ page: 'https://login.other.example/d' }]);
  });

  it('has no link with the code in it if that leads to another host (DG-04)', async () => {
    const { mcp } = await startPair(
      atCode((body) => ({ ...body, verification_uri_complete: 'https://login.other.example/d?user_code=AAAA' })),
    );
    const { engine, pages } = withDevice();
    await proveConnection(engine, mcp.url);
    expect(pages[0]).not.toHaveProperty('pageWithCode');
  });
});

describe('a code', () => {
  it.each([['', 'A'.repeat(41), ' AAAA', 'AA\u202eBB', 'AA\nBB', '\u001b[31mAAAA', 5]].flat())(
    '%j is not shown (DG-02)',
    async (userCode) => {
      const { mcp } = await startPair(atCode((body) => ({ ...body, user_code: userCode })));
      const { engine, pages } = withDevice();
      expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'DEVICE_RESPONSE_INVALID' });
      expect(pages).toEqual([]);
      await expectNothingStored(engine);
    },
  );
});

describe('postern connect --sign-in device', () => {
  it('shows page and code, and hides the device code', async () => {
    const { as, mcp } = await startPair(deviceSignInOptions);
    const home = temporaryFolder();
    const process = startPostern(['connect', mcp.url, '--local', '--sign-in', 'device', '--trace', '--json'], { home });
    const [line] = await process.waitFor(/^.*"device-code".*$/mu);
    const shown = JSON.parse(line) as Record<string, unknown>;
    await completeSignIn(String(shown['page']), { userCode: String(shown['userCode']) });
    const { code, stdout, stderr } = await process.ended;
    expect(code).toBe(0);
    const deviceCode = String(polls(as)[0]?.body?.['device_code']);
    expect(deviceCode.length).toBeGreaterThan(20);
    expect(stdout + stderr).not.toContain(deviceCode);
  });

  it('suggests an alternative if the service does not support it', async () => {
    const { mcp } = await startPair();
    const words = ['connect', mcp.url, '--local', '--sign-in', 'device', '--json'];
    const result = await runInProcess(words, { home: temporaryFolder() });
    expect(result).toMatchObject({ code: 1, last: { error: { code: 'DEVICE_UNSUPPORTED' } } });
  });

  it.each([
    [deviceSignInOptions, true],
    [{}, undefined],
  ] as const)('is mentioned by discover if supported', async (options, deviceSignIn) => {
    const { mcp } = await startPair(options);
    const result = await runInProcess(['discover', mcp.url, '--local', '--json'], { home: temporaryFolder() });
    expect(result.last['deviceSignIn']).toBe(deviceSignIn);
  });
});

describe('the window', () => {
  async function begin(options: AuthorizationServerOptions) {
    const pair = await startPair(options);
    const opened: string[] = [];
    const desktop = await createTestDesktop({ onPage: (url) => void opened.push(url) });
    const { id } = await desktop.call('connection:discover', { url: pair.mcp.url, options: { local: true } });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    const { pending } = await desktop.connection(id, (view) => view.pending !== undefined);
    return { ...pair, desktop, opened, id, pending };
  }

  it('starts over with a code, which it shows and copies, and ends connected', async () => {
    const { as, desktop, opened, id, pending } = await begin(deviceSignInOptions);
    expect(pending?.offersDevice).toBe(true);
    await desktop.call('connection:useDevice', { id });
    const { device } = await desktop.connection(id, (view) => view.device !== undefined);
    expect(device).toMatchObject({ page: `${as.issuer}/device`, hasLink: true });
    await desktop.call('desktop:copy', { kind: 'deviceCode', id });
    await desktop.call('desktop:copy', { kind: 'deviceLink', id });
    expect(desktop.copied).toEqual([device?.userCode, `${device?.page}?user_code=${device?.userCode}`]);
    await desktop.call('connection:openAgain', { id });
    expect(opened.at(-1)).toBe(device?.page);
    await completeSignIn(String(device?.page), { userCode: String(device?.userCode) });
    const { state } = await desktop.connection(id, (view) => view.state.name === 'ticketIssued');
    if (state.name !== 'ticketIssued') throw new Error(state.name);
    await desktop.call('connection:install', { ticketId: state.ticketId });
    expect((await desktop.connection(id, (view) => view.state.name === 'integrated')).device).toBeUndefined();
  });

  it('switches back to a browser, and can be canceled', async () => {
    const { desktop, id } = await begin(deviceSignInOptions);
    await desktop.call('connection:useDevice', { id });
    await desktop.connection(id, (view) => view.device !== undefined);
    await desktop.call('connection:useBrowser', { id });
    await desktop.connection(id, (view) => view.pending !== undefined && view.device === undefined);
    await desktop.call('connection:useDevice', { id });
    await desktop.connection(id, (view) => view.device !== undefined);
    await desktop.call('connection:stop', { id });
    const { state, device } = await desktop.connection(id, (view) => view.state.name === 'urlEntered');
    expect(state).toMatchObject({ cancelled: { code: 'USER_CANCELLED' } });
    expect(device).toBeUndefined();
  });

  it('shows no code if the service does not support it', async () => {
    const { pending } = await begin({});
    expect(pending).not.toHaveProperty('offersDevice');
  });
});
