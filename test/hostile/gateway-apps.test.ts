import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectWithKey } from '../../main/engine/connect/connect-with-key.ts';
import { gatewaySession } from '../../main/limits.ts';
import { Secret } from '../../main/secret.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { startPair } from '../support/demo-pair.ts';
import { openHttpEndpoint, someSecret } from '../support/http-endpoint.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import type { LineApp } from '../support/line-app.ts';
import { localOptions } from '../support/local-options.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { event, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

type OnMessage = (request: RawRequest) => boolean;

async function start(onMessage: OnMessage = () => false) {
  const server = await startRawServer('session', [], onMessage);
  const engine = createTestEngine();
  const connected = await engine.connect(server.url, { local: true });
  const integration = await engine.read(connected.integration);
  const served = await serveGateway(engine, { allowUnknown: true });
  const open = async (): Promise<LineApp> => {
    const app = openApp(served.socket, { server: integration.id });
    await shakeHands(app);
    return app;
  };
  return { server, engine, integration, served, open };
}

const onCall =
  (respond: (request: RawRequest) => void): OnMessage =>
  (request) => {
    if (request.message.method !== 'tools/call') return false;
    respond(request);
    return true;
  };
const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}';
const codeOf = (response: unknown) => (response as { error?: { data?: { code?: string } } }).error?.data?.code;
const mebibyte = 1_024 * 1_024;
const memory = () => {
  collectGarbage();
  return process.memoryUsage().rss;
};

