import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toCommandError } from '../../../main/cli/output/describe-error.ts';
import { Secret } from '../../../main/secret.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection } from '../../support/prove-connection.ts';
import { startScriptedAuthorizationServer } from '../../support/scripted-authorization-server.ts';
import type { ScriptedAuthorizationServerOptions } from '../../support/scripted-authorization-server.ts';
import type { Reply } from '../../support/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Quirks for which no real server is available; the scripted one is strict in everything else. */

async function start(options: ScriptedAuthorizationServerOptions) {
  const as = await startScriptedAuthorizationServer(options);
  return { as, mcp: await startResource(as) };
}

describe('a registration', () => {
  it('is native: some servers answer 400 invalid_redirect_uri to a loopback address of anything else', async () => {
    const { as, mcp } = await start({
      authentication: 'basic',
      register: ({ application_type: type }) =>
        type === 'native' ? undefined : { status: 400, json: { error: 'invalid_redirect_uri' } },
      registered: { token_endpoint_auth_method: 'client_secret_basic' },
    });
    await proveConnection(createTestEngine(), mcp.url);
    expect(as.count('/register')).toBe(1);
  });
});

describe('a client whose registration does not name an authentication method', () => {
  it.each<[string, ScriptedAuthorizationServerOptions, number]>([
    ['form fields, which come first', { authentication: 'form' }, 1],
    ['Basic', { authentication: 'basic' }, 2],
    [
      'form fields, although registered for Basic',
      { authentication: 'form', registered: { token_endpoint_auth_method: 'client_secret_basic' } },
      2,
    ],
    [
      'Basic, although registered for form fields',
      { authentication: 'basic', registered: { token_endpoint_auth_method: 'client_secret_post' } },
      2,
    ],
    [
      'Basic, though only form fields are listed',
      { authentication: 'basic', metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } },
      2,
    ],
  ])('connects if the server accepts only %s; the next sign-in knows it', async (_, options, requests) => {
    const { as, mcp } = await start(options);
    const engine = createTestEngine();
    await proveConnection(engine, mcp.url);
    expect(as.count('/token')).toBe(requests);
    expect(as.count('/authorize')).toBe(1);

    await proveConnection(engine, mcp.url);
    expect(as.count('/token')).toBe(requests + 1);
    expect(as.count('/register')).toBe(1);
  });

  it('signs in once more if trying has used up the code', async () => {
    const { as, mcp } = await start({ authentication: 'basic', burnsCodes: true });
    await proveConnection(createTestEngine(), mcp.url);
    expect(as.count('/authorize')).toBe(2);
    expect(as.count('/token')).toBe(3);
  });
});

type Ways = readonly [said: 'client_secret_basic' | 'client_secret_post', read: 'form' | 'basic'];

