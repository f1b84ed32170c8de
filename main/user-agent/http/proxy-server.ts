import { Secret } from '../../secret.ts';

/** An HTTP proxy that opens tunnels (RFC 9110 section 9.3.6). */
export interface ProxyServer {
  /** How the proxy itself is spoken to. */
  readonly protocol: 'http:' | 'https:';
  /** Name or IP literal, without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Value of `Proxy-Authorization` (RFC 7617), from the user info of its address. */
  readonly authorization?: Secret;
}

/** A name or an IPv4 literal as the URL parser prints it, or an IPv6 literal in brackets. */
const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * A proxy as people write it (`http://user:password@proxy:8080`, `proxy:8080`). `undefined` for what is no address of
 * an HTTP proxy: SOCKS is not spoken.
 */
export function parseProxyServer(text: string): ProxyServer | undefined {
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
 * What a system proxy setting says about one address, in the words of proxy auto-configuration (`PROXY a:8080;
 * DIRECT`), as Electron's `session.resolveProxy` answers. The first usable entry counts; SOCKS is not spoken and passed
 * over.
 */
export function readPacAnswer(answer: string): ProxyServer | undefined {
  for (const entry of answer.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/);
    if (/^direct$/i.test(kind)) return undefined;
    if (!/^(?:proxy|https?)$/i.test(kind)) continue;
    const server = parseProxyServer(`${/^https$/i.test(kind) ? 'https' : 'http'}://${address}`);
    if (server !== undefined) return server;
  }
  return undefined;
}
