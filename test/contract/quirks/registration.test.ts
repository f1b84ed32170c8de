import { describe, expect, it } from 'vitest';
import { toCommandError } from '../../../main/cli/output/describe-error.ts';
import { Secret } from '../../../main/secret.ts';
import type { AuthorizationServerOptions, EndpointResponse } from '../../demo/authorization-server-options.ts';
import { requestsTo, startPair, startResource } from '../../support/demo-pair.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { basicPair } from '../../support/oauth-fixtures.ts';
import { expectNothingStored, failureOf, proveConnection, proveUse } from '../../support/prove-connection.ts';
import { startScriptedAuthorizationServer } from '../../support/scripted-authorization-server.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { without } from '../../support/without.ts';

/**
 * Ways in which servers respond to a registration (RFC 7591): oidc-provider does it, and a filter rewrites the
 * response.
 */

type Registered = Record<string, unknown>;

/** Changes the document of a successful registration. */
function registered(change: (document: Registered) => Registered, status = 201): AuthorizationServerOptions {
  return {
    answer: (route, response): EndpointResponse =>
      route === 'registration' && response.status === 201
        ? { status, body: change(response.body as Registered) }
        : response,
  };
}

const publicOnly: AuthorizationServerOptions = {
  metadata: (document) => ({ ...document, token_endpoint_auth_methods_supported: ['none'] }),
};

describe('a registration response', () => {
  it.each<[string, AuthorizationServerOptions, string[]]>([
    ['answers 200 instead of 201', registered((document) => document, 200), ['registration-status-not-201']],
    [
      'leaves out token_endpoint_auth_method',
      registered(without('token_endpoint_auth_method')),
      ['authentication-method-unspecified'],
    ],
    [
      'has a string client_id_issued_at',
      registered((document) => ({ ...document, client_id_issued_at: String(document['client_id_issued_at']) })),
      [],
    ],
    ...[false, '', '0', '4102444800', 1e13, '9'.repeat(30), 'never', '2130-01-01T00:00:00Z', {}, []].map(
      (never): [string, AuthorizationServerOptions, string[]] => [
        `has client_secret_expires_at: ${JSON.stringify(never)}`,
        registered((document) => ({ ...document, client_secret_expires_at: never })),
        [],
      ],
    ),
    [
      'has the method in upper case, and its redirect URI as a text',
      registered(({ token_endpoint_auth_method: method, redirect_uris: uris, ...document }) => ({
        ...document,
        token_endpoint_auth_method: String(method).toUpperCase(),
        redirect_uris: (uris as string[])[0],
      })),
      [],
    ],
    [
      'has null beside its redirect URI',
      registered((document) => ({ ...document, redirect_uris: [null, ...(document['redirect_uris'] as string[])] })),
      [],
    ],
    [
      'has long unneeded texts',
      registered((document) => ({
        ...document,
        logo_uri: `data:image/png;base64,${'A'.repeat(9_000)}`,
        software_statement: 'e30.'.repeat(3_000),
        registration_access_token: 'r'.repeat(9_000),
        registration_client_uri: `https://as.example/${'c'.repeat(9_000)}`,
      })),
      [],
    ],
    [
      'has a secret too long to be one, for a public client',
      { ...publicOnly, ...registered((document) => ({ ...document, client_secret: 's'.repeat(9_000) })) },
      [],
    ],
    ['has logo_uri: null', registered((document) => ({ ...document, logo_uri: null, policy_uri: null })), []],
    ['leaves out client_secret_expires_at', registered(without('client_secret_expires_at')), []],
    [
      'has a secret although none was requested',
      {
        ...publicOnly,
        ...registered((document) => ({ ...document, client_secret: 'unrequested', client_secret_expires_at: 0 })),
      },
      ['secret-for-public-client'],
    ],
    [
      'has a secret although none was requested, and no method',
      {
        ...publicOnly,
        ...registered((document) => ({
          ...without('token_endpoint_auth_method')(document),
          client_secret: 'unrequested',
          client_secret_expires_at: 0,
        })),
      },
      ['authentication-method-unspecified'],
    ],
  ])('that %s leads to a connection, with a note', async (_, options, notes) => {
    const { as, mcp } = await startPair(options);
    const { integration } = await proveConnection(createTestEngine(), mcp.url);
    expect(integration.notes).toEqual(notes);
    expect(requestsTo(as, '/token').map(({ status }) => status)).toEqual([200]);
  });

  it('never sends the secret of a client that it registered as public', async () => {
    const { mcp } = await startPair({
      ...publicOnly,
      ...registered((document) => ({ ...document, client_secret: 'unrequested', client_secret_expires_at: 0 })),
    });
    const engine = createTestEngine();
    await proveConnection(engine, mcp.url);
    expect(JSON.stringify(engine.sent)).not.toContain('unrequested');
  });
});

