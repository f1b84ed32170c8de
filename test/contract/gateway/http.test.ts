import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import type { Integration } from '../../../shared/integration.ts';
import { startPair } from '../../support/demo-pair.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import type { TestEngine } from '../../support/test-engine.ts';
import { sendJson, sessionEnds, startRawServer, textResult, mediaTypeOf } from '../../support/raw-mcp-server.ts';

const { secret, secretHash, authorization } = someSecret();
const mcpRemote = join(import.meta.dirname, '../../../node_modules/mcp-remote/dist/proxy.js');

async function start() {
  const { as, mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  return { as, mcp, engine, integration, ...(await serve(engine, integration)) };
}

/** A server with sessions that a test can make it forget. */
async function startForgetful([, status, said] = sessionEnds[0]!) {
  const known = new Set<string>();
  const server = await startRawServer('session', [], ({ headers, message, response }) => {
    if (message.method === 'initialize') {
      const id = `session-${known.size + server.received.length}`;
      known.add(id);
      response.setHeader('mcp-session-id', id);
      return false;
    }
    const session = headers['mcp-session-id'];
    if (typeof session === 'string' && !known.has(session)) {
      response.writeHead(status, { 'content-type': mediaTypeOf(said('1')) });
      response.end(said(JSON.stringify(message.id ?? null)));
      return true;
    }
    if (message.method !== 'tools/call') return false;
    sendJson({ message, response }, textResult('done'));
    return true;
  });
  const began = () => server.methods().filter((method) => method === 'initialize').length;
  return { server, began, forget: () => known.clear() };
}

async function serve(engine: TestEngine, integration: Integration) {
  const served = await serveGateway(engine);
  const id = await served.allow(integration, { secretHash });
  const { port, send: askAt } = await openHttpEndpoint(served);
  const alias = (await engine.ports.store.read(integration.id))?.alias;
  const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  /** A raw request; returns the status and body of the response. */
  const ask = (
    headers: Record<string, string>,
    { path = url.pathname, ...what }: { path?: string; body?: string; method?: string } = {},
  ) => askAt(headers, { path, ...what });
  return { served, id, port, url, ask };
}

it('lets official clients of both revisions use a server that was signed in to once', async () => {
  const { url, mcp } = await start();
  const requestInit = { headers: { authorization } };
  const older = new OlderClient({ name: 'older', version: '1' });
  await older.connect(new OlderTransport(url, { requestInit }));
  onTestFinished(() => older.close());
  expect((await older.listTools()).tools.map(({ name }) => name)).toContain('whoami');
  expect(JSON.stringify(await older.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
  const newer = new Client({ name: 'newer', version: '1' });
  await newer.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => newer.close());
  expect(JSON.stringify(await newer.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
  expect(JSON.stringify(mcp.requests)).not.toContain(secret);
});

it('lets mcp-remote use a server that was signed in to once', async () => {
  const { url, mcp } = await start();
  const home = temporaryFolder();
  const client = new OlderClient({ name: 'app', version: '1' });
  await client.connect(
    new OlderStdioTransport({
      command: process.execPath,
      args: [mcpRemote, url.href, '--header', `Authorization:${authorization}`],
      env: { HOME: home, PATH: '', MCP_REMOTE_CONFIG_DIR: home },
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
  expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
  expect(JSON.stringify(mcp.requests)).not.toContain(secret);
});

it.for([
  ['a page of the web', { origin: 'https://evil.example' }, 403],
  ['a page of its own', { origin: 'http://127.0.0.1' }, 403],
  ['a name that points here', { host: 'evil.example' }, 403],
  ['a request without a secret', { authorization: '' }, 401],
  ['a wrong secret', { authorization: 'Bearer wrong' }, 401],
] as const)('rejects %s without details', async ([, headers, status]) => {
  const { ask, mcp } = await start();
  const before = mcp.requests.length;
  const response = await ask({ authorization, ...headers });
  expect(response.status).toBe(status);
  expect(response.text).toBe('');
  expect(JSON.stringify(response.headers)).not.toContain('access-control');
  expect(mcp.requests).toHaveLength(before);
});

it('reads a body only after authorization (RFC 9110 section 10.1.1)', async () => {
  const { url, port } = await start();
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const send = (shown: string) =>
    new Promise<{ status: number | undefined; isAsked: boolean }>((resolve, reject) => {
      const headers = { authorization: shown, expect: '100-continue', 'content-length': Buffer.byteLength(body) };
      const request = httpRequest({ host: '127.0.0.1', port, path: url.pathname, method: 'POST', headers });
      let isAsked = false;
      request.once('continue', () => {
        isAsked = true;
        request.end(body);
      });
      request.once('response', (response) => {
        resolve({ status: response.statusCode, isAsked });
        request.destroy();
      });
      request.once('error', reject);
      request.flushHeaders();
    });
  expect(await send('Bearer wrong')).toEqual({ status: 401, isAsked: false });
  expect(await send(authorization)).toEqual({ status: 200, isAsked: true });
});

it('ignores secrets in the query, publishes nothing, and serves no other path', async () => {
  const { ask, url } = await start();
  expect((await ask({}, { path: `${url.pathname}?access_token=${secret}` })).status).toBe(404);
  expect((await ask({ authorization }, { path: '/.well-known/oauth-protected-resource', method: 'GET' })).status).toBe(
    404,
  );
  expect((await ask({ authorization }, { path: '/mcp/another' })).status).toBe(404);
});

it('stops guessing of secrets, and never locks out the right secret (GW-13)', async () => {
  const { ask } = await start();
  for (let guess = 0; guess < 20; guess += 1) await ask({ authorization: `Bearer guess-${guess}` });
  const further = await ask({ authorization: 'Bearer guess-21' });
  expect(further).toMatchObject({ status: 429, headers: { connection: 'close' } });
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  expect((await ask({ authorization }, { body })).status).toBe(200);
  expect((await ask({ authorization: 'Bearer guess-22' })).status).toBe(429);
});

it('rejects a revoked app (GW-21)', async () => {
  const { ask, served } = await start();
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  expect((await ask(headers, { body })).status).toBe(200);
  await served.changeRecords((records) => records.map((record) => ({ ...record, revokedAt: 1 })));
  expect((await ask(headers, { body })).status).toBe(401);
});

it('answers a call that needs a sign-in with a remedy, never with 401', async () => {
  const { ask, engine, integration, served } = await start();
  await engine.ports.store.update(integration.id, (entry) => ({ ...entry, state: 'signedOut' }));
  await served.gateway.reloadSettings();
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami"}}';
  const response = await ask(headers, { body });
  expect(response.status).toBe(200);
  expect(JSON.parse(response.text)).toMatchObject({
    result: { isError: true, _meta: { 'dev.postern/error': { code: 'SIGN_IN_REQUIRED' } } },
  });
});

it.each(sessionEnds)('continues in a new session when the server has forgotten the old one: %s', async (...end) => {
  const { server, forget, began } = await startForgetful(end);
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const { ask } = await serve(engine, integration);
  const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
  const { headers } = await ask(fields, { body: initialize });
  const session = { ...fields, 'mcp-session-id': String(headers['mcp-session-id']) };
  const call = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add"}}';
  const list = '{"jsonrpc":"2.0","id":3,"method":"tools/list"}';
  const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  expect((await ask(session, { body: initialized })).status).toBe(202);
  expect((await ask(session, { body: call })).text).toContain('done');
  for (const [body, response] of [
    [call, 'done'],
    [list, 'tools'],
  ] as const) {
    const before = { began: began(), came: server.received.length };
    forget();
    expect((await ask(session, { body })).text).toContain(response);
    expect(began()).toBe(before.began + 1);
    // The failed request, the handshake, its follow-up, and the request again.
    expect(server.received.length).toBe(before.came + 4);
  }
  forget();
  expect((await ask(session, { body: '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}' })).status).toBe(
    202,
  );
  expect((await ask(session, { body: call })).text).toContain('done');
  forget();
  expect((await ask(session, { method: 'DELETE' })).status).toBe(200);
});

it('opens one new session for ten calls of an official client when the server forgot the old one', async () => {
  const { server, forget, began } = await startForgetful();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const { url } = await serve(engine, integration);
  const client = new OlderClient({ name: 'first', version: '1' });
  await client.connect(new OlderTransport(url, { requestInit: { headers: { authorization } } }));
  onTestFinished(() => client.close());
  const before = began();
  forget();
  const calls = Array.from({ length: 10 }, () => client.callTool({ name: 'add', arguments: {} }));
  for (const response of await Promise.all(calls)) expect(response).toMatchObject({ content: [{ text: 'done' }] });
  expect(began()).toBe(before + 1);
});

it('answers handshake and lists from the cache while the sign-in is expired, in a session that continues afterwards', async () => {
  const { ask, engine, integration, served, url } = await start();
  const requestInit = { headers: { authorization } };
  const first = new OlderClient({ name: 'first', version: '1' });
  await first.connect(new OlderTransport(url, { requestInit }));
  await first.listTools();
  await first.close();
  const { id } = integration;
  const keys = await engine.vault.keysOf(id);
  const records = await Promise.all(keys.map((key) => engine.vault.read(key)));
  await engine.vault.delete(...keys);
  await engine.ports.store.update(id, (entry) => ({ ...entry, state: 'reauthenticationRequired' }));
  await served.gateway.reloadSettings();
  const client = new OlderClient({ name: 'first', version: '1' });
  await client.connect(new OlderTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
  expect(await client.callTool({ name: 'whoami', arguments: {} })).toMatchObject({ isError: true });
  for (const [index, key] of keys.entries()) await engine.vault.write(key, records[index]);
  await engine.ports.store.update(id, (entry) => ({ ...entry, state: 'integrated', signedInAt: 5 }));
  await served.gateway.reloadSettings();
  await expect
    .poll(async () => JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} })))
    .toContain('You are ');
  expect((await ask({ authorization }, { method: 'PUT' })).status).toBe(405);
});
