import { describe, expect, it } from 'vitest';
import { toCommandError } from '../../../main/cli/output/describe-error.ts';
import { toPlainError } from '../../../main/errors/postern-error.ts';
import type { AuthorizationServerOptions, MetadataForm } from '../../demo/authorization-server-options.ts';
import type { McpServerOptions } from '../../demo/mcp-server-options.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { requestsTo, startPair } from '../../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection } from '../../support/prove-connection.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { approving, createTestEngine } from '../../support/test-engine.ts';

/** Ways in which servers publish metadata, each on oidc-provider and the demo MCP server. */

type Intercept = NonNullable<AuthorizationServerOptions['intercept']>;

const oauthForm = '/.well-known/oauth-authorization-server';

const answerHtml: Intercept = (request, response) => {
  if (!request.url?.startsWith(oauthForm)) return false;
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Please sign in</title>');
  return true;
};

const redirectMetadata: Intercept = (request, response) => {
  if (request.url !== oauthForm) return false;
  response.writeHead(302, { location: `${oauthForm}?published` }).end();
  return true;
};

async function connect(options: AuthorizationServerOptions, mcpOptions: McpServerOptions = {}) {
  const pair = await startPair(options, mcpOptions);
  const { integration } = await proveConnection(createTestEngine(), pair.mcp.url);
  return { ...pair, integration };
}

/** Returns this for every form of the metadata. */
const answerAll = (status: number, type: string, text: string): Intercept => {
  return (request, response) => {
    if (!request.url?.includes('/.well-known/')) return false;
    response.writeHead(status, { 'content-type': type }).end(text);
    return true;
  };
};

describe('authorization server metadata in no valid form', () => {
  it.each([
    ['an HTML page', answerAll(200, 'text/html', '<!doctype html><title>Please sign in</title>'), 'CONTENT_TYPE'],
    ['broken JSON', answerAll(200, 'application/json', '{"issuer":'), 'JSON_INVALID'],
    ['JSON without an issuer', answerAll(200, 'application/json', '{}'), 'SCHEMA_INVALID'],
  ])('but %s is blamed on the authorization server, not on the server that named it', async (_, intercept, code) => {
    const { as, mcp } = await startPair({ intercept });
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error).toMatchObject({ code, detail: { host: new URL(as.issuer).host } });
    expect(toPlainError(error).message).toContain(new URL(as.issuer).host);
    expect(toPlainError(error).message).not.toContain(new URL(mcp.url).host);
    await expectNothingStored(engine);
  });
});

describe('one bad element of a document', () => {
  type Document = Readonly<Record<string, unknown>>;

  it.each<[string, (listed: unknown) => unknown]>([
    ['a null beside the others', (listed) => [null, ...(listed as string[])]],
    ['an object beside the others', (listed) => [{}, ...(listed as string[])]],
    ['a text in place of the list', (listed) => (listed as string[]).join(' ')],
  ])('(%s) affects neither its list nor the rest (RFC 8414 2, RFC 9728 2)', async (_, spoil) => {
    const spoilLists = (document: Document): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(document).map(([name, value]) => [name, Array.isArray(value) ? spoil(value) : value]),
      );
    await connect({ metadata: spoilLists }, { metadata: spoilLists });
  });

  it.each<Document>([
    { revocation_endpoint: {} },
    { revocation_endpoint: '/revoke' },
    { device_authorization_endpoint: false },
    { client_id_metadata_document_supported: 'no', require_pushed_authorization_requests: 0 },
    { prompt_values_supported: {}, response_modes_supported: 5 },
    { pushed_authorization_request_endpoint: 7 },
  ])('%j is ignored', async (members) => {
    await connect({ metadata: (document) => ({ ...document, ...members }) });
  });

  it.each([5, {}, [null]])('%j as the registration endpoint makes Postern ask for a client ID', async (address) => {
    const { mcp } = await startPair({ metadata: (document) => ({ ...document, registration_endpoint: address }) }, {});
    const found = await runInProcess(['discover', mcp.url, '--local', '--json'], { home: temporaryFolder() });
    expect(found).toMatchObject({ code: 0, last: { method: 'OAuth' } });
  });

  it('is reported by discover and by the trace, and saved for doctor', async () => {
    const bad = (listed: unknown) => [null, ...(listed as string[]).slice(0, 1), 7];
    const { mcp } = await startPair(
      {
        metadata: (document) => ({
          ...document,
          scopes_supported: bad(document['scopes_supported']),
          revocation_endpoint: '/revoke',
          prompt_values_supported: {},
        }),
      },
      { metadata: (document) => ({ ...document, authorization_servers: bad(document['authorization_servers']) }) },
    );
    const options = { home: temporaryFolder() };
    const found = await runInProcess(['discover', mcp.url, '--local', '--trace', '--json'], options);
    expect(found.last['unusableMembers']).toEqual([
      ...[0, 2].map((at) => ({ document: 'resource-metadata', member: `authorization_servers[${at}]` })),
      ...['revocation_endpoint', 'scopes_supported[0]', 'scopes_supported[2]', 'prompt_values_supported'].map(
        (member) => ({ document: 'authorization-server-metadata', member }),
      ),
    ]);
    expect(found.lines).toContainEqual(
      expect.objectContaining({
        event: 'request',
        unusableMembers: ['authorization_servers[0]', 'authorization_servers[2]'],
      }),
    );
    const shown = await runInProcess(['discover', mcp.url, '--local', '--trace'], options);
    for (const text of [shown.stdout, shown.stderr]) expect(text).toContain('prompt_values_supported');
    const connected = await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes', '--json'], options);
    expect(connected.code).toBe(0);
    const { last } = await runInProcess(['doctor', '--json'], options);
    expect(last['checks']).toContainEqual(expect.objectContaining({ name: 'metadata', ok: true }));
  });

  it('a text of more than 8 KiB in an unneeded member is ignored', async () => {
    const members = {
      signed_metadata: 'e30.'.repeat(3_000),
      revocation_endpoint: `https://as.example/${'r'.repeat(9_000)}`,
      prompt_values_supported: ['p'.repeat(9_000)],
      resource_name: 'n'.repeat(9_000),
    };
    const spoil = (document: Document) => ({ ...document, ...members });
    await connect({ metadata: spoil }, { metadata: spoil });
  });
});

