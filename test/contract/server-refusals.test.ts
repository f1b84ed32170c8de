import { expect, it } from 'vitest';
import { toPlainError } from '../../main/errors/postern-error.ts';
import { userActionFor } from '../../shared/error-traits.ts';
import { requestsTo, startPair, startResource } from '../support/demo-pair.ts';
import { openHttpEndpoint, someSecret } from '../support/http-endpoint.ts';
import { openApp } from '../support/line-app.ts';
import { failureOf } from '../support/prove-connection.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** How a server refuses a request without JSON-RPC: whose mistake that is, and what becomes of the sign-in. */

interface RefusedWith {
  readonly status: number;
  /** JSON unless another type is given. */
  readonly body?: unknown;
  readonly type?: string;
  readonly challenge?: string;
  /** Any if omitted. */
  readonly method?: string;
}

/** A signed-in server that refuses from then on, with the report of a call on each surface. */
async function startRefusing({ status, body, type = 'application/json', challenge, method }: RefusedWith) {
  let isRefusing = false;
  const pair = await startPair(
    {},
    {
      intercept: (request, response) => {
        const isMeant = method === undefined || request.headers['mcp-method'] === method;
        if (!isRefusing || request.method !== 'POST' || !isMeant) return false;
        response.writeHead(status, {
          'content-type': type,
          ...(challenge !== undefined && { 'www-authenticate': challenge }),
        });
        response.end(typeof body === 'string' ? body : body && JSON.stringify(body));
        return true;
      },
    },
  );
  const engine = createTestEngine();
  const { integration } = await engine.connect(pair.mcp.url);
  const served = await serveGateway(engine);
  const line = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  const { secretHash, authorization } = someSecret();
  await served.allow(integration, { secretHash });
  const door = await openHttpEndpoint(served);
  const path = `/mcp/${integration.alias}`;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const call = { method: 'tools/call', params: { name: 'whoami', arguments: {}, _meta } };
  isRefusing = true;
  return {
    engine,
    integration,
    byEngine: async () => toPlainError(await failureOf(engine.call(integration, 'whoami'))),
    byLine: async () => JSON.stringify(await line.request(1, call.method, call.params)),
    byHttp: async () => {
      const fields = {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': call.method,
        'mcp-name': call.params.name,
      };
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });
      return (await door.send(fields, { path, body: text })).text;
    },
    refreshes: () =>
      requestsTo(pair.as, '/token').filter(({ body: sent }) => sent?.['grant_type'] === 'refresh_token').length,
  };
}

it.each([401, 403])('treats %i insufficient_scope as a demand for more permissions (RFC 6750 3.1)', async (status) => {
  const challenge = 'Bearer error="insufficient_scope", scope="notes:read notes:extra"';
  const server = await startRefusing({ status, challenge, method: 'tools/call' });
  expect(await server.byEngine()).toMatchObject({ code: 'SCOPE_REQUIRED', detail: { scopes: ['notes:extra'] } });
  expect(await server.byLine()).toContain('SCOPE_REQUIRED');
  expect(await server.byHttp()).toContain('SCOPE_REQUIRED');
  expect(server.refreshes()).toBe(0);
});

