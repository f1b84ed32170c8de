import { describe, expect, it } from 'vitest';
import { tokensKey } from '../../main/engine/records/stored-secrets.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { callbackUrl } from '../../main/engine/sign-in/callback-address.ts';
import { renewIntegration } from '../../main/operations/servers.ts';
import { Secret } from '../../main/secret.ts';
import type { Integration } from '../../shared/integration.ts';
import type { AuthorizationServerOptions, EndpointResponse } from '../demo/authorization-server-options.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { hasTicket, ticketOf } from '../support/connection-facts.ts';
import { requestsTo, startPair, startServer } from '../support/demo-pair.ts';
import { failureOf, proveConnection, proveUse } from '../support/prove-connection.ts';
import { createJwtSigner } from '../support/signed-jwt.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngine } from '../support/test-engine.ts';

/**
 * Enterprise-managed authorization (SEP-990): oidc-provider as the company's identity provider, which exchanges its own
 * ID tokens, and another one as the sign-in service of an MCP server.
 */

const { signal } = new AbortController();
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
const grant = 'enterprise';
const atServer = { clientId: 'postern-at-notes', clientSecret: 'SECRET-AT-THE-NOTES' };
const atProvider = 'postern-at-company';
const credentials = { ...atServer, clientSecret: new Secret(atServer.clientSecret) };

type Claims = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string | undefined>>;

interface Company {
  /** Changes each assertion, and the response that contains it. */
  claims: Claims;
  header: Claims;
  change: (response: EndpointResponse) => EndpointResponse;
}

/** A company whose provider signs in for the server of a service. */
async function startCompany(ofProvider: AuthorizationServerOptions = {}) {
  const signer = createJwtSigner();
  const spoilt: Company = { claims: {}, header: {}, change: (response) => response };
  const shown: string[] = [];
  const given: string[] = [];
  const requests: Parameters[] = [];
  const pair = await startPair({
    registration: 'off',
    typedClients: [{ id: atServer.clientId, secret: atServer.clientSecret, redirectUris: [], grantTypes: [jwtBearer] }],
    assertions: (assertion, clientId) => {
      shown.push(assertion);
      const claims = signer.read(assertion);
      return claims?.['aud'] === pair.as.issuer && claims['client_id'] === clientId;
    },
  });
  const provider = await startServer({
    resourceRequired: false,
    registration: 'off',
    typedClients: [
      {
        id: atProvider,
        redirectUris: [callbackUrl({ host: '127.0.0.1', port: 1 })],
        grantTypes: ['authorization_code', 'refresh_token', tokenExchange],
      },
    ],
    exchange: (request, subject) => {
      requests.push(request);
      const { audience: aud, resource } = request;
      const claims = { iss: provider.issuer, sub: subject, aud, resource, client_id: atServer.clientId };
      const text = signer.sign({ ...claims, ...spoilt.claims }, { typ: 'oauth-id-jag+jwt', ...spoilt.header });
      given.push(text);
      const body = { access_token: text, issued_token_type: idJag, token_type: 'N_A', expires_in: 300 };
      return spoilt.change({ status: 200, body });
    },
    ...ofProvider,
  });
  return { ...pair, provider, signer, spoilt, shown, given, requests };
}

type RunningCompany = Awaited<ReturnType<typeof startCompany>>;

async function signInAt(engine: TestEngine, { provider }: Pick<RunningCompany, 'provider'>): Promise<Integration> {
  const options = { isIdentityProvider: true, credentials: { clientId: atProvider } };
  const { integration, tools, warnings } = await engine.connect(provider.origin, options);
  expect({ tools, warnings }).toEqual({ tools: [], warnings: [] });
  return integration;
}

const through = ({ id }: Integration) => ({ grant, identityProvider: id, credentials }) as const;
const recordOf = (engine: TestEngine, { id, issuerKey = '' }: Integration) =>
  engine.vault.read(tokensKey(id, issuerKey));

