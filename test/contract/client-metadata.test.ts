import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, fetch as fetchWith } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toCommandError } from '../../main/cli/output/describe-error.ts';
import { Secret } from '../../main/secret.ts';
import { createClientMetadataDocument } from '../../scripts/write-client-metadata.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { pem, serveHttps } from '../support/loopback-server.ts';
import { expectNothingStored, failureOf, proveConnection } from '../support/prove-connection.ts';
import { startScriptedAuthorizationServer } from '../support/scripted-authorization-server.ts';
import type { ScriptedAuthorizationServerOptions } from '../support/scripted-authorization-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** A client id that is the address of a document (MCP 2026-07-28, client id metadata documents). */

/** Our document at an https address of this computer; the tests' own authority signed the certificate. */
async function publish() {
  const server = await serveHttps((request, response) => {
    const document = createClientMetadataDocument(url);
    response.writeHead(request.url === '/client.json' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  const url = `${server.origin}/client.json`;
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { url, reads: () => server.received().split('GET /client.json').length - 1 };
}

/** An authorization server that trusts the tests' authority. */
async function readClientDocument(url: string): Promise<Response> {
  const dispatcher = new Agent({ connect: { ca: pem('authority') } });
  try {
    const response = await fetchWith(url, { dispatcher, redirect: 'error' });
    return new Response(await response.text(), {
      status: response.status,
      headers: Object.fromEntries(response.headers),
    });
  } finally {
    await dispatcher.close();
  }
}

/** Refuses the client `url` with `error`: at the sign-in page, or at the exchange of the code issued there. */
function refuseDocument(url: string, place: 'authorize' | 'token', error: string) {
  let codeIsOut = false;
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://as');
    if (pathname === '/authorize' && searchParams.get('client_id') === url) {
      codeIsOut = place === 'token';
      const reply: Record<string, string> = codeIsOut ? { code: 'code-for-a-document' } : { error };
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const iss = `http://${request.headers.host}`;
      back.search = String(new URLSearchParams({ ...reply, state: searchParams.get('state') ?? '', iss }));
      response.writeHead(302, { location: back.href }).end();
      return true;
    }
    if (pathname !== '/token' || !codeIsOut) return false;
    codeIsOut = false;
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return true;
  };
}

describe('--client-metadata-url', () => {
  it('connects and lists tools without any registration', async () => {
    const document = await publish();
    const { as, mcp } = await startPair({ readClientDocument });
    const home = temporaryFolder();
    const run = (...args: string[]) => runInProcess([...args, '--json'], { home });
    const words = [mcp.url, '--local', '--name', 'Notes', '--client-metadata-url', document.url];
    expect(await run('connect', ...words)).toMatchObject({
      code: 0,
      last: { result: 'ok', integration: { method: 'OAuthWithCIMD', state: 'integrated' } },
    });
    const called = await run('call', 'Notes', 'word_count', '{"text":"one two"}');
    expect(called).toMatchObject({ code: 0, last: { result: 'ok', isError: false } });
    expect(await run('refresh', 'Notes')).toMatchObject({ code: 0 });
    expect(document.reads()).toBe(1);
    expect(requestsTo(as, '/register')).toEqual([]);
    expect(requestsTo(as, '/authorize')[0]?.query.get('client_id')).toBe(document.url);
    for (const { headers, body } of requestsTo(as, '/token')) {
      expect([body?.['client_id'], body?.['client_secret'], headers.authorization]).toEqual([
        document.url,
        undefined,
        undefined,
      ]);
    }
  });

  it('is ignored for a server that does not support such documents: Postern registers instead', async () => {
    const document = await publish();
    const { as, mcp } = await startPair();
    const { integration } = await proveConnection(createTestEngine(), mcp.url, { clientMetadataUrl: document.url });
    expect(integration.method).toBe('OAuthWithDCR');
    expect(requestsTo(as, '/register')).toHaveLength(1);
    expect(requestsTo(as, '/authorize')[0]?.query.get('client_id')).not.toBe(document.url);
    expect(document.reads()).toBe(0);
  });

  const refusals: [string, Partial<ScriptedAuthorizationServerOptions>, string][] = [
    ['invalid_client at the sign-in page', { refuseAuthorization: 'invalid_client' }, 'AS_ERROR'],
    ['invalid_client_metadata at the sign-in page', { refuseAuthorization: 'invalid_client_metadata' }, 'AS_ERROR'],
    ['unauthorized_client at the sign-in page', { refuseAuthorization: 'unauthorized_client' }, 'AS_ERROR'],
    [
      'invalid_client for the code',
      { token: () => ({ status: 401, json: { error: 'invalid_client' } }) },
      'TOKEN_ERROR',
    ],
  ];

  const announced = { client_id_metadata_document_supported: true };

  it.each<[place: 'authorize' | 'token', error: string]>([
    ['authorize', 'invalid_client'],
    ['authorize', 'invalid_client_metadata'],
    ['authorize', 'unauthorized_client'],
    ['token', 'invalid_client'],
    ['token', 'unauthorized_client'],
  ])(
    'that is refused at /%s with %s although supported falls back to registration, and this is logged',
    async (place, error) => {
      const { url } = await publish();
      const { as, mcp } = await startPair({
        metadata: (document) => ({ ...document, ...announced }),
        intercept: refuseDocument(url, place, error),
      });
      const engine = createTestEngine();
      const { integration } = await proveConnection(engine, mcp.url, { clientMetadataUrl: url });
      expect(integration.method).toBe('OAuthWithDCR');
      expect(integration.notes).toContain('client-document-refused');
      expect(requestsTo(as, '/register')).toHaveLength(1);
      const clients = () => requestsTo(as, '/authorize').map(({ query }) => query.get('client_id'));
      expect(clients()).toEqual([url, expect.not.stringContaining(url)]);

      // The next sign-in starts with what worked.
      expect(await engine.call(integration, 'delete_notes', {}, { signIn: true })).toContain('Removed');
      expect(clients().filter((id) => id === url)).toHaveLength(1);
      expect(requestsTo(as, '/register')).toHaveLength(1);
    },
  );

  it('that is refused where registration is closed falls back to a typed client', async () => {
    const { url } = await publish();
    const client = { id: 'typed', secret: 'secret', redirectUris: ['http://127.0.0.1/integration/oauth/callback'] };
    const { mcp } = await startPair({
      registration: 'off',
      typedClients: [client],
      metadata: (document) => ({ ...document, ...announced }),
      intercept: refuseDocument(url, 'authorize', 'invalid_client'),
    });
    const typed = { clientId: client.id, clientSecret: new Secret(client.secret) };
    const engine = createTestEngine({ dialogs: [() => typed] });
    const { integration } = await proveConnection(engine, mcp.url, { clientMetadataUrl: url });
    expect(integration.method).toBe('OAuth');
    expect(engine.dialogs).toMatchObject([{ error: { code: 'CLIENT_DOCUMENT_REFUSED' } }]);
  });

  it.each(refusals)('that a server refuses with %s ends with a typed error and a remedy', async (_, refusal, cause) => {
    const { url } = await publish();
    const as = await startScriptedAuthorizationServer({
      authentication: 'form',
      client: { id: url, secret: 'none' },
      metadata: { ...announced, registration_endpoint: undefined },
      ...refusal,
    });
    const mcp = await startResource(as);
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url, { clientMetadataUrl: url }));
    expect(error).toMatchObject({ code: 'CLIENT_DOCUMENT_REFUSED', cause: { code: cause } });
    expect(toCommandError(error, {}).nextStep).toContain('`postern connect URL`');
    expect(engine.dialogs).toMatchObject([
      { error: { code: 'CLIENT_DOCUMENT_REFUSED' }, tryAgain: { kind: 'perhaps' } },
    ]);
    expect(as.count('/register')).toBe(0);
    await expectNothingStored(engine);
  });

  it('is not part of the command that an error then suggests', async () => {
    const { url } = await publish();
    const as = await startScriptedAuthorizationServer({
      authentication: 'form',
      client: { id: url, secret: 'none' },
      metadata: { ...announced, registration_endpoint: undefined },
      refuseAuthorization: 'invalid_client',
    });
    const mcp = await startResource(as);
    const words = ['connect', mcp.url, '--local', '--client-metadata-url', url];
    const { stderr } = await runInProcess(words, { home: temporaryFolder() });
    expect(stderr).toContain(`\`postern connect ${mcp.url} --local\`.`);
  });
});
