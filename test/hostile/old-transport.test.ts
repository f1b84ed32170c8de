import type { ServerResponse } from 'node:http';
import { createConnection } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { saveHeaderValue } from '../../main/engine/records/stored-secrets.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import { deadline } from '../../main/limits.ts';
import { Secret } from '../../main/secret.ts';
import type { Integration } from '../../shared/integration.ts';
import { asChecked } from '../support/as-checked.ts';
import { openHttpEndpoint, someSecret } from '../support/http-endpoint.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import type { LineApp } from '../support/line-app.ts';
import { localOptions } from '../support/local-options.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { endpointEvent, oldEvent, startOldServer } from '../support/old-server.ts';
import type { OldMessage, OldServer } from '../support/old-server.ts';
import { failureOf } from '../support/prove-connection.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngineOptions } from '../support/test-engine.ts';
import { textResult } from '../support/raw-mcp-server.ts';

/** What an HTTP+SSE server (MCP 2024-11-05) could do with its stream and the endpoint address it names. */

async function startEvil() {
  const evil = await serveHttp((_, response) => void response.writeHead(200).end());
  onTestFinished(() => evil[Symbol.asyncDispose]());
  return evil;
}

/** An engine with an integration for this server, whose key is the canary. */
async function know(
  { url }: Pick<OldServer, 'url'>,
  protocol?: Integration['protocol'],
  options: TestEngineOptions = {},
) {
  const engine = createTestEngine(options);
  const integration: Integration = {
    id: crypto.randomUUID(),
    name: 'Old',
    url,
    method: 'NoAuth',
    state: 'integrated',
    createdAt: 1,
    notes: [],
    options: { ...localOptions, headerName: 'X-Api-Key' },
    ...(protocol && { protocol }),
  };
  await saveHeaderValue(
    engine.vault,
    { ...integration, url: asChecked(url) },
    { value: new Secret('canary'), further: [] },
  );
  await engine.ports.store.write(integration);
  return { engine, integration };
}

const hasKey = ({ headers }: OldMessage): boolean => headers['x-api-key'] === 'canary';

describe('the endpoint', () => {
  it.each<[string, (own: string, evil: string) => string]>([
    ['at another origin', (_, evil) => `${evil}/messages`],
    ['at another origin, without a scheme', (_, evil) => `${evil.slice('http:'.length)}/messages`],
    ['behind backslashes', (_, evil) => evil.slice('http:'.length).replaceAll('/', '\\')],
    ['at the same host by another scheme', (own) => `${own.replace('http:', 'https:')}/messages`],
    ['with a user and a password', (own) => `${own.replace('//', '//user:secret@')}/messages`],
    ['with a user', (own) => `${own.replace('//', '//user@')}/messages`],
    ['of another scheme', () => 'javascript:alert(1)'],
    ['of data', () => 'data:text/plain,hello'],
    ['of a file', () => 'file:///etc/passwd'],
    ['without a host', () => 'http://'],
    ['that is too long', () => `/messages?${'x'.repeat(5_000)}`],
    ['that is empty', () => ' '],
  ])('%s is rejected, and nothing is sent (OT-01)', async (_, name) => {
    const evil = await startEvil();
    const server = await startOldServer({
      begin: (stream) => stream.write(endpointEvent(name(server.origin, evil.origin))),
    });
    for (const protocol of ['sse', undefined] as const) {
      const { engine, integration } = await know(server, protocol);
      const refused = { code: 'ENDPOINT_REFUSED', stage: 'connection' };
      expect(await failureOf(engine.tools(integration))).toMatchObject(refused);
      const served = await serveGateway(engine, { allowUnknown: true });
      const shaken = await shakeHands(openApp(served.socket, { server: integration.id }));
      expect(shaken).toHaveProperty('error.data.code', 'ENDPOINT_REFUSED');
    }
    expect(evil.received()).toBe('');
    expect(server.log.filter((line) => line !== 'GET /sse' && line !== 'POST /sse')).toEqual([]);
  });

  it('that is named again changes nothing, wherever it points (OT-03)', async () => {
    const evil = await startEvil();
    const server = await startOldServer({
      begin: (stream, endpoint) =>
        stream.write(endpointEvent(endpoint) + endpointEvent('/other') + endpointEvent(`${evil.origin}/messages`)),
    });
    const { engine, integration } = await know(server, 'sse');
    expect(await engine.tools(integration)).toEqual(['look']);
    expect(server.log).not.toContain('POST /other');
    expect(server.received.every(hasKey)).toBe(true);
    expect(evil.received()).toBe('');
  });

  it.each<[string, (stream: ServerResponse) => unknown]>([
    ['never comes', () => {}],
    [
      'never comes among comments without end',
      (stream) => {
        const drip = setInterval(() => stream.write(':\n\n'), 5);
        stream.once('close', () => clearInterval(drip));
      },
    ],
    ['never comes among other events', (stream) => stream.write('event: other\ndata: 1\n\n'.repeat(1_000))],
  ])('that %s is not waited for long (OT-02)', async (_, begin) => {
    const server = await startOldServer({
      begin: (stream) => {
        stream.flushHeaders();
        begin(stream);
      },
    });
    const after: typeof systemClock.after = (time, run) =>
      systemClock.after(time === deadline.sseEndpoint ? 200 : time, run);
    const { engine, integration } = await know(server, 'sse', { clock: { ...systemClock, after } });
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'DEADLINE' });
    await expect.poll(() => server.streams().length).toBe(0);
    expect(server.received).toEqual([]);
  });

  it('that comes after a message does not belong to this transport (OT-02)', async () => {
    const server = await startOldServer({
      begin: (stream, endpoint) => stream.write(oldEvent({ method: 'ping', id: 1 }) + endpointEvent(endpoint)),
    });
    const { engine, integration } = await know(server, 'sse');
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'MCP_FAILED' });
    expect(server.received).toEqual([]);
  });
});

