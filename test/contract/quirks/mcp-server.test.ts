import { describe, expect, it } from 'vitest';
import { toPlainError } from '../../../main/errors/postern-error.ts';
import type { AuthorizationServerOptions } from '../../demo/authorization-server-options.ts';
import type { DemoMcpServer, McpServerOptions } from '../../demo/mcp-server-options.ts';
import { requestsTo, startPair, startResource } from '../../support/demo-pair.ts';
import { failureOf, proveConnection, proveUse } from '../../support/prove-connection.ts';
import { startSdkServer } from '../../support/sdk-server.ts';
import type { SdkServer } from '../../support/sdk-server.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Ways in which MCP servers accept a token, and ways in which they do not. */

/** A server that responds to some tokens as it likes; `refuse` names one. */
function choosy(reply: { readonly status: number; readonly challenge?: string }, method?: string) {
  const refused = new Set<string>();
  const options: McpServerOptions = {
    intercept: (request, response) => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const isMeant = method === undefined || request.headers['mcp-method'] === method;
      if (!refused.has(token) || request.method !== 'POST' || !isMeant) return false;
      const headers = reply.challenge === undefined ? {} : { 'www-authenticate': reply.challenge };
      response.writeHead(reply.status, { 'content-type': 'text/plain', ...headers }).end('no');
      return true;
    },
  };
  return { options, refuse: (mcp: DemoMcpServer) => void refused.add(lastToken(mcp)) };
}

const lastToken = (mcp: DemoMcpServer): string =>
  mcp.requests.findLast(({ token }) => token !== undefined)?.token ?? '';

/** Its tokens have an unknown lifetime. */
const withoutLifetime: AuthorizationServerOptions = {
  answer: (route, response) => {
    const { expires_in: _, ...body } = response.body as Record<string, unknown>;
    return route === 'token' ? { ...response, body } : response;
  },
};

const refreshes = ({ as }: { readonly as: Parameters<typeof requestsTo>[0] }) =>
  requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token').length;

describe('a token that a server no longer accepts', () => {
  it.each<[string, { status: number; challenge?: string }]>([
    ['401 without a challenge', { status: 401 }],
    ['403 with error="invalid_token"', { status: 403, challenge: 'Bearer error="invalid_token"' }],
    ['403 without a reason', { status: 403 }],
    ['403 with a bare challenge', { status: 403, challenge: 'Bearer realm="notes"' }],
  ])('with a response of %s is refreshed once, and the request sent again', async (_, response) => {
    const { options, refuse } = choosy(response);
    const pair = await startPair({}, options);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    refuse(pair.mcp);
    await proveUse(engine, integration);
    expect(refreshes(pair)).toBe(1);
  });

  it('with a response of 500 is refreshed once if its lifetime is unknown', async () => {
    const { options, refuse } = choosy({ status: 500 });
    const pair = await startPair(withoutLifetime, options);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    refuse(pair.mcp);
    await proveUse(engine, integration);
    expect(refreshes(pair)).toBe(1);
  });

  it('is not refreshed for a 500 while it is valid: then the server is broken, not the token', async () => {
    const { options, refuse } = choosy({ status: 500 });
    const pair = await startPair({}, options);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    refuse(pair.mcp);
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'MCP_FAILED', detail: { status: 500 } });
    expect(refreshes(pair)).toBe(0);
  });

  it('never causes a tool call that ended with 500 to be sent again', async () => {
    const { options, refuse } = choosy({ status: 500 }, 'tools/call');
    const pair = await startPair(withoutLifetime, options);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    refuse(pair.mcp);
    const before = calls(pair.mcp);
    expect(await failureOf(engine.call(integration, 'whoami'))).toMatchObject({ code: 'MCP_FAILED' });
    expect(calls(pair.mcp) - before).toBe(1);
    expect(refreshes(pair)).toBe(0);
  });

  it('is reported in the words of the server if it is rejected with 403 for one tool', async () => {
    const rpcError = { code: -32_000, message: 'Your role may not use this tool' };
    const pair = await startPair(
      {},
      {
        intercept: (request, response) => {
          if (request.method !== 'POST' || request.headers.authorization === undefined) return false;
          if (request.headers['mcp-method'] !== 'tools/call') return false;
          response.writeHead(403, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: rpcError }));
          return true;
        },
      },
    );
    const engine = createTestEngine();
    const { integration } = await engine.connect(pair.mcp.url);
    const error = await failureOf(engine.call(integration, 'whoami'));
    expect(toPlainError(error)).toMatchObject({ code: 'SERVER_ERROR', serverWords: rpcError });
    expect((await engine.read(integration)).state).toBe('integrated');
  });

  it('and whose successor is rejected with 403 too ends with a typed error, after one refresh for all requests', async () => {
    let refuses = false;
    const pair = await startPair(
      {},
      {
        intercept: (request, response) => {
          if (!refuses || request.method !== 'POST' || request.headers.authorization === undefined) return false;
          response.writeHead(403).end();
          return true;
        },
      },
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    refuses = true;
    for (let round = 0; round < 3; round += 1) {
      expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'ACCESS_REFUSED' });
    }
    expect(refreshes(pair)).toBe(1);
    // A rejection without a reason may be about the user's permissions: it ends no sign-in.
    expect((await engine.read(integration)).state).toBe('integrated');
  });
});

