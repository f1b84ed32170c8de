import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { WireEra } from '../../shared/integration.ts';

/** What a server offers and does, over either wire era. */
export interface McpConnection {
  readonly client: Client;
  /** The era that the server spoke; remembered, so that the next connection needs no probe. */
  readonly era: WireEra;
  close(): Promise<void>;
}

export interface McpConnectionOptions {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** From the last connection. A server that has moved on since then is asked again from the start. */
  readonly era: WireEra | undefined;
  readonly signal: AbortSignal;
}

const implementation = { name: 'postern', title: 'Postern', version: '0.1.0' };

/** Connects on the wire that the server speaks: 2026-07-28 without a session, or `initialize` (2025-11-25 and older). */
export async function connectMcp({ url, fetch, era, signal }: McpConnectionOptions): Promise<McpConnection> {
  const attempt = async (known: WireEra | undefined): Promise<McpConnection> => {
    const client = new Client(implementation, { versionNegotiation: { mode: 'auto' } });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
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
      await client.connect(transport, { signal, ...(known === 'legacy' && { prior: { kind: 'legacy' as const } }) });
    } catch (error) {
      await client.close().catch(() => {});
      throw error;
    }
    return { client, era: client.getProtocolEra() ?? 'legacy', close: () => client.close() };
  };
  try {
    return await attempt(era);
  } catch (error) {
    const movedOn = era === 'legacy' && error instanceof SdkHttpError && error.data.status < 500;
    if (!movedOn) throw error;
    return await attempt(undefined);
  }
}
