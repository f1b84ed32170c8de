import { chmodSync, mkdirSync, rmdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bodyIdleTimeout, gatewayHttp } from '../../main/limits.ts';
import { createHttpEndpoint } from '../../main/net/endpoint/http-endpoint.ts';
import { createSocketEndpoint } from '../../main/net/endpoint/socket-endpoint.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { freePort } from '../support/free-port.ts';
import { openHttpEndpoint, someSecret } from '../support/http-endpoint.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { startRawServer } from '../support/raw-mcp-server.ts';

async function start() {
  const server = await startRawServer('session', []);
  const engine = createTestEngine();
  const connected = await engine.connect(server.url, { local: true });
  const integration = await engine.read(connected.integration);
  const served = await serveGateway(engine, { allowUnknown: true });
  return { server, engine, integration, served };
}

async function startHttp(allowedOrigin?: string) {
  const world = await start();
  const { secretHash, authorization } = someSecret();
  await world.served.allow(world.integration, { secretHash });
  const door = await openHttpEndpoint(world.served, allowedOrigin);
  return { ...world, door, authorization, target: `/mcp/${world.integration.alias}` };
}

const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const code = (error: unknown) => (error as { code?: string }).code;

describe('the HTTP endpoint', () => {
  it.for([
    [{ host: 'evil.example' }],
    [{ host: 'evil.example:80' }],
    [{ host: '127.0.0.1' }],
    [{ host: 'LOCALHOST.evil.example' }],
    [{ host: '[::1]' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://127.0.0.1' }],
    [{ origin: 'null' }],
    [{ origin: '' }],
  ] as const)('rejects requests of a web page, %j, even with the secret (GW-01)', async ([headers]) => {
    const { door, authorization, target, server } = await startHttp();
    const before = server.received.length;
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const response = await door.send({ authorization, ...headers }, { path: target, method, body: list });
      expect(response).toMatchObject({ status: 403, text: '' });
      expect(Object.keys(response.headers).join()).not.toMatch(/access-control|set-cookie/u);
    }
    expect(server.received).toHaveLength(before);
  });

  const allowed = 'http://localhost:6274';

  it.for<readonly [Record<string, string | string[]>]>([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://localhost:6275' }],
    [{ origin: 'https://localhost:6274' }],
    [{ origin: 'HTTP://localhost:6274' }],
    [{ origin: 'http://localhost:6274/' }],
    [{ origin: 'http://localhost:6274.evil.example' }],
    [{ origin: 'null' }],
    [{ origin: [allowed, 'https://evil.example'] }],
    [{ origin: ['https://evil.example', allowed] }],
    [{ origin: [allowed, allowed] }],
    [{ origin: `${allowed}, ${allowed}` }],
    [{ origin: allowed, host: 'evil.example' }],
  ])('admits no page but the one that the user allowed: %j (GW-01)', async ([headers]) => {
    const { door, authorization, target, server } = await startHttp(allowed);
    const before = server.received.length;
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const response = await door.send(
        { authorization, ...preflight, ...headers },
        { path: target, method, body: list },
      );
      expect(response).toMatchObject({ status: 403, text: '' });
      expect(Object.keys(response.headers).join()).not.toMatch(/access-control|set-cookie/u);
    }
    expect(server.received).toHaveLength(before);
  });

  it('rejects two Host fields, even if one is its own (GW-01)', async () => {
    const { door, authorization, target, server } = await startHttp();
    const before = server.received.length;
    const own = `127.0.0.1:${door.port}`;
    for (const host of [
      [own, 'evil.example'],
      ['evil.example', own],
      [own, own],
    ]) {
      const head = [
        `POST ${target} HTTP/1.1`,
        ...host.map((each) => `Host: ${each}`),
        `Authorization: ${authorization}`,
      ];
      const response = await door.write(`${head.join('\r\n')}\r\nContent-Length: ${list.length}\r\n\r\n${list}`);
      expect(response).toMatch(/^HTTP\/1\.1 4(?:00|03) /u);
    }
    expect(server.received).toHaveLength(before);
  });

  it('sends CORS headers only to the allowed page, and still requires the secret (GW-01)', async () => {
    const { door, authorization, target, server } = await startHttp(allowed);
    const before = server.received.length;
    const asking = {
      origin: allowed,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,mcp-param-place,x-else,*',
    };
    const preflight = await door.send(asking, { path: target, method: 'OPTIONS' });
    expect(preflight).toMatchObject({
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': allowed,
        'access-control-allow-headers': 'authorization, content-type, mcp-param-place',
        vary: 'Origin',
      },
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    // Without a secret, a request does not learn whether a server exists.
    const unknown = await door.send(asking, { path: '/mcp/nobody', method: 'OPTIONS' });
    expect(unknown.headers).toEqual({ ...preflight.headers, date: unknown.headers.date });
    expect((await door.send({ origin: allowed }, { path: target, body: list })).status).toBe(401);
    expect(server.received).toHaveLength(before);
    const response = await door.send({ origin: allowed, authorization }, { path: target, body: list });
    expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': allowed } });
    // An app is not a page, and gets no CORS fields.
    const app = await door.send({ authorization }, { path: target, body: list });
    expect(Object.keys(app.headers).join()).not.toContain('access-control');
  });

  it('serves one path and three methods, whatever the request target looks like (GW-02)', async () => {
    const { door, authorization, target, server } = await startHttp();
    const before = server.received.length;
    const others = [
      `//evil${target}`,
      `http://127.0.0.1${target}`,
      `${target}/`,
      `${target}?x`,
      '/mcp/%6eotes',
      '/mcp/',
      '*',
    ];
    for (const other of others) expect((await door.send({ authorization }, { path: other })).status).toBe(404);
    for (const method of ['PUT', 'HEAD', 'OPTIONS', 'TRACE', 'PATCH']) {
      expect((await door.send({ authorization }, { path: target, method })).status).toBe(405);
    }
    expect(server.received).toHaveLength(before);
    expect((await door.send({ authorization }, { path: target, body: list })).status).toBe(200);
  });

  it('uses no port but its own, and reports what occupies it (GW-05)', async () => {
    const squatter = createServer();
    onTestFinished(() => void squatter.close());
    const port = await freePort();
    await new Promise<void>((resolve) => void squatter.listen(port, '127.0.0.1', resolve));
    const admit = async () => ({ kind: 'unknown' }) as const;
    await expect(createHttpEndpoint({ port, admit }).listen()).rejects.toMatchObject({ code: 'GATEWAY_PORT' });
  });

  it('limits its connections, and survives (GW-20)', async () => {
    const { door, authorization, target } = await startHttp();
    const idle = Array.from({ length: gatewayHttp.unauthenticated + 20 }, () =>
      createConnection(door.port, '127.0.0.1'),
    );
    onTestFinished(() => idle.forEach((socket) => socket.destroy()));
    const closed = idle.map(
      (socket) => new Promise((resolve) => void socket.on('error', () => {}).once('close', resolve)),
    );
    // The other side closes those beyond the limit.
    await Promise.any(closed);
    for (const socket of idle) socket.destroy();
    await Promise.all(closed);
    await expect
      .poll(() => door.send({ authorization }, { path: target, body: list }).then(({ status }) => status, String))
      .toBe(200);
  });

  it('stays open to apps, however many unauthenticated connections there are (GW-24)', async () => {
    const { door, authorization, target } = await startHttp();
    const known = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${authorization}\r\n`;
    const request = `${known}content-length: ${list.length}\r\n\r\n${list}`;
    const connect = async (): Promise<Socket> => {
      const socket = createConnection(door.port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      await new Promise((resolve) => void socket.once('connect', resolve));
      return socket;
    };
    const firstLineOf = async (socket: Socket): Promise<string> => {
      const responseText = new Promise<string>((resolve) => {
        socket.once('data', (part: Buffer) => resolve(part.toString())).once('close', () => resolve('hung up'));
      });
      socket.write(request);
      return await responseText;
    };
    const first = await connect();
    expect(await firstLineOf(first)).toMatch(/^HTTP\/1\.1 200 /u);
    // Connections that send nothing, half a head, or half of a request that is rejected.
    const words = ['', known.slice(0, 30), `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\n`];
    for (let count = 0; count < gatewayHttp.unauthenticated; count += 1) {
      const stranger = await connect();
      stranger.resume().write(words[count % words.length] ?? '');
    }
    expect(await firstLineOf(await connect())).toMatch(/^HTTP\/1\.1 200 /u);
    expect(await firstLineOf(first)).toMatch(/^HTTP\/1\.1 200 /u);
  });

  it('has a limit of connections per app, and as many for the next one (GW-26)', async () => {
    const { door, authorization, target, served, integration } = await startHttp();
    const other = someSecret();
    await served.allow(integration, { secretHash: other.secretHash });
    const connect = (): Socket => {
      const socket = createConnection(door.port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const firstLineOf = async (socket: Socket, shown: string, body = list): Promise<string> => {
      const responseText = new Promise<string>(
        (resolve) => void socket.once('data', (part: Buffer) => resolve(String(part))),
      );
      const head = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${shown}\r\n`;
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
      return (await responseText).slice(0, 12);
    };
    // No connection stays open for long before or after authentication: those that send nothing are closed after a few
    // seconds. What is not JSON is answered at once, and the connection stays.
    const own: Socket[] = [];
    while (own.length < gatewayHttp.perApp) {
      const socket = connect();
      own.push(socket);
      expect(await firstLineOf(socket, authorization, 'x')).toBe('HTTP/1.1 400');
    }
    expect(await firstLineOf(connect(), authorization)).toBe('HTTP/1.1 503');
    // Its existing connections continue, and no one else notices.
    expect(await firstLineOf(own[0] ?? connect(), authorization)).toBe('HTTP/1.1 200');
    expect(await firstLineOf(connect(), other.authorization)).toBe('HTTP/1.1 200');
    const gone = new Promise((resolve) => void own[1]?.once('close', resolve));
    own[1]?.end();
    await gone;
    await expect.poll(() => firstLineOf(connect(), authorization)).toBe('HTTP/1.1 200');
  });

  it('buffers 32 MiB of what one app sends at once, and takes all of it (GW-20)', async () => {
    const { door, authorization, target, served, integration } = await startHttp();
    // The same bytes for all, since this process is the app too; not JSON, so that no server gets them.
    const text = Buffer.alloc(12 * 2 ** 20, 'x');
    const head = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${authorization}\r\n`;
    const held = process.memoryUsage().arrayBuffers;
    const sending = Array.from({ length: 20 }, () => {
      const socket = createConnection(door.port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const responseText = new Promise<string>((resolve) => {
        socket.on('error', () => resolve('an error')).once('data', (part: Buffer) => resolve(part.toString()));
      });
      socket.write(`${head}content-length: ${text.byteLength + 21}\r\n\r\n`);
      socket.write(text);
      return { socket, responseText };
    });
    // Other calls take long enough that more would have arrived.
    for (let count = 0; count < 20; count += 1) {
      const other = openApp(served.socket, { server: integration.id });
      await shakeHands(other);
      other.end();
      // Every upload continues.
      for (const { socket } of sending) socket.write('x');
    }
    collectGarbage();
    expect(process.memoryUsage().arrayBuffers - held).toBeLessThan(100 * 2 ** 20);
    for (const { socket } of sending) socket.write('x');
    for (const { responseText } of sending) expect(await responseText).toMatch(/^HTTP\/1\.1 400 /u);
  });

  it.for([['transfer-encoding: chunked'], [`content-length: ${2 ** 24}`]])(
    'reserves no memory for the missing part of a body that stops, %s (GW-27)',
    async ([length]) => {
      const { door, authorization, target } = await startHttp();
      const head = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${authorization}\r\n`;
      for (let count = 0; count < 5; count += 1) {
        const socket = createConnection(door.port, '127.0.0.1').on('error', () => {});
        onTestFinished(() => void socket.destroy());
        // The server responds once it reads the body.
        const reads = new Promise<string>(
          (resolve) => void socket.once('data', (part: Buffer) => resolve(String(part))),
        );
        socket.write(`${head}expect: 100-continue\r\n${length}\r\n\r\n1`);
        expect(await reads).toMatch(/^HTTP\/1\.1 100 /u);
      }
      expect((await door.send({ authorization }, { path: target, body: list })).status).toBe(200);
    },
  );

  it('times out a body that stops arriving, and reports it (GW-27)', async () => {
    const { door, authorization, target } = await startHttp();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = createConnection(door.port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    const requests: string[] = [];
    socket.setEncoding('utf8').on('data', (part: string) => requests.push(part));
    const head = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${authorization}\r\n`;
    socket.write(`${head}expect: 100-continue\r\ncontent-length: 5\r\n\r\n1`);
    const afterSilence = async (): Promise<string> => {
      await vi.advanceTimersByTimeAsync(bodyIdleTimeout);
      return requests.join('');
    };
    await expect.poll(afterSilence).toContain('HTTP/1.1 408 ');
  });

  it.for([
    [413, undefined],
    [401, 'Bearer no'],
  ] as const)('responds with %d when a rejected message is sent in full first (GW-07)', async ([status, other]) => {
    const { door, authorization, target } = await startHttp();
    const socket = createConnection(door.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const body = Buffer.alloc(20 * 2 ** 20, 'x');
    const head = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${other ?? authorization}\r\n`;
    socket.pause().write(`${head}content-length: ${body.byteLength}\r\n\r\n`);
    const failure = await new Promise((resolve) => void socket.on('error', resolve).write(body, resolve));
    expect(failure ?? undefined).toBeUndefined();
    const response = await new Promise<string>(
      (resolve) => void socket.once('data', (part: Buffer) => resolve(part.toString())).resume(),
    );
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
  });

  it('answers a message that is too long without reading it (GW-07)', async () => {
    const { door, authorization, target } = await startHttp();
    const head = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${authorization}\r\n`;
    const socket = createConnection(door.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`${head}content-length: ${17 * 2 ** 20}\r\n\r\n`);
    const responseText = await new Promise((resolve) => void socket.setEncoding('utf8').once('data', resolve));
    expect(responseText).toMatch(/^HTTP\/1\.1 413 /u);
    expect((await door.send({ authorization }, { path: target, body: list })).status).toBe(200);
  });

  it('reads no more of an endless message than the limit (GW-07)', async () => {
    const { door, authorization, target } = await startHttp();
    const socket = createConnection(door.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const closed = new Promise((resolve) => void socket.on('error', () => {}).once('close', resolve));
    socket.resume();
    const head = `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: ${authorization}\r\n`;
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `100000\r\n${' '.repeat(2 ** 20)}\r\n`;
    let sent = 0;
    // Beyond its 16 MiB: what is discarded, and two socket buffers of the system.
    while (!socket.destroyed && sent < 200) {
      sent += 1;
      if (!socket.write(chunk)) await Promise.race([new Promise((go) => void socket.once('drain', go)), closed]);
    }
    expect(sent).toBeLessThan(200);
    await closed;
    expect((await door.send({ authorization }, { path: target, body: list })).status).toBe(200);
  });
});

describe('the socket of a profile', () => {
  it('is open to its user only, even if its folder was open before (GW-03)', async () => {
    const folder = path.join(temporaryFolder(), 'run');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const socket = path.join(folder, 'gateway.sock');
    const endpoint = createSocketEndpoint({ path: socket, open: () => Promise.reject(new Error('nobody')) });
    onTestFinished(() => endpoint.close());
    const umask = process.umask(0);
    await endpoint.listen().finally(() => process.umask(umask));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
  });

  it.for([
    ['a link', 'CFG_LINK', (folder: string) => symlinkSync(temporaryFolder(), folder)],
    ['a link to nothing', 'CFG_LINK', (folder: string) => symlinkSync(`${folder}-else`, folder)],
    ['a file', 'CFG_READONLY', (folder: string) => writeFileSync(folder, '')],
  ] as const)('is not created if its folder is %s (GW-03)', async ([, expected, put]) => {
    const folder = path.join(temporaryFolder(), 'run');
    put(folder);
    const endpoint = createSocketEndpoint({
      path: path.join(folder, 'gateway.sock'),
      open: () => Promise.reject(new Error('nobody')),
    });
    onTestFinished(() => endpoint.close());
    expect(code(await endpoint.listen().catch((error: unknown) => error))).toBe(expected);
  });

  it.runIf(process.getuid)('is not created in a folder that another user owns (GW-03)', async () => {
    const folder = path.join(temporaryFolder(), 'run');
    mkdirSync(folder, { mode: 0o700 });
    // Only root can give folders away: here the process is the other user.
    const uid = vi.spyOn(process as { getuid(): number }, 'getuid').mockReturnValue(statSync(folder).uid + 1);
    onTestFinished(() => uid.mockRestore());
    const endpoint = createSocketEndpoint({
      path: path.join(folder, 'gateway.sock'),
      open: () => Promise.reject(new Error('nobody')),
    });
    onTestFinished(() => endpoint.close());
    expect(code(await endpoint.listen().catch((error: unknown) => error))).toBe('CFG_SHARED');
  });

  it('replaces an existing file or link, but not the link’s target, and rejects a folder (GW-04)', async () => {
    const folder = path.join(temporaryFolder(), 'run');
    mkdirSync(folder, { mode: 0o700 });
    const socket = path.join(folder, 'gateway.sock');
    const other = path.join(temporaryFolder(), 'other');
    writeFileSync(other, 'theirs');
    symlinkSync(other, socket);
    const open = () => Promise.reject(new Error('nobody'));
    const endpoint = createSocketEndpoint({ path: socket, open });
    await endpoint.listen();
    expect(statSync(socket).isSocket()).toBe(true);
    expect(statSync(other).size).toBe('theirs'.length);
    await endpoint.close();
    mkdirSync(socket);
    onTestFinished(() => rmdirSync(socket));
    const again = createSocketEndpoint({ path: socket, open });
    onTestFinished(() => again.close());
    expect(code(await again.listen().catch((error: unknown) => error))).toBe('CFG_READONLY');
  });

  it.for([
    ['is not there', []],
    ['never ends', ['{"postern":1,"open":{"server":"', ...Array.from({ length: 40 }, () => 'x'.repeat(1_024))]],
    ['is too long', [`{"postern":1,"open":{"server":"notes"},"more":"${'x'.repeat(5_000)}"}\n`]],
    ['is not JSON', ['hello\n']],
    ['is a message', [`${list}\n`]],
    ['names a version that is none', ['{"postern":"2","open":{"server":"notes"}}\n']],
    ['opens nothing in another version', ['{"postern":2,"control":"yield","secret":""}\n']],
    ['is nested', [`{"postern":1,"open":${'['.repeat(2_000)}${']'.repeat(2_000)}}\n`]],
  ] as const)('disconnects within seconds on a first line that %s, and others continue (GW-06)', async ([, parts]) => {
    const { served, integration } = await start();
    const other = openApp(served.socket, { server: integration.id });
    await shakeHands(other);
    const socket = createConnection(served.socket);
    onTestFinished(() => void socket.destroy());
    let response = '';
    const closed = new Promise<void>((resolve) => void socket.on('error', () => {}).once('close', () => resolve()));
    socket.on('data', (part: Buffer) => (response += part.toString()));
    for (const part of parts) socket.write(part);
    await closed;
    expect(response).toBe('');
    expect(served.events.map(({ state }) => state)).toEqual(['open']);
    expect(await other.request(1, 'tools/list')).toHaveProperty('result.tools');
  });

  it('waits no longer for a first line that trickles in (GW-06)', async () => {
    const { served } = await start();
    const socket = createConnection(served.socket);
    onTestFinished(() => void socket.destroy());
    const drip = setInterval(() => void socket.write('{'), 100);
    onTestFinished(() => clearInterval(drip));
    await new Promise<void>((resolve) => void socket.on('error', () => {}).once('close', () => resolve()));
    expect(served.gateway.sessions).toBe(0);
  });
});
