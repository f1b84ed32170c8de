import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import tls from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AddressPolicy } from '../../main/address/check-address.ts';
import { toCommandError } from '../../main/cli/output/describe-error.ts';
import { PosternError, readDetail, toPlainError } from '../../main/errors/postern-error.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import { deadline, headerBytes } from '../../main/limits.ts';
import { createHttp } from '../../main/net/http/http.ts';
import type { HttpOptions } from '../../main/net/http/http.ts';
import { openHttp } from '../../main/net/http/open-http.ts';
import type { HostLookup } from '../../main/net/http/pinned-connector.ts';
import type { HttpRequest } from '../../main/ports.ts';
import { asChecked } from '../support/as-checked.ts';
import { connectionClosed, pem, serveBytes, serveHttp, serveHttps } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const local: AddressPolicy = { local: true, typedHost: '127.0.0.1', allowedHosts: [], allowHttp: false };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((http) => http.close()));
});

function open(options: HttpOptions = {}): ReturnType<typeof createHttp> {
  const http = createHttp(options);
  opened.push(http);
  return http;
}

const get = (url: string, changes: Partial<HttpRequest> = {}): HttpRequest => ({
  purpose: 'authorization-server-metadata',
  stage: 'discovery',
  method: 'GET',
  url: asChecked(url),
  policy: local,
  redirects: 'same-origin',
  deadline: 60_000,
  bodyLimit: 1_000,
  ...changes,
});
const post = (url: string, changes: Partial<HttpRequest> = {}): HttpRequest =>
  get(url, { method: 'POST', purpose: 'token', stage: 'token', redirects: 'none', body: 'grant_type=x', ...changes });

/** The typed error of a request that must fail; its stack and cause contain no secret and no server text. */
async function failure(work: Promise<unknown>): Promise<PosternError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PosternError);
  return error as PosternError;
}