it('requires a sign-in if there is none, whatever scope a 401 names', async () => {
  let isRefusing = false;
  const mcp = await startResource(undefined, {
    intercept: (_request, response) => {
      if (isRefusing) response.writeHead(401, { 'www-authenticate': 'Bearer error="insufficient_scope"' }).end();
      return isRefusing;
    },
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  isRefusing = true;
  expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
});

const words = 'Need role admin';

it.each<[string, RefusedWith]>([
  ['402 with a message', { status: 402, body: { message: words } }],
  ['403 with a message', { status: 403, body: { message: words } }],
  ['403 with an error as text', { status: 403, body: { error: words } }],
  ['403 with a code and a description', { status: 403, body: { error: 'forbidden', error_description: words } }],
  ['403 with a detail', { status: 403, body: { detail: words } }],
  ['403 with a detail in a list', { status: 403, body: { detail: [{ msg: words }] } }],
  ['403 with an error as an object', { status: 403, body: { error: { status: 'DENIED', message: words } } }],
  ['403 with problem details (RFC 9457)', { status: 403, body: { title: 'Forbidden', detail: words } }],
  ['403 with errors', { status: 403, body: { errors: [{ message: words }] } }],
  ['403 with plain text', { status: 403, type: 'text/plain; charset=utf-8', body: `${words}\n` }],
  ['413 with a message', { status: 413, body: { message: words } }],
  ['422 with plain text', { status: 422, type: 'text/plain', body: words }],
  ['403 with JSON-RPC', { status: 403, body: { jsonrpc: '2.0', id: null, error: { code: -32_000, message: words } } }],
])('shows the words of a server that refuses a call with %s, and keeps the sign-in', async (_what, refusal) => {
  const server = await startRefusing({ ...refusal, method: 'tools/call' });
  const outcome = await server.byEngine();
  expect(outcome).toMatchObject({ code: 'SERVER_ERROR', serverWords: { message: words }, retryable: false });
  expect(outcome.remedy).toMatchObject({ kind: 'go-on' });
  for (const response of [await server.byLine(), await server.byHttp()]) {
    expect(response).toContain(words);
    expect(response).not.toMatch(/TOKEN_REJECTED|MCP_FAILED/u);
  }
  expect(server.refreshes()).toBe(0);
  const stored = await server.engine.read(server.integration);
  expect(stored).toMatchObject({ state: 'integrated' });
  expect(stored).not.toHaveProperty('failure');
});

it.each([402, 403])('shows the words of a server that refuses every request with %i', async (status) => {
  const server = await startRefusing({ status, body: { message: words } });
  const outcome = { code: 'SERVER_ERROR', serverWords: { message: words } };
  expect(await server.byEngine()).toMatchObject(outcome);
  expect(toPlainError(await failureOf(server.engine.tools(server.integration)))).toMatchObject(outcome);
  expect(server.refreshes()).toBe(0);
});

it.each<[string, Omit<RefusedWith, 'status'>]>([
  ['a page', { type: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' }],
  ['nothing', {}],
])('reports that a call is too large if a 413 comes with %s', async (_what, refusal) => {
  const server = await startRefusing({ status: 413, ...refusal, method: 'tools/call' });
  const outcome = await server.byEngine();
  expect(outcome).toMatchObject({
    code: 'MCP_FAILED',
    retryable: false,
    remedy: { kind: 'go-on', advice: 'sendLess' },
  });
});

it('refreshes a token once if a 403 gives no reason, and then shows what the server says', async () => {
  const server = await startRefusing({ status: 403, body: { error: 'Forbidden' }, method: 'tools/call' });
  expect(await server.byEngine()).toMatchObject({ code: 'SERVER_ERROR', serverWords: { message: 'Forbidden' } });
  expect(server.refreshes()).toBe(1);
});

it.each(['Token expired', 'invalid_token', 'Authentication credentials were not provided.', 'Please log in again'])(
  'suggests signing in again if a 403 says %j, and a new token does not help',
  async (message) => {
    const server = await startRefusing({ status: 403, body: { message }, method: 'tools/call' });
    expect(await server.byEngine()).toMatchObject({ code: 'TOKEN_REJECTED', serverWords: { message } });
    expect(server.refreshes()).toBe(1);
  },
);

it.each<[what: string, code: string, refusal: Omit<RefusedWith, 'status'>]>([
  ['an empty body', 'ACCESS_REFUSED', {}],
  ['a challenge without details', 'ACCESS_REFUSED', { challenge: 'Bearer realm="notes"' }],
  ['text that only repeats the status', 'SERVER_ERROR', { type: 'text/plain', body: '403 Forbidden\n' }],
  ['text of a web server', 'ACCESS_REFUSED', { type: 'text/html', body: '<center>Pay at evil.example</center>' }],
  ['markup labeled as text', 'ACCESS_REFUSED', { type: 'text/plain', body: 'No <b>Pay at evil.example</b>' }],
])('keeps a working sign-in if a 403 comes with %s', async (_what, code, refusal) => {
  const server = await startRefusing({ status: 403, ...refusal, method: 'tools/call' });
  for (let round = 0; round < 2; round += 1) {
    const outcome = await server.byEngine();
    expect(outcome).toMatchObject({ code, retryable: false });
    expect(userActionFor(outcome.remedy)).toBeUndefined();
    for (const response of [JSON.stringify(outcome), await server.byLine(), await server.byHttp()])
      expect(response).not.toMatch(/TOKEN_REJECTED|MCP_FAILED|evil/u);
  }
  const stored = await server.engine.read(server.integration);
  expect(stored).toMatchObject({ state: 'integrated' });
  expect(stored).not.toHaveProperty('failure');
  expect(await server.engine.tools(server.integration)).not.toEqual([]);
});

it.each<[status: number, type: string, body: string, said: string | undefined]>([
  [400, 'application/json', '{"error":"Missing x-api-key header"}', 'Missing x-api-key header'],
  [402, 'application/json', '{"message":"Your trial has ended"}', 'Your trial has ended'],
  [403, 'text/plain', 'Your IP address is not on the allow list', 'Your IP address is not on the allow list'],
  [410, 'application/json', '{"message":"This server has moved"}', 'This server has moved'],
  [423, 'application/json; charset=utf-8', '{"message":"Locked by your admin"}', 'Locked by your admin'],
  [404, 'application/json', '{"detail":"Not Found"}', undefined],
  [403, 'text/html', '<p>Pay at evil.example</p>', undefined],
])('shows at first contact why a server responds %i with %s', async (status, type, body, expectedText) => {
  const intercept: NonNullable<Parameters<typeof startResource>[1]>['intercept'] = (_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  };
  const { url } = await startResource(undefined, { intercept });
  const outcome = toPlainError(await failureOf(createTestEngine().connect(url)));
  expect(outcome).toMatchObject({ code: 'MCP_FAILED' });
  expect(outcome.serverWords?.message).toBe(expectedText);
});
