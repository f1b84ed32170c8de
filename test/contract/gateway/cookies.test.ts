import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { sessionCookies } from '../../../main/limits.ts';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../../support/raw-mcp-server.ts';

/** A server of several machines behind a load balancer with sticky-session cookies. */

const tools = [{ name: 'where', inputSchema }];
const { secretHash, authorization } = someSecret();
const cookieOf = (session: string): string => `route=machine-of-${session}`;

/** Each session exists only on its own machine. */
async function startBalanced(more: readonly string[] = []) {
  let began = 0;
  const server = await startRawServer('session', tools, ({ headers, message, response }) => {
    if (message.method === 'initialize') {
      const session = `session-${(began += 1)}`;
      response.setHeader('mcp-session-id', session);
      response.setHeader('set-cookie', [`${cookieOf(session)}; Path=/; HttpOnly`, ...more]);
      return false;
    }
    const session = headers['mcp-session-id'];
    if (typeof session === 'string' && !headers.cookie?.split('; ').includes(cookieOf(session))) {
      response.writeHead(404).end();
      return true;
    }
    if (message.method !== 'tools/call') return false;
    sendJson({ message, response }, textResult(`on ${String(session)}`));
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  return { server, engine, integration, served, sessions: () => began };
}

it('keeps each socket session on its machine, and shows apps no cookies', async () => {
  const { server, served, integration, sessions } = await startBalanced();
  const before = sessions();
  const apps = [1, 2, 3].map(() => openApp(served.socket, { server: integration.id }));
  for (const app of apps) await shakeHands(app);
  const places = new Set<string>();
  for (const round of [1, 2])
    for (const app of apps) {
      const response = JSON.stringify(await app.request(round, 'tools/call', { name: 'where' }));
      places.add(/on session-\d+/u.exec(response)?.[0] ?? response);
    }
  expect(places.size).toBe(3);
  expect(sessions()).toBe(before + 3);
  for (const { lines } of apps) expect(lines.join()).not.toMatch(/route=|cookie/iu);
  // The newest session's cookie does not apply to another session.
  for (const { headers } of server.received) expect(headers.cookie?.match(/route=/gu)?.length ?? 0).toBeLessThan(2);
});

it('keeps each HTTP session on its machine, and passes no cookie in either direction', async () => {
  const { server, engine, served, integration, sessions } = await startBalanced();
  await served.allow(integration, { secretHash });
  const { port } = await openHttpEndpoint(served);
  const alias = (await engine.ports.store.read(integration.id))?.alias;
  const headersSeen: Headers[] = [];
  const before = sessions();
  const clients = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = new Client({ name: 'app', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp/${alias}`), {
        requestInit: { headers: { authorization, cookie: 'own=app' } },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          headersSeen.push(response.headers);
          return response;
        },
      });
      await client.connect(transport);
      onTestFinished(() => client.close());
      return client;
    }),
  );
  for (const _round of [1, 2])
    for (const client of clients)
      expect(JSON.stringify(await client.callTool({ name: 'where' }))).toContain('on session-');
  expect(sessions()).toBe(before + 3);
  for (const headers of headersSeen) expect(headers.get('set-cookie')).toBeNull();
  for (const { headers } of server.received) expect(headers.cookie ?? '').not.toContain('own=');
});

it('drops cookies that a hostile server sets for other hosts, in excess or with no reason (GW-22)', async () => {
  const { server, served, integration } = await startBalanced([
    'foreign=1; Domain=example.com; Path=/',
    'over=1; Secure; Path=/',
    '__Host-a=1; Path=/',
    'gone=1; Max-Age=0',
    `huge=${'x'.repeat(sessionCookies.size)}`,
    'pinned=1; Path=/',
  ]);
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  await app.request(1, 'tools/call', { name: 'where' });
  const { cookie } = server.received.findLast(({ message }) => message.method === 'tools/call')?.headers ?? {};
  expect(cookie).toMatch(/^route=machine-of-session-\d+; pinned=1$/u);
});
