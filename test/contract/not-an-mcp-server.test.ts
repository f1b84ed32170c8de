import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toCommandError } from '../../main/cli/output/describe-error.ts';
import type { CommandError } from '../../main/cli/output/describe-error.ts';
import { discoverServer } from '../../main/engine/sign-in/discover-server.ts';
import { toPlainError } from '../../main/errors/postern-error.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import type { Integration } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { endErrorOf } from '../support/connection-facts.ts';
import { startResource } from '../support/demo-pair.ts';
import { localOptions } from '../support/local-options.ts';
import { serveHttp } from '../support/loopback-server.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { failureOf } from '../support/prove-connection.ts';
import { startSdkServer } from '../support/sdk-server.ts';
import { startSdkSseServer } from '../support/sdk-sse-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Addresses without an MCP server, or with one that has no supported transport: reported at once, precisely. */

type Responder = (response: ServerResponse, request: IncomingMessage) => void;

/** Responds this way to every request to `/mcp`, and has nothing else. */
async function serve(respond: Responder): Promise<string> {
  const server = await serveHttp((request, response) => {
    request.resume();
    if (request.url === '/mcp') respond(response, request);
    else response.writeHead(404).end();
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return `${server.origin}/mcp`;
}

const postern = (command: string, url: string): Promise<PosternResult> =>
  runInProcess([command, url, '--local', '--json'], { home: temporaryFolder() });
const errorOf = ({ last }: PosternResult) => (last['error'] ?? {}) as Record<string, unknown>;

const plain = (status: number, type: string, body: string, more: Record<string, string> = {}): Responder => {
  return (response) => response.writeHead(status, { 'content-type': type, ...more }).end(body);
};

/** `discover` and `connect` both end this way. */
async function expectFailure(url: string, check: (error: CommandError) => void): Promise<void> {
  const engine = createTestEngine();
  const { signal } = new AbortController();
  const discovering = discoverServer(engine.ports, { url, options: localOptions }, () => {}, signal);
  for (const run of [discovering, engine.connect(url)]) check(toCommandError(await failureOf(run), {}));
  expect(await engine.ports.store.list()).toEqual([]);
}

describe('discover and connect for something that is not an MCP server', () => {
  it.each<[string, Responder, string]>([
    ['404', plain(404, 'text/plain', 'nothing here'), '404'],
    ['405', plain(405, 'text/plain', 'no'), '405'],
    ['403', plain(403, 'text/html', '<!doctype html>no'), '403'],
    ['406', plain(406, 'text/plain', 'no'), '406'],
    ['500', plain(500, 'text/plain', 'broken'), '500'],
    ['a web page', plain(200, 'text/html', '<!doctype html><p>Hello'), 'web page'],
    ['other JSON', plain(200, 'application/json', '{"status":"ok"}'), '200'],
    [
      'our own request',
      (response, request) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        request.pipe(response);
      },
      '200',
    ],
    ['truncated JSON', plain(200, 'application/json', '{"status":'), 'JSON'],
    ['an empty response', plain(200, 'application/json', ''), '200'],
  ])('report %s, with a next step, and fail', async (_, respond, named) => {
    await expectFailure(await serve(respond), ({ code, stage, message, nextStep }) => {
      expect({ code, stage }).toEqual({ code: 'MCP_FAILED', stage: 'probe' });
      expect(message).toContain(named);
      expect(nextStep).not.toBe('');
    });
  });

  it.each([402, 403, 451])('do not suggest checking the address after a %i', async (status) => {
    const url = await serve(plain(status, 'application/json', '{"message":"No"}'));
    const error = toPlainError(await failureOf(createTestEngine().connect(url)));
    expect(error).toMatchObject({ code: 'MCP_FAILED', remedy: { kind: 'contact-owner' } });
  });

  it('suggest the trailing slash for a server that redirects to itself', async () => {
    const url = await serve((response) => void response.writeHead(301, { location: '/mcp/' }).end());
    for (const command of ['discover', 'connect']) {
      const error = errorOf(await postern(command, url));
      expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', nextStep: expect.stringContaining(`${url}/`) });
    }
  });

  it('report how long a 429 asks to wait', async () => {
    const before = systemClock.now();
    const url = await serve(plain(429, 'text/plain', 'slow', { 'retry-after': '120' }));
    await expectFailure(url, ({ message, nextStep, retryAt }) => {
      expect(message).toContain('429');
      expect(Number(retryAt)).toBeGreaterThanOrEqual(Math.trunc(before) + 120_000);
      expect(nextStep).toContain(new Date(Number(retryAt)).toLocaleTimeString('en-US'));
    });
  });

  it.each(['discover', 'connect'])('end “postern %s” with exit code 1', async (command) => {
    const result = await postern(command, await serve(plain(404, 'text/plain', 'nothing here')));
    expect(result.code).toBe(1);
    expect(errorOf(result)).toMatchObject({ code: 'MCP_FAILED', message: expect.stringContaining('404') });
  });

  it('report it in the window too: a web page', async () => {
    const desktop = await createTestDesktop();
    const url = await serve(plain(200, 'text/html', '<!doctype html><p>Hello'));
    const { id } = await desktop.call('connection:discover', { url, options: { local: true } });
    const failed = await desktop.connection(id, ({ state }) => state.name === 'failed');
    expect(endErrorOf(failed)).toMatchObject({ code: 'MCP_FAILED', stage: 'probe' });
    expect(failed.verdict).toBeUndefined();
    expect(desktop.popups).toEqual([]);
  });
});

describe('postern discover distinguishes', () => {
  it('an open server, a 401 that publishes nothing, and one that signs in', async () => {
    const { url } = await startResource(undefined, {});
    const open = await postern('discover', url);
    expect(open.last).toMatchObject({ result: 'ok', verdict: 'open', status: 200, method: 'NoAuth' });
    const closed = await postern('discover', await serve(plain(401, 'application/json', '{}')));
    expect(closed.last).toMatchObject({ result: 'ok', verdict: 'refused', status: 401, method: 'NoAuth' });
    expect(closed.last['nextStep']).toEqual(expect.stringContaining('--header'));
    const signsIn = await postern('discover', (await startSdkServer()).url);
    expect(signsIn.last).toMatchObject({ result: 'ok', verdict: 'sign-in', status: 401 });
  });

  it('them in text too', async () => {
    const home = temporaryFolder();
    const { url } = await startResource(undefined, {});
    const open = await runInProcess(['discover', url, '--local'], { home });
    const closed = await runInProcess(['discover', await serve(plain(401, 'text/plain', 'no')), '--local'], { home });
    expect(open.stdout).toContain('200');
    expect(closed.stdout).toContain('401');
    expect(closed.stdout).toContain('--header');
  });
});

describe('an MCP server is still recognized', () => {
  const serverInfo = { name: 'notes', version: '1' };
  const initialized = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  const json = { 'content-type': 'application/json' };

  /** Handles `initialize` and what follows; `other`: everything without an earlier handshake. */
  const legacy = (other: Responder, more: Record<string, string> = {}) => {
    const log: string[] = [];
    const respond: Responder = (response, request) => {
      if (request.method !== 'POST') {
        log.push(String(request.method));
        return void response.writeHead(request.method === 'DELETE' ? 204 : 405).end();
      }
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as { id?: unknown; method: string };
        log.push(method);
        const ready = method === 'initialize' || request.headers['mcp-protocol-version'] === '2025-06-18';
        if (!ready) return other(response, request);
        if (id === undefined) return void response.writeHead(202).end();
        const result = method === 'initialize' ? initialized : { tools: [] };
        response.writeHead(200, { ...json, ...(method === 'initialize' && more) });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    };
    return { respond, log };
  };

  it.each<[string, Responder]>([
    ['a plain 400', plain(400, 'text/plain', 'Bad Request')],
    ['a plain 406', plain(406, 'text/plain', 'no')],
    ['a plain 500', plain(500, 'text/plain', 'no')],
    ['a web page with 404', plain(404, 'text/html', '<!doctype html>no')],
    [
      'a JSON-RPC error with 400',
      plain(
        400,
        'application/json',
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session required"}}',
      ),
    ],
  ])('that responds to everything but initialize with %s', async (_, other) => {
    const url = await serve(legacy(other).respond);
    expect((await createTestEngine().connect(url)).integration).toMatchObject({
      method: 'NoAuth',
      protocol: 'session',
    });
    expect((await postern('discover', url)).last).toMatchObject({ result: 'ok', verdict: 'open' });
  });

  it('whose session from the probe is closed', async () => {
    const { respond, log } = legacy(plain(400, 'text/plain', 'no'), { 'mcp-session-id': 'one' });
    expect((await postern('discover', await serve(respond))).code).toBe(0);
    expect(log.slice(-2)).toEqual(['initialize', 'DELETE']);
  });

  it('that requires authorization only at initialize', async () => {
    const url = await serve((response, request) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => response.writeHead(body.includes('"initialize"') ? 401 : 400).end());
    });
    expect((await postern('discover', url)).last).toMatchObject({ verdict: 'refused', status: 401 });
  });
});

