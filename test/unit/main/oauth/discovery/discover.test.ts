import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { discoverAuthenticationMethod, rediscover } from '../../../../../main/oauth/discovery/discover.ts';
import type { DiscoveryOptions } from '../../../../../main/oauth/discovery/discovery.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import {
  codeOf,
  discoveryScript,
  get,
  html,
  inRequestOrder,
  notFound,
  post,
  serverMetadata,
} from '../../../../support/discovery-script.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const url = asChecked('https://mcp.example/mcp');
const origin = 'https://mcp.example';
const pathForm = `${origin}/.well-known/oauth-protected-resource/mcp`;
const rootForm = `${origin}/.well-known/oauth-protected-resource`;
const as = 'https://as.example';
const oauth = (issuer: string) => `${issuer}/.well-known/oauth-authorization-server`;
const openid = (issuer: string) => `${issuer}/.well-known/openid-configuration`;
const prm = { resource: url, authorization_servers: [as], scopes_supported: ['read'] };
const registering = serverMetadata(as, { registration_endpoint: `${as}/register` });

const challenged = (value = `Bearer resource_metadata="${pathForm}", scope="read"`) =>
  post(url, { status: 401, headers: { 'www-authenticate': value } });
const refused = post(url, { status: 401 });
const openProbe = post(url, { json: { result: {} } });
const openTools = post(url, { json: { result: { tools: [] } } });

async function discover(script: ScriptedExchange[], options: Partial<DiscoveryOptions> = {}) {
  const exchanges = options.challenge === undefined ? inRequestOrder(url, script, options.authorizationServer) : script;
  const { http, clock, policy, steps } = discoveryScript(url, exchanges);
  try {
    const onStep = (step: (typeof steps)[number]) => steps.push(step);
    const discovery = await discoverAuthenticationMethod({ http, clock }, { url, policy, onStep, ...options });
    return { discovery, steps };
  } finally {
    http.assertDone();
  }
}

