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
  inWireOrder,
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
  const exchanges = options.challenge === undefined ? inWireOrder(url, script, options.authorizationServer) : script;
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
  it('needs three requests where the server names everything', async () => {
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

  it('keeps the resource as it is published, verbatim (RFC 8707 section 2)', async () => {
    const { discovery } = await discover([
      challenged(),
      get(pathForm, { json: { ...prm, resource: 'HTTPS://MCP.example:443' } }),
      get(oauth(as), { json: registering }),
    ]);
    expect(discovery.resource).toBe('HTTPS://MCP.example:443');
  });

  it('takes a challenge that came later instead of the probe', async () => {
    const script = [get(pathForm, { json: prm }), get(oauth(as), { json: registering })];
    const { discovery } = await discover(script, { challenge: { scope: 'write', error: 'insufficient_scope' } });
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', challenge: { scope: 'write' } });
    expect(discovery).not.toHaveProperty('probeStatus');
  });

  it('finds the metadata of a server that opens its handshake and refuses tools/list', async () => {
    const { discovery } = await discover([
      openProbe,
      get(pathForm, { json: prm }),
      challenged(),
      get(oauth(as), { json: registering }),
    ]);
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', probeStatus: 200, challenge: { scope: 'read' } });
  });

  it('asks at the address of the tools/list challenge, not at the form that went out with it', async () => {
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

  it('offers sign-in for an open server that publishes one', async () => {
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
    ['every answer is HTML', [refused, html(pathForm), html(rootForm)], 'CONTENT_TYPE', 'mcp.example'],
    [
      'the origin answers HTML',
      [refused, notFound(pathForm), notFound(rootForm), html(oauth(origin)), html(openid(origin))],
      'CONTENT_TYPE',
      'mcp.example',
    ],
    [
      'the named server answers HTML',
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
    expect(discovery.unread?.detail ?? {}).toEqual(
      reasonHost === undefined
        ? expect.not.objectContaining({ host: expect.anything() })
        : expect.objectContaining({ host: reasonHost }),
    );
    expect(discovery).not.toHaveProperty('metadata');
    expect(discovery).not.toHaveProperty('issuerKey');
  });

  it.each([
    // MCP 2025-03-26: what stands in for metadata is for servers that name no sign-in service.
    ['names a sign-in service that publishes nothing', get(pathForm, { json: prm }), 'type-endpoints'],
    ['publishes nothing', notFound(pathForm), undefined],
  ])('knows what helps where the server %s', async (_, document, kind) => {
    const rest = kind
      ? [notFound(oauth(as)), notFound(openid(as))]
      : [notFound(rootForm), notFound(oauth(origin)), notFound(openid(origin))];
    const { discovery } = await discover([refused, document, ...rest]);
    expect(discovery.unread?.remedy?.kind).toBe(kind);
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

  it('records by which exception an issuer was accepted', async () => {
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

    it('are used when nothing is published and the person wants them (MCP 2025-03-26)', async () => {
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

    it('come after metadata at the origin', async () => {
      const script = [refused, html(pathForm), html(rootForm), get(oauth(origin), { json: serverMetadata(origin) })];
      const { discovery } = await discover(script, { legacyEndpoints: true });
      expect(discovery).toMatchObject({ method: 'OAuth', legacyEndpoints: false });
    });

    it('are not used for a server that needs no sign-in', async () => {
      const script = [openProbe, ...nothing.slice(0, 1), openTools, ...nothing.slice(1)];
      const { discovery } = await discover(script, { legacyEndpoints: true });
      expect(discovery).toMatchObject({ method: 'NoAuth', reason: 'PRM_MISSING' });
    });

    it('do not stand in for an authorization server that the resource names', async () => {
      const script = [challenged(), get(pathForm, { json: prm }), notFound(oauth(as)), notFound(openid(as))];
      const { discovery } = await discover(script, { legacyEndpoints: true });
      expect(discovery).toMatchObject({ method: 'NoAuth', reason: 'ASM_MISSING' });
    });
  });

  it('sends out together with the probe what it will most likely need next', async () => {
    const sent: string[] = [];
    const silent = {
      stream: ({ url: asked }: { url: string }) => (sent.push(asked), new Promise<never>(() => {})),
      exchange: ({ url: asked }: { url: string }) => (sent.push(asked), new Promise<never>(() => {})),
      locate: () => Promise.reject(new Error('not asked for')),
    };
    const { policy, clock } = discoveryScript(url, []);
    void discoverAuthenticationMethod({ http: silent, clock }, { url, policy });
    expect(sent).toEqual([url, pathForm, oauth(origin)]);
    void discoverAuthenticationMethod({ http: silent, clock }, { url, policy, authorizationServer: as });
    expect(sent.slice(3)).toEqual([url, pathForm]);
  });

  it('gives every request what is left of the time, and asks no more when none is', async () => {
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

  it('ends when the person cancels, wherever it is', async () => {
    const whole = inWireOrder(url, [challenged(), get(pathForm, { json: prm }), get(oauth(as), { json: registering })]);
    for (let step = 0; step < whole.length; step += 1) {
      const controller = new AbortController();
      const script = whole
        // The first three leave together, and nobody waits for the third.
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

  it('reads both documents once more, together, for current endpoints and scopes (spec 3.2)', async () => {
    const { discovery } = await discover(first);
    const current = serverMetadata(as, { registration_endpoint: `${as}/register2`, scopes_supported: ['new'] });
    let underWay = 0;
    const { http, clock, policy } = discoveryScript(url, [
      get(pathForm, { json: { ...prm, scopes_supported: ['new'] }, onRequest: () => (underWay += 1) }),
      get(oauth(as), { json: current, onRequest: () => (underWay += 1) }),
    ]);
    const running = rediscover({ http, clock }, discovery, { policy });
    expect(underWay).toBe(2);
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

  it('keeps to the client that was typed', async () => {
    const second = [get(pathForm, { json: prm }), get(oauth(as), { json: registering })];
    expect(await again(second, { typedCredentials: true })).toMatchObject({ method: 'OAuth' });
  });

  it('reads metadata at the origin again where there is no resource metadata', async () => {
    const metadata = serverMetadata(`${origin}/oauth`);
    const begin = [refused, notFound(pathForm), notFound(rootForm), get(oauth(origin), { json: metadata })];
    const second = [get(oauth(origin), { json: metadata })];
    expect(await again(second, {}, begin)).toMatchObject({ issuerKey: `${origin}/oauth`, issuerFallback: 'origin' });
  });

  it('begins anew, without the probe, when the resource names another authorization server', async () => {
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

  it('begins anew when a document is gone', async () => {
    const result = await again([
      get(pathForm, { json: prm }),
      notFound(oauth(as)),
      get(pathForm, { json: prm }),
      notFound(oauth(as)),
      get(openid(as), { json: registering }),
    ]);
    expect(result.metadataUrl).toBe(openid(as));
  });

  it('stops when the metadata has become hostile', async () => {
    const hostile = get(oauth(as), { json: serverMetadata('https://honest.test') });
    const second = [get(pathForm, { json: prm }), hostile, get(pathForm, { json: prm }), hostile];
    expect(await codeOf(again(second))).toBe('ISSUER_MISMATCH');
  });

  it('ends when the person cancels', async () => {
    const cancelled = new PosternError('USER_CANCELLED', { stage: 'discovery' });
    const second = [get(pathForm, { error: cancelled }), get(oauth(as), { json: registering })];
    expect(await codeOf(again(second))).toBe('USER_CANCELLED');
  });

  it('has nothing to read where the default endpoints are used', async () => {
    const nothing = [notFound(pathForm), notFound(rootForm), notFound(oauth(origin)), notFound(openid(origin))];
    const result = await again([], { legacyEndpoints: true }, [refused, ...nothing]);
    expect(result).toMatchObject({ legacyEndpoints: true, method: 'OAuthWithDCR' });
  });
});
