import { PosternError } from '../../errors/postern-error.ts';
import { errorBodyBytes } from '../../limits.ts';
import { findResponse, EventStream } from '../messages/message-body.ts';
import { matchesId, mediaType } from '../messages/message-headers.ts';
import { surveyJson } from '../messages/survey-json.ts';
import { bodyText } from './mcp-endpoint.ts';

/** The session named by a message has ended: a new one may be started. */
export class EndedSession extends PosternError {
  constructor(host: string) {
    super('SESSION_ENDED', { stage: 'connection', detail: { host, status: 404 } });
  }
}

/**
 * MCP 2025-11-25, session management 3: the server does not know the session, and has not acted on the message.
 * `normalizeEndedSession` turns every other form into this one.
 */
export function meansEndedSession({ status }: Pick<Response, 'status'>, sessionId: string | null | undefined): boolean {
  return status === 404 && typeof sessionId === 'string';
}

/** Statuses that mean something else, whatever the text says. */
const unrelatedStatuses: ReadonlySet<number> = new Set([401, 403, 405, 407, 408, 413, 415, 421, 425, 429]);
/** Bytes of a 200 response that may be such a refusal, and characters of a refusal that are read. */
const maxSmallBody = 1_024;
const maxInspectedLength = 2_048;

const missingWords = 'found|exist|valid|active|initiali[sz]ed|recogni[sz]ed|known|available';
const endedWords =
  'expired|invalid|unknown|missing|terminated|closed|ended|deleted|destroyed|gone|lost|inactive|stale|timed out';
/**
 * Matched against lower-case letters and digits: servers write `SESSION_NOT_FOUND`, `invalid-session` and sentences.
 */
const endedPatterns: readonly RegExp[] = [
  new RegExp(
    String.raw`session(?: ?ids?)?(?: \w+){0,10}? (?:${endedWords}|(?:not|no longer|t)(?: \w+)? (?:${missingWords}))\b`,
    'u',
  ),
  new RegExp(
    String.raw`\b(?:no|not|invalid|unknown|expired|missing|unrecognized|stale|inactive|terminated|find|such)(?: \w+){0,4}? (?:mcp ?)?session`,
    'u',
  ),
  /\b(?:server|client|connection) (?:is )?not (?:yet )?initiali[sz]ed\b|\bbefore initiali[sz]ation\b|\bexpect(?:ed)? initialize request\b|\bno transport (?:was )?found\b|\bsend (?:an? )?initiali[sz]e\b|\binitiali[sz]e (?:request )?first\b/u,
];

/** True if the server's text says that it has no such session. */
function saysSessionEnded(text: string): boolean {
  const plain = text
    .slice(0, maxInspectedLength)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, ' ');
  return endedPatterns.some((pattern) => pattern.test(plain));
}

/** Complete phrases of servers and libraries; only advice may follow. */
const prefix =
  '(?:bad request|unauthorized|forbidden|not found|invalid request|internal error|internal server error|error)';
const state =
  '(?:not found|not valid|not recogni[sz]ed|not active|not initiali[sz]ed|(?:not|t) exist|no longer (?:valid|exists?|active|available)|expired|invalid|unknown|missing|terminated|closed|ended|stale|timed out)';
const verb = '(?:is|was|has|have|been|does|doesn|may|already)';
const advice = String.raw`(?: (?:please|re ?initialize|initialize|start|create|send|open|connect|reconnect)\b.*)?`;
const exactPatterns: readonly RegExp[] = [
  `(?:(?:the|this|your|mcp|client) )*session(?: ids?)?(?: [a-z]*\\d[a-z\\d]*){0,8}(?: ${verb})* ${state}(?: (?:or|and)(?: ${verb})* ${state})*`,
  '(?:no|invalid|unknown|expired|missing|unrecognized|stale)(?: (?:or|valid|active|such|invalid|unknown|expired|missing))* (?:mcp )?session(?: ids?)?(?: (?:provided|found|exists?|given))?(?: [a-z]*\\d[a-z\\d]*){0,8}',
  '(?:the )?(?:server|client|connection) (?:is )?not (?:yet )?initiali[sz]ed',
  '(?:received )?request (?:received )?before initiali[sz]ation (?:was )?complete',
  'no transport (?:was )?found(?: for (?:the )?session(?: ?ids?)?)?(?: [a-z]*\\d[a-z\\d]*){0,8}',
  'unexpected message expect(?:ed)? initialize request',
].map((form) => new RegExp(`^(?:${prefix} )*${form}${advice}$`, 'u'));