describe('a hostile app', () => {
  it('costs no more than its bytes when its line arrives byte by byte, or never ends (GW-07)', async () => {
    const { served, integration, open } = await start();
    const other = await open();
    const socket = createConnection(served.socket);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`${JSON.stringify({ postern: 1, open: { server: integration.id } })}\n{"jsonrpc":"2.0","id":9,"x":"`);
    const before = memory();
    const part = Buffer.alloc(mebibyte, 'x');
    // Far more than a late garbage collection may leave.
    for (let sent = 0; sent < 500; sent += 1) {
      if (!socket.write(part)) await new Promise((resolve) => void socket.once('drain', resolve));
    }
    expect(memory() - before).toBeLessThan(250 * mebibyte);
    expect(await other.request(1, 'tools/list')).toHaveProperty('result.tools');
    const errorText = new Promise<string>(
      (resolve) => void socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    socket.write('"}\n');
    expect(JSON.parse(await errorText)).toMatchObject({ id: 9, error: { data: { code: 'BODY_TOO_LARGE' } } });
  });

  it('that does not read takes no memory from others, whatever its server sends (GW-08)', async () => {
    let sent = 0;
    const { served, integration, open } = await start(
      onCall(({ response, message }) => {
        if (message.params?.name !== 'flood') return sendJson({ response, message }, textResult('honest'));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const text = event({ method: 'notifications/message', params: { data: 'x'.repeat(mebibyte) } });
        const flood = (): void => {
          do sent += text.length;
          while (!response.destroyed && sent < 2_000 * mebibyte && response.write(text));
          response.once('drain', flood);
        };
        flood();
      }),
    );
    const other = await open();
    const socket = createConnection(served.socket);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`${JSON.stringify({ postern: 1, open: { server: integration.id } })}\n${initialize}\n`);
    await new Promise((resolve) => void socket.once('data', resolve));
    socket.pause();
    socket.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const before = memory();
    for (let id = 1; id <= 20; id += 1) {
      socket.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"flood"}}\n`);
    }
    await expect.poll(() => sent).toBeGreaterThan(2 * mebibyte);
    // The others are as quick as before, and run long enough for the flood to show.
    for (let id = 1; id <= 200; id += 1)
      expect(await other.request(id, 'tools/call', { name: 'x' })).toHaveProperty('result.content');
    expect(sent).toBeLessThan(400 * mebibyte);
    expect(memory() - before).toBeLessThan(300 * mebibyte);
    socket.destroy();
    await expect.poll(() => served.gateway.sessions).toBe(1);
  });

  it.for([
    ['one document', '', '', 'application/json'],
    ['an event', 'data: ', '\n\n', 'text/event-stream'],
  ] as const)(
    'that does not read holds 32 MiB of forty responses of %s each, and gets them all when it reads (GW-08)',
    async ([, before, after, type]) => {
      // The same bytes for all: this process is the server too.
      const text = Buffer.alloc(12 * mebibyte, 'x');
      let asked = 0;
      const { served, integration } = await start(
        onCall(({ response, message }) => {
          asked += 1;
          response.writeHead(200, { 'content-type': type });
          response.write(`${before}{"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"text":"`);
          response.write(text);
          response.end(`"}}${after}`);
        }),
      );
      const socket = createConnection(served.socket);
      onTestFinished(() => void socket.destroy());
      socket.write(`${JSON.stringify({ postern: 1, open: { server: integration.id } })}\n${initialize}\n`);
      await new Promise((resolve) => void socket.once('data', resolve));
      socket.pause();
      socket.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      const held = process.memoryUsage().arrayBuffers;
      for (let id = 1; id <= 40; id += 1) {
        socket.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x"}}\n`);
      }
      await expect.poll(() => asked).toBe(40);
      // Other calls take long enough that more would have arrived.
      for (let count = 0; count < 20; count += 1) {
        const other = openApp(served.socket, { server: integration.id });
        await shakeHands(other);
        other.end();
      }
      collectGarbage();
      // Twice as much is in memory: a message grows in a buffer that may be larger, and is copied once.
      expect(process.memoryUsage().arrayBuffers - held).toBeLessThan(100 * mebibyte);
      let lines = 0;
      const all = new Promise<void>((resolve) => {
        socket.on('data', (chunk: Buffer) => {
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
          if (lines === 40) resolve();
        });
      });
      socket.resume();
      await all;
    },
  );

  it('that does not read over HTTP pauses its server, and gets everything when it reads (GW-08)', async () => {
    const [events, text] = [200, event({ method: 'notifications/message', params: { data: 'x'.repeat(mebibyte) } })];
    let sent = 0;
    const { served, integration } = await start(
      onCall(({ response, message }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const flood = (): void => {
          while (sent < events) {
            sent += 1;
            if (!response.write(text)) return void response.once('drain', flood);
          }
          response.end(event({ id: message.id, ...textResult('done') }));
        };
        flood();
      }),
    );
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const { port } = await openHttpEndpoint(served);
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}';
    const socket = createConnection(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(
      `POST /mcp/${integration.alias} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: ${authorization}\r\n` +
        `accept: application/json, text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => sent).toBeGreaterThan(0);
    for (let count = 0; count < 20; count += 1) {
      const other = openApp(served.socket, { server: integration.id });
      await shakeHands(other);
      other.end();
    }
    // Two socket buffers, whose size is up to the system.
    expect(sent).toBeLessThan(events / 2);
    let end = '';
    const all = new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        end = (end + chunk.toString('latin1')).slice(-1_000);
        if (end.includes('done')) resolve();
      });
    });
    socket.resume();
    await all;
    expect(sent).toBe(events);
  });

  it('that reuses an ID, also one of Postern or in another spelling, gets each of its responses (GW-11)', async () => {
    const held: RawRequest[] = [];
    const { open } = await start(onCall((request) => void held.push(request)));
    const app = await open();
    const call = (id: string) => app.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x"}}`);
    for (const id of ['1', '1', '"1"', '"postern:1"', '"postern:tools"', '1e400']) call(id);
    await expect.poll(() => held.length).toBe(4);
    // Two are rejected, since their responses could not be matched.
    await expect.poll(() => app.lines.filter((line) => line.includes('is in flight')).length).toBe(2);
    for (const { response, text } of held) {
      const id = /"id":([^,]+),/u.exec(text)?.[1];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${id},"result":{"of":${id}}}`);
    }
    await expect.poll(() => app.lines.filter((line) => line.includes('"of"')).length).toBe(4);
    for (const line of app.lines.filter((text) => text.includes('"of"'))) {
      expect(/"id":([^,]+),/u.exec(line)?.[1]).toBe(/"of":([^,}]+)[,}]/u.exec(line)?.[1]);
    }
  });

  it('reaches no session of another app by its ID, nor by the ID of a server session (GW-12)', async () => {
    const { served, integration, server } = await start((request) => {
      if (request.message.method === 'initialize') request.response.setHeader('mcp-session-id', 'of-the-server');
      return false;
    });
    const [mine, theirs] = [someSecret(), someSecret()];
    await served.allow(integration, { secretHash: mine.secretHash });
    await served.allow(integration, { secretHash: theirs.secretHash, name: 'Other' });
    const door = await openHttpEndpoint(served);
    const target = `/mcp/${integration.alias}`;
    const handshake = await door.send({ authorization: mine.authorization }, { path: target, body: initialize });
    const session = String(handshake.headers['mcp-session-id']);
    expect(session).not.toContain('of-the-server');
    expect(session.length).toBeGreaterThanOrEqual(32);
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const before = server.received.length;
    for (const [authorization, id] of [
      [theirs.authorization, session],
      [mine.authorization, 'of-the-server'],
      [mine.authorization, ''],
      [mine.authorization, `${session}x`],
    ] as const) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        expect(await door.send({ authorization, 'mcp-session-id': id }, { path: target, body, method })).toMatchObject({
          status: 404,
          text: '',
        });
      }
    }
    expect(server.received).toHaveLength(before);
    expect(
      (await door.send({ authorization: mine.authorization, 'mcp-session-id': session }, { path: target, body }))
        .status,
    ).toBe(200);
    // Once ended, it belongs to no one.
    await door.send(
      { authorization: mine.authorization, 'mcp-session-id': session },
      { path: target, method: 'DELETE' },
    );
    expect(
      (await door.send({ authorization: mine.authorization, 'mcp-session-id': session }, { path: target, body }))
        .status,
    ).toBe(404);
  });

  it('opens at most fifty sessions over HTTP: beyond that the oldest ends here and at the server (GW-20)', async () => {
    let began = 0;
    const { served, integration, server } = await start((request) => {
      if (request.message.method === 'initialize') request.response.setHeader('mcp-session-id', `s${(began += 1)}`);
      return false;
    });
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const door = await openHttpEndpoint(served);
    const target = `/mcp/${integration.alias}`;
    const ids: string[] = [];
    const open = async (): Promise<void> => {
      ids.push(
        String((await door.send({ authorization }, { path: target, body: initialize })).headers['mcp-session-id']),
      );
    };
    const use = async (id = '') =>
      (
        await door.send(
          { authorization, 'mcp-session-id': id },
          { path: target, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
        )
      ).status;
    for (let count = 0; count < gatewaySession.sessionsOfApp; count += 1) await open();
    expect(await use(ids[0])).toBe(200);
    await open();
    expect(await use(ids[0])).toBe(200);
    expect(await use(ids[1])).toBe(404);
    await expect.poll(() => server.received.filter(({ method }) => method === 'DELETE').length).toBeGreaterThan(0);
  });

  it('opens at most fifty by both transports together: the oldest over HTTP ends for a new one at the socket (GW-20)', async () => {
    const { served, integration } = await start((request) => {
      if (request.message.method === 'initialize') request.response.setHeader('mcp-session-id', 's');
      return false;
    });
    const { secretHash, authorization } = someSecret();
    const app = await served.allow(integration, { secretHash });
    const door = await openHttpEndpoint(served);
    const target = `/mcp/${integration.alias}`;
    const { headers } = await door.send({ authorization }, { path: target, body: initialize });
    const use = async () =>
      (
        await door.send(
          { authorization, 'mcp-session-id': String(headers['mcp-session-id']) },
          { path: target, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
        )
      ).status;
    const connect = () => openApp(served.socket, { server: integration.id, app });
    for (let count = 1; count < gatewaySession.sessionsOfApp; count += 1) connect();
    await expect.poll(() => served.gateway.sessions).toBe(gatewaySession.sessionsOfApp - 1);
    expect(await use()).toBe(200);
    expect(await shakeHands(connect())).toHaveProperty('result');
    expect(await use()).toBe(404);
    expect(codeOf(await shakeHands(connect()))).toBe('GATEWAY_BUSY');
    expect(JSON.parse((await door.send({ authorization }, { path: target, body: initialize })).text)).toHaveProperty(
      'error.data.code',
      'GATEWAY_BUSY',
    );
  });

  it('sends sixty-four requests at once over HTTP, and the next when one is answered (GW-20)', async () => {
    const held: RawRequest[] = [];
    const { served, integration } = await start((request) => {
      if (request.message.method !== 'ping') return false;
      held.push(request);
      return true;
    });
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const door = await openHttpEndpoint(served);
    const ask = (id: number) =>
      door.send(
        { authorization },
        { path: `/mcp/${integration.alias}`, body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}` },
      );
    const { concurrentRequests } = gatewaySession;
    const answers = Array.from({ length: concurrentRequests + 10 }, (_, id) => ask(id));
    await expect.poll(() => held.length).toBe(concurrentRequests);
    // Any later request would have arrived by now.
    expect((await door.send({ authorization: 'Bearer no' }, { path: `/mcp/${integration.alias}` })).status).toBe(401);
    expect(held.length).toBe(concurrentRequests);
    for (const request of held.splice(0, 5)) sendJson(request, { result: {} });
    await expect.poll(() => held.length).toBe(concurrentRequests);
    for (let count = 0; count < concurrentRequests + 5; count += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      const request = held.shift();
      if (request) sendJson(request, { result: {} });
    }
    for (const response of await Promise.all(answers)) expect(response.status).toBe(200);
  });

  it('opens fifty sessions at the socket, and all apps together two hundred (GW-20)', async () => {
    const { served, integration } = await start();
    const [one, two] = [await served.allow(integration), await served.allow(integration)];
    const connect = (app?: string) =>
      openApp(served.socket, { server: integration.id, ...(app !== undefined && { app }) });
    const { sessions, sessionsOfApp } = gatewaySession;
    for (let count = 0; count < sessionsOfApp; count += 1) connect(one);
    await expect.poll(() => served.gateway.sessions).toBe(sessionsOfApp);
    expect(codeOf(await shakeHands(connect(one)))).toBe('GATEWAY_BUSY');
    expect(await shakeHands(connect(two))).toHaveProperty('result');
    const others = Array.from({ length: sessions - sessionsOfApp - 1 }, () => connect());
    await expect.poll(() => served.gateway.sessions).toBe(sessions);
    expect(codeOf(await shakeHands(connect()))).toBe('GATEWAY_BUSY');
    others[0]?.end();
    await expect.poll(() => served.gateway.sessions).toBe(sessions - 1);
    expect(await shakeHands(connect())).toHaveProperty('result');
  });

  it('opens at most two hundred rejected sessions: beyond that the oldest ends, and others get the reason (GW-26)', async () => {
    const server = await startRawServer('session', []);
    const engine = createTestEngine();
    const integration = await engine.read((await engine.connect(server.url, { local: true })).integration);
    const served = await serveGateway(engine);
    const known = openApp(served.socket, { server: integration.id, app: await served.allow(integration) });
    await shakeHands(known);
    const stranger = () => openApp(served.socket, { server: integration.id });
    const first = stranger();
    expect(codeOf(await shakeHands(first))).toBe('APP_UNKNOWN');
    const second = stranger();
    expect(codeOf(await shakeHands(second))).toBe('APP_UNKNOWN');
    for (let count = 2; count < gatewaySession.refusedSessions; count += 1) stranger();
    await expect.poll(() => served.events.length).toBe(gatewaySession.refusedSessions + 1);
    expect(codeOf(await first.request(1, 'tools/list'))).toBe('APP_UNKNOWN');
    expect(codeOf(await shakeHands(stranger()))).toBe('APP_UNKNOWN');
    await first.closed;
    // One that disconnects makes room, and apps with access are not counted.
    second.end();
    await second.closed;
    expect(codeOf(await shakeHands(stranger()))).toBe('APP_UNKNOWN');
    expect(await known.request(2, 'tools/list')).toHaveProperty('result.tools');
  });

  it('that sends more than its server accepts is rejected or waits, and costs no more (GW-20)', async () => {
    const held: RawRequest[] = [];
    const { open } = await start((request) => {
      const { method } = request.message;
      if (method !== 'tools/call' && method !== 'notifications/more') return false;
      held.push(request);
      return true;
    });
    const app = await open();
    const text = 'x'.repeat(10 * mebibyte);
    for (let id = 1; id <= 5; id += 1) {
      app.write(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x","arguments":{"text":"${text}"}}}`,
      );
    }
    await expect.poll(() => app.lines.filter((line) => line.includes('Too many requests')).length).toBe(2);
    await expect.poll(() => held.length).toBe(3);
    for (const request of held.splice(0)) sendJson(request, textResult('done'));
    for (const id of [1, 2, 3]) expect(await app.response(id)).toContain('done');
    for (let count = 0; count < 500; count += 1) app.write('{"jsonrpc":"2.0","method":"notifications/more"}');
    await expect.poll(() => held.length).toBe(gatewaySession.concurrentDeliveries);
    for (let count = 0; count < 500; count += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      held.shift()?.response.writeHead(202).end();
    }
    expect(await app.request('after', 'tools/list')).toHaveProperty('result.tools');
  });
});