const text = (body: Uint8Array): string => new TextDecoder().decode(body);
/** A resolver that returns these answers in turn, the last one forever. */
function lookupAs(...answers: string[][]): HostLookup {
  let lookups = 0;
  return async () => {
    const addresses = answers[Math.min(lookups, answers.length - 1)] ?? [];
    lookups += 1;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

const neverResolved: HostLookup = () => expect.unreachable();
const notFound: HostLookup = () =>
  Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND mcp.test'), { code: 'ENOTFOUND' }));

const streamed = (url: string, changes: Partial<HttpRequest> = {}): HttpRequest =>
  get(url, { method: 'POST', purpose: 'mcp', stage: 'connection', body: '{}', ...changes });

describe('exchange', () => {
  it('sends what was requested, identity-encoded, and returns status, fields and body', async () => {
    await using server = await serveHttp((request, response) => {
      response.writeHead(401, { 'WWW-Authenticate': ['Bearer a="1"', 'Basic'], 'content-type': 'application/json' });
      response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers }));
    });
    const response = await open().exchange(
      post(`${server.origin}/token?x=1`, {
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Accept-Encoding': 'gzip',
          Host: 'evil.example',
        },
      }),
    );
    expect(response.status).toBe(401);
    expect(response.url).toBe(`${server.origin}/token?x=1`);
    expect(response.headers.get('www-authenticate')).toBe('Bearer a="1", Basic');
    expect(JSON.parse(text(response.body))).toMatchObject({
      method: 'POST',
      url: '/token?x=1',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-encoding': 'identity',
        host: `127.0.0.1:${server.port}`,
        'content-length': '12',
        'user-agent': 'Postern',
      },
    });
    expect(server.received()).toMatch(/grant_type=x$/);
  });

  it('reuses one connection for consecutive requests', async () => {
    await using server = await serveHttp((_request, response) => void response.end('ok'));
    const http = open();
    for (let count = 0; count < 3; count += 1) await http.exchange(get(server.origin));
    expect(server.sockets).toHaveLength(1);
  });

  it('reuses no connection of another policy, and checks the policy on each request', async () => {
    await using server = await serveHttp((_request, response) => void response.end('ok'));
    const http = open();
    await http.exchange(get(server.origin));
    await http.exchange(get(server.origin, { policy: { ...local, typedHost: 'localhost' } }));
    expect(server.sockets).toHaveLength(2);
    const blocked = await failure(http.exchange(get(server.origin, { policy: { ...local, local: false } })));
    expect(blocked).toMatchObject({ code: 'HOST_BLOCKED', stage: 'discovery', remedy: { kind: 'allow-local' } });
    expect(server.sockets).toHaveLength(2);
  });

  describe('limits', () => {
    it.each([999, 1_000])('reads a body of %d of 1000 bytes, sized or chunked', async (size) => {
      await using server = await serveHttp((request, response) => {
        if (request.url === '/sized') response.setHeader('content-length', size);
        response.write('a'.repeat(size - 1));
        response.end('b');
      });
      const http = open();
      for (const path of ['/sized', '/chunked']) {
        expect((await http.exchange(get(server.origin + path))).body).toHaveLength(size);
      }
    });

    it('rejects a body that declares one byte more, or sends it', async () => {
      await using server = await serveHttp((request, response) => {
        if (request.url === '/sized') response.setHeader('content-length', 1_001);
        response.write('a'.repeat(1_001));
        response.end();
      });
      const http = open();
      for (const path of ['/sized', '/chunked']) {
        const error = await failure(http.exchange(get(server.origin + path)));
        expect(error).toMatchObject({ code: 'BODY_TOO_LARGE', stage: 'discovery' });
      }
    });

    it('stops reading an endless body at the limit and closes the connection (MD-01)', async () => {
      let written = 0;
      await using server = await serveBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const pour = (): void => {
          while (!socket.destroyed && written < 50_000_000 && socket.write('a'.repeat(65_536))) written += 65_536;
        };
        socket.on('drain', pour);
        pour();
      });
      const error = await failure(open().exchange(get(server.origin, { bodyLimit: 262_144 })));
      expect(error.code).toBe('BODY_TOO_LARGE');
      await connectionClosed(server.sockets[0]);
      expect(written).toBeLessThan(50_000_000);
    });

    it.each([
      ['gzip', gzipSync(Buffer.alloc(1_000_000))],
      ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(1_000_000)))],
      ['br', Buffer.from('x')],
      ['unheard-of', Buffer.from('x')],
    ])('refuses the encoding %s, unread (MD-02)', async (encoding, body) => {
      await using server = await serveHttp((_request, response) => {
        response.setHeader('content-encoding', encoding);
        response.end(body);
      });
      expect((await failure(open().exchange(get(server.origin)))).code).toBe('BODY_ENCODING');
    });

    it.each([
      ['a large field', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
      ['2000 fields', `HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(2_000)}\r\n`],
      ['a long status line', `HTTP/1.1 200 ${'a'.repeat(headerBytes)}\r\ncontent-length: 0\r\n\r\n`],
    ])('refuses %s (MD-06)', async (_name, head) => {
      await using server = await serveBytes((socket) => void socket.write(head));
      expect((await failure(open().exchange(get(server.origin)))).code).toBe('HEADERS_TOO_LARGE');
    });

    it('ends a slow body at the deadline for the whole exchange (MD-04)', async () => {
      const timers: NodeJS.Timeout[] = [];
      await using server = await serveBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        timers.push(setInterval(() => socket.write(' '), 20));
      });
      const error = await failure(open().exchange(get(server.origin, { deadline: 300 })));
      timers.forEach(clearInterval);
      expect(error).toMatchObject({ code: 'DEADLINE', sent: 'maybe' });
      await connectionClosed(server.sockets[0]);
    });

    it('ends a request without a response at the deadline (MD-05)', async () => {
      await using server = await serveBytes(() => {});
      const error = await failure(open().exchange(post(server.origin, { deadline: 200 })));
      expect(error).toMatchObject({ code: 'DEADLINE', stage: 'token', sent: 'maybe' });
    });

    it('ends a TLS handshake that hangs at the deadline, with nothing sent (MD-05)', async () => {
      await using server = await serveBytes(() => {});
      const url = server.origin.replace('http:', 'https:');
      const error = await failure(open().exchange(post(url, { deadline: 200 })));
      expect(error).toMatchObject({ code: 'DEADLINE', sent: 'no' });
      expect(server.received()).not.toContain('grant_type');
    });

    it('times out a connection that is not established long before a deadline of minutes', async () => {
      await using server = await serveBytes(() => {});
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const url = server.origin.replace('http:', 'https:');
      const failed = failure(open().exchange(post(url, { deadline: 600_000 })));
      await vi.waitUntil(() => server.sockets.length > 0);
      await vi.advanceTimersByTimeAsync(deadline.connect);
      const detail = { fault: 'connect-timeout', seconds: deadline.connect / 1_000 };
      expect(await failed).toMatchObject({ code: 'DEADLINE', stage: 'token', sent: 'no', detail });
      await connectionClosed(server.sockets[0]);
    });

    it('applies one deadline to all redirects', async () => {
      const hops = [Promise.withResolvers<ServerResponse>(), Promise.withResolvers<ServerResponse>()] as const;
      await using server = await serveHttp((request, response) => hops[request.url === '/0' ? 0 : 1].resolve(response));
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const failed = failure(open().exchange(get(`${server.origin}/0`, { deadline: 250 })));
      const first = await hops[0].promise;
      await vi.advanceTimersByTimeAsync(150);
      first.writeHead(302, { location: '/1' }).end();
      const second = await hops[1].promise;
      await vi.advanceTimersByTimeAsync(150);
      // The session has ended by then.
      second.end();
      expect((await failed).code).toBe('DEADLINE');
    });

    it('stops when the caller does, and reports it', async () => {
      await using server = await serveBytes(() => {});
      const http = open();
      const stop = new AbortController();
      const exchange = failure(http.exchange(get(server.origin, { signal: stop.signal })));
      stop.abort();
      expect((await exchange).code).toBe('USER_CANCELLED');
      expect((await failure(http.exchange(get(server.origin, { signal: AbortSignal.abort() })))).code).toBe(
        'USER_CANCELLED',
      );
      const reason = new PosternError('FLOW_SUPERSEDED', { stage: 'authorization' });
      const superseded = await failure(http.exchange(get(server.origin, { signal: AbortSignal.abort(reason) })));
      expect(superseded.code).toBe('FLOW_SUPERSEDED');
    });
  });

  describe('redirects', () => {
    it('follows a GET within its origin, without credentials (MD-19)', async () => {
      await using server = await serveHttp((request, response) => {
        if (request.url === '/a') response.writeHead(302, { location: '/b' }).end('moved');
        else if (request.url === '/b')
          response.writeHead(308, { location: `http://127.0.0.1:${server.port}/c#part` }).end();
        else response.end(String(request.headers.authorization));
      });
      const response = await open().exchange(
        get(`${server.origin}/a`, { headers: { Authorization: 'Bearer canary' } }),
      );
      expect(response.url).toBe(`${server.origin}/c`);
      expect(text(response.body)).toBe('undefined');
      expect(server.sockets).toHaveLength(1);
    });

    it.each([301, 302, 303, 307, 308])(
      'refuses %d to another origin, which sees no request (MD-20)',
      async (status) => {
        await using other = await serveHttp((_request, response) => void response.end());
        await using server = await serveHttp((_request, response) => {
          response.writeHead(status, { location: `${other.origin}/x` }).end();
        });
        const http = open();
        const canary = { headers: { 'x-api-key': 'canary' } };
        for (const request of [get(server.origin, canary), post(server.origin, canary)]) {
          expect(await failure(http.exchange(request))).toMatchObject({
            code: 'REDIRECT_REFUSED',
            detail: { host: '127.0.0.1' },
          });
        }
        expect(other.sockets).toHaveLength(0);
      },
    );

    it.each([302, 307, 308])('refuses %d of a POST within its origin (MD-20)', async (status) => {
      await using server = await serveHttp((request, response) => {
        response.writeHead(request.url === '/' ? status : 200, { location: '/other' }).end();
      });
      const http = open();
      expect((await failure(http.exchange(post(server.origin)))).code).toBe('REDIRECT_REFUSED');
      expect((await failure(http.exchange(post(server.origin, { redirects: 'same-origin' })))).code).toBe(
        'REDIRECT_REFUSED',
      );
      expect(server.received()).not.toContain('/other');
    });

    it.each([
      'https://127.0.0.1:1/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '//evil.example/',
      'http://[',
      '\\\\evil.example\\x',
    ])('refuses the location %s', async (location) => {
      await using server = await serveHttp((_request, response) => void response.writeHead(302, { location }).end());
      expect((await failure(open().exchange(get(server.origin)))).code).toBe('REDIRECT_REFUSED');
      expect(server.sockets).toHaveLength(1);
    });

    it.each(['javascript:alert(1)', 'file:///etc/passwd', 'go://Paste-your-key-here!/', 'http://['])(
      'names no host in the location %s, which is not a web address (MD-20, IP-21)',
      async (location) => {
        await using server = await serveHttp((_request, response) => void response.writeHead(302, { location }).end());
        const error = await failure(open().exchange(get(server.origin)));
        expect(error.detail).toEqual({ host: '127.0.0.1' });
      },
    );

    it('reports a downgrade from https to http (MD-23)', async () => {
      await using server = await serveHttps((_request, response) => {
        response.writeHead(302, { location: 'http://mcp.example.com/' }).end();
      });
      const error = await failure(open({ ca: [pem('authority')] }).exchange(get(server.origin)));
      expect(error).toMatchObject({ code: 'URL_DOWNGRADE', detail: { host: 'mcp.example.com' } });
    });

    it('stops after four requests of a redirect loop or a long chain (MD-22)', async () => {
      let requests = 0;
      await using server = await serveHttp((request, response) => {
        requests += 1;
        const location = request.url === '/loop' ? '/loop' : `/${Number(request.url?.slice(1)) + 1}`;
        response.writeHead(302, { location }).end();
      });
      const http = open();
      for (const path of ['/loop', '/0']) {
        requests = 0;
        expect((await failure(http.exchange(get(server.origin + path)))).code).toBe('REDIRECT_LOOP');
        expect(requests).toBe(4);
      }
    });

    it('returns a response that only looks like a redirect', async () => {
      await using server = await serveHttp((request, response) => {
        response.writeHead(Number(request.url?.slice(1)), request.url === '/300' ? { location: '/x' } : {}).end();
      });
      const http = open();
      for (const status of [300, 302, 304]) {
        expect((await http.exchange(get(`${server.origin}/${status}`, { redirects: 'none' }))).status).toBe(status);
      }
    });
  });

  describe('broken connections', () => {
    it('distinguishes a refused connection from a lost response', async () => {
      await using server = await serveBytes((socket) => void socket.resetAndDestroy());
      const http = open();
      const lostResponse = await failure(http.exchange(post(server.origin)));
      expect(lostResponse).toMatchObject({
        code: 'CONNECT_FAIL',
        stage: 'token',
        sent: 'maybe',
        detail: { host: '127.0.0.1' },
      });
      expect(server.received().match(/POST/g)).toHaveLength(1);
      const { origin } = server;
      await server[Symbol.asyncDispose]();
      const refused = await failure(http.exchange(post(origin)));
      expect(refused).toMatchObject({ code: 'CONNECT_FAIL', sent: 'no', detail: { reason: 'ECONNREFUSED' } });
    });

    it('never resends a POST that a closing keep-alive connection may have swallowed', async () => {
      let requestCount = 0;
      await using server = await serveBytes((socket, received) => {
        const requests = received.match(/POST/g)?.length ?? 0;
        if (requests === 1 && requestCount === 0) {
          requestCount += 1;
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        } else socket.resetAndDestroy();
      });
      const http = open();
      expect((await http.exchange(post(server.origin))).status).toBe(200);
      const lostResponse = await failure(http.exchange(post(server.origin)));
      expect(lostResponse).toMatchObject({ code: 'CONNECT_FAIL', sent: 'maybe' });
      expect(server.received().match(/POST/g)).toHaveLength(2);
      expect(server.sockets).toHaveLength(1);
    });

    it.each([
      ['a body cut short', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
      ['a chunk cut short', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
      ['a status beyond HTTP', 'HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n'],
      ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'],
      ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ])('reports %s as a failed connection', async (_name, bytes) => {
      await using server = await serveBytes((socket) => void socket.end(bytes));
      const error = await failure(open().exchange(get(server.origin)));
      expect(error).toMatchObject({ code: 'CONNECT_FAIL', sent: 'maybe' });
    });

    it('skips informational responses', async () => {
      await using server = await serveBytes(
        (socket) =>
          void socket.end('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
      );
      expect(text((await open().exchange(get(server.origin))).body)).toBe('ok');
    });

    it.each(['canary\r\nx: y', 'canary\n', 'canary\u0000', 'canary\u{1f600}'])(
      'refuses the field value %j without repeating it (TK-03)',
      async (value) => {
        await using server = await serveHttp((_request, response) => void response.end());
        const headers = { Authorization: `Bearer ${value}` };
        const error = await failure(open().exchange(get(server.origin, { headers })));
        expect(error).toMatchObject({ code: 'TOKEN_CHARSET' });
        expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('canary');
        expect(server.sockets).toHaveLength(0);
      },
    );
  });

  describe('names', () => {
    const named: AddressPolicy = { local: true, typedHost: 'mcp.test', allowedHosts: [], allowHttp: true };

    it('connects to the checked address and keeps the name in Host', async () => {
      await using server = await serveHttp((request, response) => void response.end(request.headers.host));
      const http = open({ lookup: lookupAs(['127.0.0.1']) });
      const response = await http.exchange(get(`http://mcp.test:${server.port}/`, { policy: named }));
      expect(text(response.body)).toBe(`mcp.test:${server.port}`);
    });

    it('uses the name as TLS server name, verified', async () => {
      await using server = await serveHttps((request, response) => void response.end(request.headers.host));
      const http = open({ lookup: lookupAs(['127.0.0.1']), ca: [pem('authority')] });
      const response = await http.exchange(get(`https://mcp.test:${server.port}/`, { policy: named }));
      expect(text(response.body)).toBe(`mcp.test:${server.port}`);
      const wrong = await failure(
        http.exchange(get(`https://mcp.example:${server.port}/`, { policy: { ...named, typedHost: 'mcp.example' } })),
      );
      expect(wrong).toMatchObject({
        code: 'TLS_FAIL',
        detail: { host: 'mcp.example', reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      });
    });

    it('checks the next connection with the certificate file that the settings name now', async () => {
      await using server = await serveHttps((_request, response) => void response.end('here'));
      const settings: { certificateFile?: string } = {};
      const env = { HOME: '/nowhere' };
      const network = openHttp({
        env,
        clock: systemClock,
        packaged: true,
        certificateFile: async () => settings.certificateFile,
      });
      const ask = async () => text((await network.http.exchange(get(server.origin))).body);
      expect(await failure(ask())).toMatchObject({ code: 'TLS_FAIL' });
      settings.certificateFile = join(temporaryFolder(), 'authority.pem');
      writeFileSync(settings.certificateFile, pem('authority'));
      expect(await ask()).toBe('here');
      await network.close();
    });

    it('omits the root dot from the TLS server name (RFC 6066 section 3)', async () => {
      const names: string[] = [];
      const SNICallback: TlsOptions['SNICallback'] = (name, callback) => {
        names.push(name);
        callback(null);
      };
      await using server = await serveHttps((request, response) => void response.end(request.headers.host), {
        SNICallback,
      });
      const http = open({ lookup: lookupAs(['127.0.0.1']), ca: [pem('authority')] });
      const url = `https://mcp.test.:${server.port}/`;
      const response = await http.exchange(get(url, { policy: named }));
      expect(text(response.body)).toBe(`mcp.test.:${server.port}`);
      expect(names).toEqual(['mcp.test']);
      const other = { ...named, typedHost: 'mcp.example' };
      const wrong = await failure(http.exchange(get(`https://mcp.example.:${server.port}/`, { policy: other })));
      expect(readDetail(wrong)['reason']).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    });

    it.each([
      [['10.0.0.1']],
      [['127.0.0.1']],
      [['8.8.8.8', '::1']],
      [['127.0.0.1', '8.8.8.8']],
      [['169.254.169.254']],
      [['64:ff9b::a00:1']],
    ])('blocks a name that resolves to %j, if only in part (NW-06, NW-08)', async (addresses) => {
      await using server = await serveHttp((_request, response) => void response.end());
      const http = open({ lookup: lookupAs(addresses) });
      const policy: AddressPolicy = { local: false, typedHost: 'mcp.example.com', allowedHosts: [], allowHttp: false };
      const error = await failure(http.exchange(get(`https://mcp.example.com:${server.port}/`, { policy })));
      expect(error).toMatchObject({
        code: 'HOST_BLOCKED',
        stage: 'discovery',
        sent: 'no',
        detail: { host: 'mcp.example.com' },
      });
      expect(server.sockets).toHaveLength(0);
    });

    it('resolves once for a connection, and reports a later bad answer (NW-07)', async () => {
      await using server = await serveHttp(
        (_request, response) => void response.writeHead(200, { connection: 'close' }).end(),
      );
      const http = open({ lookup: lookupAs(['127.0.0.1'], ['169.254.169.254']) });
      const url = `http://mcp.test:${server.port}/`;
      expect((await http.exchange(get(url, { policy: named }))).status).toBe(200);
      expect(await failure(http.exchange(get(url, { policy: named })))).toMatchObject({
        code: 'DNS_REBIND',
        detail: { host: 'mcp.test' },
      });
      expect(server.sockets).toHaveLength(1);
    });

    it('reaches a server that listens on only one loopback address family, without the resolver', async () => {
      await using server = await serveHttp((_request, response) => void response.end('ok'));
      const policy = { ...local, typedHost: 'localhost' };
      for (const host of ['localhost', 'app.localhost', 'localhost.']) {
        const response = await open({ lookup: neverResolved }).exchange(
          get(`http://${host}:${server.port}/`, { policy }),
        );
        expect(text(response.body)).toBe('ok');
      }
    });

    it('falls back to the next address of an answer', async () => {
      await using server = await serveHttp((_request, response) => void response.end('ok'));
      const http = open({ lookup: lookupAs(['127.0.0.9', '127.0.0.1']) });
      expect((await http.exchange(get(`http://mcp.test:${server.port}/`, { policy: named }))).status).toBe(200);
    });

    it('reports a name that does not resolve', async () => {
      const error = await failure(open({ lookup: notFound }).exchange(post('https://mcp.test/', { policy: named })));
      expect(error).toMatchObject({ code: 'DNS_FAIL', sent: 'no', detail: { host: 'mcp.test', reason: 'ENOTFOUND' } });
      const empty = await failure(open({ lookup: lookupAs([]) }).exchange(get('https://mcp.test/', { policy: named })));
      expect(empty.code).toBe('DNS_FAIL');
    });

    it('resolves a name without a connection, except one that the user named or a proxy resolves', async () => {
      const elsewhere = get('https://login.test/', { policy: named });
      await open({ lookup: lookupAs(['93.184.216.34']) }).resolveHost(elsewhere);
      expect((await failure(open({ lookup: lookupAs(['10.0.0.7']) }).resolveHost(elsewhere))).code).toBe(
        'HOST_BLOCKED',
      );
      expect((await failure(open({ lookup: notFound }).resolveHost(elsewhere))).code).toBe('DNS_FAIL');
      const silent = open({ lookup: () => new Promise(() => {}) });
      expect((await failure(silent.resolveHost({ ...elsewhere, deadline: 1 }))).code).toBe('DEADLINE');
      await open({ lookup: neverResolved }).resolveHost(get('https://mcp.test/', { policy: named }));
      const proxyFor = async () => ({ kind: 'http', host: '127.0.0.1', port: 1 }) as never;
      await open({ lookup: neverResolved, proxyFor }).resolveHost(elsewhere);
    });
  });

  describe('certificates (NW-16)', () => {
    const self = { key: pem('server-key'), cert: pem('server') };

    it('rejects an untrusted one, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
      await using server = await serveHttps((_request, response) => void response.end('ok'), self);
      const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
      try {
        const error = await failure(open().exchange(post(server.origin)));
        expect(error).toMatchObject({ code: 'TLS_FAIL', sent: 'no', detail: { host: '127.0.0.1' } });
      } finally {
        if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
        else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      }
      expect(server.received()).not.toContain('POST');
    });

    it('rejects an expired one', async () => {
      const expired = { key: pem('expired-key'), cert: pem('expired') };
      await using server = await serveHttps((_request, response) => void response.end('ok'), expired);
      const error = await failure(open({ ca: [pem('authority')] }).exchange(get(server.origin)));
      expect(error).toMatchObject({ code: 'TLS_FAIL', detail: { reason: 'CERT_HAS_EXPIRED' } });
    });

    it('rejects TLS 1.1, even if the defaults of Node were lowered', async () => {
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
      await using server = await serveHttps((_request, response) => void response.end('ok'), { ...self, ...old });
      const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
      tls.DEFAULT_MIN_VERSION = old.minVersion;
      tls.DEFAULT_CIPHERS = old.ciphers;
      try {
        const error = await failure(open({ ca: [pem('authority')] }).exchange(get(server.origin)));
        expect(error.code).toBe('TLS_FAIL');
      } finally {
        Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS });
      }
    });

    it('reports a server that speaks no TLS', async () => {
      await using server = await serveHttp((_request, response) => void response.end('ok'));
      const error = await failure(open().exchange(get(server.origin.replace('http:', 'https:'))));
      expect(error).toMatchObject({ code: 'TLS_FAIL', sent: 'no' });
    });
  });
});