describe('discoverAuthenticationMethod', () => {
  it('needs three requests if the server names everything', async () => {
    const { discovery, steps } = await discover([
      challenged(),
      get(pathForm, { json: prm }),
      get(oauth(as), { json: registering }),
    ]);
    expect(discovery).toEqual({
      url,
      method: 'OAuthWithDCR',
      probeStatus: 401,
      refusedStatus: 401,
      challenge: { resourceMetadata: pathForm, scope: 'read' },
      resourceMetadata: prm,
      resourceMetadataUrl: pathForm,
      resource: url,
      metadata: registering,
      metadataUrl: oauth(as),
      authorizationServer: as,
      issuerKey: as,
      alternatives: [],
      legacyEndpoints: false,
      notes: [],
    });
    expect(steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'probe started',
      'probe found',
      'resource-metadata started',
      'resource-metadata found',
      'authorization-server-metadata started',
      'authorization-server-metadata found',
      'method found',
    ]);
  });

  it('keeps the published resource verbatim (RFC 8707 section 2)', async () => {
    const { discovery } = await discover([
      challenged(),
      get(pathForm, { json: { ...prm, resource: 'HTTPS://MCP.example:443' } }),
      get(oauth(as), { json: registering }),
    ]);
    expect(discovery.resource).toBe('HTTPS://MCP.example:443');
  });

  it('uses a later challenge instead of the probe', async () => {
    const script = [get(pathForm, { json: prm }), get(oauth(as), { json: registering })];
    const { discovery } = await discover(script, { challenge: { scope: 'write', error: 'insufficient_scope' } });
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', challenge: { scope: 'write' } });
    expect(discovery).not.toHaveProperty('probeStatus');
  });

  it('finds the metadata of a server that allows the handshake but refuses tools/list', async () => {
    const { discovery } = await discover([
      openProbe,
      get(pathForm, { json: prm }),
      challenged(),
      get(oauth(as), { json: registering }),
    ]);
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', probeStatus: 200, challenge: { scope: 'read' } });
  });

  it('uses the address from the tools/list challenge, not the well-known one requested meanwhile', async () => {
    const named = `${origin}/prm.json`;
    const { discovery } = await discover([
      openProbe,
      get(pathForm, { json: { ...prm, resource: 'https://other.example' } }),
      challenged(`Bearer resource_metadata="${named}"`),
      get(named, { json: prm }),
      get(oauth(as), { json: registering }),
    ]);
    expect(discovery.resourceMetadataUrl).toBe(named);
  });

  it('supports sign-in to an open server that publishes metadata', async () => {
    const { discovery } = await discover([
      openProbe,
      get(pathForm, { json: prm }),
      openTools,
      get(oauth(as), { json: serverMetadata(as) }),
    ]);
    expect(discovery).toMatchObject({ method: 'OAuth', probeStatus: 200 });
  });

  it.each<[string, ScriptedExchange[], string, string | undefined]>([
    [
      'nothing is published',
      [refused, notFound(pathForm), notFound(rootForm), notFound(oauth(origin)), notFound(openid(origin))],
      'PRM_MISSING',
      undefined,
    ],
    ['every response is HTML', [refused, html(pathForm), html(rootForm)], 'CONTENT_TYPE', 'mcp.example'],
    [
      'the origin returns HTML',
      [refused, notFound(pathForm), notFound(rootForm), html(oauth(origin)), html(openid(origin))],
      'CONTENT_TYPE',
      'mcp.example',
    ],
    [
      'the named server returns HTML',
      [challenged(), get(pathForm, { json: prm }), html(oauth(as)), html(openid(as))],
      'CONTENT_TYPE',
      'as.example',
    ],
    [
      'the named server publishes nothing',
      [challenged(), get(pathForm, { json: prm }), notFound(oauth(as)), notFound(openid(as))],
      'ASM_MISSING',
      undefined,
    ],
    [
      'its authorization endpoint is hostile',
      [
        challenged(),
        get(pathForm, { json: prm }),
        get(oauth(as), { json: serverMetadata(as, { authorization_endpoint: 'javascript:alert(1)' }) }),
        notFound(openid(as)),
      ],
      'URL_SCHEME',
      'as.example',
    ],
    [
      'resource metadata is of the wrong type',
      [challenged(), get(pathForm, { json: { resource: 5 } }), notFound(rootForm)],
      'SCHEMA_INVALID',
      'mcp.example',
    ],
    [
      'the issuer has a query',
      [challenged(), get(pathForm, { json: { ...prm, authorization_servers: [`${as}?a`] } })],
      'URL_FRAGMENT',
      undefined,
    ],
  ])('is NoAuth with the reason when %s (spec 3.1)', async (_, script, reason, reasonHost) => {
    const { discovery } = await discover(script);
    expect(discovery).toMatchObject({ method: 'NoAuth', reason });
    expect(discovery.metadataError?.detail ?? {}).toEqual(
      reasonHost === undefined
        ? expect.not.objectContaining({ host: expect.anything() })
        : expect.objectContaining({ host: reasonHost }),
    );
    expect(discovery).not.toHaveProperty('metadata');
    expect(discovery).not.toHaveProperty('issuerKey');
  });

  it.each([
    // MCP 2025-03-26: the default endpoints are only for servers that name no authorization server.
    ['names a sign-in service that publishes nothing', get(pathForm, { json: prm }), 'type-endpoints'],
    ['publishes nothing', notFound(pathForm), undefined],
  ])('suggests a remedy if the server %s', async (_, document, kind) => {
    const rest = kind
      ? [notFound(oauth(as)), notFound(openid(as))]
      : [notFound(rootForm), notFound(oauth(origin)), notFound(openid(origin))];
    const { discovery } = await discover([refused, document, ...rest]);
    expect(discovery.metadataError?.remedy?.kind).toBe(kind);
  });

  it.each<[string, ScriptedExchange[], string]>([
    [
      'another resource',
      [challenged(), get(pathForm, { json: { ...prm, resource: 'https://victim.example/mcp' } })],
      'RESOURCE_MISMATCH',
    ],
    [
      'another issuer',
      [challenged(), get(pathForm, { json: prm }), get(oauth(as), { json: serverMetadata('https://honest.test') })],
      'ISSUER_MISMATCH',
    ],
    [
      'a downgrade',
      [challenged(), get(pathForm, { json: { ...prm, authorization_servers: ['http://as.example'] } })],
      'URL_DOWNGRADE',
    ],
    [
      'a private authorization server',
      [challenged(), get(pathForm, { json: { ...prm, authorization_servers: ['https://10.1.2.3'] } })],
      'HOST_BLOCKED',
    ],
  ])('stops at %s', async (_, script, code) => {
    expect(await codeOf(discover(script))).toBe(code);
  });

  it.each([
    ['without resource metadata', [notFound(pathForm), notFound(rootForm)], ['no-resource-metadata']],
    ['without authorization servers', [get(pathForm, { json: { resource: url } })], []],
    ['with an empty list', [get(pathForm, { json: { resource: url, authorization_servers: [] } })], []],
  ])('uses metadata at the origin %s (MCP 2025-03-26)', async (_, exchanges, notes) => {
    const metadata = serverMetadata(origin, { registration_endpoint: `${origin}/register` });
    const { discovery } = await discover([refused, ...exchanges, get(oauth(origin), { json: metadata })]);
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', authorizationServer: origin, issuerKey: origin, notes });
  });

  it('records the exception by which an issuer was accepted', async () => {
    const metadata = serverMetadata(`${as}/`);
    const { discovery } = await discover([
      challenged(),
      get(pathForm, { json: prm }),
      get(oauth(as), { json: metadata }),
    ]);
    expect(discovery).toMatchObject({
      authorizationServer: as,
      issuerKey: `${as}/`,
      issuerFallback: 'trailing-slash',
      notes: ['issuer-trailing-slash'],
    });
  });

  it('shows the other authorization servers, and uses the chosen one', async () => {
    const other = 'https://two.example';
    const both = { ...prm, authorization_servers: [as, other] };
    const script = [challenged(), get(pathForm, { json: both }), get(oauth(other), { json: serverMetadata(other) })];
    const { discovery } = await discover(script, { authorizationServer: other });
    expect(discovery).toMatchObject({ authorizationServer: other, alternatives: [as], notes: [] });
  });

  describe('legacy endpoints', () => {
    const nothing = [notFound(pathForm), notFound(rootForm), notFound(oauth(origin)), notFound(openid(origin))];

    it('are used if nothing is published and the user asks for them (MCP 2025-03-26)', async () => {
      const { discovery } = await discover([refused, ...nothing], { legacyEndpoints: true });
      expect(discovery).toMatchObject({
        method: 'OAuthWithDCR',
        legacyEndpoints: true,
        issuerKey: origin,
        metadata: {
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          code_challenge_methods_supported: ['S256'],
        },
        notes: ['legacy-endpoints'],
      });
      expect(discovery).not.toHaveProperty('reason');
      expect(discovery).not.toHaveProperty('resource');
    });

    it('are tried after metadata at the origin', async () => {
      const script = [refused, html(pathForm), html(rootForm), get(oauth(origin), { json: serverMetadata(origin) })];
      const { discovery } = await discover(script, { legacyEndpoints: true });
      expect(discovery).toMatchObject({ method: 'OAuth', legacyEndpoints: false });
    });

    it('are not used for a server that needs no sign-in', async () => {
      const script = [openProbe, ...nothing.slice(0, 1), openTools, ...nothing.slice(1)];
      const { discovery } = await discover(script, { legacyEndpoints: true });
      expect(discovery).toMatchObject({ method: 'NoAuth', reason: 'PRM_MISSING' });
    });

    it('do not replace an authorization server that the resource names', async () => {
      const script = [challenged(), get(pathForm, { json: prm }), notFound(oauth(as)), notFound(openid(as))];
      const { discovery } = await discover(script, { legacyEndpoints: true });
      expect(discovery).toMatchObject({ method: 'NoAuth', reason: 'ASM_MISSING' });
    });
  });

  it('sends the most likely next requests together with the probe', async () => {
    const sent: string[] = [];
    const silent = {
      stream: (request: { url: string }) => (sent.push(request.url), new Promise<never>(() => {})),
      exchange: (request: { url: string }) => (sent.push(request.url), new Promise<never>(() => {})),
      resolveHost: () => Promise.reject(new Error('not expected')),
    };
    const { policy, clock } = discoveryScript(url, []);
    void discoverAuthenticationMethod({ http: silent, clock }, { url, policy });
    expect(sent).toEqual([url, pathForm, oauth(origin)]);
    void discoverAuthenticationMethod({ http: silent, clock }, { url, policy, authorizationServer: as });
    expect(sent.slice(3)).toEqual([url, pathForm]);
  });

  it('gives every request the remaining time, and stops when it runs out', async () => {
    const clock = createFakeClock();
    const { http, policy } = discoveryScript(url, [
      { ...challenged(), onRequest: () => clock.advance(4_000) },
      { ...notFound(pathForm), onRequest: () => clock.advance(1_000) },
      notFound(oauth(origin)),
      get(rootForm, { json: prm, onRequest: () => clock.advance(4_999) }),
      get(oauth(as), { status: 404, onRequest: () => clock.advance(1) }),
    ]);
    const discovery = await discoverAuthenticationMethod({ http, clock }, { url, policy });
    http.assertDone();
    expect(http.requests.map(({ deadline }) => deadline)).toEqual([10_000, 6_000, 5_000, 5_000, 1]);
    expect(discovery).toMatchObject({ method: 'NoAuth', reason: 'DEADLINE' });
  });

  it('stops at every step when the user cancels', async () => {
    const whole = inRequestOrder(url, [
      challenged(),
      get(pathForm, { json: prm }),
      get(oauth(as), { json: registering }),
    ]);
    for (let step = 0; step < whole.length; step += 1) {
      const controller = new AbortController();
      const script = whole
        // The first three are sent together, and the third is not awaited.
        .slice(0, step === 2 ? 4 : Math.max(3, step + 1))
        .map((exchange, index) => (index === step ? { ...exchange, onRequest: () => controller.abort() } : exchange));
      expect(await codeOf(discover(script, { signal: controller.signal }))).toBe('USER_CANCELLED');
    }
  });
});