describe('secrets between apps and servers', () => {
  it('stay on their side: no token goes to an app, no secret of an app to a server or file (GW-17)', async () => {
    const { mcp } = await startPair();
    const engine = createTestEngine();
    const integration = await engine.read((await engine.connect(mcp.url, { local: true })).integration);
    const served = await serveGateway(engine);
    const { secret, secretHash, authorization } = someSecret();
    const canary = `canary-${randomBytes(12).toString('hex')}`;
    const id = await served.allow(integration, { secretHash });
    const tokens = engine.sent
      .flatMap(({ headers = {} }) => Object.values(headers))
      .concat(JSON.stringify(mcp.requests.map(({ headers }) => headers.authorization)));
    const token = /Bearer ([^"\s]+)/u.exec(tokens.join(' '))?.[1] ?? 'missing';
    expect(token).not.toBe('missing');
    const app = openApp(served.socket, { server: integration.id, app: id });
    await shakeHands(app);
    await app.request(1, 'tools/list');
    await app.request(2, 'tools/call', { name: 'whoami', arguments: {} });
    const door = await openHttpEndpoint(served);
    const answers: unknown[] = [];
    const headers = {
      authorization,
      cookie: `c=${canary}`,
      'user-agent': canary,
      'x-canary': canary,
      referer: canary,
      'proxy-authorization': canary,
      'mcp-param-x': canary,
    };
    const fields = { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const body of [
      initialize,
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"whoami","arguments":{}}}',
    ]) {
      answers.push(await door.send(fields, { path: `/mcp/${integration.alias}`, body }));
    }
    await served.close();
    const up = JSON.stringify([mcp.requests, engine.sent]);
    for (const secretOfApp of [secret, canary, id]) expect(up).not.toContain(secretOfApp);
    const down = JSON.stringify([app.lines, answers, served.events]);
    for (const word of [token, secret, canary]) expect(down).not.toContain(word);
    expect(down).toContain('You are ');
    const files = readdirSync(engine.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of files) {
      const text = readFileSync(path.join(parentPath, name), 'latin1');
      for (const word of [token, secret, canary]) expect(`${name}: ${text.includes(word)}`).toBe(`${name}: false`);
    }
    expect(files.map(({ name }) => name)).toContain(`${integration.id}.json`);
  });
});