function isExactPhrase(text: string, session: string): boolean {
  const plain = text.slice(0, maxInspectedLength).replaceAll(session, ' ').toLowerCase();
  const words = plain.replaceAll(/[^a-z\d]+/gu, ' ').trim();
  return exactPatterns.some((form) => form.test(words));
}

interface NamedSession {
  /** The message that named the session. */
  readonly message: RequestInit['body'];
  /** A request in this session has succeeded before. */
  readonly hasServed: boolean;
  /** The session id, if ambiguous responses also count as its end. */
  readonly ambiguousSession?: string | undefined;
}

/** What a response says about the session. `maybe`: the text could be about a sign-in, or from a tool. */
type SessionVerdict = 'ended' | 'maybe' | 'other';

/**
 * Turns a response that says in any form that the session has ended into the 404 that MCP uses for it; returns any
 * other unchanged. Servers send 400 or 410, or an error without the request's id. None of them acted on the request.
 */
export async function normalizeEndedSession(response: Response, named: NamedSession): Promise<Response> {
  const { outcome, whole } = await readVerdict(response, named);
  return outcome === 'ended' ? await toEndedResponse(whole) : whole;
}

/**
 * Learns how one server reports ended sessions. Ambiguous text is believed once: if it recurs in the session that was
 * opened because of it, it is passed on, then and later.
 */
export class SessionEndDetector {
  /** The session with the last successful request. */
  #servedSession: string | undefined;
  #suspectSession: string | undefined;
  #ignoresAmbiguity = false;