/** As after a night: the ID token has expired, regardless of the signer. */
async function endIdToken(engine: TestEngine, provider: Integration, { signer }: RunningCompany): Promise<void> {
  const record = (await recordOf(engine, provider)) as { readonly identity: object };
  const idToken = signer.sign({ exp: 1_000 });
  const key = tokensKey(provider.id, provider.issuerKey ?? '');
  await engine.vault.write(key, { ...record, identity: { ...record.identity, idToken } });
}

describe('a server with an enterprise sign-in', () => {
  it('is used with assertions of its provider, for two servers with one sign-in', async () => {
    const company = await startCompany();
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const { integration } = await proveConnection(engine, company.mcp.url, through(provider));
    expect(engine.opened).toHaveLength(1);
    expect(company.requests[0]).toMatchObject({
      audience: company.as.issuer,
      resource: company.mcp.url,
      requested_token_type: idJag,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      client_id: atProvider,
    });
    const [first] = requestsTo(company.as, '/token');
    expect(first?.body).toMatchObject({ grant_type: jwtBearer, resource: company.mcp.url });
    expect(integration).toMatchObject({ hasRefreshToken: true, options: { grant, identityProvider: provider.id } });
    await proveConnection(engine, company.mcp.url, { ...through(provider), scope: 'files:read' });
    expect(engine.opened).toHaveLength(1);
  });

  it('gets a new assertion at each refresh, and stores none (EM-07)', async () => {
    const company = await startCompany();
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const { integration } = await engine.connect(company.mcp.url, through(provider));
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    await proveUse(engine, await engine.read(integration));
    expect(new Set(company.shown).size).toBe(2);
    const stored = JSON.stringify([await recordOf(engine, integration), await engine.read(integration)]);
    for (const text of company.given) expect(stored).not.toContain(text.split('.')[2]);
    expect(stored).not.toContain('idToken');
  });

  it('has its provider refresh an expired ID token', async () => {
    const company = await startCompany();
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const { integration } = await engine.connect(company.mcp.url, through(provider));
    await endIdToken(engine, provider, company);
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    expect(requestsTo(company.provider, '/token').map(({ body }) => body?.['grant_type'])).toContain('refresh_token');
    expect(engine.opened).toHaveLength(1);
  });

  it('requires a sign-in to the provider if that refreshes nothing', async () => {
    const company = await startCompany({ issueRefreshTokens: false });
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const { integration } = await engine.connect(company.mcp.url, through(provider));
    await endIdToken(engine, provider, company);
    const error = await failureOf(renewIntegration(engine.ports, integration, { signal }));
    expect(error).toMatchObject({ code: 'PROVIDER_SIGN_IN', detail: { name: provider.name } });
    // The current access token stays valid.
    await proveUse(engine, await engine.read(integration));
  });

  it('requires a sign-in to the provider if the user has signed out of it', async () => {
    const company = await startCompany();
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    await signOut(engine.ports, provider, signal);
    const error = await failureOf(engine.connect(company.mcp.url, through(provider)));
    expect(error).toMatchObject({ code: 'PROVIDER_SIGN_IN' });
    expect(company.requests).toEqual([]);
  });

  it('reports that the provider does not vouch for the user', async () => {
    const company = await startCompany();
    company.spoilt.change = () => ({ status: 400, body: { error: 'access_denied' } });
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const error = await failureOf(engine.connect(company.mcp.url, through(provider)));
    expect(error).toMatchObject({ code: 'IDENTITY_REFUSED', detail: { host: new URL(company.provider.origin).host } });
  });
});