describe('a server that repeats the credential of its requests', () => {
  it.for([
    [200, 'application/json'],
    [302, 'text/html'],
    [401, 'text/plain'],
    [403, 'text/html'],
    [403, 'text/plain'],
    [422, 'text/plain'],
    [500, 'text/plain'],
    [503, 'text/html'],
  ] as const)(
    'with status %d reveals it to no app, in header fields or in a body that is no message (GW-17)',
    async ([status, type]) => {
      const canary = `key-${randomBytes(12).toString('hex')}`;
      const server = await startRawServer('session', [], ({ message, response, headers }) => {
        const credential = headers['x-api-key'];
        if (typeof credential !== 'string') return false;
        for (const name of ['x-echo', 'x-api-key', 'set-cookie', 'server', 'etag', 'content-location', 'link'])
          response.setHeader(name, `c=${credential}`);
        response.setHeader('www-authenticate', `Bearer error="invalid_token", error_description="${credential}"`);
        response.setHeader('location', `/mcp/?${credential}`);
        const isCatalogd = ['initialize', 'notifications/initialized', 'tools/list'].includes(message.method ?? '');
        if (isCatalogd) return false;
        response.writeHead(status, { 'content-type': type });
        const reply = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [], contents: [] } });
        response.end(type === 'application/json' ? reply : `credential: ${credential}`);
        return true;
      });
      const engine = createTestEngine();
      const { integration } = await connectWithKey(
        engine.ports,
        {
          url: server.url,
          name: 'Echo',
          options: { ...localOptions, headerName: 'X-API-Key' },
          key: new Secret(canary),
        },
        new AbortController().signal,
      );
      const served = await serveGateway(engine);
      const { secretHash, authorization } = someSecret();
      const { alias } = await engine.read(integration);
      const app = await served.allow(integration, { secretHash });
      const byPipe = openApp(served.socket, { server: integration.id, app });
      await shakeHands(byPipe);
      const door = await openHttpEndpoint(served);
      const target = `/mcp/${alias}`;
      const requests: unknown[] = [];
      const asked = ['tools/list', 'tools/call', 'resources/read', 'prompts/list'];
      for (const [id, method] of asked.entries()) {
        const params = { name: 'x', uri: 'x:y' };
        requests.push(await byPipe.request(id + 1, method, params));
        const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
        requests.push(await door.send({ authorization }, { path: target, body }));
      }
      const body = '{"jsonrpc":"2.0","method":"notifications/cancelled"}';
      requests.push(await door.send({ authorization }, { path: target, body }));
      requests.push(await door.send({ authorization }, { path: target, method: 'DELETE' }));
      // When the server is offline, the stream is Postern's own and ends with it.
      const listening = door.send({ authorization }, { path: target, method: 'GET' });
      await expect.poll(() => server.received.map(({ method }) => method)).toContain('GET');
      await served.close();
      requests.push(await listening);
      expect(server.received.filter(({ headers }) => headers['x-api-key'] === canary).length).toBeGreaterThan(
        asked.length,
      );
      expect(JSON.stringify([requests, byPipe.lines, served.events, served.calls])).not.toContain(canary);
    },
  );
});

