import { describe, expect, it } from 'vitest';
import { systemClock } from '../../main/host/system-ports.ts';
import { deadline } from '../../main/limits.ts';
import type { Clock } from '../../main/ports.ts';
import type { Integration } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair, startServer } from '../support/demo-pair.ts';
import { localOptions } from '../support/local-options.ts';
import { failureOf } from '../support/prove-connection.ts';
import { startSdkSseServer } from '../support/sdk-sse-server.ts';
import type { SdkSseServerOptions } from '../support/sdk-sse-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** HTTP+SSE, the transport of MCP 2024-11-05, on servers made with the official SDK. */

async function startSignedIn(options: SdkSseServerOptions = {}) {
  const as = await startServer();
  const server = await startSdkSseServer({ authorizationServer: as.issuer, ...options });
  as.addResource(server.url, ['notes:read']);
  as.addResource(server.url.replace('/sse', '/mcp'), ['notes:read']);
  return { as, ...server };
}

const entryFor = (url: string, more: Partial<Integration> = {}): Integration => ({
  id: crypto.randomUUID(),
  name: 'Old',
  url,
  method: 'NoAuth',
  state: 'integrated',
  createdAt: 1,
  notes: [],
  options: localOptions,
  ...more,
});

describe('a server with HTTP+SSE', () => {
  it.each(['get', 'all'] as const)('is used after the POST was refused or treated as a GET: %s', async (route) => {
    const { url, streams } = await startSdkSseServer({ route });
    const engine = createTestEngine();
    const { integration, tools } = await engine.connect(url);
    expect(integration.protocol).toBe('sse');
    expect(tools.map(({ name }) => name)).toContain('whoami');
    expect(await engine.call(integration, 'whoami')).toBe('You are known.');
    // Its stream is the session, and ends with the connection; a session that a POST opened is the server's own.
    await expect.poll(() => streams.size).toBe(0);
  });

  it('is contacted with that transport right away once it is known', async () => {
    const { url, log } = await startSdkSseServer();
    const engine = createTestEngine();
    const { integration } = await engine.connect(url);
    const before = log.length;
    await engine.call(integration, 'whoami');
    expect(log.slice(before)).toEqual(['GET /sse', ...Array.from({ length: 3 }, () => 'POST /messages')]);
  });

  it.each<[string, SdkSseServerOptions]>([
    ['asks for it on every request', {}],
    ['asks for it on every request and opens to every method', { route: 'all' }],
    ['asks for it at its stream', { guards: 'routes' }],
    ['names its metadata at its stream alone', { guards: 'routes', hidesMetadata: true }],
  ])('is signed in to if it %s', async (_, options) => {
    const { url } = await startSignedIn(options);
    const engine = createTestEngine();
    const { integration } = await engine.connect(url);
    expect(integration).toMatchObject({ protocol: 'sse', method: 'OAuthWithDCR' });
    expect(await engine.call(integration, 'whoami')).toBe('You are known.');
  });

  it('continues with a refreshed token', async () => {
    const rejected = new Set<string>();
    const { as, url, tokens } = await startSignedIn({ reject: (token) => rejected.has(token) });
    const engine = createTestEngine();
    const { integration } = await engine.connect(url);
    rejected.add(tokens.at(-1) ?? '');
    expect(await engine.call(integration, 'whoami')).toBe('You are known.');
    const refreshes = requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token');
    expect(refreshes).toHaveLength(1);
  });

  it('accepts an API key, at its stream and at its endpoint', async () => {
    const { url } = await startSdkSseServer({ token: 'k3y' });
    const words = ['connect', url, '--local', '--header', 'Authorization', '--header-value-stdin', '--memory'];
    const result = await runInProcess([...words, '--json'], { home: temporaryFolder(), stdin: 'Bearer k3y\n' });
    expect(result.last).toMatchObject({ result: 'ok', tools: expect.arrayContaining(['whoami']) });
  });

  it('is followed to the newer transport, and updated', async () => {
    let hasMoved = false;
    const { url, replaceTransport } = await startSdkSseServer();
    // The SDK opens a stream there to everybody, on which nothing ever arrives.
    const after: Clock['after'] = (time, run) => systemClock.after(time === deadline.sseEndpoint ? 0 : time, run);
    const engine = createTestEngine({
      clock: { ...systemClock, after: (time, run) => (hasMoved ? after : systemClock.after)(time, run) },
    });
    const { integration } = await engine.connect(url);
    replaceTransport();
    hasMoved = true;
    expect(await engine.call(integration, 'whoami')).toBe('You are known.');
    expect((await engine.ports.store.read(integration.id))?.protocol).toBe('session');
  });

  it('is marked in the window, reports progress, and is notified of a cancellation', async () => {
    const { url, waiting, cancelled } = await startSdkSseServer();
    const desktop = await createTestDesktop();
    const { id } = await desktop.call('connection:discover', { url, options: { local: true } });
    const { verdict } = await desktop.connection(id, ({ verdict: found }) => found !== undefined);
    expect(verdict).toMatchObject({ kind: 'noSignIn', notes: ['old-transport'] });
    await desktop.call('connection:start', { id });
    const view = await desktop.waitFor(({ integrations }) => integrations?.[0]);
    expect(view.notes).toEqual(['old-transport']);
    await desktop.call('integration:callTool', { id: view.id, call: 'a', name: 'steps', arguments: {} });
    expect(desktop.messages.some((text) => text.includes('"progress":1'))).toBe(true);
    const calling = desktop.callFailing('integration:callTool', {
      id: view.id,
      call: 'b',
      name: 'wait',
      arguments: {},
    });
    await expect.poll(() => waiting.length).toBe(1);
    await desktop.call('integration:stopCall', { call: 'b' });
    expect(await calling).toMatchObject({ code: 'CALL_INTERRUPTED' });
    await expect.poll(() => cancelled.length).toBe(1);
  });
});

