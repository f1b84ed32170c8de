import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressPolicy } from '../../main/address/check-address.ts';
import { systemClock } from '../../main/engine/clock.ts';
import { discoverAuthenticationMethod } from '../../main/oauth/discovery/discover.ts';
import { PosternError } from '../../main/postern-error.ts';
import type { HostLookup } from '../../main/user-agent/http/pinned-connector.ts';
import { createHttp } from '../../main/user-agent/http/http.ts';
import { asChecked } from '../support/as-checked.ts';
import { freePort } from '../support/free-port.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { serveHttp } from '../support/loopback-server.ts';

type Place = 'the challenge' | 'the resource metadata' | 'both';

const resolved =
  (address: string): HostLookup =>
  async () => [{ address, family: 4 }];
const notFound: HostLookup = () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));

/** What a hostile server, which also serves the name that it puts into its answers, can count. */
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

describe('a server that puts a name of its own into its answers', () => {
  it.each<[Place, number, number]>([
    ['the challenge', 401, 1],
    ['the resource metadata', 401, 1],
    ['the resource metadata', 200, 1],
    ['both', 401, 1],
  ])('cannot count whether it leads inside or nowhere: in %s, after %d', async (place, status, lookups) => {
    const inside = await discoverThrough(resolved('10.0.0.7'), place, status);
    expect(inside).toMatchObject({ code: 'HOST_BLOCKED', lookups });
    const nowhere = await discoverThrough(notFound, place, status);
    expect(nowhere).toEqual({ ...inside, code: 'DNS_FAIL' });
    const refused = await discoverThrough(resolved('127.0.0.1'), place, status);
    expect(refused).toEqual({ ...inside, code: 'CONNECT_FAIL' });
  });
});

/** Refused addresses of every kind, and one that leads nowhere. */
const refused = [
  ...['https://10.0.0.5', 'https://10.0.0.5:8443', 'https://10.0.0.5:1', 'https://10.0.0.5/t', 'http://10.0.0.5'],
  ...['https://nowhere.example', 'https://nowhere.example:1', 'http://nowhere.example', 'https://u@nowhere.example'],
  ...['https://127.0.0.1:1', 'https://[fd00::5]', 'https://[fd00::5]:25', 'https://169.254.169.254'],
  ...['https://router.local', 'https://router.local:22', 'https://metadata.google.internal'],
];
type Naming = readonly [
  status: number,
  named: (address: string, own: string) => readonly string[],
  isChallenge: boolean,
];

describe('a server that names a refused address in its answers', () => {
  it.each<[string, Naming]>([
    ['a challenge', [401, () => [], true]],
    ['resource metadata', [401, (address) => [address], false]],
    ['resource metadata, and asks for no sign-in', [200, (address) => [address], false]],
    ['both', [401, (address) => [address], true]],
    ['resource metadata before its own', [401, (address, own) => [address, own], false]],
    ['resource metadata after its own', [401, (address, own) => [own, address], false]],
  ])('gets the same requests, whichever it is: in %s', async (_, [status, list, isChallenge]) => {
    const seen = new Map<string, string>();
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
      const requests = server.received().match(/^(?:GET|POST) .*$/gm) ?? [];
      seen.set(address, requests.toSorted().join('\n'));
    }
    const [first] = seen.values();
    expect([...seen].filter(([, requests]) => requests !== first)).toEqual([]);
  });
});

describe('a typed name', () => {
  it.each([
    ['leads inside', resolved('10.0.0.7'), 'HOST_BLOCKED'],
    ['leads nowhere', notFound, 'DNS_FAIL'],
  ])('that %s is looked up once', async (_, lookup, code) => {
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