describe('a client secret that expires', () => {
  const hour = 3_600_000;
  const clock = createFakeClock(Date.now());
  const expiring = registered((document) => ({
    ...document,
    client_secret_expires_at: Math.floor(clock.now() / 1000) + 3_600,
  }));

  it('is reused while it is valid, and replaced by a new registration afterwards (RFC 7591 3.2.1)', async () => {
    const { as, mcp } = await startPair(expiring);
    const engine = createTestEngine({ clock });
    await engine.connect(mcp.url);
    await engine.connect(mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(1);

    clock.advance(hour);
    await proveConnection(engine, mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(2);
  });

  it('leads to one more sign-in, with a new client, when the server rejects it at a refresh', async () => {
    const expired = new Set<string>();
    const { as, mcp } = await startPair({
      accessTokenSeconds: 1_000,
      intercept: ({ url, headers }, response) => {
        const [clientId = ''] = basicPair({ authorization: headers.authorization ?? '' })?.split(':') ?? [];
        if (url !== '/token' || !expired.has(clientId)) return false;
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end('{"error":"invalid_client","error_description":"Client secret has expired"}');
        return true;
      },
    });
    const own = createFakeClock(Date.now());
    const engine = createTestEngine({ clock: own });
    const { integration } = await engine.connect(mcp.url);

    expired.add(requestsTo(as, '/authorize')[0]?.query.get('client_id') ?? '');
    own.advance(900_000);
    // The access token is still valid: what cannot be refreshed does no harm yet.
    expect(await engine.tools(integration)).toContain('whoami');
    own.advance(100_000);
    expect(await failureOf(engine.tools(integration))).toMatchObject({
      code: 'SIGN_IN_REQUIRED',
      cause: { code: 'CLIENT_REJECTED' },
    });
    expect(requestsTo(as, '/register')).toHaveLength(1);

    expect(await engine.tools(integration, { signIn: true })).toContain('whoami');
    expect(requestsTo(as, '/register')).toHaveLength(2);
    const clients = requestsTo(as, '/authorize').map(({ query }) => query.get('client_id'));
    expect(new Set(clients).size).toBe(2);
  });
});

describe('a registration that is rejected', () => {
  it('is sent again without scope after a 400 (servers reject scopes that they do not list)', async () => {
    const { as, mcp } = await startPair({ scopesSupported: ['notes:read', 'notes:write'] });
    const engine = createTestEngine();
    const { integration, warnings } = await engine.connect(mcp.url, { scope: 'notes:read notes:write extra' });
    await proveUse(engine, integration);
    expect(warnings.map(({ code }) => code)).toEqual(['SCOPE_REDUCED']);
    expect(requestsTo(as, '/register').map(({ status, body }) => [status, body?.['scope']])).toEqual([
      [400, 'notes:read notes:write extra'],
      [400, 'notes:read notes:write extra'],
      [201, undefined],
    ]);
    expect(integration.notes).toEqual(['registered-without-scope']);
  });

  const fiveMembers = ['client_name', 'grant_types', 'redirect_uris', 'scope', 'token_endpoint_auth_method'];
  /** Responds with 201 to a request with no other members than `known`. */
  const strict = (known: readonly string[], status: number) =>
    startScriptedAuthorizationServer({
      authentication: 'basic',
      register: (body) =>
        Object.keys(body).every((name) => known.includes(name))
          ? undefined
          : { status, json: { error: 'invalid_client_metadata' } },
      registered: { token_endpoint_auth_method: 'client_secret_basic' },
    });

  it.each([400, 422])(
    'with %i for members beyond the five of spec 2.4 is sent with those only, the second time',
    async (status) => {
      const as = await strict(fiveMembers, status);
      const mcp = await startResource(as);
      const { integration } = await proveConnection(createTestEngine(), mcp.url);
      expect(integration.notes).toEqual(['registered-with-five-members']);
      expect(as.count('/register')).toBe(2);
    },
  );

  it('for those members and for the scope too is finally sent without both', async () => {
    const as = await strict(
      fiveMembers.filter((name) => name !== 'scope'),
      400,
    );
    const mcp = await startResource(as);
    const { integration } = await proveConnection(createTestEngine(), mcp.url);
    expect(integration.notes).toEqual(['registered-without-scope', 'registered-with-five-members']);
    expect(as.count('/register')).toBe(4);
  });

  const busy = (times: number, status = 429): AuthorizationServerOptions => {
    let remaining = times;
    return {
      intercept: (request, response) => {
        if (request.url !== '/register' || remaining === 0) return false;
        remaining -= 1;
        response.writeHead(status, { 'retry-after': '120' }).end();
        return true;
      },
    };
  };

  it.each([429, 503])(
    'with %i is not repeated automatically: it ends with a typed error, and nothing is stored',
    async (status) => {
      const { as, mcp } = await startPair(busy(1, status));
      const clock = createFakeClock(Date.now());
      const engine = createTestEngine({ clock });
      const error = await failureOf(engine.connect(mcp.url));
      expect(error).toMatchObject({
        code: 'DCR_UNSUPPORTED',
        cause: { code: 'REG_UNAVAILABLE', detail: { status } },
      });
      expect(toCommandError(error, {})).toMatchObject({
        blame: 'answer',
        message: expect.stringMatching(/right now/u),
        nextStep: expect.stringMatching(/^[^.]*\b120 seconds\..*\bapp at the service\b.*--client-id/u),
        retryable: true,
        retryAt: clock.now() + 120_000,
      });
      expect(requestsTo(as, '/register')).toHaveLength(1);
      await expectNothingStored(engine);
    },
  );

  it('with 429 can be tried again by the user, in the same sign-in', async () => {
    const { as, mcp } = await startPair(busy(1));
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({ clock, dialogs: [() => 'try-again'] });
    const { integration } = await proveConnection(engine, mcp.url);
    expect(engine.dialogs).toMatchObject([{ tryAgain: { kind: 'passing', until: clock.now() + 120_000 } }]);
    expect(requestsTo(as, '/register')).toHaveLength(2);
    expect(integration.method).toBe('OAuthWithDCR');
  });

  it('by a server that lists the endpoint anyway leads to typed credentials, and to a connection', async () => {
    const { mcp } = await startPair({
      registration: 'refuse',
      typedClients: [
        {
          id: 'typed',
          secret: 'typed-secret-typed-secret',
          redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
        },
      ],
    });
    const engine = createTestEngine({
      dialogs: [() => ({ clientId: 'typed', clientSecret: new Secret('typed-secret-typed-secret') })],
    });
    const { integration } = await proveConnection(engine, mcp.url);
    expect(engine.dialogs[0]?.error?.code).toBe('DCR_UNSUPPORTED');
    expect(toCommandError(engine.dialogs[0]?.error, {})).toMatchObject({
      nextStep: expect.stringMatching(/^Create an OAuth app/u),
      retryable: false,
    });
    await proveUse(engine, integration);
  });
});
