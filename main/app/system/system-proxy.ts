import { session } from 'electron';
import type { AppView } from '../../../shared/app-view.ts';
import { classifyHost } from '../../address/classify-host.ts';
import { displayHost } from '../../address/display-host.ts';
import { readPacAnswer } from '../../user-agent/http/proxy-server.ts';
import type { ChooseProxy } from '../../user-agent/http/pinned-connector.ts';
import type { ProxyServer } from '../../user-agent/http/proxy-server.ts';
import { chooseProxy } from '../../user-agent/http/proxy-settings.ts';
import type { ProxySettings } from '../../user-agent/http/proxy-settings.ts';

/** What the environment says, as on the command line; where it says nothing, the system's own setting. */
export function chooseSystemProxy(environment: ProxySettings): ChooseProxy {
  return async (target) => {
    if (environment.https || environment.http) return chooseProxy(environment, target);
    // A proxy's own loopback is another machine.
    if (classifyHost(target.hostname) === 'loopback') return undefined;
    return await askSystem(`${target.protocol}//${target.hostname}:${target.port}/`);
  };
}

/** For the settings page: which proxy leads to the internet. */
export async function describeProxies(environment: ProxySettings): Promise<AppView['proxy']> {
  if (environment.unusable.length > 0) return { mode: 'notUsed' };
  const server = environment.https ?? environment.http ?? (await askSystem('https://example.com/'));
  return server ? { mode: 'inUse', host: displayHost(server.hostname) } : { mode: 'direct' };
}

/**
 * A setting that cannot be read leaves the connection direct, as browsers do. The session is for the question alone and
 * never has a page: the one of our own pages has a proxy that leads nowhere.
 */
async function askSystem(address: string): Promise<ProxyServer | undefined> {
  const asking = session.fromPartition('system-proxy', { cache: false });
  return readPacAnswer(await asking.resolveProxy(address).catch(() => 'DIRECT'));
}