describe.each<Ways>([
  ['client_secret_basic', 'form'],
  ['client_secret_post', 'basic'],
])('a server that registers for %s and accepts only %s (spec 4.4 and 5.3)', (said, authentication) => {
  const mixed: ScriptedAuthorizationServerOptions = {
    authentication,
    registered: { token_endpoint_auth_method: said },
  };
  const refusals: [string, Reply][] = [
    ['422 and what it misses', { status: 422, json: { detail: [{ loc: ['body', 'client_id'], type: 'missing' }] } }],
    ['400 and a body of its own', { status: 400, json: { message: 'client_id is missing' } }],
    ['401 and nothing', { status: 401 }],
    ['403', { status: 403, json: { message: 'Forbidden' } }],
    ['invalid_request', { status: 400, json: { error: 'invalid_request' } }],
    ['invalid_grant', { status: 400, json: { error: 'invalid_grant' } }],
    ['invalid_grant under 200', { json: { error: 'invalid_grant' } }],
    ['500 and nothing', { status: 500 }],
    ['500 and server_error', { status: 500, json: { error: 'server_error' } }],
    ['503 and a page', { status: 503, headers: { 'content-type': 'text/html' } }],
    ['nothing, and closes the connection', { isClosed: true }],
  ];

  it.each(refusals)(
    'gets a second request when it responds %s: noted, and remembered for the next sign-in',
    async (_, reply) => {
      const { as, mcp } = await start({ ...mixed, clientRefusal: reply });
      const engine = createTestEngine();
      const { integration } = await proveConnection(engine, mcp.url);
      expect(integration.notes).toContain('other-client-authentication');
      expect([as.count('/authorize'), as.count('/token')]).toEqual([1, 2]);

      const again = await proveConnection(engine, mcp.url);
      expect(again.integration.notes).toContain('other-client-authentication');
      expect([as.count('/register'), as.count('/token')]).toEqual([1, 3]);
    },
  );

  it.each(refusals)('gets a second sign-in if %s has used up the code, with the other method', async (_, reply) => {
    const { as, mcp } = await start({ ...mixed, burnsCodes: true, clientRefusal: reply });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration.notes).toContain('other-client-authentication');
    expect([as.count('/authorize'), as.count('/token')]).toEqual([2, 3]);
    await proveConnection(engine, mcp.url);
    expect([as.count('/register'), as.count('/token')]).toEqual([1, 4]);
  });

  it.each<[string, Reply]>([
    ['a code of no registry', { status: 400, json: { error: '<script>alert(1)</script>' } }],
    ['a code of no registry under 200', { json: { ok: false, error: 'code_already_used' } }],
    ['invalid_target', { status: 400, json: { error: 'invalid_target' } }],
    ['invalid_scope', { status: 400, json: { error: 'invalid_scope' } }],
    ['unsupported_grant_type', { status: 400, json: { error: 'unsupported_grant_type' } }],
    ['server_error', { status: 400, json: { error: 'server_error' } }],
    ['429', { status: 429 }],
    ['503 and a time to wait', { status: 503, headers: { 'retry-after': '5' } }],
    ['a page', { status: 200, headers: { 'content-type': 'text/html' } }],
  ])('gets the code once when it responds %s', async (_, reply) => {
    const { as, mcp } = await start({ ...mixed, token: () => reply });
    const engine = createTestEngine();
    await failureOf(engine.connect(mcp.url));
    expect([as.count('/authorize'), as.count('/token')]).toEqual([1, 1]);
    await expectNothingStored(engine);
  });

  it.each<[string, Reply, number, number]>([
    ['422', { status: 422 }, 1, 2],
    ['500', { status: 500 }, 1, 2],
    ['a closed connection', { isClosed: true }, 1, 2],
    // Each method says that the code is gone: requested once more, and used once.
    ['invalid_grant', { status: 400, json: { error: 'invalid_grant' } }, 2, 3],
  ])('gets no further request once it has responded %s to both', async (_, reply, pages, uses) => {
    const { as, mcp } = await start({ ...mixed, token: () => reply });
    const engine = createTestEngine();
    await failureOf(engine.connect(mcp.url));
    expect([as.count('/authorize'), as.count('/token')]).toEqual([pages, uses]);
    await expectNothingStored(engine);
  });
});

