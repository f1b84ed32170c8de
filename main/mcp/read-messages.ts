import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { mcpMessage } from '../limits.ts';
import type { Admitted } from './bound-message.ts';
import { surveyJson } from './survey-json.ts';

type Id = string | number;

export type Request = JSONRPCMessage & { readonly id: Id; readonly method: string };

export function isRequest(message: JSONRPCMessage): message is Request {
  return 'method' in message && 'id' in message;
}

/** A response of JSON-RPC 2.0, section 5: it has an id and no method. */
export function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: Id } {
  return 'id' in message && !('method' in message);
}

/**
 * The messages in what a server has sent, as far as somebody wants them: the answers that `isAsked` knows by the text
 * of their id, and questions of the server itself; nobody here listens to its notifications. Nothing else is parsed,
 * and nothing that would take more memory than one message may. `fallbackId`: the request that this is the whole answer
 * to; an error without an id is about that one (JSON-RPC 2.0, section 5). Errors: SyntaxError, and the library's for
 * what is no message.
 */
export function readMessages(bytes: Buffer, isAsked: (id: string) => boolean, fallbackId?: Id): readonly Admitted[] {
  const { nodes, id, hasMethod } = surveyJson(bytes);
  if (hasMethod && (id === undefined || bytes.byteLength > mcpMessage.questionBytes)) return [];
  const asked = id === undefined || id === 'null' ? undefined : readId(id);
  const isForSomebody = asked !== undefined && isAsked(String(asked));
  if (nodes > mcpMessage.nodes) {
    const about = isForSomebody ? asked : asked === undefined ? fallbackId : undefined;
    return hasMethod || about === undefined ? [] : [{ kind: 'refused', id: about, code: 'RESULT_TOO_LARGE' }];
  }
  if (!hasMethod && asked !== undefined && !isForSomebody) return [];
  const parsed: unknown = JSON.parse(bytes.toString('utf8'));
  const messages = (Array.isArray(parsed) ? parsed : [parsed]).map((value) => readMessage(value, fallbackId));
  return messages
    .filter((message) => !isAnswer(message) || isAsked(String(message.id)))
    .map((message) => ({ kind: 'message', message }));
}

function readMessage(value: unknown, fallbackId: Id | undefined): JSONRPCMessage {
  const isAboutRequest =
    fallbackId !== undefined &&
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    (!('id' in value) || value.id === null);
  return parseJSONRPCMessage(isAboutRequest ? { ...value, id: fallbackId } : value);
}

function readId(text: string): Id | undefined {
  try {
    const id: unknown = JSON.parse(text);
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}
