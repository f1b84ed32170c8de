import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressPolicy } from '../../main/address/check-address.ts';
import { toCommandError } from '../../main/cli/output/describe-error.ts';
import { PosternError, toPlainError } from '../../main/errors/postern-error.ts';
import { createHttp } from '../../main/net/http/http.ts';
import type { HttpOptions } from '../../main/net/http/http.ts';
import { chooseProxy, readProxySettings } from '../../main/net/http/proxy-settings.ts';
import type { HttpRequest } from '../../main/ports.ts';
import type { NetworkFault } from '../../shared/error-catalog/network-errors.ts';
import { asChecked } from '../support/as-checked.ts';
import { pem, serveHttp, serveHttps } from '../support/loopback-server.ts';
import { startProxy } from './kit/recording-proxy.ts';
import type { Obstacle } from './kit/recording-proxy.ts';

const strict: AddressPolicy = { local: false, typedHost: 'mcp.test', allowedHosts: [], allowHttp: false };

function open(env: Record<string, string>, options: HttpOptions = {}) {
  const settings = readProxySettings(env);
  const http = createHttp({
    lookup: () => expect.unreachable('the name was resolved here'),
    ca: [pem('authority')],
    proxyFor: async (target) => chooseProxy(settings, target),
    ...options,
  });
  onTestFinished(() => http.close());
  return http;
}

const get = (url: string, changes: Partial<HttpRequest> = {}): HttpRequest => ({
  purpose: 'authorization-server-metadata',
  stage: 'discovery',
  method: 'GET',
  url: asChecked(url),
  policy: strict,
  redirects: 'same-origin',
  deadline: 60_000,
  bodyLimit: 1_000,
  ...changes,
});

async function failure(run: Promise<unknown>): Promise<PosternError> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PosternError);
  return error as PosternError;
}