describe('postern connect --client-auth', () => {
  const client = { id: 'notes', secret: 'SECRET-OF-NOTES' };
  const cases = [
    ['basic', 'basic', 'client_secret_post'],
    ['post', 'form', 'client_secret_basic'],
  ] as const;
  const connect = async (url: string, way: string, more: readonly string[] = [], stdin = '') => {
    const options = { home: temporaryFolder() };
    const words = ['connect', url, '--local', '--name', 'Notes', '--vault', 'file', '--client-auth', way, ...more];
    const vault = ['--key-file', join(temporaryFolder(), 'key')];
    const { code, stderr } = await runInProcess([...words, ...vault, '--json'], { ...options, stdin });
    expect([code, stderr]).toEqual([0, '']);
    return { ...options, words: ['--vault', 'file', ...vault] };
  };

  it.each(cases)(
    '%s: sends the secret that way, whatever the metadata lists, and shows it',
    async (way, authentication, listed) => {
      const { as, mcp } = await start({
        authentication,
        client,
        metadata: { registration_endpoint: undefined, token_endpoint_auth_methods_supported: [listed] },
      });
      const typed = ['--client-id', client.id, '--client-secret-stdin'];
      const { home } = await connect(mcp.url, way, typed, `${client.secret}\n`);
      expect(as.count('/token')).toBe(1);
      const shown = await runInProcess(['show', 'Notes'], { home });
      expect(shown.stdout).toMatch(new RegExp(`^Options .*--client-auth ${way}`, 'mu'));
    },
  );

  it.each(cases)('%s: applies to a client that Postern registers', async (way, authentication, said) => {
    const { as, mcp } = await start({ authentication, registered: { token_endpoint_auth_method: said } });
    await connect(mcp.url, way);
    expect([as.count('/authorize'), as.count('/token')]).toEqual([1, 1]);
  });

  it.each([['--client-key-stdin'], ['--header', 'X-Api-Key']])('cannot be combined with %s', async (...other) => {
    const words = ['connect', 'https://mcp.example/mcp', '--client-auth', 'post', '--client-id', 'a', ...other];
    const { code, stderr } = await runInProcess(words, { home: temporaryFolder(), stdin: 'x\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('--client-auth or ');
  });
});

describe('a registration that has worked', () => {
  it.each<[string, Reply]>([
    ['invalid_grant', { status: 400, json: { error: 'invalid_grant' } }],
    ['500', { status: 500 }],
    ['a closed connection', { isClosed: true }],
  ])('is not doubted: after %s its code is not sent again', async (_, reply) => {
    const server: { refusal?: Reply } = {};
    const { as, mcp } = await start({
      authentication: 'basic',
      registered: { token_endpoint_auth_method: 'client_secret_basic' },
      token: () => server.refusal,
    });
    const engine = createTestEngine();
    await proveConnection(engine, mcp.url);
    server.refusal = reply;
    await failureOf(engine.connect(mcp.url));
    expect([as.count('/register'), as.count('/authorize'), as.count('/token')]).toEqual([1, 2, 2]);
  });
});

describe('an ID and a secret with characters that Basic encodes', () => {
  const client = { id: 'notes app+1', secret: 'a/b+c=d%e&f' };
  const basicOnly = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };

  it.each<[string, ScriptedAuthorizationServerOptions, number]>([
    ['decodes them (RFC 6749 2.3.1)', { authentication: 'basic', metadata: basicOnly, client }, 1],
    ['compares them as they are', { authentication: 'raw', metadata: basicOnly, client }, 2],
    ['wants them in form fields', { authentication: 'form', client }, 1],
    ['compares them as they are and lists nothing', { authentication: 'raw', client }, 3],
  ])('reach a server that %s', async (_, options, requests) => {
    const { as, mcp } = await start(options);
    const credentials = { clientId: client.id, clientSecret: new Secret(client.secret) };
    await proveConnection(createTestEngine(), mcp.url, { credentials });
    expect(as.count('/token')).toBe(requests);
  });
});

describe('resource', () => {
  it('rejected at the token endpoint is reported with a remedy', async () => {
    const { mcp } = await start({
      authentication: 'form',
      token: (form) => (form.has('resource') ? { status: 400, json: { error: 'invalid_target' } } : undefined),
    });
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error).toMatchObject({ code: 'TOKEN_ERROR', detail: { error: 'invalid_target' } });
    expect(toCommandError(error, {}).nextStep).toContain('--no-resource');
    await expectNothingStored(engine);
  });

  it('rejected there with invalid_request is omitted once, and from then on', async () => {
    const { as, mcp } = await start({ authentication: 'form', refusesResource: true });
    const { integration } = await proveConnection(createTestEngine(), mcp.url);
    expect(integration.options.sendResource).toBe(false);
    expect(integration.notes).toContain('resource-refused');
    expect(as.count('/token')).toBeLessThanOrEqual(3);
  });
});

describe('a code in the description of a less specific one', () => {
  it.each([
    'my_invalid_scoped thing',
    'redirect_uri does not match',
    'Unknown client',
    'The resource owner is not allowed',
    'The resource-server is away',
    'code_challenge required',
  ])('is ignored if it is about neither resource nor scope: %j', async (refusalDescription) => {
    const { mcp } = await start({ authentication: 'form', refuseAuthorization: 'invalid_request', refusalDescription });
    const commandError = toCommandError(await failureOf(createTestEngine().connect(mcp.url)), {});
    expect(commandError.code).toBe('AS_ERROR');
    expect(commandError.nextStep).not.toContain('--no-resource');
  });

  it.each([
    ['invalid_request', 'invalid_scope', '--scope'],
    ['invalid_request', 'Invalid scopes: read write', '--scope'],
    ['server_error', 'The requested scope is invalid (invalid_scope)', '--scope'],
    ['invalid_request', 'invalid_target', '--no-resource'],
    ['invalid_request', 'neither invalid_scope nor invalid_target', '--no-resource'],
    ['invalid_request', 'The audience is not known', '--no-resource'],
    ['invalid_request', 'Unknown parameter: resource', '--no-resource'],
    ['invalid_request', '', '--no-resource'],
  ])('is read from a closed list, never anything else: %s, %j', async (error, description, option) => {
    const { mcp } = await start({
      authentication: 'form',
      refuseAuthorization: error,
      refusalDescription: description,
    });
    const failed = await failureOf(createTestEngine().connect(mcp.url));
    const commandError = toCommandError(failed, {});
    expect(commandError).toMatchObject({ code: 'AS_ERROR', nextStep: expect.stringContaining(option) });
    if (/\s/u.test(description)) expect(JSON.stringify(commandError)).not.toContain(description);
  });
});
