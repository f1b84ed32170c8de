import { Client } from '@modelcontextprotocol/client';
import type { Tool } from '@modelcontextprotocol/client';
import { PosternError } from '../postern-error.ts';
import { EagerTransport } from './eager-transport.ts';

/** Where a server is, and the fetch that leads there. */
export interface McpAddress {
  readonly url: string;
  readonly fetch: typeof fetch;
}

export interface OpenMcpClient {
  readonly client: Client;
  /** All of the server's tools. */
  listTools(signal: AbortSignal): Promise<readonly Tool[]>;
  /** Ends its session too, where it has one (MCP 2025-11-25, session management 5). */
  discard(): Promise<void>;
}

/** `modern` falls back to `initialize`, `modern-only` does not. */
export type Handshake = 'legacy' | 'modern' | 'modern-only';

const implementation = { name: 'postern', title: 'Postern', version: '0.1.0' };
const modernVersion = '2026-07-28';

/** Opens the official client over streamable HTTP. Errors: the library's, and what `fetch` throws. */
export async function openMcpClient(
  { url, fetch }: McpAddress,
  handshake: Handshake,
  signal: AbortSignal,
): Promise<OpenMcpClient> {
  const mode = handshake === 'modern-only' ? { pin: modernVersion } : 'auto';
  const client = new Client(implementation, { versionNegotiation: { mode } });
  const transport = new EagerTransport(new URL(url), {
    fetch,
    onInsufficientScope: 'throw',
    // A dropped listening stream is opened anew by whoever keeps a connection; a command ends before that.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
    },
  });
  try {
    await client.connect(transport, { signal, ...(handshake === 'legacy' && { prior: { kind: 'legacy' as const } }) });
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
  const listTools = async (listing: AbortSignal): Promise<readonly Tool[]> =>
    (await client.listTools(undefined, { signal: listing })).tools;
  return {
    client,
    async listTools(listing) {
      const { greeting } = transport;
      try {
        return await listTools(listing);
      } catch (error) {
        // What our own fetch says does not depend on what the server has heard so far.
        if (greeting === undefined || listing.aborted || error instanceof PosternError) throw error;
        await greeting;
        return await listTools(listing);
      }
    },
    async discard() {
      if (transport.sessionId !== undefined) await transport.terminateSession();
      await client.close();
    },
  };
}