describe('a server that speaks', () => {
  it.each<[string, NonNullable<McpServerOptions['protocols']>, string]>([
    ['only MCP 2026-07-28', 'stateless', 'stateless'],
    ['only initialize', 'session', 'session'],
    ['both', 'both', 'stateless'],
  ])('%s connects and works, and its protocol is remembered', async (_, protocols, protocol) => {
    const { mcp } = await startPair({}, { protocols });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect((await engine.read(integration)).protocol).toBe(protocol);
    // Both protocols are tried at once, only at the first connection.
    const requestCount = (method: string): number =>
      mcp.requests.filter(({ rpcMethod }) => rpcMethod === method).length;
    expect(requestCount(protocol === 'stateless' ? 'initialize' : 'server/discover')).toBeLessThanOrEqual(2);
    if (protocol === 'stateless') expect(requestCount('initialize')).toBe(1);
  });

  it('only MCP 2026-07-28 and needs no sign-in connects and works', async () => {
    const { url } = await startResource(undefined, { protocols: 'stateless' });
    const { integration } = await proveConnection(createTestEngine(), url);
    expect(integration).toMatchObject({ method: 'NoAuth', protocol: 'stateless' });
  });
});

describe('a server with sessions (Mcp-Session-Id)', () => {
  const sessions = ({ log }: SdkServer) => log.filter((line) => line.startsWith('session')).length;
  const missed = ({ log }: SdkServer) => log.filter((line) => line === 'POST /mcp 404').length;

  it('connects and works, each request in its session', async () => {
    const server = await startSdkServer({ endsSession: () => false });
    const { integration } = await proveConnection(createTestEngine(), server.url);
    expect(integration.protocol).toBe('session');
    expect(sessions(server)).toBeGreaterThanOrEqual(3);
    expect(missed(server)).toBe(0);
  });

  it.each(['tools/list', 'tools/call'])(
    'that has ended one before %s is called once more in a new one (MCP 2025-11-25, session management 4)',
    async (method) => {
      let ends = 0;
      const server = await startSdkServer({ endsSession: (rpcMethod) => rpcMethod === method && ends-- > 0 });
      const engine = createTestEngine();
      const { integration } = await proveConnection(engine, server.url);
      const before = sessions(server);
      ends = 1;
      if (method === 'tools/list') expect(await engine.tools(integration)).toContain('whoami');
      else expect(await engine.call(integration, 'word_count', { text: 'one two three' })).toContain('3 words');
      expect(sessions(server) - before).toBe(2);
      expect(missed(server)).toBe(1);
    },
  );

  it('that ends one before the first list of its tools connects anyway', async () => {
    let ends = 1;
    const server = await startSdkServer({ endsSession: (rpcMethod) => rpcMethod === 'tools/list' && ends-- > 0 });
    await proveConnection(createTestEngine(), server.url);
    expect(missed(server)).toBe(1);
  });

  it('that ends every one is not retried forever', async () => {
    let ends = false;
    const server = await startSdkServer({ endsSession: (rpcMethod) => ends && rpcMethod === 'tools/list' });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, server.url);
    ends = true;
    expect(await failureOf(engine.tools(integration))).toMatchObject({
      code: 'SESSION_ENDED',
      detail: { status: 404 },
    });
    expect(missed(server)).toBe(2);
    expect((await engine.read(integration)).state).toBe('integrated');
  });
});

function calls(mcp: DemoMcpServer): number {
  return mcp.requests.filter(({ headers }) => headers['mcp-method'] === 'tools/call').length;
}
