import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressPolicy } from '../../main/address/check-address.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import { createHttp } from '../../main/net/http/http.ts';
import type { HostLookup } from '../../main/net/http/pinned-connector.ts';
import { discoverAuthenticationMethod } from '../../main/oauth/discovery/discover.ts';
import { metadataEndpoints } from '../../main/oauth/http/metadata-schemas.ts';
import { asChecked } from '../support/as-checked.ts';
import { freePort } from '../support/free-port.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { createTestEngine } from '../support/test-engine.ts';

type Place = 'the challenge' | 'the resource metadata' | 'both';

const resolved =
  (address: string): HostLookup =>
  async () => [{ address, family: 4 }];
const notFound: HostLookup = () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));

/** What a hostile server can count that also serves the name that it puts into its responses. */
async function discoverThrough(lookup: HostLookup, place: Place, status: number) {
  const port = await freePort();
  const named = `https://where.example:${port}`;
  await using server = await serveHttp((request, response) => {
    const isResource = request.url === '/.well-known/oauth-protected-resource/mcp';
    if (request.url === '/mcp') {
      const challenge = `Bearer resource_metadata="${named}/prm"`;
      response.writeHead(status, place === 'the resource metadata' ? {} : { 'www-authenticate': challenge }).end();
    } else if (isResource && place !== 'the challenge') {
      const document = { resource: `${server.origin}/mcp`, authorization_servers: [named] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    } else response.writeHead(404).end();
  });
  let lookups = 0;
  const http = createHttp({
    lookup(hostname) {
      lookups += 1;
      return lookup(hostname);
    },
  });
  onTestFinished(() => http.close());
  const url = asChecked(`${server.origin}/mcp`);
  const policy = createAddressPolicy({ url, local: true, allowedHosts: [], allowHttp: false });
  const error: unknown = await discoverAuthenticationMethod({ http, clock: systemClock }, { url, policy }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const requests = server.received().match(/^(?:GET|POST) .*$/gm) ?? [];
  return { code: error instanceof PosternError ? error.code : 'none', lookups, requests: requests.toSorted() };
}

describe('a server that puts a name of its choice into its responses', () => {
  it.each<[Place, number, number]>([
    ['the challenge', 401, 1],
    ['the resource metadata', 401, 1],
    ['the resource metadata', 200, 1],
    ['both', 401, 1],
  ])(
    'cannot learn by counting whether it resolves to an internal address or not at all: in %s, after %d',
    async (place, status, lookups) => {
      const inside = await discoverThrough(resolved('10.0.0.7'), place, status);
      expect(inside).toMatchObject({ code: 'HOST_BLOCKED', lookups });
      const nowhere = await discoverThrough(notFound, place, status);
      expect(nowhere).toEqual({ ...inside, code: 'DNS_FAIL' });
      const refused = await discoverThrough(resolved('127.0.0.1'), place, status);
      expect(refused).toEqual({ ...inside, code: 'CONNECT_FAIL' });
    },
  );
});

/** Refused addresses of every kind, and one that does not resolve. */
const refused = [
  ...['https://10.0.0.5', 'https://10.0.0.5:8443', 'https://10.0.0.5:1', 'https://10.0.0.5/t', 'http://10.0.0.5'],
  ...['https://nowhere.example', 'https://nowhere.example:1', 'http://nowhere.example', 'https://u@nowhere.example'],
  ...['https://127.0.0.1:1', 'https://[fd00::5]', 'https://[fd00::5]:25', 'https://169.254.169.254'],
  ...['https://router.local', 'https://router.local:22', 'https://metadata.google.internal'],
];
/** Requests as a server receives them; the first three are concurrent. */
function inOrder(requests: readonly string[] | null): string {
  const [one = '', two = '', three = '', ...later] = requests ?? [];
  return [...[one, two, three].toSorted(), ...later].join('\n');
}

type Naming = readonly [
  status: number,
  named: (address: string, own: string) => readonly string[],
  isChallenge: boolean,
];

describe('a server that names a refused address in its responses', () => {
  it.each<[string, Naming]>([
    ['a challenge', [401, () => [], true]],
    ['resource metadata', [401, (address) => [address], false]],
    ['resource metadata, and asks for no sign-in', [200, (address) => [address], false]],
    ['both', [401, (address) => [address], true]],
    ['resource metadata before its own', [401, (address, own) => [address, own], false]],
    ['resource metadata after its own', [401, (address, own) => [own, address], false]],
  ])('gets the same requests in the same order, whichever it is: in %s', async (_, [status, list, isChallenge]) => {
    const requestsByName = new Map<string, string>();
    for (const address of refused) {
      await using server = await serveHttp((request, response) => {
        const servers = list(address, server.origin);
        if (request.url === '/mcp') {
          const challenge = `Bearer resource_metadata="${address}/prm"`;
          response.writeHead(status, isChallenge ? { 'www-authenticate': challenge } : {}).end();
        } else if (request.url === '/.well-known/oauth-protected-resource/mcp' && servers.length > 0) {
          const document = { resource: `${server.origin}/mcp`, authorization_servers: servers };
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
        } else response.writeHead(404).end();
      });
      const engine = createTestEngine({
        http: { lookup: (hostname) => (hostname === '127.0.0.1' ? resolved(hostname)(hostname) : notFound(hostname)) },
      });
      await expect(engine.connect(`${server.origin}/mcp`)).rejects.toBeInstanceOf(PosternError);
      requestsByName.set(address, inOrder(server.received().match(/^(?:GET|POST) .*$/gm)));
    }
    const [first] = requestsByName.values();
    expect([...requestsByName].filter(([, requests]) => requests !== first)).toEqual([]);
  });
});

describe('a server that names no sign-in service, and a refused address as issuer in its own metadata', () => {
  it.each([401, 200])('gets the same requests in the same order for any name: after %d', async (status) => {
    const requestsByName = new Map<string, string>();
    for (const address of refused) {
      await using server = await serveHttp((request, response) => {
        const path = request.url ?? '';
        if (path === '/mcp') return void response.writeHead(status).end();
        if (!path.startsWith('/.well-known/oauth-authorization-server')) return void response.writeHead(404).end();
        const document = {
          issuer: address,
          authorization_endpoint: `${address}/authorize`,
          token_endpoint: `${address}/token`,
          registration_endpoint: `${server.origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      });
      const engine = createTestEngine({
        http: { lookup: (hostname) => (hostname === '127.0.0.1' ? resolved(hostname)(hostname) : notFound(hostname)) },
        acceptsHosts: () => true,
      });
      await expect(engine.connect(`${server.origin}/mcp`)).rejects.toBeInstanceOf(PosternError);
      requestsByName.set(address, inOrder(server.received().match(/^(?:GET|POST) .*$/gm)));
    }
    const [first] = requestsByName.values();
    expect([...requestsByName].filter(([, requests]) => requests !== first)).toEqual([]);
  });
});

/** Refused for what they say or resolve to; the server that names them sees no difference. */
const refusedEndpoints = [
  ...refused,
  ...['mailto:t@nowhere.example', 'no address', '/token', 'https://', 'https://a b.example'],
  ...['https://nowhere.example/#t', 'https://nowhere.example:99999', `https://nowhere.example/${'t'.repeat(9_000)}`],
];
const members = [...metadataEndpoints];

/** A server that is its own sign-in service, with one endpoint elsewhere. Every request to it, in order. */
async function requestsAtService(member: (typeof members)[number], address: string, lookup: HostLookup) {
  await using server = await serveHttp((request, response) => {
    const json = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = request.url?.split('?')[0];
    const { origin } = server;
    if (path === '/mcp') return void response.writeHead(401).end();
    if (path === '/.well-known/oauth-protected-resource/mcp')
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (path?.startsWith('/.well-known/oauth-authorization-server') || path?.endsWith('/openid-configuration'))
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'],
        ...(member === 'pushed_authorization_request_endpoint' && { require_pushed_authorization_requests: true }),
        [member]: address,
      });
    if (path === '/register') return json(201, { client_id: 'c', redirect_uris: undefined });
    if (path === '/authorize') {
      const { searchParams } = new URL(request.url ?? '', origin);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }).toString();
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (path === '/token') return json(200, { access_token: 'a', token_type: 'Bearer', refresh_token: 'r' });
    response.writeHead(404).end();
  });
  const engine = createTestEngine({
    http: { lookup: (hostname) => (hostname === '127.0.0.1' ? resolved(hostname)(hostname) : lookup(hostname)) },
    user: async ({ url }) => {
      const { hostname } = new URL(url);
      // A page elsewhere is the browser's, and it never redirects back.
      if (hostname !== '127.0.0.1') throw new PosternError('USER_CANCELLED', { stage: 'authorization' });
      await fetch(url);
    },
    acceptsHosts: () => true,
  });
  await engine.connect(`${server.origin}/mcp`).catch((error: unknown) => {
    if (!(error instanceof PosternError)) throw error;
  });
  return inOrder(server.received().match(/^(?:GET|POST) [^ ?\n]+/gm));
}

describe('a service that names an endpoint elsewhere', () => {
  it.each(members)(
    'gets the same requests in the same order, whatever the reason for refusing its %s',
    async (member) => {
      const requestsByName = new Map<string, string>();
      for (const address of refusedEndpoints)
        requestsByName.set(address, await requestsAtService(member, address, notFound));
      const [first] = requestsByName.values();
      expect([...requestsByName].filter(([, requests]) => requests !== first)).toEqual([]);
    },
  );

  it.each(members)('gets the same requests wherever the name in %s resolves', async (member) => {
    const address = `https://where.example:${await freePort()}/x`;
    const inside = await requestsAtService(member, address, resolved('10.0.0.7'));
    expect(await requestsAtService(member, address, notFound)).toBe(inside);
    expect(await requestsAtService(member, address, resolved('169.254.169.254'))).toBe(inside);
  });

  it.each(members)('cannot count lookups of the name in %s', async (member) => {
    const address = `https://where.example:${await freePort()}/x`;
    const counted: number[] = [];
    for (const lookup of [resolved('10.0.0.7'), notFound]) {
      let lookups = 0;
      await requestsAtService(member, address, (hostname) => ((lookups += 1), lookup(hostname)));
      counted.push(lookups);
    }
    expect(new Set(counted).size).toBe(1);
  });
});

describe('a sign-in page at a name that only the browser may resolve', () => {
  const page = 'https://login.example/authorize';
  async function signInAt(lookup: HostLookup, allowedHosts: string[]) {
    await using server = await serveHttp((request, response) => {
      const json = (body: object): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const { origin } = server;
      if (request.url === '/.well-known/oauth-protected-resource/mcp')
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      if (request.url === '/.well-known/oauth-authorization-server')
        return json({
          issuer: origin,
          authorization_endpoint: page,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          code_challenge_methods_supported: ['S256'],
        });
      if (request.url === '/register') return json({ client_id: 'c' });
      response.writeHead(request.url === '/mcp' ? 401 : 404).end();
    });
    const pages: string[] = [];
    const engine = createTestEngine({
      http: { lookup: (hostname) => (hostname === '127.0.0.1' ? resolved(hostname)(hostname) : lookup(hostname)) },
      user: async ({ url }) => {
        pages.push(new URL(url).hostname);
        throw new PosternError('USER_CANCELLED', { stage: 'authorization' });
      },
      acceptsHosts: () => true,
    });
    const error: unknown = await engine
      .connect(`${server.origin}/mcp`, { allowedHosts })
      .catch((thrown: unknown) => thrown);
    return { pages, code: error instanceof PosternError ? error.code : 'none', error };
  }

  it.each([
    ['leads inside', resolved('10.0.0.7'), 'HOST_BLOCKED'],
    ['does not resolve', notFound, 'DNS_FAIL'],
  ])('that %s is not opened, and the error says which host to allow', async (_, lookup, code) => {
    const refusal = await signInAt(lookup, []);
    expect(refusal).toMatchObject({
      code,
      pages: [],
      error: { remedy: { kind: 'allow-host', host: 'login.example' } },
    });
    expect(await signInAt(lookup, ['login.example'])).toMatchObject({ pages: ['login.example'] });
  });
});

describe('a typed name', () => {
  it.each([
    ['leads inside', resolved('10.0.0.7'), 'HOST_BLOCKED'],
    ['does not resolve', notFound, 'DNS_FAIL'],
  ])('that %s is resolved once', async (_, lookup, code) => {
    let lookups = 0;
    const http = createHttp({
      lookup(hostname) {
        lookups += 1;
        return lookup(hostname);
      },
    });
    onTestFinished(() => http.close());
    const url = asChecked('https://mcp.example/mcp');
    const policy = createAddressPolicy({ url, local: false, allowedHosts: [], allowHttp: false });
    await expect(discoverAuthenticationMethod({ http, clock: systemClock }, { url, policy })).rejects.toMatchObject({
      code,
    });
    expect(lookups).toBe(1);
  });
});
