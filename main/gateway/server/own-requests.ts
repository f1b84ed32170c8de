import { PosternError } from '../../postern-error.ts';
import { readEnvelope, withId } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** MCP 2025-11-25, ping: any answer will do. */
export const ping = readRequest('{"jsonrpc":"2.0","id":"postern:ping","method":"ping"}');

/** A request of a program that is made again in its name; its id is told apart from theirs. */
export function asOurs(request: RequestEnvelope): RequestEnvelope {
  return readRequest(withId(request, '"postern:1"'));
}

function readRequest(text: string | Buffer): RequestEnvelope {
  const envelope = readEnvelope(Buffer.from(text));
  if (envelope.kind !== 'request') throw new PosternError('INTERNAL', { stage: 'gateway' });
  return envelope;
}
