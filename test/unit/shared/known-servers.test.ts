import { parse } from 'tldts';
import { describe, expect, it } from 'vitest';
import { checkAddress, createAddressPolicy } from '../../../main/address/check-address.ts';
import { parseInput } from '../../../main/address/parse-address.ts';
import { isKeyHeaderName } from '../../../shared/header-name.ts';
import {
  addressesOf,
  findByPage,
  findKnownServer,
  findLookAlike,
  findMoved,
  findNearServers,
  knownServers,
  searchKnownServers,
} from '../../../shared/known-servers.ts';
import type { KnownServer } from '../../../shared/known-servers/known-server.ts';

const filled = (address: string): string => address.replaceAll(/\{\w+\}/gu, 'filled.example');
const ownerOf = (url: string): string => {
  const { domain, hostname } = parse(url, { allowPrivateDomains: true });
  return domain ?? hostname ?? '';
};
/** Pages that the user is sent to, and URLs that sign-in requests go to. */
const linksOf = ({ homepage, oauthApp, key, endpoints }: KnownServer): readonly string[] =>
  [homepage, oauthApp?.page, key?.page, endpoints?.authorization, endpoints?.token].filter(
    (link) => link !== undefined,
  );

describe('the catalog', () => {
  it('has more than ninety services with unique names', () => {
    const names = knownServers.map(({ name }) => name.toLowerCase());
    expect(names.length).toBeGreaterThan(90);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is sorted by name as English sorts', () => {
    const names = knownServers.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
  });

  it('has unique addresses', () => {
    const addresses = knownServers.flatMap(addressesOf);
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  });
});

describe.each(knownServers.map((server) => [server.name, server] as const))('%s', (_name, server) => {
  it('has addresses that pass the address rules', () => {
    for (const address of addressesOf(server).map(filled)) {
      const url = parseInput(address);
      const local = url.hostname === '127.0.0.1';
      const policy = createAddressPolicy({ url: address, local, allowedHosts: [], allowHttp: false });
      expect(() => checkAddress(url, policy, 'address')).not.toThrow();
      // In the form that typed addresses are compared with.
      expect(url.href.replace(/\/$/u, '')).toBe(address.replace(/\/$/u, ''));
    }
  });

  it('asks for exactly the placeholders in its addresses', () => {
    const open = addressesOf(server).flatMap((address) => [...address.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name));
    expect(new Set(Object.keys(server.placeholders ?? {}))).toEqual(new Set(open));
  });

  it('links only to its own domain', () => {
    const own = [ownerOf(filled(server.address)), ...(server.domains ?? [])];
    for (const link of linksOf(server)) {
      expect(parseInput(link).protocol).toBe('https:');
      expect(own).toContain(ownerOf(link));
    }
  });

  it('has what its sign-in method needs', () => {
    if (server.signIn === 'key') expect(server.key).toBeDefined();
    if (server.oauthApp) expect(server.signIn).toBe('oauthApp');
    if (server.endpoints) expect(server.oauthApp).toBeDefined();
    if (server.key) expect(isKeyHeaderName(server.key.header)).toBe(true);
    expect(server.oauthApp?.steps ?? ['a']).not.toEqual([]);
  });
});

describe('findKnownServer', () => {
  it.each([
    ['https://api.githubcopilot.com/mcp', 'GitHub'],
    ['https://api.githubcopilot.com/mcp/x/issues', 'GitHub'],
    ['https://API.githubcopilot.com/mcp/?a=b', 'GitHub'],
    ['https://mcp.linear.app/sse', 'Linear'],
    ['https://gitlab.com/api/v4/mcp', 'GitLab'],
    ['https://compute.googleapis.com/mcp', 'Google Cloud'],
    ['https://bigquery.googleapis.com/mcp', 'BigQuery'],
  ])('knows %s as %s', (url, name) => {
    expect(findKnownServer(url)?.name).toBe(name);
  });

  it.each([
    'https://api.githubcopilot.com.evil.example/mcp',
    'https://evil.example/https://api.githubcopilot.com/mcp/',
    'http://api.githubcopilot.com/mcp/',
    'https://api.githubcopilot.com:8443/mcp/',
    'https://evil.example/api/v4/mcp',
    'https://evil.example:443@x.googleapis.com/mcp',
    'https://evil.example#api.githubcopilot.com/mcp/',
    'https://mcp.linear.app@evil.example/mcp',
    '',
  ])('knows no service at %s', (url) => {
    expect(findKnownServer(url)).toBeUndefined();
  });

  it('knows the page of one service, and ignores a page shared by several', () => {
    expect(findByPage('https://linear.app/docs/mcp/')?.name).toBe('Linear');
    expect(findByPage('https://developers.google.com/workspace')).toBeUndefined();
    expect(findByPage('https://linear.app.evil.example/docs/mcp')).toBeUndefined();
  });

  it('knows the website of a service with a listed server, and checks any MCP address', () => {
    for (const page of ['https://linear.app', 'https://www.linear.app/pricing?a=b', 'http://LINEAR.app/'])
      expect(findByPage(page)?.name).toBe('Linear');
    for (const other of [
      'https://linear.app/mcp',
      'https://linear.app@evil.example/',
      'https://evil.example/linear.app',
    ])
      expect(findByPage(other)).toBeUndefined();
  });

  it('returns the new address of a service that moved', () => {
    expect(findMoved('https://mcp.asana.com/sse/')?.address).toBe('https://mcp.asana.com/v2/mcp');
    expect(findMoved('https://mcp.asana.com/v2/mcp')).toBeUndefined();
  });
});

describe('searchKnownServers', () => {
  it.each([
    ['linear', 'Linear'],
    ['goo', 'Google Calendar'],
    ['drive', 'Google Drive'],
    ['x', 'X'],
    ['jira', 'Atlassian'],
    ['mcp.vercel', 'Vercel'],
  ])('finds for %j first %s', (text, name) => {
    expect(searchKnownServers(text)[0]?.name).toBe(name);
  });

  it('finds nothing for an unknown term', () => {
    expect(searchKnownServers('no such service')).toEqual([]);
  });
});

it.each([
  ['Notion', 'Notion'],
  ['NOTION (official)', 'Notion'],
  ['N0t1on MCP', 'Notion'],
  ['Nötion', 'Notion'],
  ['No-tion', 'Notion'],
  ['notion2', 'Notion'],
  ['AirtabIe', 'Airtable'],
  ['Li near', 'Linear'],
  ['Ｇitlab', 'GitLab'],
])('recognizes the name of a service in %s (MR-11)', (text, name) => {
  expect(findLookAlike(text)?.name).toBe(name);
});

it.each(['', 'Weather', 'boxes', 'A tool for everything', '笔记', '…'])('recognizes none in “%s”', (text) => {
  expect(findLookAlike(text)).toBeUndefined();
});

it.each([
  ['notoin', 'Notion'],
  ['git hub', 'GitHub'],
  ['Figam', 'Figma'],
  ['cloudfare', 'Cloudflare'],
  ['huging-face', 'Hugging Face'],
  ['https://mcp.notoin.com/mcp', 'Notion'],
  ['mcp.notoin.com/mcp', 'Notion'],
  ['https://mcp.lineer.app/mcp', 'Linear'],
])('finds the service meant by %s', (text, name) => {
  expect(findNearServers(text).map((server) => server.name)).toContain(name);
});

it.each(['', 'y', 'abc', 'https://mcp.notion.com/nothing', 'https://mcp.example.com/mcp', 'n'.repeat(100_000)])(
  'finds nothing without a close match',
  (text) => {
    expect(findNearServers(text)).toEqual([]);
  },
);
