import { spawnSync } from 'node:child_process';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressPolicy } from '../../main/address/check-address.ts';
import { toCommandError } from '../../main/cli/output/describe-error.ts';
import { PosternError, toPlainError } from '../../main/errors/postern-error.ts';
import { RequestError } from '../../main/errors/request-error.ts';
import { createHttp } from '../../main/net/http/http.ts';
import type { HttpOptions } from '../../main/net/http/http.ts';
import type { HttpRequest } from '../../main/ports.ts';
import { asChecked } from '../support/as-checked.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { endErrorOf } from '../support/connection-facts.ts';
import { startPair } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { pem, serveHttp } from '../support/loopback-server.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { printedTraceEntrySchema } from '../support/printed-trace-entry.ts';
import type { PrintedTraceEntry } from '../support/printed-trace-entry.ts';

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return (server.address() as AddressInfo).port;
}

const trusted = { key: pem('server-key'), cert: pem('server') };
const serveTls = (tls: TlsOptions): Promise<number> =>
  listen(createHttpsServer(tls, (_request, response) => response.end('ok')));
const keyPair = (name: string) => ({ key: pem(`${name}-key`), cert: pem(name) });
/** Bytes sent in response to the first bytes; `undefined`: the end of the connection. */
const serveBytes = (bytes: string | undefined): Promise<number> =>
  listen(
    createServer(
      (socket) => void socket.once('data', () => (bytes === undefined ? socket.end() : socket.end(bytes, 'latin1'))),
    ),
  );

async function failureOf(
  url: string,
  options: HttpOptions = {},
  request: Pick<HttpRequest, 'purpose' | 'stage'> = { purpose: 'token', stage: 'token' },
): Promise<PosternError> {
  const http = createHttp({ ca: [pem('authority')], ...options });
  onTestFinished(() => http.close());
  const policy = createAddressPolicy({ url, local: true, allowedHosts: [], allowHttp: true });
  const sent = { method: 'POST', body: 'a=b', redirects: 'none' } as const;
  const error: unknown = await http
    .exchange({ ...request, ...sent, url: asChecked(url), policy, deadline: 60_000, bodyLimit: 1_000 })
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  if (!(error instanceof PosternError)) throw new Error('it did not fail', { cause: error });
  return error;
}

describe('a server that speaks another protocol', () => {
  it.each<[string, 'http' | 'https', string | undefined, string, string]>([
    ['an SSH server', 'http', 'SSH-2.0-OpenSSH_9.2\r\n', 'CONNECT_FAIL', 'not-http'],
    ['a mail server', 'http', '220 mail ESMTP\r\n', 'CONNECT_FAIL', 'not-http'],
    [
      'a TLS port that sends an alert',
      'http',
      '\u0015\u0003\u0001\u0000\u0002\u0002\u000a',
      'CONNECT_FAIL',
      'tls-spoken',
    ],
    ['one that hangs up', 'http', undefined, 'CONNECT_FAIL', 'closed'],
    ['one that stops in its body', 'http', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na', 'CONNECT_FAIL', 'cut-off'],
    [
      'one with a status beyond HTTP',
      'http',
      'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n',
      'CONNECT_FAIL',
      'broken-http',
    ],
    ['an SSH server', 'https', 'SSH-2.0-OpenSSH_9.2\r\n', 'TLS_FAIL', 'tls-not-spoken'],
    ['one that hangs up', 'https', undefined, 'CONNECT_FAIL', 'closed'],
  ])('%s, by %s', async (_, scheme, bytes, code, fault) => {
    const port = await serveBytes(bytes);
    const error = toCommandError(await failureOf(`${scheme}://127.0.0.1:${port}/`), {});
    expect(error).toMatchObject({ code, fault, message: expect.stringContaining(`127.0.0.1:${port}`) });
  });

  const atProbe = async (url: string): Promise<RequestError> => {
    const error = await failureOf(url, {}, { purpose: 'probe', stage: 'probe' });
    if (!(error instanceof RequestError)) throw error;
    return error;
  };

  it('http to a TLS port suggests https, and https to a port without TLS suggests http, if the user typed it', async () => {
    const secure = await serveTls(trusted);
    const closed = await atProbe(`http://127.0.0.1:${secure}/`);
    expect(toCommandError(closed.atTypedAddress(), {})).toMatchObject({
      blame: 'input',
      fault: 'closed',
      nextStep: expect.stringContaining('https://'),
    });
    expect(toCommandError(closed, {}).nextStep).not.toMatch(/https:|address|port/u);
    await using plain = await serveHttp((_request, response) => void response.end());
    const error = await atProbe(`https://127.0.0.1:${plain.port}/`);
    expect(toCommandError(error.atTypedAddress(), {})).toMatchObject({
      blame: 'input',
      fault: 'tls-not-spoken',
      nextStep: expect.stringContaining('http://'),
    });
    expect(toCommandError(error, {}).nextStep).not.toMatch(/https?:|address|port/u);
  });

  it.each([
    ['http', 'SSH-2.0-OpenSSH_9.2\r\n', 'document'],
    ['https', 'SSH-2.0-OpenSSH_9.2\r\n', 'document'],
    ['http', undefined, 'answer'],
    ['http', 'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n', 'answer'],
  ] as const)("is the service's mistake at an address that it published: %s %j", async (scheme, bytes, blame) => {
    const error = await failureOf(`${scheme}://127.0.0.1:${await serveBytes(bytes)}/`);
    expect(toCommandError(error, {})).toMatchObject({
      blame,
      message: expect.stringMatching(/^The token endpoint 127\.0\.0\.1:\d+ /u),
      nextStep: expect.stringMatching(/owner/u),
    });
  });
});

/** Whether this system lets a test start a process without any network. */
const canUnshare = process.platform === 'linux' && spawnSync('/usr/bin/unshare', ['-rn', 'true']).status === 0;

/** What `discover` reports in a network of its own, which `made` has set up. */
function discoverWithin(made: string, url: string) {
  const cli = join(import.meta.dirname, '../../main/cli/index.ts');
  const script = `${made}; exec "$0" "$1" discover "$2" --local --json`;
  const ran = spawnSync('/usr/bin/unshare', ['-rn', 'sh', '-c', script, process.execPath, cli, url], {
    env: { ...process.env, POSTERN_HOME: temporaryFolder() },
    encoding: 'utf8',
  });
  const { error } = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '') as {
    error: { message: string; nextStep: string };
  };
  return error;
}
/** An interface that is up, with an address and without a route beyond it, as of a virtual machine. */
const bridge =
  'ip link set lo up && ip link add d0 type bridge && ip addr add 172.17.0.1/16 dev d0 && ip link set d0 up';
