import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressPolicy } from '../../main/address/check-address.ts';
import { systemClock } from '../../main/engine/clock.ts';
import { discoverAuthenticationMethod } from '../../main/oauth/discovery/discover.ts';
import { PosternError } from '../../main/postern-error.ts';
import type { HostLookup } from '../../main/user-agent/http/pinned-connector.ts';
import { createHttp } from '../../main/user-agent/http/http.ts';
import { asChecked } from '../support/as-checked.ts';
import { freePort } from '../support/free-port.ts';
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
