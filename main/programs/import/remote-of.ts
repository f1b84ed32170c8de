import { findRemoteOf } from '../../../shared/known-servers/known-packages.ts';
import { unwrapMcpRemote } from './unwrap-mcp-remote.ts';

/** The server with an address that does what a command would. */
export interface RemoteOf {
  /** Of the service, or its host. */
  readonly name: string;
  readonly address: string;
  /** The command does nothing but lead there. */
  readonly isBridged: boolean;
}

export function remoteOf(words: readonly string[]): RemoteOf | undefined {
  const address = unwrapMcpRemote(words)?.url;
  const host = URL.parse(address ?? '')?.host;
  if (address !== undefined && host !== undefined) return { name: host, address, isBridged: true };
  const known = findRemoteOf(words);
  return known && { name: known.name, address: known.address, isBridged: false };
}
