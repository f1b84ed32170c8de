import type { ProgramAnswer } from '../../gateway-ports.ts';
import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import { PosternError } from '../../postern-error.ts';
import { boundedAnswer } from '../permissions/without-tools.ts';
import { OlderRefused } from '../server/older-refused.ts';
import { beginsSession, isObject, onOneLine, withIdOf } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import {
  bearsOnEra,
  isAboutFields,
  isOfNewerEra,
  isWholeDiscovery,
  namesNewerEra,
  saysNoDiscovery,
  saysNothingOfEra,
} from '../server/era-evidence.ts';
import { asJson, asUnknownMethod } from './http-answers.ts';
import type { HttpSession } from './http-session.ts';
import { readAnswer, type Other } from '../messages/read-answer.ts';
import type { ServedServer } from '../server/served-server.ts';

/** How a handshake or a listing ended. */
export interface Asking {
  readonly response: Response;
  readonly result?: unknown;
  readonly answer: ProgramAnswer;
  /** What is kept of it for the next time. */
  readonly kept?: AnswerEnvelope;
}

/** Who learns what became of a handshake or a listing, and tells the program. */
export type Learning = Pick<HttpSession, 'behind' | 'noteAnswer'>;

/** One that is on its way; `learning` is told how it went, also where the program was answered meanwhile. */
export class Asked {
  readonly session: HttpSession | undefined;
  readonly asking: Promise<Asking>;
  readonly #message: RequestEnvelope;
  readonly #learning: Learning;
  /** The server has answered, or has failed to. */
  isOver = false;

  constructor(
    server: ServedServer,
    message: RequestEnvelope,
    { session, learning }: { readonly session: HttpSession | undefined; readonly learning: Learning },
    asking: Promise<Asking>,
  ) {
    this.#message = message;
    this.session = session;
    this.#learning = learning;
    this.asking = asking;
    asking.then(
      ({ kept }) => {
        this.isOver = true;
        if (kept) learning.noteAnswer(message, kept);
        else learning.behind.noteFailure(message, false);
      },
      (error: unknown) => {
        this.isOver = true;
        learning.behind.noteFailure(message, server.judge(error).isAway);
      },
    );
  }

  /** The program is answered in the server's place. */
  noteKept(given: Buffer): void {
    if (this.isOver) this.#learning.behind.noteListing(this.#message);
    else this.#learning.behind.noteKept(this.#message, given);
  }
}

/**
 * Reads the answer to a handshake or a listing whole, and keeps it for the next time. `owner`: whose lists the server had
 * when it was asked. Errors: PosternError.
 */
export async function takeQuestion(
  server: ServedServer,
  message: RequestEnvelope,
  response: Response,
  { session, owner }: { readonly session: HttpSession | undefined; readonly owner: string | undefined },
): Promise<Asking> {
  const { status } = response;
  // What comes before the answer is heard where the program listens.
  const tell = (other: Other): void =>
    session?.stream.tell(onOneLine(other.bytes).toString('utf8'), isAboutRequest(other) ? message : undefined);
  const found = await readAnswer(response, message.id, tell).finally(() => session?.stream.forget(message));
  // Older servers have no other answer to a method that they have never heard of.
  if (!found && message.method === 'server/discover' && status === 400) {
    return { response, answer: asUnknownMethod(message.id) };
  }
  const isMute = message.method === 'server/discover' && saysNothingOfEra(status);
  if (!found || isMute) throw noMcp('connection', { status });
  // What the account before may see goes to nobody.
  if (owner !== server.catalogue.owner) throw new PosternError('SESSION_LOST', { stage: 'gateway' });
  const judged = await judge(server, message, withIdOf(message, found), { status, owner });
  return { response, ...(beginsSession(message) && { result: found.message['result'] }), ...judged };
}

/** An older program's handshake fails at a server of the newer wire alone. */
export function asOlder({ integration }: ServedServer, message: RequestEnvelope, error: unknown): unknown {
  const isOlder = beginsSession(message) && integration.era === 'modern';
  return isOlder ? new OlderRefused() : error;
}

/** Whether nothing more comes on it once its request is answered. */
function isAboutRequest({ kind, method }: Other): boolean {
  return kind === 'request' || method === 'notifications/progress' || method === 'notifications/cancelled';
}

async function judge(
  server: ServedServer,
  message: RequestEnvelope,
  given: AnswerEnvelope,
  { status, owner }: { readonly status: number; readonly owner: string | undefined },
): Promise<Pick<Asking, 'answer' | 'kept'>> {
  const answer = boundedAnswer(message.method, given);
  if (answer !== given) server.noteMisfit('long-listing');
  const { error } = answer.hasError ? answer.message : {};
  const code = isObject(error) ? error['code'] : undefined;
  if (error === undefined) {
    if (message.method === 'tools/list') await server.learnTools(answer.bytes);
    if (message.method === 'server/discover' && namesNewerEra(answer.message['result'])) void server.noteEra('modern');
    await server.catalogue.keep(message, answer, owner);
    return { answer: asJson(answer.bytes, status), kept: answer };
  }
  if (isAboutFields(status)) return { answer: asJson(answer.bytes, status) };
  if (saysNoDiscovery(message, code)) {
    if (isWholeDiscovery(message)) void server.noteEra('legacy');
    return { answer: asUnknownMethod(message.id) };
  }
  if (isOfNewerEra(code) && bearsOnEra(message)) void server.noteEra('modern');
  if (beginsSession(message) && (isOfNewerEra(code) || server.integration.era === 'modern')) {
    throw new OlderRefused();
  }
  return { answer: asJson(answer.bytes, status) };
}