describe('a server that was connected, and now', () => {
  it.each([
    ['asks to wait', 429, { 'retry-after': '60' }, '429'],
    ['is gone', 404, {}, '404'],
    ['refuses POST', 405, {}, '405'],
    ['refuses access', 403, {}, '403'],
  ] as const)('%s is reported with its status', async (_, status, headers, named) => {
    let changed = false;
    const mcp = await startResource(undefined, {
      intercept: (_request, response) => {
        if (!changed) return false;
        response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end('no');
        return true;
      },
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url);
    changed = true;
    for (const use of [engine.tools(integration), engine.call(integration, 'whoami')]) {
      const { code, message, retryAt } = toPlainError(await failureOf(use));
      expect(code).toBe('MCP_FAILED');
      expect(message).toContain(named);
      expect(retryAt).toEqual(status === 429 ? expect.any(Number) : undefined);
    }
  });

  it.each(['get', 'all'] as const)(
    'supports only the old transport, opened to %s, is reported at once',
    async (route) => {
      const { url } = await startSdkSseServer({ route });
      const engine = createTestEngine();
      const integration: Integration = {
        id: crypto.randomUUID(),
        name: 'Old',
        url,
        method: 'NoAuth',
        state: 'integrated',
        protocol: 'session',
        createdAt: 1,
        notes: [],
        options: localOptions,
      };
      await engine.ports.store.write(integration);
      expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'OLD_TRANSPORT', stage: 'connection' });
    },
  );
});