  /** Like `normalizeEndedSession`, for the response to a message in `session`. */
  async normalize(response: Response, session: string, message: RequestInit['body']): Promise<Response> {
    const hasServed = session === this.#servedSession;
    const { outcome, whole } = await readVerdict(response, { message, hasServed, ambiguousSession: session });
    if (outcome === 'ended') return await toEndedResponse(whole);
    if (outcome === 'maybe') {
      if (this.#suspectSession !== undefined && this.#suspectSession !== session) this.#ignoresAmbiguity = true;
      if (this.#ignoresAmbiguity) return whole;
      this.#suspectSession = session;
      return await toEndedResponse(whole);
    }
    if (response.ok && response.status !== 202) {
      this.#servedSession = session;
      if (session !== this.#suspectSession) this.#suspectSession = undefined;
    }
    return whole;
  }
}

async function readVerdict(
  response: Response,
  { message, hasServed, ambiguousSession }: NamedSession,
): Promise<{ readonly outcome: SessionVerdict; readonly whole: Response }> {
  const { status, headers } = response;
  const type = mediaType(response);
  const isStream = status < 400 && type === 'text/event-stream';
  const isAmbiguous = status === 401 || status === 403 || status >= 500;
  if (status === 410) return { outcome: 'ended', whole: response };
  const isInspected = isAmbiguous
    ? ambiguousSession !== undefined && !headers.has('www-authenticate')
    : status !== 404 && !unrelatedStatuses.has(status) && (status >= 400 || isStream || type === 'application/json');
  if (!isInspected) return { outcome: 'other', whole: response };
  const isRefusal = status >= 400;
  const { start, isComplete, whole } = await peek(response, isRefusal ? errorBodyBytes : maxSmallBody, isStream);
  const verdict = (outcome: SessionVerdict) => ({ outcome, whole });
  if (!isComplete && !isRefusal && !isStream) return verdict('other');
  const body = isStream ? firstResponse(start) : start;
  const { id, hasMethod, hasResult, hasError, isJson } = surveyJson(body);
  const requestText = bodyText(message);
  const requestId = surveyJson(Buffer.from(requestText)).id;
  const isResponse = isJson && !hasMethod && id !== undefined && requestId !== undefined && matchesId(id, requestId);
  if (isAmbiguous || (!isRefusal && isResponse)) {
    if (ambiguousSession === undefined || hasResult || hasMethod) return verdict('other');
    const isAuthStatus = status === 401 || status === 403;
    // A call with a session parameter of its own may get an error about that one.
    if (!isAuthStatus && /session/iu.test(requestText)) return verdict('other');
    return verdict(
      errorTexts(body, isRefusal).some((words) => isExactPhrase(words, ambiguousSession)) ? 'maybe' : 'other',
    );
  }
  const text = body.toString('utf8');
  const saysEnded = (isRefusal ? !isMarkup(text) : hasError) && saysSessionEnded(text);
  // Once a session has worked, a 400 that is not a response to the request is about the session.
  return verdict(saysEnded || (status === 400 && hasServed && !isResponse) ? 'ended' : 'other');
}

/** Error texts in a body: from JSON-RPC, and for a refusal also from framework members and plain text. */
function errorTexts(body: Buffer, isRefusal: boolean): readonly string[] {
  const text = body.toString('utf8');
  let document: { readonly error?: unknown; readonly message?: unknown; readonly detail?: unknown } | null;
  try {
    document = JSON.parse(text) as typeof document;
  } catch {
    return isRefusal && !isMarkup(text) ? [text] : [];
  }
  const { error, message, detail } = document ?? {};
  const { message: rpcMessage, data } = (error ?? {}) as { readonly message?: unknown; readonly data?: unknown };
  const texts = [rpcMessage, data, ...(isRefusal ? [error, message, detail] : [])];
  return texts.filter((words) => typeof words === 'string');
}

/** Whatever its content type: frameworks send plain text as HTML by default. */
function isMarkup(text: string): boolean {
  return text.trimStart().startsWith('<');
}

const blankLine = /\r?\n\r?\n|\r\r/u;

/** The response in the first event of a stream, or all of its data. */
export function firstResponse(start: Buffer): Buffer {
  const stream = new EventStream();
  const data: Uint8Array[] = [];
  for (const part of [...stream.take(start), ...stream.endLine()]) {
    if (part.kind === 'end') break;
    if (part.kind === 'data') data.push(part.bytes);
  }
  return findResponse(Buffer.concat(data));
}

/**
 * The start of a body, up to about `limit` bytes or the end of the first event of a stream, and a response that still
 * has all of it. A read error is passed on to the next reader.
 */
export async function peek(
  { body, status, headers }: Response,
  limit: number,
  isStream = false,
): Promise<{ readonly start: Buffer; readonly isComplete: boolean; readonly whole: Response }> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  let length = 0;
  let isComplete = reader === undefined;
  let failure: { readonly error: unknown } | undefined;
  while (!isComplete && length <= limit) {
    const next = await reader?.read().catch((error: unknown) => void (failure = { error }));
    if (failure) break;
    isComplete = next?.done !== false;
    if (!next?.value) continue;
    chunks.push(next.value);
    length += next.value.byteLength;
    if (isStream && blankLine.test(Buffer.concat(chunks).toString('latin1'))) break;
  }
  const start = Buffer.concat(chunks).subarray(0, limit);
  const rest = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk) return controller.enqueue(chunk);
        if (failure) throw failure.error;
        const next = isComplete ? undefined : await reader?.read();
        if (!next || next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return { start, isComplete, whole: new Response(body ? rest : null, { status, headers }) };
}

async function toEndedResponse({ body }: Response): Promise<Response> {
  if (body && !body.locked) await body.cancel().catch(() => {});
  return new Response(null, { status: 404 });
}
