import { describe, expect, it } from 'vitest';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, startRawServer } from '../../support/raw-mcp-server.ts';

/** Request IDs that not every app and server preserves exactly. */

const ids = [
  '12345678901234567890',
  '-12345678901234567890',
  '9007199254740993',
  '1.0',
  '1.50',
  '2e2',
  '0',
  '-0',
  '7',
  '"8"',
  '"12345678901234567890"',
  String.raw`"\u0069d \"x\""`,
];
const methods = ['tools/list', 'tools/call', 'vendor/thing'];
const { secretHash, authorization } = someSecret();

/** How a server writes the ID of its response. */
const echoes: Readonly<Record<string, (id: string) => string>> = {
  'as it came': (id) => id,
  'as JavaScript keeps it': (id) => JSON.stringify(JSON.parse(id)),
  'as a string': (id) => (id.startsWith('"') ? id : `"${id}"`),
};

const idIn = (text: string): string | undefined => /"id":("(?:[^"\\]|\\.)*"|[-+\w.]+)/u.exec(text)?.[1];
const requestText = (id: string, method: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"name":"add"}}`;

async function start(echo: (id: string) => string) {
  const server = await startRawServer('session', [{ name: 'add', inputSchema }], ({ message, text, response }) => {
    if (!methods.includes(message.method ?? '')) return false;
    const result = message.method === 'tools/list' ? '{"tools":[]}' : '{"content":[]}';
    const id = echo(idIn(text) ?? 'null');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  return { server, engine, integration, served: await serveGateway(engine, { allowUnknown: true }) };
}

const kinds = pipeKinds.map((pipe) => ({ pipe, name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name }));

describe.for(Object.entries(echoes))('a server that writes IDs %s', ([, echo]) => {
  it.skipIf(process.platform === 'win32').for(kinds)(
    'answers each request by the $name pipe with the ID that the app wrote',
    async ({ pipe }, { skip }) => {
      if (pipe.missing) skip();
      const { engine, integration } = await start(echo);
      const app = startPipe(pipe, ['--profile-folder', engine.folder, integration.id]);
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      app.send(
        `{"jsonrpc":"2.0","id":12345678901234567899,"method":"initialize","params":${JSON.stringify(params)}}\n`,
      );
      expect(await app.nextLine()).toMatch(/"id":12345678901234567\d+,"result"/u);
      app.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      for (const method of methods)
        for (const id of ids) {
          app.send(`${requestText(id, method)}\n`);
          expect(await app.nextLine()).toMatch(new RegExp(`^\\{"jsonrpc":"2.0","id":${escape(id)},"result":`, 'u'));
        }
    },
  );

  it('answers each request over HTTP with the ID that the app wrote', async () => {
    const { engine, integration, served } = await start(echo);
    await served.allow(integration, { secretHash });
    const { port } = await openHttpEndpoint(served);
    const alias = (await engine.ports.store.read(integration.id))?.alias;
    for (const method of methods)
      for (const id of ids) {
        const response = await fetch(`http://127.0.0.1:${port}/mcp/${alias}`, {
          method: 'POST',
          headers: {
            authorization,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: requestText(id, method),
        });
        const reply = await response.text();
        expect(reply).toContain('"result"');
        expect(idIn(reply)).toBe(id);
      }
  });
});

it('never reuses an ID in a server session, whatever IDs an app has used (MCP 2025-11-25, requests)', async () => {
  const { server, engine, integration, served } = await start((id) => id);
  const open = () => openApp(served.socket, { server: integration.id });
  const requests = () =>
    server.received.flatMap(({ message: { id, method } }) => (method && id !== undefined ? [id] : []));
  const signIn = async (signedInAt: number) => {
    const before = requests().length;
    await engine.ports.store.update(integration.id, (entry) => ({ ...entry, signedInAt }));
    await served.gateway.reloadSettings();
    // Postern checks whether the server is there.
    await expect.poll(() => requests().length).toBe(before + 1);
  };
  const first = open();
  await shakeHands(first);
  await signIn(1);
  const ofPostern = requests().at(-1) ?? '';
  first.end();
  await first.closed;
  const since = requests().length;
  const app = open();
  await shakeHands(app);
  for (const id of [ofPostern, 'postern:ping', 'postern:1', 'postern:2']) await app.request(id, 'tools/list');
  await signIn(2);
  await signIn(3);
  const used = requests().slice(since);
  expect(used).toHaveLength(7);
  expect(new Set(used).size).toBe(7);
});

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}