describe('rediscover', () => {
  const first = [challenged(), get(pathForm, { json: prm }), get(oauth(as), { json: registering })];

  async function again(second: ScriptedExchange[], options: Partial<DiscoveryOptions> = {}, begin = first) {
    const { discovery } = await discover(begin, options);
    const { http, clock, policy } = discoveryScript(url, second);
    try {
      return await rediscover({ http, clock }, discovery, { policy, ...options });
    } finally {
      http.assertDone();
    }
  }

  it('reads both documents again, in parallel, for current endpoints and scopes (spec 3.2)', async () => {
    const { discovery } = await discover(first);
    const current = serverMetadata(as, { registration_endpoint: `${as}/register2`, scopes_supported: ['new'] });
    let inFlight = 0;
    const { http, clock, policy } = discoveryScript(url, [
      get(pathForm, { json: { ...prm, scopes_supported: ['new'] }, onRequest: () => (inFlight += 1) }),
      get(oauth(as), { json: current, onRequest: () => (inFlight += 1) }),
    ]);
    const running = rediscover({ http, clock }, discovery, { policy });
    expect(inFlight).toBe(2);
    expect(await running).toEqual({
      ...discovery,
      resourceMetadata: { ...prm, scopes_supported: ['new'] },
      metadata: current,
    });
    http.assertDone();
  });

  it('decides the method again', async () => {
    const second = [get(pathForm, { json: prm }), get(oauth(as), { json: serverMetadata(as) })];
    expect(await again(second)).toMatchObject({ method: 'OAuth' });
  });

  it('keeps the typed client', async () => {
    const second = [get(pathForm, { json: prm }), get(oauth(as), { json: registering })];
    expect(await again(second, { typedCredentials: true })).toMatchObject({ method: 'OAuth' });
  });

  it('reads metadata at the origin again if there is no resource metadata', async () => {
    const metadata = serverMetadata(`${origin}/oauth`);
    const begin = [refused, notFound(pathForm), notFound(rootForm), get(oauth(origin), { json: metadata })];
    const second = [get(oauth(origin), { json: metadata })];
    expect(await again(second, {}, begin)).toMatchObject({ issuerKey: `${origin}/oauth`, issuerFallback: 'origin' });
  });

  it('starts over without the probe if the resource names another authorization server', async () => {
    const other = 'https://two.example';
    const moved = { ...prm, authorization_servers: [other] };
    const result = await again([
      get(pathForm, { json: moved }),
      get(oauth(as), { json: registering }),
      get(pathForm, { json: moved }),
      get(oauth(other), { json: serverMetadata(other) }),
    ]);
    expect(result).toMatchObject({ issuerKey: other, authorizationServer: other, probeStatus: 401 });
  });

  it('starts over if a document is gone', async () => {
    const result = await again([
      get(pathForm, { json: prm }),
      notFound(oauth(as)),
      get(pathForm, { json: prm }),
      notFound(oauth(as)),
      get(openid(as), { json: registering }),
    ]);
    expect(result.metadataUrl).toBe(openid(as));
  });

  it('stops if the metadata has become hostile', async () => {
    const hostile = get(oauth(as), { json: serverMetadata('https://honest.test') });
    const second = [get(pathForm, { json: prm }), hostile, get(pathForm, { json: prm }), hostile];
    expect(await codeOf(again(second))).toBe('ISSUER_MISMATCH');
  });

  it('stops when the user cancels', async () => {
    const cancelled = new PosternError('USER_CANCELLED', { stage: 'discovery' });
    const second = [get(pathForm, { error: cancelled }), get(oauth(as), { json: registering })];
    expect(await codeOf(again(second))).toBe('USER_CANCELLED');
  });

  it('reads nothing if the default endpoints are used', async () => {
    const nothing = [notFound(pathForm), notFound(rootForm), notFound(oauth(origin)), notFound(openid(origin))];
    const result = await again([], { legacyEndpoints: true }, [refused, ...nothing]);
    expect(result).toMatchObject({ legacyEndpoints: true, method: 'OAuthWithDCR' });
  });
});
