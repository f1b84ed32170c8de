import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';

export type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** What a server says of a call that takes its time (MCP 2025-11-25, progress). */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** HeaderMismatch: the server wants arguments in header fields too (MCP 2026-07-28, streamable HTTP). */
const headerMismatch = -32_020;

/** Every tool of a server. The library is asked to keep none: it would only be one more copy. Errors: the library's. */
export async function listToolsOf(client: Client, signal: AbortSignal): Promise<Tool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const { tools } = await client.listTools(undefined, { signal, cacheMode: 'bypass' });
  return tools;
}

/**
 * Calls one tool. What the library knows of it has never an `outputSchema`: it would compile that and run it on this
 * thread, and a pattern or a chain of references can keep it busy for ever. Errors: the library's.
 */
export async function callToolOf(
  client: Client,
  call: { readonly name: string; readonly arguments: Record<string, unknown> },
  { signal, onProgress }: CallOptions,
): ReturnType<Client['callTool']> {
  // Without somebody who listens the server is not asked for progress. What says that it goes on may go on.
  const following = onProgress && { onprogress: onProgress, resetTimeoutOnProgress: true };
  const withInput = (inputSchema: Tool['inputSchema']) =>
    client.callTool(call, { signal, ...following, toolDefinition: { name: call.name, inputSchema } });
  try {
    return await withInput({ type: 'object' });
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== headerMismatch) throw error;
    const tool = (await listToolsOf(client, signal)).find(({ name }) => name === call.name);
    if (!tool) throw error;
    return await withInput(tool.inputSchema);
  }
}
