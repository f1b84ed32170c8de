import { expect, it } from 'vitest';
import { startResource } from '../../support/demo-pair.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';

async function start() {
  const mcp = await startResource(undefined);
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  return { mcp, engine, integration, served: await serveGateway(engine) };
}

const code = (response: unknown) => (response as { error?: { data?: { code?: string } } }).error?.data?.code;

it('rejects an unknown app, and an app added for another server (GW-21)', async () => {
  const { integration, served, mcp } = await start();
  const before = mcp.requests.length;
  const unknown = openApp(served.socket, { server: integration.id });
  expect(code(await shakeHands(unknown))).toBe('APP_UNKNOWN');
  const other = await served.allow(integration, { integrations: ['another'] });
  expect(code(await shakeHands(openApp(served.socket, { server: integration.id, app: other })))).toBe('APP_UNKNOWN');
  expect(mcp.requests).toHaveLength(before);
});

it('ends the sessions of a revoked app, and rejects it from then on (GW-21)', async () => {
  const { integration, served } = await start();
  const id = await served.allow(integration);
  const app = openApp(served.socket, { server: integration.id, app: id });
  expect(await shakeHands(app)).toHaveProperty('result');
  await served.changeRecords((records) => records.map((record) => ({ ...record, revokedAt: 5 })));
  await app.closed;
  const again = openApp(served.socket, { server: integration.id, app: id });
  expect(code(await shakeHands(again))).toBe('APP_REVOKED');
  expect(served.events.map(({ state }) => state)).toEqual(['open', 'closed', 'refused']);
});

it.for([
  ['what is not JSON', '{"jsonrpc":"2.0","id":1,', { code: -32_700 }],
  ['an array', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { code: -32_600 }],
  [
    'what is nested too deeply',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(600)}${']'.repeat(600)}}`,
    { code: -32_600, data: { code: 'JSON_DEPTH' } },
  ],
  [
    'a line that is too long',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"${'x'.repeat(17 * 1_024 * 1_024)}"}}`,
    { code: -32_600, data: { code: 'BODY_TOO_LARGE' } },
  ],
] as const)('rejects %s with an error response, and continues', async ([, line, said]) => {
  const { integration, served } = await start();
  const app = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
  await shakeHands(app);
  app.write(line);
  const refused = await app.line(({ error }) => error !== undefined);
  expect(JSON.parse(refused)).toMatchObject({ error: said, ...('data' in said && { id: 1 }) });
  expect(await app.request(2, 'tools/list')).toHaveProperty('result.tools');
});

it('disconnects an app that does not name a server first', async () => {
  const { served } = await start();
  const app = openApp(served.socket, { server: '' });
  app.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await app.closed;
  expect(app.lines).toEqual([]);
});

it('keeps an entry on its server when another server later takes the same name', async () => {
  const { engine, integration, served } = await start();
  const { alias = '' } = await engine.read(integration);
  const other = await startResource(undefined);
  const { integration: later } = await engine.connect(other.url, { local: true });
  await engine.ports.store.update(later.id, (entry) => ({ ...entry, name: alias }));
  const before = other.requests.length;
  const id = await served.allow(integration);
  const app = openApp(served.socket, { server: alias, app: id });
  expect(await shakeHands(app)).toHaveProperty('result');
  expect(other.requests).toHaveLength(before);
});