describe('a server with both transports', () => {
  it.each<[string, () => Promise<{ url: string }>]>([
    ['without a sign-in', () => startSdkSseServer({ hasStreamableHttp: true })],
    ['with one', () => startSignedIn({ hasStreamableHttp: true })],
    ['with an API key', () => startSdkSseServer({ hasStreamableHttp: true, token: 'k3y' })],
  ])('is used if an address ending in /sse was typed, and this is reported: %s', async (how, start) => {
    const { url } = await start();
    const home = temporaryFolder();
    const key = how.includes('key') ? ['--header', 'Authorization', '--header-value-stdin'] : [];
    const words = ['connect', url, '--local', '--json', '--sign-in', 'browser', ...key];
    const connected = await runInProcess(words, { home, ...(key.length > 0 && { stdin: 'Bearer k3y\n' }) });
    expect(connected.last).toMatchObject({ result: 'ok', integration: { url: url.replace('/sse', '/mcp') } });
    const { id } = connected.last['integration'] as { id: string };
    const shown = await runInProcess(['show', id, '--json'], { home });
    expect(shown.last).toMatchObject({ integration: { notes: ['newer-address'] } });
  });

  it('is not used for a server that is stored with its own address', async () => {
    const { url } = await startSdkSseServer({ hasStreamableHttp: true });
    const engine = createTestEngine();
    const integration = entryFor(url);
    await engine.ports.store.write(integration);
    expect(await engine.call(integration, 'whoami')).toBe('You are known.');
    expect(await engine.ports.store.read(integration.id)).toMatchObject({ url, protocol: 'sse' });
  });
});

it('a server that has used the newer transport is not followed to the old one by a sign-in', async () => {
  const { mcp } = await startPair(
    {},
    {
      openMethods: ['initialize', 'server/discover'],
      intercept({ method, headers }, response) {
        if (headers.authorization === undefined) return false;
        if (method === 'GET')
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /mcp\n\n');
        else response.writeHead(405).end();
        return true;
      },
    },
  );
  const engine = createTestEngine();
  expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'OLD_TRANSPORT', stage: 'connection' });
  expect(await engine.ports.store.list()).toEqual([]);
});

it('every command reports the old transport', async () => {
  const { url } = await startSdkSseServer();
  const home = temporaryFolder();
  const run = (...words: string[]) => runInProcess(words, { home });
  const found = await run('discover', url, '--local', '--json');
  expect(found.last).toMatchObject({ verdict: 'open', status: 200, url, transport: 'http+sse' });
  expect((await run('discover', url, '--local')).stdout).toContain('HTTP+SSE');
  await run('connect', url, '--local', '--name', 'Old');
  expect((await run('tools', 'Old')).stdout).toContain('whoami');
  expect((await run('call', 'Old', 'whoami')).stdout).toContain('You are known.');
  expect((await run('show', 'Old')).stdout).toContain('HTTP+SSE');
  expect((await run('doctor')).stdout).toContain('HTTP+SSE');
});
