import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { sessionCookies } from '../../../main/limits.ts';
import { openHttpDoor, someSecret } from '../../support/http-door.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startWireServer, textResult } from '../../support/wire-server.ts';

/** A server of several machines behind a load balancer that tells them apart by a cookie. */

const tools = [{ name: 'where', inputSchema }];
const { secretHash, authorization } = someSecret();
const cookieOf = (session: string): string => `route=machine-of-${session}`;

/** Each session is on a machine of its own, which alone knows it. */
async function startBalanced(more: readonly string[] = []) {
  let began = 0;
  const server = await startWireServer('legacy', tools, ({ headers, message, response }) => {
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

it('keeps each session at the socket on its own machine, and tells no program of cookies', async () => {
  const { server, served, integration, sessions } = await startBalanced();
  const before = sessions();
  const programs = [1, 2, 3].map(() => openProgram(served.socket, { server: integration.id }));
  for (const program of programs) await shakeHands(program);
  const places = new Set<string>();
  for (const round of [1, 2])
    for (const program of programs) {
      const answer = JSON.stringify(await program.ask(round, 'tools/call', { name: 'where' }));
      places.add(/on session-\d+/u.exec(answer)?.[0] ?? answer);
    }
  expect(places.size).toBe(3);
  expect(sessions()).toBe(before + 3);
  for (const { lines } of programs) expect(lines.join()).not.toMatch(/route=|cookie/iu);
  // The newest one's cookie is not that of another session.
  for (const { headers } of server.came) expect(headers.cookie?.match(/route=/gu)?.length ?? 0).toBeLessThan(2);
});

it('keeps each session over HTTP on its own machine, and passes no cookie of either side on', async () => {
  const { server, engine, served, integration, sessions } = await startBalanced();
  await served.allow(integration, { secretHash });
  const { port } = await openHttpDoor(served);
  const alias = (await engine.ports.store.read(integration.id))?.alias;
  const seen: Headers[] = [];
  const before = sessions();
  const clients = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = new Client({ name: 'program', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp/${alias}`), {
        requestInit: { headers: { authorization, cookie: 'own=program' } },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          seen.push(response.headers);
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
  for (const headers of seen) expect(headers.get('set-cookie')).toBeNull();
  for (const { headers } of server.came) expect(headers.cookie ?? '').not.toContain('own=');
});

it('keeps nothing that a hostile server sets for others, in excess or without ground (GW-22)', async () => {
  const { server, served, integration } = await startBalanced([
    'foreign=1; Domain=example.com; Path=/',
    'over=1; Secure; Path=/',
    '__Host-a=1; Path=/',
    'gone=1; Max-Age=0',
    `huge=${'x'.repeat(sessionCookies.size)}`,
    'kept=1; Path=/',
  ]);
  const program = openProgram(served.socket, { server: integration.id });
  await shakeHands(program);
  await program.ask(1, 'tools/call', { name: 'where' });
  const { cookie } = server.came.findLast(({ message }) => message.method === 'tools/call')?.headers ?? {};
  expect(cookie).toMatch(/^route=machine-of-session-\d+; kept=1$/u);
});
