import type { ProgramAnswer } from '../../gateway-ports.ts';
import { mediaType } from '../../mcp/message-headers.ts';
import { errorText, rpcCode } from '../answers/answers.ts';
import type { HttpSession } from './http-session.ts';

/** Fields of a server's answer that go on. */
const passedDown = ['content-type', 'cache-control', 'retry-after', 'allow'];

/** The server's answer as it is. */
export function pass(response: Response): ProgramAnswer {
  const fields = passedDown.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: response.status, headers: Object.fromEntries(fields), body: response.body ?? undefined };
}

export function asJson(body: string | Uint8Array, status = 200, session?: HttpSession): ProgramAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...(session && { 'mcp-session-id': session.id }) },
    body,
  };
}

/** What programs of both eras take as the sign to begin with `initialize`. */
export function asUnknownMethod(id: string): ProgramAnswer {
  return asJson(errorText(id, rpcCode.unknownMethod, 'Method not found'), 400);
}

export function isJson(response: Response): boolean {
  return mediaType(response) === 'application/json';
}

/** On an event stream. */
export function asEvent(message: string): Uint8Array {
  return Buffer.from(`data: ${message}\n\n`);
}
