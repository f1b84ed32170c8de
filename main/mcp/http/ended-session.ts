import { refusalBytes } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import { mediaType } from '../messages/message-headers.ts';
import { meansId } from '../messages/message-id.ts';
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

const unknown = 'found|exist|valid|active|initialized|recognized|known|available';
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
  /\b(?:server|client|connection) (?:is )?not (?:yet )?initialized\b|\bbefore initialization\b|\bno transport (?:was )?found\b/u,
];

/** Whether these words of a server say that it has no such session. */
export function saysSessionEnded(text: string): boolean {
  const plain = text
    .slice(0, looked)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, ' ');
  return ends.some((pattern) => pattern.test(plain));
}

interface NamedSession {
  /** The message that named the session. */
  readonly message: RequestInit['body'];
  /** A request in this session has been answered before. */
  readonly hasServed: boolean;
}

/**
 * An answer that says in whichever form that the server has forgotten the session which its message named, with the
 * status that MCP has for that (404); any other as it came. Servers say 400 or 410, or answer a request that they have
 * not taken with an error that has not its id. None of them has acted on it.
 */
export async function asEndedSession(response: Response, { message, hasServed }: NamedSession): Promise<Response> {
  const { status } = response;
  if (status === 404 || others.has(status) || status >= 500) return response;
  if (status === 410) return await ended(response);
  const isRefusal = status >= 400;
  if (!isRefusal && mediaType(response) !== 'application/json') return response;
  const { begun, isAll, whole } = await peek(response, isRefusal ? refusalBytes : small);
  if (!isAll && !isRefusal) return whole;
  const { id, hasMethod, hasError, isJson } = surveyJson(begun);
  const asked = surveyJson(Buffer.from(textOf(message))).id;
  const isAnswer = isJson && !hasMethod && id !== undefined && asked !== undefined && meansId(id, asked);
  const says =
    (isRefusal ? mediaType(response) !== 'text/html' : hasError && !isAnswer) &&
    saysSessionEnded(begun.toString('utf8'));
  // A session that has served is refused for what it is now, unless the request itself is answered.
  return says || (status === 400 && hasServed && !isAnswer) ? await ended(whole) : whole;
}

/** The beginning of a body, up to about `limit` bytes, and a response that still has all of it. Errors: those of reading. */
async function peek(
  { body, status, headers }: Response,
  limit: number,
): Promise<{ readonly begun: Buffer; readonly isAll: boolean; readonly whole: Response }> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  let length = 0;
  let isAll = reader === undefined;
  while (!isAll && length <= limit) {
    const next = await reader?.read();
    isAll = next?.done !== false;
    if (!next?.value) continue;
    chunks.push(next.value);
    length += next.value.byteLength;
  }
  const begun = Buffer.concat(chunks).subarray(0, limit);
  const rest = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk) return controller.enqueue(chunk);
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
