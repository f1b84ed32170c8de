import { LOG_LEVEL_META_KEY, ProtocolError, UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import type { CallOptions, NamedCall, Progress } from './tool-call.ts';
import { callAsTask, hasTasks } from './tool-task.ts';
import { toolCall } from '../use-bounds.ts';

export type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** A tool and what it is given. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Looks at the tool before it is called, where the server lists it, and throws what speaks against the call. */
  readonly check?: ((tool: Tool) => void) | undefined;
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
 * Calls one tool, and once more where the server wants the person to go through a page of its own first (MCP 2025-11-25,
 * URL elicitation required). Errors: the library's.
 */
export async function callToolOf(
  client: Client,
  call: NamedCall,
  options: CallOptions,
): ReturnType<Client['callTool']> {
  await setLevel(client, options);
  if (await runsAsTask(client, call.name, options)) return await callAsTask(client, call, options);
  try {
    return await callOnce(client, call, options);
  } catch (error) {
    if (!(error instanceof UrlElicitationRequiredError) || error.elicitations.length === 0) throw error;
    for (const page of error.elicitations) {
      const { action } = await options.questions.answer({ ...page, mode: 'url' }, true);
      if (action !== 'accept') throw error;
    }
    return await callOnce(client, call, options);
  }
}

/** A tool that runs as a task alone is refused to whoever calls it otherwise. Errors: the library's. */
async function runsAsTask(client: Client, name: string, { begun, signal }: CallOptions): Promise<boolean> {
  if (begun.id !== undefined) return true;
  if (!hasTasks(client)) return false;
  const tool = (await listToolsOf(client, signal)).find((listed) => listed.name === name);
  return tool?.execution?.taskSupport === 'required';
}

/** The wire with sessions has one level for all of them (MCP 2025-11-25, logging). Errors: the library's. */
async function setLevel(client: Client, { logLevel, signal }: CallOptions): Promise<void> {
  if (logLevel === undefined || client.getProtocolEra() === 'modern' || !client.getServerCapabilities()?.logging)
    return;
  try {
    await client.setLoggingLevel(logLevel, { signal });
  } catch (error) {
    // One that knows no levels can still do its work.
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/**
 * What the library knows of a tool has never an `outputSchema`: it would compile that and run it on this thread, and a
 * pattern or a chain of references can keep it busy for ever. Errors: the library's.
 */
async function callOnce(
  client: Client,
  call: NamedCall,
  { signal, patience, onProgress, wantsLog = false, logLevel }: CallOptions,
): ReturnType<Client['callTool']> {
  const options = {
    signal: AbortSignal.any([signal, patience.signal]),
    // The time is ours: the library's would run while a person answers a question of the server.
    timeout: toolCall.longest,
    onprogress: (progress: Progress): void => {
      patience.heard();
      if (!isOfLibrary(progress)) onProgress?.(progress);
    },
  };
  // The stateless wire has no log but for a request that asks for it (MCP 2026-07-28, logging).
  const isModern = client.getProtocolEra() === 'modern';
  const named = wantsLog && isModern ? { ...call, _meta: { [LOG_LEVEL_META_KEY]: logLevel ?? 'info' } } : call;
  const withInput = (inputSchema: Tool['inputSchema']) =>
    client.callTool(named, { ...options, toolDefinition: { name: call.name, inputSchema } });
  try {
    return await withInput({ type: 'object' });
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== headerMismatch) throw error;
    const tool = (await listToolsOf(client, signal)).find(({ name }) => name === call.name);
    if (!tool) throw error;
    return await withInput(tool.inputSchema);
  }
}

/** The library tells of its own rounds as if the server had. */
function isOfLibrary({ message = '' }: Progress): boolean {
  return /^Fulfilling input required by '[^']*' \(round \d+\)$/u.test(message);
}
