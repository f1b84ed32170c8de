import * as z from 'zod/mini';
import { useNewTransport } from '../../../shared/error-catalogue/connection-errors.ts';
import type { AnswerKind } from '../../../shared/error-catalogue/connection-errors.ts';
import type { ServerWords, Stage } from '../../../shared/error-codes.ts';
import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { readRefusalWords } from '../../errors/request-error.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { isJsonType, readJsonText } from '../wire/json-document.ts';
import { endpointEvent, firstEventName } from '../wire/mcp-request.ts';

interface ProbeAnswer {
  readonly kind: AnswerKind;
  /** Of the JSON-RPC error in it. */
  readonly errorCode?: number | undefined;
  /** Why, where it is no answer of MCP. */
  readonly words?: ServerWords | undefined;
}

/** Members that only an answer has: a server that echoes our question is no MCP server. */
const jsonRpcAnswer = z.intersection(
  z.object({ jsonrpc: z.literal('2.0') }),
  z.union([z.object({ result: z.looseObject({}) }), z.object({ error: z.object({ code: z.number() }) })]),
);

/**
 * Reads the rest of a probe's answer, so that its connection can serve the next request, and says what it is. An event
 * stream may stay open for good and is left at its first event; a slow body after a second.
 */
export async function readProbeAnswer(response: Response, clock: Clock): Promise<ProbeAnswer> {
  if (isEventStream(response)) {
    const { text } = await readBody(response, clock, (start) => firstEventName(start) !== undefined);
    return { kind: firstEventName(text) === endpointEvent ? 'old-transport' : 'mcp' };
  }
  const { whole, text } = await readBody(response, clock, () => false);
  return whole ? judge(response, text) : { kind: 'unread' };
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
}

function judge({ headers }: Response, text: string): ProbeAnswer {
  if (text.trim() === '') return { kind: 'empty' };
  const type = headers.get('content-type');
  const mediaType = type?.split(';')[0]?.trim().toLowerCase() ?? '';
  // Some servers send their answers as text, or name their type twice.
  if (!isJsonType(type) && !isLikeJsonRpc(text)) {
    const isPage = type?.toLowerCase().includes('html') === true || /^\s*<(?:!|html)/iu.test(text);
    return isPage ? { kind: 'web-page' } : { kind: 'other', words: readRefusalWords(text, mediaType) };
  }
  try {
    const document = readJsonText(text, { stage: 'probe' });
    const [answer] = (Array.isArray(document) ? document : [document]).flatMap((message) => {
      const read = jsonRpcAnswer.safeParse(message);
      return read.success ? [read.data] : [];
    });
    if (answer === undefined) return { kind: 'json', words: readRefusalWords(text, mediaType) };
    return { kind: 'mcp', ...('error' in answer && { errorCode: answer.error.code }) };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { kind: isLikeJsonRpc(text) ? 'mcp' : 'broken-json' };
  }
}

/** Larger than any document that we read, as a long list of tools is. */
function isLikeJsonRpc(text: string): boolean {
  return /"jsonrpc"\s*:\s*"2\.0"/u.test(text) && /"(?:result|error)"\s*:/u.test(text);
}

/** The text up to its end or to what is enough of it; `whole`: to its end. */
async function readBody(
  response: Response,
  clock: Clock,
  isEnough: (text: string) => boolean,
): Promise<{ whole: boolean; text: string }> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { whole: true, text: '' };
  let whole = true;
  const leave = () => {
    whole = false;
    reader.cancel().catch(() => {});
  };
  const stopTimer = clock.after(deadline.probeBody, leave);
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      text += decoder.decode(value, { stream: true });
      if (size > bodyLimit.probe || isEnough(text)) leave();
    }
  } catch {
    // The status has been read; a body that breaks off adds nothing to it.
    whole = false;
  } finally {
    stopTimer();
  }
  return { whole, text };
}

/** Answers to a POST after which a client may look for the old transport (MCP 2025-11-25, backwards compatibility). */
export const refusalsOfPost: ReadonlySet<number> = new Set([400, 404, 405]);

/** Whether the answer to a GET is the stream of HTTP+SSE (MCP 2024-11-05), which begins with its `endpoint` event. */
export async function opensOldTransport(response: Response, clock: Clock): Promise<boolean> {
  const { kind } = await readProbeAnswer(response, clock);
  return response.ok && kind === 'old-transport';
}

/** The server shows the old transport where it may not be used: it has spoken the newer one. */
export class OldTransport extends PosternError {}

/** The error for such a server, with the address at which servers that speak both have the newer transport. */
export function oldTransport(server: CheckedAddress, stage: Stage = 'probe'): OldTransport {
  const { host } = new URL(server);
  return new OldTransport('OLD_TRANSPORT', { stage, detail: { host }, remedy: useNewTransport(newerAddress(server)) });
}

/** Where a server that has the old transport at this address has the newer one, by custom. */
export function newerAddress(server: CheckedAddress): CheckedAddress | undefined {
  const { pathname, search } = new URL(server);
  const path = pathname.replace(/\/sse\/?$/u, '/mcp');
  return path === pathname || search !== '' ? undefined : atSameOrigin(server, path);
}
