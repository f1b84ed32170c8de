import type { ProgramAnswer } from '../../gateway-ports.ts';
import { mediaType } from '../../mcp/messages/message-headers.ts';
import { readDocument } from '../../mcp/messages/read-document.ts';
import { errorText, rpcCode } from '../answers/answers.ts';
import type { HttpSession } from './http-session.ts';

/** Fields of a server's answer that go on, and more with its body. */
const passedDown = ['cache-control', 'retry-after', 'allow'];
const ofBody = ['content-type', 'content-length'];
/** Bytes; to hand on a stream costs more than to read so many first. */
const shortAnswer = 64 * 1_024;

/** The server's answer as it is; a page or a text in the place of a message may say anything, and ends here. */
export function pass(response: Response): ProgramAnswer {
  const isWhole = isOfMcp(response);
  if (!isWhole) void response.body?.cancel();
  const fields = (isWhole ? [...ofBody, ...passedDown] : passedDown).flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const body = isWhole ? (response.body ?? undefined) : undefined;
  return { status: response.status, headers: Object.fromEntries(fields), body };
}

/** The same; a short one is whole. Errors: of reading. */
export async function passOn(response: Response): Promise<ProgramAnswer> {
  const answer = pass(response);
  const length = Number(response.headers.get('content-length') ?? NaN);
  if (answer.body === undefined || isStream(response) || !(length <= shortAnswer)) return answer;
  return { ...answer, body: await readDocument(response, { endsAtLength: true }) };
}

export function asJson(body: string | Uint8Array, status = 200, session?: HttpSession): ProgramAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...(session && { 'mcp-session-id': session.id }) },
    body,
  };
}

export function asStream(body: ReadableStream<Uint8Array>): ProgramAnswer {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** What programs of both eras take as the sign to begin with `initialize`. */
export function asUnknownMethod(id: string): ProgramAnswer {
  return asJson(errorText(id, rpcCode.unknownMethod, 'Method not found'), 400);
}

export function isStream(response: Response): boolean {
  return response.ok && mediaType(response) === 'text/event-stream';
}

/** Whether a message can be in it, or a stream of them. */
export function isOfMcp(response: Response): boolean {
  return mediaType(response) === 'application/json' || isStream(response);
}