describe('through a proxy (NW-13)', () => {
  it('a name is resolved by the proxy, and the certificate is the target’s', async () => {
    await using server = await serveHttps((request, response) => void response.end(request.headers.host));
    const proxy = await startProxy();
    const http = open({ HTTPS_PROXY: `http://user:hunter2@127.0.0.1:${proxy.port}` });
    const url = `https://mcp.test:${server.port}/x`;
    const { status, body } = await http.exchange(get(url));
    expect({ status, host: Buffer.from(body).toString() }).toEqual({ status: 200, host: `mcp.test:${server.port}` });
    await http.exchange(get(url));
    expect(proxy.requests).toEqual([
      {
        authority: `mcp.test:${server.port}`,
        authorization: `Basic ${Buffer.from('user:hunter2').toString('base64')}`,
      },
    ]);
    expect(server.received()).not.toMatch(/proxy-authorization|hunter2|dXNlcjpodW50ZXIy/i);
  });

  it('a proxy reached over TLS is verified too', async () => {
    await using server = await serveHttps((_request, response) => void response.end('ok'));
    const proxy = await startProxy({ tls: true });
    const env = { HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` };
    expect((await open(env).exchange(get(`https://mcp.test:${server.port}/`))).status).toBe(200);
    const error = await failure(open(env, { ca: [] }).exchange(get(`https://mcp.test:${server.port}/`)));
    expect(toCommandError(error, {})).toMatchObject({
      code: 'PROXY_FAIL',
      fault: 'certificate-unknown-authority',
      message: expect.stringContaining(`127.0.0.1:${proxy.port}`),
    });
    expect(error).toMatchObject({ certificate: { subject: 'CN=server' } });
  });

  it('a target with an untrusted certificate is rejected', async () => {
    await using server = await serveHttps((_request, response) => void response.end('ok'), {
      key: pem('expired-key'),
      cert: pem('expired'),
    });
    const proxy = await startProxy();
    const http = open({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect((await failure(http.exchange(get(`https://mcp.test:${server.port}/`)))).code).toBe('TLS_FAIL');
    expect(server.received()).toBe('');
  });

  it.each([
    ['https://10.0.0.1/', 'HOST_BLOCKED'],
    ['https://169.254.169.254/latest', 'HOST_BLOCKED'],
    ['https://[::ffff:10.0.0.1]/', 'HOST_BLOCKED'],
    ['https://2130706433/', 'HOST_BLOCKED'],
    ['https://localhost/', 'HOST_BLOCKED'],
    ['https://metadata.google.internal/', 'HOST_BLOCKED'],
    ['http://mcp.test/', 'URL_SCHEME'],
    ['https://mcp.test:22/', 'URL_PORT'],
  ])('a forbidden address is rejected here, too: %s', async (url, code) => {
    const proxy = await startProxy();
    const http = open({ ALL_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect((await failure(http.exchange(get(url)))).code).toBe(code);
    expect(proxy.requests).toEqual([]);
  });

  it('this machine and hosts in NO_PROXY are reached directly', async () => {
    await using server = await serveHttp((_request, response) => void response.end('ok'));
    const proxy = await startProxy();
    const policy = { ...strict, local: true, typedHost: '127.0.0.1' };
    await open({ ALL_PROXY: `http://127.0.0.1:${proxy.port}` }).exchange(get(server.origin, { policy }));
    await using secure = await serveHttps((_request, response) => void response.end('ok'));
    const env = { ALL_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '.test' };
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const named = { ...strict, local: true };
    await open(env, { lookup }).exchange(get(`https://mcp.test:${secure.port}/`, { policy: named }));
    expect(proxy.requests).toEqual([]);
  });

  it('plain http to an allowed internal host goes through the tunnel too', async () => {
    await using server = await serveHttp((_request, response) => void response.end('ok'));
    const proxy = await startProxy();
    const policy = { ...strict, local: true, allowHttp: true };
    const http = open({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect((await http.exchange(get(`http://mcp.test:${server.port}/`, { policy }))).status).toBe(200);
    expect(proxy.requests).toHaveLength(1);
  });

  it.each<[string, string, Obstacle, NetworkFault]>([
    [
      'wants a password',
      'STATUS_407',
      (socket) => socket.end('HTTP/1.1 407 No\r\nproxy-authenticate: Basic\r\n\r\n'),
      'proxy-password',
    ],
    ['refuses', 'STATUS_403', (socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'), 'proxy-refused'],
    ['finds no way', 'STATUS_502', (socket) => socket.end('HTTP/1.1 502 Bad gateway\r\n\r\n'), 'proxy-no-way'],
    ['speaks no HTTP', 'STATUS_NONE', (socket) => socket.end('\u001b[2Jpaste your token\r\n\r\n'), 'not-http'],
    ['hangs up', 'CLOSED', (socket) => socket.end(), 'closed'],
    ['resets', 'ECONNRESET', (socket) => socket.resetAndDestroy(), 'closed'],
    [
      'never comes to an end',
      'HEADERS_TOO_LARGE',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}`),
      'broken-http',
    ],
    [
      'speaks for the target',
      'EARLY_DATA',
      (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
      'broken-http',
    ],
  ])(
    'a proxy that %s ends with a typed error, in our words, with nothing sent',
    async (_what, reason, obstacle, fault) => {
      const proxy = await startProxy({ obstacle });
      const http = open({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
      const error = await failure(http.exchange(get('https://mcp.test/', { headers: { authorization: 'Bearer x' } })));
      expect(error).toMatchObject({
        code: 'PROXY_FAIL',
        stage: 'discovery',
        sent: 'no',
        detail: { host: 'mcp.test', reason, proxy: `127.0.0.1:${proxy.port}`, fault },
      });
      expect(toPlainError(error).message).toContain(`The proxy 127.0.0.1:${proxy.port}`);
      expect(proxy.requests).toHaveLength(1);
    },
  );

  it('a proxy that opens the tunnel and disconnects is reported at once, with nothing sent', async () => {
    const { promise: hungUp, resolve } = Promise.withResolvers<void>();
    const proxy = await startProxy({
      obstacle: (socket) => void socket.once('close', resolve).end('HTTP/1.1 200 OK\r\n\r\n'),
    });
    const ca = async (): Promise<readonly string[]> => {
      // Reading once the tunnel is open lets it end meanwhile.
      if (proxy.requests.length > 0) await hungUp;
      return [pem('authority')];
    };
    const http = open({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }, { ca });
    const error = await failure(http.exchange(get('https://mcp.test/', { deadline: 2_000 })));
    expect(error).toMatchObject({ code: 'CONNECT_FAIL', sent: 'no', detail: { host: 'mcp.test', fault: 'closed' } });
  });

  it('a silent proxy ends at the deadline of the request', async () => {
    const proxy = await startProxy({ obstacle: () => {} });
    const http = open({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    const error = toCommandError(await failure(http.exchange(get('https://mcp.test/', { deadline: 200 }))), {});
    // The proxy is silent, not the server.
    expect(error).toMatchObject({
      code: 'PROXY_FAIL',
      fault: 'connect-timeout',
      message: expect.stringContaining(`The proxy 127.0.0.1:${proxy.port}`),
    });
  });

  it('an unreachable proxy is named', async () => {
    const error = await failure(open({ HTTPS_PROXY: 'http://127.0.0.1:1' }).exchange(get('https://mcp.test/')));
    expect(error).toMatchObject({
      code: 'PROXY_FAIL',
      detail: { reason: 'ECONNREFUSED', proxy: '127.0.0.1:1', fault: 'refused' },
    });
  });
});