describe('a redirect to another origin', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %i is not followed, for the stream or for a message (OT-06)',
    async (status) => {
      const evil = await startEvil();
      for (const redirected of ['GET', 'POST']) {
        const server = await startOldServer({
          intercept(request, response) {
            if (request.method !== redirected) return false;
            response.writeHead(status, { location: `${evil.origin}/sse` }).end();
            return true;
          },
        });
        const { engine, integration } = await know(server, 'sse');
        expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'REDIRECT_REFUSED' });
      }
      expect(evil.received()).toBe('');
    },
  );
});

describe.each(['session', 'stateless'] as const)('a server that has used the newer transport, %s', (protocol) => {
  it('and now shows the old one gets no credential at an endpoint of its choice (OT-07)', async () => {
    const server = await startOldServer();
    const { engine, integration } = await know(server, protocol);
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'OLD_TRANSPORT' });
    const served = await serveGateway(engine, { allowUnknown: true });
    expect(await shakeHands(openApp(served.socket, { server: integration.id }))).toHaveProperty('error');
    expect(server.received).toEqual([]);
  });
});

describe('an event', () => {
  const huge = 'x'.repeat(17 * 1_024 * 1_024);

  it.each<[string, (stream: ServerResponse, endpoint: string) => unknown]>([
    ['instead of the endpoint', (stream) => stream.write(`event: endpoint\ndata: /${huge}\n\n`)],
    ['that never ends', (stream) => stream.write(`data: ${huge}`)],
  ])('above the message limit %s ends the connection (OT-04)', async (_, begin) => {
    const server = await startOldServer({ begin });
    const { engine, integration } = await know(server, 'sse');
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect(server.received).toEqual([]);
  });

  it('above the message limit is rejected in place of the response, and the app continues (OT-04)', async () => {
    let size = huge;
    const { open } = await openGateway(({ message, stream }) => {
      if (message.method !== 'tools/call') return false;
      stream.write(oldEvent({ id: message.id, ...textResult(size) }));
      return true;
    });
    const app = open();
    await shakeHands(app);
    const refused = { isError: true, _meta: { 'dev.postern/error': { code: 'RESULT_TOO_LARGE' } } };
    expect(await call(app, 1)).toMatchObject({ result: refused });
    size = 'small';
    expect(JSON.stringify(await call(app, 2))).toContain('small');
  });

  it('with a response to no request, a second one, or one for another session reaches no other (OT-05)', async () => {
    const ids = [1, 1, '1', 'other', null, 'postern:1', 2 ** 60, {}, [1], true, '', 7];
    const { server, open } = await openGateway(({ message, stream }) => {
      if (message.method !== 'tools/call' || message.id === 7) return false;
      for (const id of ids)
        stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { from: JSON.stringify(id) } })}\n\n`);
      stream.write(
        'data: {"jsonrpc":"2.0","result":{}}\n\ndata: [{"jsonrpc":"2.0","id":1,"result":{}}]\n\ndata: nothing\n\n',
      );
      stream.write(oldEvent({ id: 'last', method: 'notifications/message', params: {} }));
      return true;
    });
    const [app, other] = [open(), open()];
    await Promise.all([shakeHands(app), shakeHands(other)]);
    other.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"look"}}');
    await expect.poll(() => server.received.some(({ message }) => message.id === 7)).toBe(true);
    expect(await call(app, 1)).toHaveProperty('result.from', '1');
    await app.line(({ id }) => id === 'last');
    const answers = app.lines.filter((line) => line.includes('"from"') || /"id":(?!0\b)[^,]*,"result"/u.test(line));
    expect(answers).toHaveLength(1);
    expect(other.lines.filter((line) => line.includes('"from"'))).toEqual([]);
  });
});

describe('an endless stream', () => {
  it('brings an app that does not read no more than it accepts (OT-08)', async () => {
    const [events, text] = [400, oldEvent({ method: 'notifications/message', params: { data: 'x'.repeat(2 ** 20) } })];
    let sent = 0;
    let isFlooding = false;
    const { open, integration, served, server } = await openGateway(({ message, stream }) => {
      if (message.method !== 'notifications/initialized') return false;
      const flood = (): void => {
        do sent += 1;
        while (sent < events && stream.write(text));
        if (sent < events) stream.once('drain', flood);
      };
      if (isFlooding) flood();
      return true;
    });
    isFlooding = true;
    const socket = createConnection(served.socket);
    onTestFinished(() => void socket.destroy());
    const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${handshake}}`;
    socket.write(`${JSON.stringify({ postern: 1, open: { server: integration.id } })}\n${initialize}\n`);
    await new Promise((resolve) => void socket.once('data', resolve));
    socket.pause();
    const before = server.received.length;
    socket.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await expect.poll(() => server.received.length).toBeGreaterThan(before);
    isFlooding = false;
    // Other calls take long enough that more would have arrived.
    for (let count = 0; count < 20; count += 1) {
      const other = open();
      await shakeHands(other);
      await other.request(1, 'tools/list');
      other.end();
    }
    expect(sent).toBeLessThan(events / 2);
  });

  it('delays no call with messages that no one listens to (OT-08)', async () => {
    const { server, integration, served } = await openGateway(({ message, stream }) => {
      if (message.method !== 'tools/call') return false;
      stream.write(oldEvent({ id: message.id, ...textResult('done') }));
      return true;
    });
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const { send } = await openHttpEndpoint(served);
    const path = `/mcp/${integration.alias}`;
    const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const first = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${handshake}}`;
    const session = (await send(fields, { path, body: first })).headers['mcp-session-id'];
    const inSession = { ...fields, 'mcp-session-id': String(session) };
    await send(inSession, { path, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    const [stream] = server.streams().slice(-1);
    const note = oldEvent({ method: 'notifications/message', params: { data: 'x'.repeat(50_000) } });
    for (let count = 0; count < 200; count += 1) {
      if (!stream?.write(note)) await new Promise((resolve) => stream?.once('drain', resolve));
    }
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}';
    const { text } = await send(inSession, { path, body });
    expect(text).toContain('done');
  });
});

const handshake = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}';
const call = (app: LineApp, id: number) => app.request(id, 'tools/call', { name: 'look' });

async function openGateway(respond: (arrived: OldMessage) => boolean) {
  const server = await startOldServer({ answer: respond });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url);
  const served = await serveGateway(engine, { allowUnknown: true });
  return { server, integration, served, open: () => openApp(served.socket, { server: integration.id }) };
}
