import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../main/address/check-address.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import { deadline } from '../../main/limits.ts';
import { createHttp } from '../../main/net/http/http.ts';
import { discoverAuthenticationMethod, rediscover } from '../../main/oauth/discovery/discover.ts';
import type { Clock } from '../../main/ports.ts';
import { asChecked } from '../support/as-checked.ts';

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A server that responds by path, with 404 to the rest; counts requests. */
async function serve(routes: (origin: string) => Readonly<Record<string, Responder>>) {
  const seen: string[] = [];
  let sockets = 0;
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const respond = routes(origin)[request.url ?? ''];
    if (respond === undefined) response.writeHead(404).end('not here');
    else respond(request, response);
  });
  server.on('connection', () => (sockets += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return { origin, seen, sockets: () => sockets };
}

async function discover(origin: string, clock: Clock = systemClock) {
  const http = createHttp();
  open.unshift(http);
  const url = asChecked(`${origin}/mcp`);
  const policy = createAddressPolicy({ url, local: true, allowedHosts: [], allowHttp: false });
  const discovery = await discoverAuthenticationMethod({ http, clock }, { url, policy });
  return { discovery, again: () => rediscover({ http, clock }, discovery, { policy }) };
}

const json =
  (document: unknown): Responder =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));

const unauthorized: Responder = (_, response) =>
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_token"}');

const stream: Responder = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': open\n\n');
};

const hanging: Responder = (_, response) => {
  response.writeHead(401, { 'www-authenticate': 'Bearer scope="read"', 'content-type': 'application/json' });
  response.write('{');
};

const pathForm = '/.well-known/oauth-protected-resource/mcp';
const rootForm = '/.well-known/oauth-protected-resource';
const oauthForm = '/.well-known/oauth-authorization-server';

const resourceAt = (origin: string) => ({ resource: `${origin}/mcp`, authorization_servers: [origin] });
const serverAt = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
});
const wholesome = (origin: string): Record<string, Responder> => ({
  '/mcp': unauthorized,
  [pathForm]: json(resourceAt(origin)),
  [oauthForm]: json(serverAt(origin)),
});

