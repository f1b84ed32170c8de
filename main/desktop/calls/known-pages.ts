import { browserAddress } from '../../address/browser-address.ts';
import type { BrowserAddress } from '../../address/browser-address.ts';
import { PosternError } from '../../postern-error.ts';

/** Loaded when somebody asks: it is long, and the window starts without it. */
const load = async () => await import('../../../shared/known-servers/find-known-server.ts');

/** The page of a service of the catalogue; a window can name no other. Errors: NOT_FOUND. */
export async function pageOfService(service: string, page: 'home' | 'app' | 'key'): Promise<BrowserAddress> {
  const { searchKnownServers } = await load();
  const { home, app, key } = searchKnownServers(service).find(({ name }) => name === service) ?? {};
  const address = { home, app: app?.page, key: key?.page }[page];
  if (address === undefined) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
  return browserAddress(address);
}

/** What an app at the service of this server should be allowed, separated by spaces. Errors: NOT_FOUND. */
export async function scopesOfService(url: string): Promise<string> {
  const { findKnownServer } = await load();
  const { scopes } = findKnownServer(url)?.app ?? {};
  if (scopes === undefined) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
  return scopes.join(' ');
}
