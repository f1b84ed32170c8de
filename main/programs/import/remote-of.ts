import { findRemoteOf } from '../../../shared/known-servers/known-packages.ts';
import type { RemoteOf } from '../../../shared/remote-of.ts';
import { unwrapMcpRemote } from './unwrap-mcp-remote.ts';

/** Of the words of a command. */
export function remoteOf(words: readonly string[]): RemoteOf | undefined {
  const address = unwrapMcpRemote(words)?.url;
  const host = URL.parse(address ?? '')?.host;
  if (address !== undefined && host !== undefined) return { name: host, address, isBridged: true };
  const known = findRemoteOf(words);
  return known && { name: known.name, address: known.address, isBridged: false };
}
