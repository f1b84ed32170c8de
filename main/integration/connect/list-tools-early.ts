import type { WireEra } from '../../../shared/integration.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { tokenCredential } from '../use/credential-source.ts';
import { inSession } from '../use/in-session.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import type { ServerAddress } from '../server-address.ts';
import { openServer } from '../use/open-server.ts';

export interface EarlyListing {
  /** The wire that the server speaks; known before the tools are. */
  readonly era: Promise<WireEra>;
  /** The same, once it is known. */
  knownEra(): WireEra | undefined;
  readonly tools: Promise<readonly Tool[]>;
}

/**
 * Lists a server's tools with tokens that have just come, while they are being stored: the server need not wait for
 * the disk. A failure counts for nothing until somebody asks for the answer. Errors: as `listTools`, but nothing is
 * refreshed.
 */
export function listToolsEarly(
  ports: Pick<EnginePorts, 'http' | 'clock' | 'onGreeting' | 'vault' | 'store' | 'local'>,
  address: ServerAddress,
  tokens: Pick<TokenSet, 'accessToken' | 'binding'>,
  known: WireEra | undefined,
  signal: AbortSignal,
): EarlyListing {
  const atHand: CredentialSource = {
    current: async () => tokenCredential(tokens, address),
    renew: async () => undefined,
  };
  const server = openServer(ports, address, atHand);
  const opening = server.connect(known, signal);
  const list = async (): Promise<readonly Tool[]> => {
    try {
      const work = async ({ client }: McpConnection) =>
        await (await import('../../mcp/client/use-tools.ts')).listToolsOf(client, signal);
      return await inSession(server, known, signal, work, opening);
    } catch (error) {
      throw await server.failure(error);
    }
  };
  let era: WireEra | undefined;
  const spoken = opening.then((connection) => (era = connection.era));
  const listing = { era: spoken, knownEra: () => era, tools: list() };
  listing.era.catch(() => {});
  listing.tools.catch(() => {});
  return listing;
}
