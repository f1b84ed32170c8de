import type { ProgramAnswer } from '../../gateway-ports.ts';
import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import { PosternError } from '../../postern-error.ts';
import { beginsSession, isObject, withIdOf } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import {
  isOfNewerEra,
  isWholeDiscovery,
  namesNewerEra,
  saysNoDiscovery,
  saysNothingOfEra,
} from '../server/era-evidence.ts';
import { asJson, asUnknownMethod } from './http-answers.ts';
import type { HttpSession } from './http-session.ts';
import { readAnswer } from '../messages/read-answer.ts';
import type { ServedServer } from '../server/served-server.ts';

/** What came of a handshake or a listing. */
export interface Asking {
  readonly response: Response;
  readonly result: unknown;
  readonly answer: ProgramAnswer;
}

/** One that is on its way. */
export interface Asked {
  readonly session: HttpSession | undefined;
  readonly answer: Promise<ProgramAnswer>;
}

/** Reads the answer to a handshake or a listing whole, and keeps it for the next time. Errors: PosternError. */
export async function takeQuestion(
  server: ServedServer,
  message: RequestEnvelope,
  response: Response,
): Promise<Asking> {
  const { status } = response;
  const found = await readAnswer(response, message.id);
  // Older servers have no other answer to a method that they have never heard of.
  if (!found && message.method === 'server/discover' && status === 400) {
    return { response, result: undefined, answer: asUnknownMethod(message.id) };
  }
  const isMute = message.method === 'server/discover' && saysNothingOfEra(status);
  if (!found || isMute) throw noMcp('connection', { status });
  const answer = await judge(server, message, withIdOf(message, found), status);
  return { response, result: found.message['result'], answer };
}

/** An older program's handshake fails at a server of the newer wire alone. */
export function asOlder({ integration }: ServedServer, message: RequestEnvelope, error: unknown): unknown {
  const isOlder = beginsSession(message) && integration.era === 'modern';
  return isOlder ? new PosternError('ERA_UNSUPPORTED', { stage: 'gateway' }) : error;
}

async function judge(
  server: ServedServer,
  message: RequestEnvelope,
  answer: AnswerEnvelope,
  status: number,
): Promise<ProgramAnswer> {
  const { error, result } = answer.message;
  const code = isObject(error) ? error['code'] : undefined;
  if (error === undefined) {
    if (message.method === 'tools/list' && isObject(result)) server.parameters.learn(result);
    if (message.method === 'server/discover' && namesNewerEra(result)) void server.noteEra('modern');
    await server.catalogue.keep(message, answer);
  } else if (saysNoDiscovery(message, code)) {
    if (isWholeDiscovery(message)) void server.noteEra('legacy');
    return asUnknownMethod(message.id);
  } else if (beginsSession(message) && (isOfNewerEra(code) || server.integration.era === 'modern')) {
    throw new PosternError('ERA_UNSUPPORTED', { stage: 'gateway' });
  }
  return asJson(answer.bytes, status);
}
