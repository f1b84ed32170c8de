import { PosternError } from '../../errors/postern-error.ts';
import { refusalBytes } from '../../limits.ts';
import { answerIn, EventStream } from '../messages/message-body.ts';
import { meansId, mediaType } from '../messages/message-headers.ts';
import { surveyJson } from '../messages/survey-json.ts';
import { textOf } from './mcp-endpoint.ts';

/** The session that a message named has ended: a new one may be tried. */
export class EndedSession extends PosternError {
  constructor(host: string) {
    super('SESSION_ENDED', { stage: 'connection', detail: { host, status: 404 } });
  }
}

/**
 * MCP 2025-11-25, session management 3: the server does not know the session that a message named, and has not acted
 * on it. Every other form of that has been made this one by `asEndedSession`.
 */
export function isOfEndedSession({ status }: Pick<Response, 'status'>, sessionId: string | null | undefined): boolean {
  return status === 404 && typeof sessionId === 'string';
}

/** Statuses that say something else, whatever words come with them. */
const others: ReadonlySet<number> = new Set([401, 403, 405, 407, 408, 413, 415, 421, 425, 429]);
/** Bytes of an answer with status 200 that may be such a refusal, and characters of one that are looked at. */
const small = 1_024;
const looked = 2_048;

const unknown = 'found|exist|valid|active|initiali[sz]ed|recogni[sz]ed|known|available';
const gone =
  'expired|invalid|unknown|missing|terminated|closed|ended|deleted|destroyed|gone|lost|inactive|stale|timed out';
/** What is left of letters and digits, in small letters: servers write `SESSION_NOT_FOUND`, `invalid-session` and sentences. */
const ends: readonly RegExp[] = [
  new RegExp(
    String.raw`session(?: ?ids?)?(?: \w+){0,10}? (?:${gone}|(?:not|no longer|t)(?: \w+)? (?:${unknown}))\b`,
    'u',
  ),
  new RegExp(
    String.raw`\b(?:no|not|invalid|unknown|expired|missing|unrecognized|stale|inactive|terminated|find|such)(?: \w+){0,4}? (?:mcp ?)?session`,
    'u',
  ),
  /\b(?:server|client|connection) (?:is )?not (?:yet )?initiali[sz]ed\b|\bbefore initiali[sz]ation\b|\bexpect(?:ed)? initialize request\b|\bno transport (?:was )?found\b|\bsend (?:an? )?initiali[sz]e\b|\binitiali[sz]e (?:request )?first\b/u,
];

/** Whether these words of a server say that it has no such session. */
export function saysSessionEnded(text: string): boolean {
  const plain = text
    .slice(0, looked)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, ' ');
  return ends.some((pattern) => pattern.test(plain));
}

/** In words that stand for themselves, as servers and libraries write it; what may follow is advice. */
const prefix =
  '(?:bad request|unauthorized|forbidden|not found|invalid request|internal error|internal server error|error)';
const state =
  '(?:not found|not valid|not recogni[sz]ed|not active|not initiali[sz]ed|(?:not|t) exist|no longer (?:valid|exists?|active|available)|expired|invalid|unknown|missing|terminated|closed|ended|stale|timed out)';
const verb = '(?:is|was|has|have|been|does|doesn|may|already)';
const advice = String.raw`(?: (?:please|re ?initialize|initialize|start|create|send|open|connect|reconnect)\b.*)?`;
const exact: readonly RegExp[] = [
  `(?:(?:the|this|your|mcp|client) )*session(?: ids?)?(?: [a-z]*\\d[a-z\\d]*){0,8}(?: ${verb})* ${state}(?: (?:or|and)(?: ${verb})* ${state})*`,
  '(?:no|invalid|unknown|expired|missing|unrecognized|stale)(?: (?:or|valid|active|such|invalid|unknown|expired|missing))* (?:mcp )?session(?: ids?)?(?: (?:provided|found|exists?|given))?(?: [a-z]*\\d[a-z\\d]*){0,8}',
  '(?:the )?(?:server|client|connection) (?:is )?not (?:yet )?initiali[sz]ed',
  '(?:received )?request (?:received )?before initiali[sz]ation (?:was )?complete',
  'no transport (?:was )?found(?: for (?:the )?session(?: ?ids?)?)?(?: [a-z]*\\d[a-z\\d]*){0,8}',
  'unexpected message expect(?:ed)? initialize request',
].map((form) => new RegExp(`^(?:${prefix} )*${form}${advice}$`, 'u'));

function isExactly(said: string, session: string): boolean {
  const plain = said.slice(0, looked).replaceAll(session, ' ').toLowerCase();
  const words = plain.replaceAll(/[^a-z\d]+/gu, ' ').trim();
  return exact.some((form) => form.test(words));
}

interface NamedSession {
  /** The message that named the session. */
  readonly message: RequestInit['body'];
  /** A request in this session has been answered before. */
  readonly hasServed: boolean;
  /** Its id, where what may mean something else too is taken for its end. */
  readonly mayMean?: string | undefined;
}

/** What an answer says of the session. `maybe`: in words that could be about a sign-in, or of a tool. */
type Said = 'ended' | 'maybe' | 'other';

/**
 * An answer that says in whichever form that the server has forgotten the session which its message named, with the
 * status that MCP has for that (404); any other as it came. Servers say 400 or 410, or answer a request that they have
 * not taken with an error that has not its id. None of them has acted on it.
 */
export async function asEndedSession(response: Response, named: NamedSession): Promise<Response> {
  const { said, whole } = await readSaid(response, named);
  return said === 'ended' ? await ended(whole) : whole;
}

