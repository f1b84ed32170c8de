import { moneyServers, salesServers } from './known-servers/business-servers.ts';
import { dataServers, webServers } from './known-servers/data-servers.ts';
import { cloudServers, codeServers } from './known-servers/developer-servers.ts';
import { designServers, docsServers } from './known-servers/docs-servers.ts';
import type { KnownServer } from './known-servers/known-server.ts';
import { moreServers } from './known-servers/more-servers.ts';
import { officeServers } from './known-servers/office-servers.ts';
import { teamServers, workServers } from './known-servers/team-servers.ts';

/** Services with an MCP server, sorted by name. */
export const knownServers: readonly KnownServer[] = [
  ...workServers,
  ...teamServers,
  ...officeServers,
  ...codeServers,
  ...cloudServers,
  ...dataServers,
  ...designServers,
  ...salesServers,
  ...moneyServers,
  ...docsServers,
  ...webServers,
  ...moreServers,
  // `localeCompare` would load Node's languages: 15 ms of each `connect`. All names are ASCII.
].toSorted((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));

/** Packages and images of local servers for services that have their own remote server, by service name. */
const services: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server-github': 'GitHub',
  'ghcr.io/github/github-mcp-server': 'GitHub',
  '@modelcontextprotocol/server-gitlab': 'GitLab',
  '@zereight/mcp-gitlab': 'GitLab',
  '@modelcontextprotocol/server-slack': 'Slack',
  '@modelcontextprotocol/server-gdrive': 'Google Drive',
  '@modelcontextprotocol/server-google-maps': 'Google Maps',
  '@modelcontextprotocol/server-sentry': 'Sentry',
  '@sentry/mcp-server': 'Sentry',
  'mcp-server-sentry': 'Sentry',
  '@notionhq/notion-mcp-server': 'Notion',
  'mcp/notion': 'Notion',
  '@stripe/mcp': 'Stripe',
  '@supabase/mcp-server-supabase': 'Supabase',
  '@neondatabase/mcp-server-neon': 'Neon',
  '@hubspot/mcp-server': 'HubSpot',
  '@paypal/mcp': 'PayPal',
  'square-mcp-server': 'Square',
  '@cloudflare/mcp-server-cloudflare': 'Cloudflare',
  '@upstash/context7-mcp': 'Context7',
  'firecrawl-mcp': 'Firecrawl',
  'tavily-mcp': 'Tavily',
  'exa-mcp-server': 'Exa',
  'figma-developer-mcp': 'Figma',
  'mcp-atlassian': 'Atlassian',
  'ghcr.io/sooperset/mcp-atlassian': 'Atlassian',
  '@azure-devops/mcp': 'Azure DevOps',
  'linear-mcp-server': 'Linear',
  '@brightdata/mcp': 'Bright Data',
  '@apify/actors-mcp-server': 'Apify',
};

/**
 * The service whose remote server replaces this command. `words` come from a configuration, so they are only a claim.
 */
export function findRemoteAlternative(words: readonly string[]): KnownServer | undefined {
  const named = words.map((word) => services[withoutVersion(word)]).find((name) => name !== undefined);
  return knownServers.find(({ name, address }) => name === named && !address.includes('{'));
}

/** `@scope/name@1.2.3` and `image:tag`. */
function withoutVersion(word: string): string {
  return word.toLowerCase().replace(/(?<=.)[@:][\w.-]+$/u, '');
}

/** Every address of a service, including former ones. */
export function addressesOf({ address, otherAddresses = [], formerAddresses = [] }: KnownServer): readonly string[] {
  return [address, ...otherAddresses.map((other) => other.address), ...formerAddresses];
}

/** The service of this server: the same address apart from its query, or an origin that belongs to only one service. */
export function findKnownServer(url: string): KnownServer | undefined {
  const place = placeOf(url);
  const same = knownServers.find((server) =>
    addressesOf(server).some((address) => matchesAddress(placeOf(address), place)),
  );
  if (same) return same;
  const origin = originOf(place);
  const others = knownServers.filter((server) =>
    addressesOf(server).some((address) => originOf(placeOf(address)) === origin),
  );
  return others.length === 1 ? others[0] : undefined;
}

/** Whether a service of the catalog is at this host, so that it exists whatever a DNS server reports. */
export function isKnownHost(host: string): boolean {
  return knownServers.some(({ address, otherAddresses = [] }) =>
    [{ address }, ...otherAddresses].some((one) => hostIn(one.address) === host),
  );
}

/** The service that has moved away from this address. */
export function findMoved(url: string): KnownServer | undefined {
  const place = placeOf(url);
  return knownServers.find(({ formerAddresses = [] }) => formerAddresses.some((address) => placeOf(address) === place));
}

/** The only service with this page, or whose server is beside its website: `mcp.linear.app` beside `linear.app`. */
export function findByPage(url: string): KnownServer | undefined {
  const place = placeOf(url);
  const found = knownServers.filter(({ homepage, oauthApp }) =>
    [homepage, oauthApp?.page].some((page) => page !== undefined && placeOf(page) === place),
  );
  const [, host = '', path = ''] = /^https?:\/\/(?:www\.)?([^/]+)(.*)$/u.exec(place) ?? [];
  const isPage = found.length === 0 && !/\/(?:mcp|sse)(?:\/|$)/u.test(path);
  const named = isPage
    ? knownServers.filter((server) => addressesOf(server).some((address) => hostIn(address) === `mcp.${host}`))
    : found;
  return named.length === 1 ? named[0] : undefined;
}

