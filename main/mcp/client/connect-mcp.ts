import { SdkHttpError } from '@modelcontextprotocol/client';
import type { Handshake, WireEra } from '../../../shared/integration.ts';
import { PosternError } from '../../postern-error.ts';
import { openMcpClient } from './open-mcp-client.ts';
import type { McpAddress, OpenMcpClient } from './open-mcp-client.ts';

/** What a server offers and does, over either wire era. */
export interface McpConnection extends Pick<
  OpenMcpClient,
  'client' | 'questions' | 'heard' | 'hearChanges' | 'isPartial' | 'unusable' | 'discard'
> {
  /** The era that the server spoke; remembered, so that the next connection needs no probe. */
  readonly era: WireEra;
  close(): Promise<void>;
}

export interface McpConnectionOptions extends McpAddress {
  /** From the last connection. A server that has moved on since then is asked again from the start. */
  readonly era: Handshake | undefined;
  readonly signal: AbortSignal;
}

/**
 * Connects on the wire that the server speaks: 2026-07-28 without a session, or `initialize` (2025-11-25 and older).
 */
export async function connectMcp({ era, signal, ...address }: McpConnectionOptions): Promise<McpConnection> {
  if (era === undefined) return asConnection(await openEitherWire(address, signal));
  try {
    return asConnection(await openMcpClient(address, era, signal));
  } catch (error) {
    const movedOn = era === 'legacy' && error instanceof SdkHttpError && error.data.status < 500;
    if (!movedOn) throw error;
    return asConnection(await openMcpClient(address, 'modern', signal));
  }
}

/**
 * Asks on both wires at once, since neither question depends on the other's answer, and takes the newer one where
 * both are answered. That happens once for a server: its era is remembered.
 */
async function openEitherWire(address: McpAddress, signal: AbortSignal): Promise<OpenMcpClient> {
  const older = openMcpClient(address, 'legacy', signal);
  older.catch(() => {});
  let refusal: unknown;
  try {
    const newer = await openMcpClient(address, 'modern-only', signal);
    // Its `initialize` may have begun a session that nobody needs.
    void older.then((unneeded) => unneeded.discard()).catch(() => {});
    return newer;
  } catch (error) {
    refusal = error;
  }
  try {
    return await older;
  } catch (error) {
    // What our own fetch says of a server (a refusal, no way to it) says more than what the library makes of an answer.
    throw !(error instanceof PosternError) && refusal instanceof PosternError ? refusal : error;
  }
}

function asConnection(opened: OpenMcpClient): McpConnection {
  const { client } = opened;
  return { ...opened, era: client.getProtocolEra() ?? 'legacy', close: () => client.close() };
}