describe('an assertion that is not passed on (EM-01, EM-02, EM-03, EM-04, EM-05, EM-06)', () => {
  it.each([
    ['for another service (EM-01)', 'audience', { claims: { aud: 'https://other.example' } }],
    ['for another service besides (EM-01)', 'audience', { claims: { aud: ['https://other.example', 'OURS'] } }],
    ['for nobody (EM-01)', 'audience', { claims: { aud: [] } }],
    ['in the name of another provider (EM-02)', 'issuer', { claims: { iss: 'https://other.example' } }],
    ['for another client (EM-03)', 'client', { claims: { client_id: 'another-client' } }],
    ['that has ended (EM-04)', 'ended', { claims: { exp: 1_000 } }],
    ['without an end (EM-04)', 'format', { claims: { exp: undefined } }],
    ['of another kind (EM-05)', 'type', { header: { typ: 'JWT' } }],
    ['that nobody has signed (EM-05)', 'format', { header: { alg: 'none' } }],
    ['for another server (EM-06)', 'resource', { claims: { resource: 'https://other.example/mcp' } }],
  ] as [string, string, { claims?: Claims; header?: Claims }][])(
    '%s',
    async (_, fault, { claims = {}, header = {} }) => {
      const company = await startCompany();
      const { aud } = claims;
      const ours = Array.isArray(aud)
        ? { aud: aud.map((one) => (one === 'OURS' ? company.as.issuer : String(one))) }
        : {};
      Object.assign(company.spoilt, { claims: { ...claims, ...ours }, header });
      const engine = createTestEngine();
      const provider = await signInAt(engine, company);
      const error = await failureOf(engine.connect(company.mcp.url, through(provider)));
      expect(error).toMatchObject({ code: 'IDENTITY_INVALID', detail: { fault } });
      expect(company.given).toHaveLength(1);
      expect(company.shown).toEqual([]);
      expect(requestsTo(company.as, '/token')).toEqual([]);
      expect((await engine.ports.store.list()).map(({ id }) => id)).toEqual([provider.id]);
    },
  );

  it('with a response that calls it an access token (EM-05)', async () => {
    const company = await startCompany();
    company.spoilt.change = ({ status, body }) => ({
      status,
      body: { ...(body as object), issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    });
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const error = await failureOf(engine.connect(company.mcp.url, through(provider)));
    expect(error).toMatchObject({ code: 'IDENTITY_INVALID', detail: { fault: 'type' } });
    expect(company.shown).toEqual([]);
  });
});

describe('the window', () => {
  it('connects the provider, then a server with it, with one sign-in', async () => {
    const company = await startCompany();
    const desktop = await createTestDesktop({ onPage: (url) => void completeSignIn(url).catch(() => {}) });
    const connect = async (url: string, options: object, client: { clientId: string; clientSecret?: string }) => {
      const chosen = { local: true, ...options };
      const checked = 'isIdentityProvider' in options ? chosen : { local: true };
      const { id } = await desktop.call('connection:discover', { url, options: checked });
      await desktop.connection(id, ({ state }) => state.name === 'discovered');
      await desktop.call('connection:start', { id, options: chosen, ownOAuthApp: true });
      await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
      await desktop.call('connection:submitCredentials', { id, ...client });
      const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
      return (await desktop.call('connection:install', { ticketId })).integrationId;
    };
    const provider = await connect(company.provider.origin, { isIdentityProvider: true }, { clientId: atProvider });
    const server = await connect(company.mcp.url, { grant, identityProvider: provider }, atServer);
    expect((await desktop.call('integration:tools', { id: server })).tools.length).toBeGreaterThan(0);
    expect(desktop.popups).toHaveLength(1);
    expect(company.shown).toHaveLength(1);
  });
});

describe('an identity provider', () => {
  it('gets no request as an MCP server', async () => {
    const company = await startCompany();
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const before = company.provider.requests.length;
    expect(await failureOf(engine.tools(provider))).toMatchObject({ code: 'PROVIDER_ONLY' });
    expect(company.provider.requests).toHaveLength(before);
  });

  it('is rejected without an ID token from the sign-in', async () => {
    const company = await startCompany({
      answer: (route, { status, body }) => {
        const { id_token: _, ...rest } = (body ?? {}) as Record<string, unknown>;
        return { status, body: route === 'token' ? rest : body };
      },
    });
    const engine = createTestEngine();
    const error = await failureOf(signInAt(engine, company));
    expect(error).toMatchObject({ code: 'IDENTITY_INVALID', detail: { fault: 'missing' } });
    expect(await engine.ports.store.list()).toEqual([]);
  });

  it('cannot be a server that the settings name as one, nor itself (EM-08)', async () => {
    const company = await startCompany();
    const engine = createTestEngine();
    const provider = await signInAt(engine, company);
    const { integration } = await engine.connect(company.mcp.url, through(provider));
    const { length } = company.requests;
    for (const more of [{}, { isIdentityProvider: true }]) {
      const options = { ...integration.options, identityProvider: integration.id, ...more };
      const edited = await engine.ports.store.write({ ...integration, options });
      const error = await failureOf(renewIntegration(engine.ports, edited, { signal }));
      expect(error).toMatchObject({ code: 'PROVIDER_SIGN_IN' });
    }
    expect(company.requests).toHaveLength(length);
  });
});

describe('postern connect --identity-provider', () => {
  it('connects and calls a tool, and shows neither ID token nor assertion (EM-07)', async () => {
    const company = await startCompany();
    const home = temporaryFolder();
    const { provider, mcp } = company;
    const words = [
      'connect',
      provider.origin,
      '--as-provider',
      '--local',
      '--client-id',
      atProvider,
      '--name',
      'Company',
    ];
    const connected = await runInProcess([...words, '--trace', '--json'], { home });
    expect(connected).toMatchObject({ code: 0, last: { tools: [] } });
    const server = ['connect', mcp.url, '--local', '--identity-provider', 'Company', '--client-id', atServer.clientId];
    const input = { home, stdin: `${atServer.clientSecret}\n` };
    const notes = await runInProcess(
      [...server, '--client-secret-stdin', '--name', 'Notes', '--trace', '--json'],
      input,
    );
    expect(notes).toMatchObject({ code: 0 });
    const called = await runInProcess(['call', 'Notes', 'word_count', '{"text":"a b"}', '--json'], { home });
    expect(called).toMatchObject({ code: 0 });
    const sheets = [await runInProcess(['show', 'Notes'], { home }), await runInProcess(['show', 'Company'], { home })];
    expect(sheets[0]?.stdout).toContain('Company');
    expect(sheets[1]?.stdout).toContain('Notes');
    const refused = await runInProcess(['tools', 'Company', '--json'], { home });
    expect(refused.last).toMatchObject({ error: { code: 'PROVIDER_ONLY' } });
    const signedOut = await runInProcess(['sign-out', 'Company', '--json'], { home });
    expect(signedOut).toMatchObject({ code: 0 });
    const doctor = await runInProcess(['doctor', '--json'], { home });
    expect(JSON.stringify(doctor.last['checks'])).toContain('PROVIDER_SIGN_IN');
    const removed = await runInProcess(['remove', 'Company', '--json'], { home });
    expect(removed.last['withoutProvider']).toHaveLength(1);
    const output = [connected, notes, called, ...sheets, refused, removed].flatMap((run) => [run.stdout, run.stderr]);
    const idToken = company.requests[0]?.['subject_token'] ?? 'none';
    for (const secret of [idToken, ...company.given].map((text) => text.split('.')[2] ?? text)) {
      expect(output.join('')).not.toContain(secret);
    }
  });

  it.each([
    [['--identity-provider', 'x']],
    [['--identity-provider', 'x', '--client-id', 'a', '--as-provider']],
    [['--identity-provider', 'x', '--client-id', 'a', '--sign-in', 'device']],
  ])('with %j is a usage error', async (more) => {
    const result = await runInProcess(['connect', 'https://mcp.example', ...more, '--json'], {
      home: temporaryFolder(),
    });
    expect(result).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
  });
});
