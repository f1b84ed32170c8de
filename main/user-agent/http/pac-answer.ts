import { parseProxyServer } from './proxy-server.ts';
import type { ProxyServer } from './proxy-server.ts';

/**
 * What a system proxy setting says about one address, in the words of proxy auto-configuration (`PROXY a:8080; DIRECT`),
 * as Electron's `session.resolveProxy` answers. The first usable entry counts; SOCKS is not spoken and passed over.
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