/**
 * What one server said at the end of its sessions. Words that may mean something else are believed once: what it says
 * so of the session that was begun for them is passed on, then and later.
 */
export class SessionEnds {
  /** The session in which a request was answered last. */
  #served: string | undefined;
  #doubted: string | undefined;
  #meansOther = false;

  /** As `asEndedSession`, for the answer to a message that named `session`. */
  async judge(response: Response, session: string, message: RequestInit['body']): Promise<Response> {
    const hasServed = session === this.#served;
    const { said, whole } = await readSaid(response, { message, hasServed, mayMean: session });
    if (said === 'ended') return await ended(whole);
    if (said === 'maybe') {
      if (this.#doubted !== undefined && this.#doubted !== session) this.#meansOther = true;
      if (this.#meansOther) return whole;
      this.#doubted = session;
      return await ended(whole);
    }
    if (response.ok && response.status !== 202) {
      this.#served = session;
      if (session !== this.#doubted) this.#doubted = undefined;
    }
    return whole;
  }
}

async function readSaid(
  response: Response,
  { message, hasServed, mayMean }: NamedSession,
): Promise<{ readonly said: Said; readonly whole: Response }> {
  const { status, headers } = response;
  const type = mediaType(response);
  const isStream = status < 400 && type === 'text/event-stream';
  const isDoubtful = status === 401 || status === 403 || status >= 500;
  if (status === 410) return { said: 'ended', whole: response };
  const isLooked = isDoubtful
    ? mayMean !== undefined && !headers.has('www-authenticate')
    : status !== 404 && !others.has(status) && (status >= 400 || isStream || type === 'application/json');
  if (!isLooked) return { said: 'other', whole: response };
  const isRefusal = status >= 400;
  const { begun, isAll, whole } = await peek(response, isRefusal ? refusalBytes : small, isStream);
  const told = (said: Said) => ({ said, whole });
  if (!isAll && !isRefusal && !isStream) return told('other');
  const body = isStream ? firstAnswer(begun) : begun;
  const { id, hasMethod, hasResult, hasError, isJson } = surveyJson(body);
  const asking = textOf(message);
  const asked = surveyJson(Buffer.from(asking)).id;
  const isAnswer = isJson && !hasMethod && id !== undefined && asked !== undefined && meansId(id, asked);
  if (isDoubtful || (!isRefusal && isAnswer)) {
    if (mayMean === undefined || hasResult || hasMethod) return told('other');
    const isOfSignIn = status === 401 || status === 403;
    // A call that names a session of its own may be answered about that one.
    if (!isOfSignIn && /session/iu.test(asking)) return told('other');
    return told(saidIn(body, isRefusal).some((words) => isExactly(words, mayMean)) ? 'maybe' : 'other');
  }
  const text = body.toString('utf8');
  const says = (isRefusal ? !isMarkup(text) : hasError) && saysSessionEnded(text);
  // A session that has served is refused for what it is now, unless the request itself is answered.
  return told(says || (status === 400 && hasServed && !isAnswer) ? 'ended' : 'other');
}

/** What a body says, as an error of JSON-RPC; of a refusal also as what frameworks write in its place, and as text. */
function saidIn(body: Buffer, isRefusal: boolean): readonly string[] {
  const text = body.toString('utf8');
  let document: { readonly error?: unknown; readonly message?: unknown; readonly detail?: unknown } | null;
  try {
    document = JSON.parse(text) as typeof document;
  } catch {
    return isRefusal && !isMarkup(text) ? [text] : [];
  }
  const { error, message, detail } = document ?? {};
  const { message: told, data } = (error ?? {}) as { readonly message?: unknown; readonly data?: unknown };
  const said = [told, data, ...(isRefusal ? [error, message, detail] : [])];
  return said.filter((words) => typeof words === 'string');
}

/** Whatever its type says: frameworks send a text as HTML by themselves. */
function isMarkup(text: string): boolean {
  return text.trimStart().startsWith('<');
}

const blankLine = /\r?\n\r?\n|\r\r/u;

/** The answer in the first event of a stream, or all of its data. */
export function firstAnswer(begun: Buffer): Buffer {
  const stream = new EventStream();
  const data: Uint8Array[] = [];
  for (const part of [...stream.take(begun), ...stream.endLine()]) {
    if (part.kind === 'end') break;
    if (part.kind === 'data') data.push(part.bytes);
  }
  return answerIn(Buffer.concat(data));
}

/**
 * The beginning of a body, up to about `limit` bytes or the end of the first event of a stream, and a response that still
 * has all of it. What fails while it is read fails for whoever reads on.
 */
export async function peek(
  { body, status, headers }: Response,
  limit: number,
  isStream = false,
): Promise<{ readonly begun: Buffer; readonly isAll: boolean; readonly whole: Response }> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  let length = 0;
  let isAll = reader === undefined;
  let failed: { readonly error: unknown } | undefined;
  while (!isAll && length <= limit) {
    const next = await reader?.read().catch((error: unknown) => void (failed = { error }));
    if (failed) break;
    isAll = next?.done !== false;
    if (!next?.value) continue;
    chunks.push(next.value);
    length += next.value.byteLength;
    if (isStream && blankLine.test(Buffer.concat(chunks).toString('latin1'))) break;
  }
  const begun = Buffer.concat(chunks).subarray(0, limit);
  const rest = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk) return controller.enqueue(chunk);
        if (failed) throw failed.error;
        const next = isAll ? undefined : await reader?.read();
        if (!next || next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return { begun, isAll, whole: new Response(body ? rest : null, { status, headers }) };
}

async function ended({ body }: Response): Promise<Response> {
  if (body && !body.locked) await body.cancel().catch(() => {});
  return new Response(null, { status: 404 });
}
