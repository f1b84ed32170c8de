import { BlockList, isIP } from 'node:net';
import { canonicalHost } from '../../address/display-text.ts';
import { classifyHost } from '../../address/host.ts';
import { Secret } from '../../secret.ts';

/** Proxy settings of the environment. There is no standard; like most programs, this follows curl. */
export interface ProxySettings {
  readonly https: ProxyServer | undefined;
  readonly http: ProxyServer | undefined;
  /** Entries of NO_PROXY. */
  readonly bypass: readonly string[];
  /** Variables whose value is not an HTTP proxy. */
  readonly unusable: readonly string[];
}

/** Reads HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; lowercase names take precedence. Empty means none. */
export function readProxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const unusable: string[] = [];
  const read = (...names: readonly string[]): ProxyServer | undefined => {
    for (const name of names) {
      for (const spelling of [name.toLowerCase(), name]) {
        const value = env[spelling]?.trim();
        if (value === undefined) continue;
        if (value === '') return undefined;
        const server = parseProxyServer(value);
        if (server === undefined) unusable.push(spelling);
        return server;
      }
    }
    return undefined;
  };
  const bypass = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  const https = read('HTTPS_PROXY', 'ALL_PROXY');
  const http = read('HTTP_PROXY', 'ALL_PROXY');
  return { https, http, bypass, unusable: [...new Set(unusable)] };
}

/**
 * The proxy for a target, or `undefined` for a direct connection. Loopback is always direct: the proxy's is not ours.
 */
export function chooseProxy(
  settings: ProxySettings,
  target: { readonly protocol: string; readonly hostname: string; readonly port: number },
): ProxyServer | undefined {
  const server = target.protocol === 'https:' ? settings.https : settings.http;
  if (server === undefined || classifyHost(target.hostname) === 'loopback') return undefined;
  const host = canonicalHost(target.hostname);
  return settings.bypass.some((entry) => isBypassed(entry, host, target.port)) ? undefined : server;
}

/**
 * `*`, a name with its subdomains (with or without a leading dot or `*.`), an IP or a CIDR range; optionally a port.
 */
function isBypassed(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  const [, name = entry, onlyPort] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(entry) ?? [];
  if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
  const suffix = canonicalHost(name.replace(/^\*?\./, ''));
  if (suffix === '') return false;
  if (isIP(host) !== 0) return host === suffix || isInRange(host, suffix);
  return host === suffix || host.endsWith(`.${suffix}`);
}

function isInRange(host: string, range: string): boolean {
  const [, network = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/.exec(range) ?? [];
  const family = isIP(network);
  if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

/** An HTTP proxy that opens tunnels (RFC 9110 section 9.3.6). */
export interface ProxyServer {
  /** Protocol to the proxy itself. */
  readonly protocol: 'http:' | 'https:';
  /** Name or IP literal, without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Value of `Proxy-Authorization` (RFC 7617), from the user info of its URL. */
  readonly authorization?: Secret;
}

/** A name or an IPv4 literal as the URL parser prints it, or an IPv6 literal in brackets. */
const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Parses `http://user:password@proxy:8080` or `proxy:8080`. `undefined` if it is not an HTTP proxy (no SOCKS). */
function parseProxyServer(text: string): ProxyServer | undefined {
  const address = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (url === null) return undefined;
  const { protocol, hostname, username, password } = url;
  if (!hostForm.test(hostname) || url.port === '0') return undefined;
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const credentials = readUserInfo(username, password);
  if (credentials === undefined) return undefined;
  return {
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port),
    ...(credentials !== '' && {
      authorization: new Secret(`Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`),
    }),
  };
}

function readUserInfo(username: string, password: string): string | undefined {
  if (username === '' && password === '') return '';
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return undefined;
  }
}

/**
 * Parses a PAC result (`PROXY a:8080; DIRECT`), as returned by Electron's `session.resolveProxy`. The first usable
 * entry counts; SOCKS is not supported and skipped.
 */
export function parsePacResult(result: string): ProxyServer | undefined {
  for (const entry of result.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/);
    if (/^direct$/i.test(kind)) return undefined;
    if (!/^(?:proxy|https?)$/i.test(kind)) continue;
    const server = parseProxyServer(`${/^https$/i.test(kind) ? 'https' : 'http'}://${address}`);
    if (server !== undefined) return server;
  }
  return undefined;
}