const canBridge = canUnshare && spawnSync('/usr/bin/unshare', ['-rn', 'sh', '-c', bridge]).status === 0;

describe.runIf(canUnshare)('a computer without any network', () => {
  it.each([
    ['a name', 'https://mcp.notion.com/mcp', 'DNS_FAIL'],
    ['an address', 'https://93.184.216.34/mcp', 'CONNECT_FAIL'],
  ])('is reported as offline, instead of %s that cannot be reached', (_, url, code) => {
    const error = discoverWithin('true', url);
    expect(error).toMatchObject({ code, fault: 'offline', blame: 'network' });
    expect(error.message).toMatch(/offline/u);
    expect(error.nextStep).not.toMatch(/spelling|address/u);
  });
});

describe.runIf(canBridge)('a computer whose only network has no route', () => {
  it.each([
    ['a name', 'https://mcp.notion.com/mcp'],
    ['an address', 'https://93.184.216.34/mcp'],
  ])('is reported as offline, instead of %s that cannot be reached', (_, url) => {
    expect(discoverWithin(bridge, url)).toMatchObject({ fault: 'offline', blame: 'network' });
  });

  it.each([
    ['in it', 'https://172.17.0.9/mcp', 'ip route add unreachable 172.17.0.9'],
    ['elsewhere', 'https://93.184.216.34/mcp', 'ip route add unreachable 93.184.216.34; ip route add default dev d0'],
  ])('is not offline if only one host is down, %s', (_, url, away) => {
    expect(discoverWithin(`${bridge}; ${away}`, url)).toMatchObject({ code: 'CONNECT_FAIL', fault: 'unreachable' });
  });
});

describe('a host that cannot be reached', () => {
  const rejecting = (code: string): HttpOptions => ({
    lookup: () => Promise.reject(Object.assign(new Error(code), { code })),
  });

  it('because nothing listens', async () => {
    const port = await freePort();
    const error = toCommandError(await failureOf(`http://127.0.0.1:${port}/`), {});
    expect(error).toMatchObject({
      code: 'CONNECT_FAIL',
      fault: 'refused',
      message: expect.stringContaining(`:${port}`),
    });
  });

  it.each([
    ['ENOTFOUND', 'name-not-found'],
    ['EAI_AGAIN', 'name-server-silent'],
  ])('because its name resolves to %s', async (reason, fault) => {
    const error = toCommandError(await failureOf('https://mcp.test/', rejecting(reason)), {});
    expect(error).toMatchObject({ code: 'DNS_FAIL', fault, message: expect.stringContaining('mcp.test') });
  });
});