describe('an authorization server that the resource names', () => {
  it.each([500, 503, 429])(
    'and that responds with %i for its metadata has an error; trying later may help',
    async (status) => {
      const { as, mcp } = await startPair({ intercept: answerAll(status, 'text/plain', 'later') });
      const error = await failureOf(createTestEngine().connect(mcp.url, { legacyEndpoints: true }));
      expect(error).toMatchObject({ code: 'ASM_UNAVAILABLE', stage: 'discovery' });
      expect(toCommandError(error, {})).toMatchObject({
        message: expect.stringContaining(` ${new URL(as.issuer).host} `),
        nextStep: expect.stringMatching(/again later/u),
        retryable: true,
      });
    },
  );

  it('and that asks to wait is tried again after the time that it names (RFC 6585 4)', async () => {
    const { mcp } = await startPair({
      intercept: ({ url }, response) => {
        if (!url?.includes('/.well-known/')) return false;
        response.writeHead(429, { 'retry-after': '70' }).end();
        return true;
      },
    });
    const error = await failureOf(createTestEngine().connect(mcp.url));
    expect(error).toMatchObject({ code: 'ASM_UNAVAILABLE' });
    expect(toCommandError(error, {})).toMatchObject({
      message: expect.stringContaining('429'),
      nextStep: expect.stringContaining('70 seconds'),
    });
  });

  it('and that publishes nothing is no reason to suggest the default endpoints', async () => {
    const { mcp } = await startPair({ intercept: answerAll(404, 'text/plain', 'not here') });
    const error = await failureOf(createTestEngine().connect(mcp.url));
    expect(error.code).toBe('ASM_MISSING');
    const { nextStep } = toCommandError(error, {});
    expect(nextStep).toContain('--authorization-endpoint URL --token-endpoint URL');
    expect(nextStep).not.toContain('--legacy-endpoints');
  });
});

describe('a server with an internal error', () => {
  it.each([
    ['for its resource metadata', 500, /oauth-protected-resource/u],
    ['for its resource metadata', 503, /oauth-protected-resource/u],
    ['for its resource metadata', 429, /oauth-protected-resource/u],
    ['for all that it publishes', 503, /well-known/u],
    ['for the fallback of resource metadata', 503, /oauth-authorization-server|openid-configuration/u],
  ])('is not reported as one that publishes nothing: %s %i', async (_, status, failing) => {
    const { as, mcp } = await startPair(
      {},
      {
        intercept: ({ url = '' }, response) => {
          if (!url.includes('/.well-known/')) return false;
          response.writeHead(failing.test(url) ? status : 404, { 'retry-after': '70' }).end();
          return true;
        },
      },
    );
    const error = toCommandError(await failureOf(createTestEngine().connect(mcp.url)), {});
    expect(error).toMatchObject({
      blame: 'answer',
      retryable: true,
      message: expect.stringContaining(String(status)),
      nextStep: expect.stringMatching(/again after/u),
    });
    expect(error.nextStep).not.toMatch(/--legacy-endpoints|--authorization-endpoint/u);
    expect(requestsTo(as, '/register')).toEqual([]);
  });
});

