import * as z from 'zod/mini';
import { suggestNewTransport } from '../../../shared/error-catalog/connection-errors.ts';
import type { ResponseKind } from '../../../shared/error-catalog/connection-errors.ts';
import type { ServerWords } from '../../../shared/error-codes.ts';
import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { readRefusalWords } from '../../server-words.ts';
import { isJsonType, readJsonText } from '../http/json-document.ts';
import { endpointEvent, firstEventName } from '../http/mcp-request.ts';

interface ProbeResponse {
  readonly kind: ResponseKind;
  /** Code of a JSON-RPC error in it. */
  readonly errorCode?: number | undefined;
  /** The server's explanation, if the response is not MCP. */
  readonly words?: ServerWords | undefined;
}

/** Members only a response has: a server that echoes our request is not an MCP server. */
const jsonRpcResponse = z.intersection(
  z.object({ jsonrpc: z.literal('2.0') }),
  z.union([z.object({ result: z.looseObject({}) }), z.object({ error: z.object({ code: z.number() }) })]),
);

/**
 * Reads a probe response to its end, so that the connection can be reused, and classifies it. An event stream may stay
 * open forever and is left after its first event, a slow body after a second.
 */
export async function readProbeResponse(response: Response, clock: Clock): Promise<ProbeResponse> {
  if (isEventStream(response)) {
    const { text } = await readBody(response, clock, (start) => firstEventName(start) !== undefined);
    return { kind: firstEventName(text) === endpointEvent ? 'old-transport' : 'mcp' };
  }
  const { whole: isComplete, text } = await readBody(response, clock, () => false);
  return isComplete ? classifyResponse(response, text) : { kind: 'incomplete' };
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
}

function classifyResponse({ headers }: Response, text: string): ProbeResponse {
  if (text.trim() === '') return { kind: 'empty' };
  const type = headers.get('content-type');
  const mediaType = type?.split(';')[0]?.trim().toLowerCase() ?? '';
  // Some servers send JSON-RPC as text, or name the content type twice.
  if (!isJsonType(type) && !looksLikeJsonRpc(text)) {
    const isPage = type?.toLowerCase().includes('html') === true || /^\s*<(?:!|html)/iu.test(text);
    return isPage ? { kind: 'web-page' } : { kind: 'other', words: readRefusalWords(text, mediaType) };
  }
  try {
    const document = readJsonText(text, { stage: 'probe' });
    const [message] = (Array.isArray(document) ? document : [document]).flatMap((entry) => {
      const read = jsonRpcResponse.safeParse(entry);
      return read.success ? [read.data] : [];
    });
    if (message === undefined) return { kind: 'json', words: readRefusalWords(text, mediaType) };
    return { kind: 'mcp', ...('error' in message && { errorCode: message.error.code }) };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { kind: looksLikeJsonRpc(text) ? 'mcp' : 'broken-json' };
  }
}

/** JSON-RPC too large to parse here, such as a long list of tools. */
function looksLikeJsonRpc(text: string): boolean {
  return /"jsonrpc"\s*:\s*"2\.0"/u.test(text) && /"(?:result|error)"\s*:/u.test(text);
}

/** The text up to the end or until `isEnough`; `whole`: the end was reached. */
async function readBody(
  response: Response,
  clock: Clock,
  isEnough: (text: string) => boolean,
): Promise<{ whole: boolean; text: string }> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { whole: true, text: '' };
  let isComplete = true;
  const stopReading = () => {
    isComplete = false;
    reader.cancel().catch(() => {});
  };
  const stopTimer = clock.after(deadline.probeBody, stopReading);
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      text += decoder.decode(value, { stream: true });
      if (size > bodyLimit.probe || isEnough(text)) stopReading();
    }
  } catch {
    // The status is known; a truncated body adds nothing.
    isComplete = false;
  } finally {
    stopTimer();
  }
  return { whole: isComplete, text };
}

/** Statuses of a POST after which a client may try HTTP+SSE (MCP 2025-11-25, backwards compatibility). */
export const postRefusalStatuses: ReadonlySet<number> = new Set([400, 404, 405]);

/** Whether the response to a GET is an HTTP+SSE stream (MCP 2024-11-05): it begins with an `endpoint` event. */
export async function opensSseTransport(response: Response, clock: Clock): Promise<boolean> {
  const { kind } = await readProbeResponse(response, clock);
  return response.ok && kind === 'old-transport';
}

/** The server uses HTTP+SSE where it may not: it has used streamable HTTP before. */
export class SseTransportError extends PosternError {}

/** The error, with the usual address of streamable HTTP on servers with both transports. */
export function sseTransportError(server: CheckedAddress): SseTransportError {
  const { host } = new URL(server);
  return new SseTransportError('OLD_TRANSPORT', {
    stage: 'connection',
    detail: { host },
    remedy: suggestNewTransport(streamableHttpAddress(server)),
  });
}

/** By convention: `/sse` becomes `/mcp`. */
export function streamableHttpAddress(server: CheckedAddress): CheckedAddress | undefined {
  const { pathname, search } = new URL(server);
  const path = pathname.replace(/\/sse\/?$/u, '/mcp');
  return path === pathname || search !== '' ? undefined : atSameOrigin(server, path);
}