/** Services whose names start with `text` come first, then other matches. `translate`: for what a service does. */
export function searchKnownServers(
  text: string,
  servers: readonly KnownServer[] = knownServers,
  translate: (text: string) => string = (english) => english,
): readonly KnownServer[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ name, maker = '', description, address }: KnownServer): number => {
    const own = name.toLowerCase();
    if (own === wanted) return 0;
    if (own.startsWith(wanted)) return 1;
    if (` ${own}`.includes(` ${wanted}`)) return 2;
    return [own, maker, description, translate(description), address].some((part) =>
      part.toLowerCase().includes(wanted),
    )
      ? 3
      : 4;
  };
  return servers
    .map((server) => ({ server, rank: rank(server) - (server.popular ? 0.5 : 0) }))
    .filter((each) => each.rank < 3.5)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ server }) => server);
}

/** Without query and trailing slash, with a lower-case host. */
function placeOf(url: string): string {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]*)([^?#]*)/iu.exec(url.trim()) ?? [];
  return `${origin.toLowerCase()}${path.replace(/\/$/u, '')}`;
}

const originOf = (place: string): string => place.split('/').slice(0, 3).join('/');

/** `{name}` stands for a part. If it were the whole host, any host would match. */
function matchesAddress(known: string, place: string): boolean {
  if (!known.includes('{')) return known === place;
  if (/^https:\/\/\{\w+\}\//u.test(known)) return false;
  const pattern = known.replaceAll(/[.*+?^$()|[\]\\]/gu, String.raw`\$&`).replaceAll(/\{\w+\}/gu, String.raw`[\w.-]+`);
  return new RegExp(`^${pattern}$`, 'u').test(place);
}

const maxNearServers = 3;
/** Maximum length of a compared text; no name or host is longer. */
const maxComparedLength = 64;

/** Services that a misspelled name or host may mean; the closest first. */
export function findNearServers(text: string): readonly KnownServer[] {
  const host = hostIn(text.slice(0, maxComparedLength * 4));
  const typed = host ?? plain(text);
  if (typed.length > maxComparedLength) return [];
  // Common parts of hosts, such as `mcp.` and `.com`, do not count.
  const longestWord = Math.max(...typed.split('.').map(({ length }) => length));
  return knownServers
    .map((server) => ({ server, typos: Math.min(...spellings(server, host).map((name) => countTypos(typed, name))) }))
    .filter(({ typos }) => typos <= maxTypos(longestWord) && (host === undefined || typos > 0))
    .toSorted((one, other) => one.typos - other.typos)
    .slice(0, maxNearServers)
    .map(({ server }) => server);
}

/** The host of an address, whose scheme is optional; `undefined` for a name. */
function hostIn(text: string): string | undefined {
  return /^(?:https?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?:[:/?#]|$)/iu.exec(text.trim())?.[1]?.toLowerCase();
}

function spellings(server: KnownServer, host: string | undefined): readonly string[] {
  if (host === undefined) return [plain(server.name)];
  return addressesOf(server).map((address) => hostIn(address) ?? '');
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Short words are close to too many others. */
function maxTypos(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** Edit distance: missing, extra, wrong or swapped letters (optimal string alignment). */
function countTypos(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}

/** Long enough not to be part of another word. */
const distinctiveLength = 6;

/** The service whose name this text contains, in any spelling; for names that are not at the service's own address. */
export function findLookAlike(text: string): KnownServer | undefined {
  const words = wordsOf(text);
  return knownServers.find(({ name }) => containsName(words, wordsOf(name).join('')));
}

function containsName(words: readonly string[], name: string): boolean {
  if (name.length >= distinctiveLength && words.some((word) => word.includes(name))) return true;
  return words.some((_word, from) =>
    words.slice(from).some((_last, length) => words.slice(from, from + length + 1).join('') === name),
  );
}

/** Words without diacritics, with look-alikes unified: `0` and `o`, `1`, `i` and `l`, `rn` and `m`, `vv` and `w`. */
function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll(/[1i|]/gu, 'l')
    .replaceAll('3', 'e')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** A tool that returns the current account. */
interface AccountTool {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
  /** Only for this service: elsewhere, the same name may mean anything. */
  readonly of?: string;
}

/** From each service's own source. Postern calls only a listed tool, and only when the user asks. */
const accountTools: readonly AccountTool[] = [
  // github/github-mcp-server, pkg/github/__toolsnaps__/get_me.snap: `login`, `details.name`, `details.email`.
  { name: 'get_me', of: 'GitHub' },
  // mcp.notion.com lists it with `user_id`: "Pass "self" to fetch the current user"; returns `results` with one entry.
  { name: 'notion-get-users', arguments: { user_id: 'self' }, of: 'Notion' },
  // support.atlassian.com, supported tools of the Rovo MCP server: "Get current user info from Atlassian".
  { name: 'atlassianUserInfo', of: 'Atlassian' },
  // huggingface/hf-mcp-server, hf-whoami-wiring.test.ts: `account.name`.
  { name: 'hf_whoami', of: 'Hugging Face' },
  // getsentry/sentry-mcp, catalog/whoami.ts, says that it only reads: `user.name`, `user.email`.
  { name: 'whoami' },
  { name: 'who_am_i' },
  { name: 'get_me' },
  { name: 'get_current_user' },
];

/** The account tools for the server at that address, the best first. */
export function accountToolsFor(url: string): readonly AccountTool[] {
  const service = findKnownServer(url)?.name;
  return accountTools.filter(({ of }) => of === undefined || of === service);
}