describe('stream', () => {
  it('returns a Response as soon as the headers arrive; the deadline ends with them', async () => {
    const reply = Promise.withResolvers<ServerResponse>();
    await using server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      reply.resolve(response);
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const response = await open().stream(streamed(server.origin));
    expect(response).toBeInstanceOf(Response);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('data: 1\n\n');
    vi.advanceTimersByTime(3_600_000);
    (await reply.promise).end('data: 2\n\n');
    expect((await reader?.read())?.value).toBe('data: 2\n\n');
    expect((await reader?.read())?.done).toBe(true);
    expect([response.status, response.url]).toEqual([200, `${server.origin}/`]);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
  });

  it('ends at the deadline when no headers arrive', async () => {
    await using server = await serveBytes(() => {});
    const error = await failure(open().stream(streamed(server.origin, { deadline: 100 })));
    expect(error).toMatchObject({ code: 'DEADLINE', stage: 'connection' });
  });

  it('closes the connection when the body is cancelled or the caller aborts', async () => {
    await using server = await serveHttp((_request, response) => {
      response.writeHead(200);
      response.write('x');
    });
    const http = open();
    const cancelled = await http.stream(streamed(server.origin));
    await cancelled.body?.cancel();
    const stop = new AbortController();
    const aborted = await http.stream(streamed(server.origin, { signal: stop.signal }));
    stop.abort();
    expect((await failure(aborted.text())).code).toBe('USER_CANCELLED');
    await Promise.all(server.sockets.map(connectionClosed));
  });

  it('errors the body with a typed error when the connection breaks', async () => {
    await using server = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', () => socket.resetAndDestroy());
    });
    const response = await open().stream(streamed(server.origin));
    expect(await failure(response.text())).toMatchObject({ code: 'CONNECT_FAIL', stage: 'connection' });
  });

  it('applies backpressure when the body is not read', async () => {
    let written = 0;
    await using server = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pour = (): void => {
        while (written < 100_000_000 && socket.write('a'.repeat(65_536))) written += 65_536;
      };
      socket.on('drain', pour);
      pour();
    });
    const response = await open().stream(streamed(server.origin));
    let before = -1;
    await vi.waitUntil(() => before === (before = written), { interval: 100, timeout: 120_000 });
    expect(written).toBeLessThan(50_000_000);
    await response.body?.cancel();
  });

  it('applies backpressure when the reader is slow, however small the chunks', async () => {
    let sent = (): number => 0;
    await using server = await serveHttp(({ socket }, response) => {
      sent = () => socket.bytesWritten - socket.writableLength;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const pour = (): void => {
        while (response.write(`: ${'a'.repeat(100)}\n\n`));
      };
      response.on('drain', pour);
      pour();
    });
    const response = await open().stream(streamed(server.origin));
    const reader = response.body?.getReader();
    for (let pieces = 0; pieces < 300; pieces += 1) {
      await reader?.read();
      // More arrives between two reads.
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    // What the system buffers for a connection.
    expect(sent()).toBeLessThan(12_000_000);
    await reader?.cancel();
  });

  it('returns statuses without a body, and keeps the connection', async () => {
    await using server = await serveHttp((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end();
    });
    const http = open();
    for (const status of [202, 204, 205, 404]) {
      const response = await http.stream(streamed(`${server.origin}/${status}`));
      expect([response.status, await response.text()]).toEqual([status, '']);
    }
    expect(server.sockets).toHaveLength(1);
  });

  it.each([307, 308])('follows %d within its origin with the same request, body and credentials', async (status) => {
    await using server = await serveHttp((request, response) => {
      if (request.url === '/mcp') return void response.writeHead(status, { location: '/mcp/' }).end('moved');
      request.on('data', (chunk: Buffer) => response.write(chunk));
      request.on('end', () => response.end(request.headers.authorization));
    });
    const headers = { authorization: 'Bearer canary' };
    const request = streamed(`${server.origin}/mcp`, { method: 'POST', body: 'question ', headers });
    const response = await open().stream(request);
    expect([response.url, await response.text()]).toEqual([`${server.origin}/mcp/`, 'question Bearer canary']);
    expect(server.sockets).toHaveLength(1);
  });

  it.each([301, 302, 303])('does not follow %d, which may change the method', async (status) => {
    await using server = await serveHttp((request, response) => {
      response.writeHead(request.url === '/' ? status : 200, { location: '/other' }).end();
    });
    const { body: _body, ...request } = streamed(server.origin);
    for (const method of ['GET', 'POST'] as const) {
      expect((await failure(open().stream({ ...request, method }))).code).toBe('REDIRECT_REFUSED');
    }
    expect(server.received()).not.toContain('/other');
  });

  it.each([307, 308])('follows %d to no other origin, which sees no request, and names it (MD-20)', async (status) => {
    await using other = await serveHttp((_request, response) => void response.end());
    const location = `http://localhost:${other.port}/x`;
    await using server = await serveHttp((_request, response) => void response.writeHead(status, { location }).end());
    const request = streamed(server.origin, { method: 'POST', headers: { authorization: 'Bearer canary' } });
    const error = await failure(open().stream(request));
    expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', detail: { host: '127.0.0.1', target: 'localhost' } });
    expect(toPlainError(error).message).toContain('localhost');
    expect(other.sockets).toHaveLength(0);
  });

  it('names the https address if that is the only change', async () => {
    await using server = await serveHttp((_request, response) => {
      response.writeHead(308, { location: 'https://127.0.0.1:8443/elsewhere?x=1' }).end();
    });
    const error = await failure(open().stream(streamed(`${server.origin}/mcp`, { method: 'POST' })));
    expect(toCommandError(error, {}).nextStep).toContain('https://127.0.0.1:8443/mcp');
  });

  it('stops after four requests of a redirect chain (MD-22)', async () => {
    let requests = 0;
    await using server = await serveHttp((_request, response) => {
      requests += 1;
      response.writeHead(307, { location: `/${requests}` }).end();
    });
    expect((await failure(open().stream(streamed(server.origin, { method: 'POST' })))).code).toBe('REDIRECT_LOOP');
    expect(requests).toBe(4);
  });
});