describe('discovery over real connections', () => {
  it('sends three requests at once, and two more at once for the second discovery', async () => {
    const { origin, seen, sockets } = await serve(wholesome);
    const { discovery, again } = await discover(origin);
    expect(discovery.method).toBe('OAuthWithDCR');
    expect(seen.toSorted()).toEqual([`GET ${oauthForm}`, `GET ${pathForm}`, 'POST /mcp']);
    expect(sockets()).toBe(3);
    expect(await again()).toEqual(discovery);
    expect(seen.slice(3).toSorted()).toEqual([`GET ${oauthForm}`, `GET ${pathForm}`]);
  });

  it.each([
    ...['application/json, application/json', 'text/plain', 'text/html; charset=UTF-8', 'text/json', ''],
    ...['application/json; charset=utf-16', 'application/octet-stream'],
  ])('accepts documents that parse under the type %j, with a byte order mark or without', async (type) => {
    const as =
      (document: object, mark = ''): Responder =>
      (_, response) =>
        response.writeHead(200, { 'content-type': type }).end(mark + JSON.stringify(document));
    const { origin } = await serve((own) => ({
      ...wholesome(own),
      [pathForm]: as(resourceAt(own)),
      [oauthForm]: as(serverAt(own), '\u{feff}'),
    }));
    expect((await discover(origin)).discovery.method).toBe('OAuthWithDCR');
  });

  it.each([
    ['single quotes', (origin: string) => `Bearer resource_metadata='${origin}/named'`],
    ['a path alone', () => 'Bearer resource_metadata="/named"'],
    ['a path alone, unquoted', () => 'Bearer resource_metadata=/named'],
    ['a semicolon', (origin: string) => `Bearer error="invalid_token"; resource_metadata="${origin}/named"`],
    ['a semicolon after a bare address', (origin: string) => `Bearer resource_metadata=${origin}/named; scope=a`],
    ['a colon after the scheme', (origin: string) => `Bearer: resource_metadata="${origin}/named"`],
    ['colons for equals signs', (origin: string) => `Bearer realm: "x", resource_metadata: "${origin}/named"`],
    ['a colon and a bare address', (origin: string) => `Bearer resource_metadata: ${origin}/named`],
    ['no scheme', (origin: string) => `resource_metadata="${origin}/named"`],
    ['blanks within the quotes', (origin: string) => `Bearer resource_metadata=" ${origin}/named "`],
    ['marks within the quotes', (origin: string) => `Bearer resource_metadata="<${origin}/named>"`],
    ['quotes within the quotes', (origin: string) => `Bearer resource_metadata="'${origin}/named'"`],
    ['upper case', (origin: string) => `BEARER RESOURCE_METADATA="${origin}/named"`],
    ['another scheme before it', (origin: string) => `Basic realm="x", Bearer resource_metadata="${origin}/named"`],
    ['several headers', (origin: string) => ['Basic realm="x"', `Bearer resource_metadata="${origin}/named"`]],
    ['all of it in quotes', (origin: string) => `"Bearer resource_metadata=${origin}/named"`],
  ])('reads a challenge with %s', async (_what, challenge) => {
    const { origin } = await serve((own) => ({
      '/mcp': (_, response) => response.writeHead(401, { 'www-authenticate': challenge(own) }).end(),
      '/named': json(resourceAt(own)),
      [oauthForm]: json(serverAt(own)),
    }));
    const { discovery } = await discover(origin);
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', resourceMetadataUrl: `${origin}/named` });
  });

  it('names the unreadable part of a challenge if nothing replaces it', async () => {
    const { origin } = await serve(() => ({
      '/mcp': (_, response) =>
        response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="named"' }).end(),
    }));
    const { discovery } = await discover(origin);
    expect(discovery).toMatchObject({
      reason: 'SCHEMA_INVALID',
      metadataError: { detail: { field: 'resource_metadata' } },
    });
  });

  it('does not wait for the end of an event stream that responds to the probe', async () => {
    const { origin, seen } = await serve((own) => ({ ...wholesome(own), '/mcp': stream }));
    const { discovery } = await discover(origin);
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', probeStatus: 200 });
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(2);
  });

  it('keeps the challenge of a response whose body never ends', async () => {
    const impatient: Clock = {
      ...systemClock,
      after: (milliseconds, run) => systemClock.after(milliseconds === deadline.probeBody ? 0 : milliseconds, run),
    };
    const { origin } = await serve((own) => ({ ...wholesome(own), '/mcp': hanging }));
    const { discovery } = await discover(origin, impatient);
    expect(discovery).toMatchObject({ method: 'OAuthWithDCR', challenge: { scope: 'read' } });
  });

  it('follows redirects of metadata on its own origin', async () => {
    const { origin } = await serve((own) => ({
      ...wholesome(own),
      [pathForm]: (_, response) => response.writeHead(302, { location: '/moved' }).end(),
      '/moved': (_, response) => response.writeHead(307, { location: '/moved/again' }).end(),
      '/moved/again': json(resourceAt(own)),
    }));
    expect((await discover(origin)).discovery).toMatchObject({ method: 'OAuthWithDCR', resource: `${origin}/mcp` });
  });

  it('follows no redirect to another origin, which sees no request', async () => {
    const other = await serve(wholesome);
    const { origin } = await serve((own) => ({
      ...wholesome(own),
      [pathForm]: (_, response) => response.writeHead(302, { location: `${other.origin}${pathForm}` }).end(),
    }));
    expect((await discover(origin)).discovery).toMatchObject({ method: 'NoAuth', reason: 'REDIRECT_REFUSED' });
    expect(other.seen).toEqual([]);
  });

  it.each<[string, Responder, string]>([
    [
      'a login page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in'),
      'CONTENT_TYPE',
    ],
    ['more than the limit', json({ resource: 'x'.repeat(300 * 1024) }), 'BODY_TOO_LARGE'],
    [
      'a compressed bomb',
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(`{"resource":"${' '.repeat(5_000_000)}"}`)),
      'BODY_ENCODING',
    ],
    [
      'a deep document',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(200_000)),
      'JSON_DEPTH',
    ],
    ['a reset', (request) => request.socket.resetAndDestroy(), 'CONNECT_FAIL'],
    [
      'endless headers',
      (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
      'HEADERS_TOO_LARGE',
    ],
    ['a redirect loop', (_, response) => response.writeHead(302, { location: pathForm }).end(), 'REDIRECT_LOOP'],
  ])('reports NoAuth with its reason when resource metadata is %s', async (_, respond, reason) => {
    const { origin, seen } = await serve((own) => ({ ...wholesome(own), [pathForm]: respond }));
    expect((await discover(origin)).discovery).toMatchObject({ method: 'NoAuth', reason });
    expect(seen.at(-1)).toBe(`GET ${rootForm}`);
  });
});
