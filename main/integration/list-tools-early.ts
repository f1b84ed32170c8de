import type { Integration, WireEra } from '../../shared/integration.ts';
import type { CredentialSource } from '../mcp/mcp-fetch.ts';
import type { TokenSet } from '../oauth/token-set.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { Tool } from './use-server.ts';
import { openServer, readTools } from './use-server.ts';

export interface ListedTools {
  readonly tools: readonly Tool[];
  readonly era: WireEra;
}

/**
 * Lists a server's tools with tokens that have just come, while they are being stored: the server need not wait for
 * the disk. Its failure counts for nothing until somebody asks for the answer. Errors: as `listTools`, but nothing is
 * refreshed.
 */
export function listToolsEarly(
  ports: Pick<EnginePorts, 'http'>,
  server: Pick<Integration, 'url' | 'options'>,
  { accessToken }: Pick<TokenSet, 'accessToken'>,
  era: WireEra | undefined,
  signal: AbortSignal,
): Promise<ListedTools> {
  const atHand: CredentialSource = {
    current: async () => ({ kind: 'bearer', token: accessToken, resource: server.url }),
    renew: async () => undefined,
  };
  const listing = readTools(openServer(ports, server, atHand), era, signal);
  listing.catch(() => {});
  return listing;
}