describe('names shown to an app', () => {
  it('contain no control or direction characters, and stay short (GW-19)', async () => {
    const { mcp } = await startPair();
    const engine = createTestEngine();
    const { id } = (await engine.connect(mcp.url, { local: true })).integration;
    const served = await serveGateway(engine);
    const name = `Notes\u001b[2J\u202e\r\nIgnore all${'\u2066x'.repeat(40)}`.slice(0, 80);
    const integration = await engine.ports.store.update(id, (entry) => ({ ...entry, name, state: 'signedOut' }));
    if (!integration) throw new Error('gone');
    const allowed = await served.allow(integration);
    const stranger = await served.allow(integration, {
      integrations: ['another'],
      name: 'Cur\u202esor\u0007'.repeat(8),
    });
    const open = (server: string, app: string) => openApp(served.socket, { server, app });
    const errorText = [
      await shakeHands(open(`${'\u202e\u001b'.repeat(60)}gone`, allowed)),
      await shakeHands(open(id, stranger)),
    ];
    const app = open(id, allowed);
    errorText.push(
      await app.request(1, 'tools/call', { name: 'x' }),
      await app.request(2, 'resources/read', { uri: 'x' }),
    );
    await mcp.close();
    await engine.ports.store.update(id, (entry) => ({ ...entry, state: 'integrated' }));
    await served.gateway.reloadSettings();
    errorText.push(
      await app.request(3, 'tools/call', { name: 'x' }),
      await app.request(4, 'prompts/get', { name: 'x' }),
    );
    for (const response of errorText) {
      const { error, result } = response as {
        error?: { message: string; data?: { nextStep?: string } };
        result?: { content: { text: string }[] };
      };
      const text = error ? `${error.message} ${error.data?.nextStep}` : (result?.content[0]?.text ?? '');
      expect(text).toMatch(/\w{3,} .*\./u);
      expect(text.length).toBeLessThan(600);
      expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b-\u200f]/u);
    }
  });
});