describe('a rejected certificate (NW-16)', () => {
  it.each<[string, TlsOptions, string, HttpOptions]>([
    ['of an unknown authority', trusted, 'certificate-unknown-authority', { ca: [pem('self-signed')] }],
    ['self-signed', keyPair('self-signed'), 'certificate-self-signed', {}],
    ['expired', keyPair('expired'), 'certificate-expired', {}],
    ['not valid yet', keyPair('not-yet-valid'), 'certificate-not-yet-valid', { ca: [pem('not-yet-valid')] }],
  ])('%s', async (_, tls, fault, options) => {
    const port = await serveTls(tls);
    const error = await failureOf(`https://127.0.0.1:${port}/`, options);
    expect(toCommandError(error, {})).toMatchObject({
      code: 'TLS_FAIL',
      fault,
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
    expect(error).toMatchObject({ certificate: { subject: expect.any(String) } });
  });

  it('for another name, with the names that it is valid for', async () => {
    const port = await serveTls(trusted);
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const error = await failureOf(`https://mcp.example:${port}/`, { lookup });
    expect(toCommandError(error, {})).toMatchObject({ code: 'TLS_FAIL', fault: 'certificate-wrong-name' });
    expect(error).toMatchObject({
      certificate: { subject: 'CN=server', names: expect.stringContaining('DNS:mcp.test') },
    });
  });

  it('is dated if the date is the problem', async () => {
    const expired = await serveTls(keyPair('expired'));
    expect(toPlainError(await failureOf(`https://127.0.0.1:${expired}/`)).message).toContain('2020');
    const early = await serveTls(keyPair('not-yet-valid'));
    const error = await failureOf(`https://127.0.0.1:${early}/`, { ca: [pem('not-yet-valid')] });
    expect(toPlainError(error).message).toMatch(/2100|2099/u);
  });
});

describe('a handshake that fails', () => {
  it.each<[string, TlsOptions]>([
    ['because the server has no certificate', {}],
    [
      'about the TLS version',
      { ...trusted, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' },
    ],
    ['because TLS 1.2 requires a client certificate', { ...trusted, requestCert: true, maxVersion: 'TLSv1.2' }],
  ])('%s', async (_, tls) => {
    const port = await serveTls(tls);
    expect(toCommandError(await failureOf(`https://127.0.0.1:${port}/`), {})).toMatchObject({
      code: 'TLS_FAIL',
      fault: 'tls-handshake',
    });
  });

  it('because a client certificate is required (RFC 8446 section 4.4.2.4)', async () => {
    const port = await serveTls({ ...trusted, requestCert: true, ca: [pem('authority')] });
    const error = toCommandError(await failureOf(`https://127.0.0.1:${port}/`), {});
    expect(error).toMatchObject({ fault: 'tls-client-certificate', message: expect.stringContaining(`:${port}`) });
  });

  it('does not mention a client certificate that is requested but optional', async () => {
    const port = await serveTls({ ...trusted, requestCert: true, rejectUnauthorized: false });
    const http = createHttp({ ca: [pem('authority')] });
    onTestFinished(() => http.close());
    const url = asChecked(`https://127.0.0.1:${port}/`);
    const policy = createAddressPolicy({ url, local: true, allowedHosts: [], allowHttp: false });
    const request = { purpose: 'probe', stage: 'probe', method: 'GET', redirects: 'none', url, policy } as const;
    expect((await http.exchange({ ...request, deadline: 60_000, bodyLimit: 100 })).status).toBe(200);
  });
});

const entriesOf = ({ lines }: PosternResult): readonly PrintedTraceEntry[] =>
  lines
    .filter((line) => line['event'] === 'request')
    .map(({ event: _event, ...entry }) => printedTraceEntrySchema.parse(entry));

const env = { NODE_EXTRA_CA_CERTS: undefined };

describe('the command line', () => {
  it('names the cause, and shows the certificate details only in the trace', async () => {
    const port = await serveTls(keyPair('taunting'));
    const home = temporaryFolder();
    const args = ['discover', `https://127.0.0.1:${port}/mcp`, '--local', '--trace'];
    const result = await runInProcess([...args, '--json'], { home, env });
    expect(result.code).toBe(1);
    expect(result.last['error']).toMatchObject({ code: 'TLS_FAIL', fault: 'certificate-self-signed' });
    expect(JSON.stringify(result.last)).not.toMatch(/evil\.example|Paste/u);
    const [stopped] = entriesOf(result).filter(({ verdict }) => verdict === 'stopped');
    expect(stopped?.fault).toBe('certificate-self-signed');
    const facts = Object.fromEntries((stopped?.certificate ?? []).map(({ name, value }) => [name, value]));
    expect(Object.keys(facts)).toEqual(['subject', 'issuer', 'valid from', 'valid until', 'names', 'SHA-256']);
    expect(facts['subject']).toContain('Paste your token');
    expect(facts['SHA-256']).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/u);
    const readable = await runInProcess(args, { home, env });
    const text = readable.stdout + readable.stderr;
    expect(text).toContain(`127.0.0.1:${port}`);
    expect(text).toMatch(/SHA-256/u);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(1_100);
  });

  it.each<[string, () => Promise<number>, 'http' | 'https', string]>([
    ['that nobody listens at', freePort, 'http', 'refused'],
    ['of an SSH server', () => serveBytes('SSH-2.0-OpenSSH_9.2\r\n'), 'http', 'not-http'],
    ['of a TLS server', () => serveTls(trusted), 'http', 'closed'],
    ['of a server without TLS', () => serveBytes('HTTP/1.1 400 Bad Request\r\n\r\n'), 'https', 'tls-not-spoken'],
    ['of an unknown authority', () => serveTls(trusted), 'https', 'certificate-unknown-authority'],
  ])('reports what it found at a port %s', async (_, start, scheme, fault) => {
    const port = await start();
    const args = ['connect', `${scheme}://127.0.0.1:${port}/mcp`, '--local', '--json'];
    const { code, last } = await runInProcess(args, { home: temporaryFolder(), env });
    expect(code).toBe(1);
    expect(last['error']).toMatchObject({ fault, message: expect.stringContaining(`127.0.0.1:${port}`) });
  });

  it('names the sign-in service, not the server, if the former cannot be reached', async () => {
    const port = await freePort();
    const { origin } = await startScriptedServer((own) => ({
      'POST /mcp': () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } }),
      'GET /.well-known/oauth-protected-resource/mcp': () => ({
        json: { resource: `${own}/mcp`, authorization_servers: [`http://127.0.0.1:${port}`] },
      }),
      'GET /.well-known/oauth-authorization-server': () => ({ status: 404 }),
    }));
    const { code, last } = await runInProcess(['connect', `${origin}/mcp`, '--local', '--json'], {
      home: temporaryFolder(),
    });
    expect(code).toBe(1);
    expect(last['error']).toMatchObject({
      code: 'CONNECT_FAIL',
      fault: 'refused',
      stage: 'discovery',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });
});

describe('the window', () => {
  it('shows what helps, and keeps the certificate for the diagnosis', async () => {
    const port = await serveTls(keyPair('self-signed'));
    const desktop = await createTestDesktop();
    const url = `https://127.0.0.1:${port}/mcp`;
    const { id } = await desktop.call('connection:discover', { url, options: { local: true } });
    const error = endErrorOf(await desktop.connection(id, (view) => endErrorOf(view) !== undefined));
    expect(error).toMatchObject({ code: 'TLS_FAIL', remedy: { kind: 'trust-certificate', whose: 'own' } });
  });
});

describe('each stage names what failed, with its port', () => {
  /** The sign-in service hangs up on requests to `path` while it is `down`. */
  const hangingUpAt = (path: string, down = { now: true }) =>
    startPair({
      intercept: (request, response) => {
        if (!down.now || request.url !== path) return false;
        response.destroy();
        return true;
      },
    });

  it.each([
    ['/register', 'DCR_UNSUPPORTED', 'registration'],
    ['/token', 'CONNECT_FAIL', 'token'],
  ])('%s of the sign-in service', async (path, code, stage) => {
    const { as, mcp } = await hangingUpAt(path);
    const connect = ['connect', mcp.url, '--local', '--name', 'Notes', '--json'];
    const { last } = await runInProcess(connect, { home: temporaryFolder() });
    const { host } = new URL(as.issuer);
    expect(last['error']).toMatchObject({ code, stage, fault: 'closed', message: expect.stringContaining(host) });
    expect(JSON.stringify(last['error'])).not.toContain(`${new URL(mcp.url).host} closed`);
  });

  it('a refresh', async () => {
    const down = { now: false };
    const { as, mcp } = await hangingUpAt('/token', down);
    const home = temporaryFolder();
    const connected = await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes', '--json'], { home });
    expect(connected.code).toBe(0);
    down.now = true;
    const { last } = await runInProcess(['refresh', 'Notes', '--json'], { home });
    expect(last['error']).toMatchObject({ message: expect.stringContaining(`${new URL(as.issuer).host} closed`) });
  });

  it('the MCP server itself', async () => {
    const { mcp } = await startPair();
    const home = temporaryFolder();
    await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes', '--json'], { home });
    await mcp.close();
    const { last } = await runInProcess(['tools', 'Notes', '--json'], { home });
    expect(last['error']).toMatchObject({
      code: 'CONNECT_FAIL',
      fault: 'refused',
      message: expect.stringContaining(new URL(mcp.url).host),
    });
  });
});