describe('authorization server metadata', () => {
  it('skips a form that returns an HTML login page with 200 (MD-11)', async () => {
    const { as, integration } = await connect({ intercept: answerHtml });
    expect(integration).toMatchObject({ method: 'OAuthWithDCR', issuerKey: as.issuer });
  });

  it('follows a same-origin redirect of the metadata, in both discoveries', async () => {
    const { as } = await connect({ intercept: redirectMetadata, metadataForms: ['oauth'] });
    expect(requestsTo(as, oauthForm).map(({ status }) => status)).toEqual([302, 200, 302, 200]);
  });

  it.each<[MetadataForm, string]>([
    ['oidc-appended', '/tenant1'],
    ['oidc-inserted', '/tenant1'],
    ['oauth', '/tenant1'],
    ['oidc-inserted', ''],
  ])('finds metadata that has only the form %s, at issuer path "%s" (RFC 8414 5)', async (form, issuerPath) => {
    const { as, integration } = await connect({ issuerPath, metadataForms: [form] });
    expect(integration.issuerKey).toBe(as.issuer);
  });

  it('accepts an issuer named with a trailing slash and published without, and reports it (spec 2.3)', async () => {
    const { as, integration } = await connect(
      {},
      {
        metadata: (document) => ({
          ...document,
          authorization_servers: [`${String(document['authorization_servers'])}/`],
        }),
      },
    );
    expect(integration).toMatchObject({
      issuerKey: as.issuer,
      authorizationServer: `${as.issuer}/`,
      issuerFallback: 'trailing-slash',
      notes: ['issuer-trailing-slash'],
    });
  });

  it('accepts an issuer on another subdomain of the same registrable domain, and reports it (spec 2.3)', async () => {
    const { as, mcp } = await startPair(
      { hostname: 'auth.notes.localhost' },
      {
        metadata: (document) => ({
          ...document,
          authorization_servers: [String(document['authorization_servers']).replace('auth.', 'login.')],
        }),
      },
    );
    const onThisComputer = (url: URL): URL => Object.assign(new URL(url), { hostname: '127.0.0.1' });
    const engine = createTestEngine({
      http: { lookup: async () => [{ address: '127.0.0.1', family: 4 }] },
      user: approving({ reach: onThisComputer }),
    });
    const { integration } = await proveConnection(engine, mcp.url);
    const requestedIssuer = as.issuer.replace('auth.', 'login.');
    expect(integration).toMatchObject({
      issuerKey: `${as.issuer}#${requestedIssuer}`,
      authorizationServer: requestedIssuer,
      issuerFallback: 'subdomain',
      notes: ['issuer-subdomain'],
    });
  });
});

describe('protected resource metadata', () => {
  it('falls back to the well-known address when the challenge names one that is 404 (RFC 9728 5.1)', async () => {
    const { mcp, integration } = await connect({}, { challenge: { resourceMetadata: '/gone' } });
    expect(requestsTo(mcp, '/gone').map(({ status }) => status)).toEqual([404]);
    expect(integration.notes).toEqual(['challenge-metadata-url-unusable']);
  });

  it('finds everything from a 401 without a hint', async () => {
    const { integration } = await connect({}, { challenge: 'none' });
    expect(integration).toMatchObject({ method: 'OAuthWithDCR', notes: [] });
  });

  it('finds everything from a 401 without a hint, the metadata at the root only', async () => {
    const { integration } = await connect({}, { challenge: 'none', resourceMetadata: 'root' });
    expect(integration.method).toBe('OAuthWithDCR');
  });

  it('accepts a resource that is the origin of the server, and sends it verbatim (RFC 8707 2)', async () => {
    const { as, mcp, integration } = await connect({}, { resource: (url) => new URL(url).origin });
    expect(integration.resource).toBe(mcp.origin);
    expect(requestsTo(as, '/authorize')[0]?.query.get('resource')).toBe(mcp.origin);
    expect(requestsTo(as, '/token')[0]?.body?.['resource']).toBe(mcp.origin);
  });

  it('detects the need to sign in by tools/list if initialize is public', async () => {
    const { integration } = await connect({}, { openMethods: ['initialize', 'server/discover'] });
    expect(integration.method).toBe('OAuthWithDCR');
  });
});
