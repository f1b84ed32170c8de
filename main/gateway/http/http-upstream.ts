import { storedAddress } from '../../engine/kept/integration-policy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramRequest } from '../../gateway-ports.ts';
import { sessionEnd } from '../../limits.ts';
import { messageHeaders } from '../../mcp/messages/message-headers.ts';
import { readAnswer } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import type { ServedServer, WayToServer } from '../server/served-server.ts';
import type { HttpSession } from './http-session.ts';
import { messageFields } from './server-session.ts';
import type { SendToServer } from './server-session.ts';

/** Fields of a program's request that go on as they came; nothing else of it does. What its body is, is ours to say. */
const passedUp = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];

/** Without a signal it goes on when the program has gone. */
type Sent = Omit<ProgramRequest, 'signal'> & Partial<Pick<ProgramRequest, 'signal'>> & { readonly deadline?: number };

/** The server's side of a program that speaks HTTP: its requests go out as they came, with the credential of ours. */
export class HttpUpstream {
  readonly #server: ServedServer;
  readonly #end = new AbortController();
  readonly #ways = new Set<WayToServer>();

  constructor(server: ServedServer) {
    this.#server = server;
    this.send = this.openSending();
  }

  /** What belongs to no session. */
  readonly send: SendToServer;

  /** Errors: PosternError. */
  async post(request: Sent, session: HttpSession | undefined, more: readonly string[] = []): Promise<Response> {
    return await this.pass(request, 'POST', session, more);
  }

  /** The program's request as it came, for the server's session. Errors: PosternError. */
  async pass(
    { headers, body, signal, deadline }: Sent,
    method: ProgramRequest['method'],
    session: HttpSession | undefined,
    more: readonly string[] = [],
  ): Promise<Response> {
    const passed = [...passedUp, ...more].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    // A program that names another encoding would have the server read another message than was judged (RFC 8259 8.1).
    const type = method === 'POST' ? { 'content-type': 'application/json' } : {};
    const fields = { ...Object.fromEntries(passed), ...type, ...session?.server.fields };
    const send = session?.server.send ?? this.send;
    return await send(method, fields, {
      ...(method === 'POST' && { body }),
      ...(signal && { signal }),
      deadline,
    });
  }

  /** A way to the server for one session, with cookies of its own. */
  openSending(): SendToServer {
    const server = this.#server;
    let way: WayToServer | undefined;
    return async (method, headers, { body, signal, deadline } = {}) => {
      way ??= this.#openWay();
      // A session is ended at the server also where all else has been.
      const end = method === 'DELETE' ? AbortSignal.timeout(sessionEnd) : this.#end.signal;
      return await way.fetch(storedAddress(server.integration), {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: signal ? AbortSignal.any([signal, end]) : end,
        deadline,
      });
    };
  }

  /** Asks a question of our own: its answer, or `undefined` for an error. Errors: PosternError. */
  readonly ask = async (question: RequestEnvelope): Promise<AnswerEnvelope | undefined> => {
    const fields = { ...messageFields, ...messageHeaders(asMessage(question)) };
    const response = await this.send('POST', fields, { body: question.bytes.toString('utf8') });
    const answer = await readAnswer(response, { id: question.id, host: this.#server.host });
    return answer?.hasError === true ? undefined : answer;
  };

  #openWay(): WayToServer {
    const way = this.#server.openWay();
    // Others have nothing to end.
    if (this.#server.isLocal) this.#ways.add(way);
    return way;
  }

  /** Ends the ways to the server; what ends a session has been sent. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#ways].map((way) => way.close()));
  }

  /** Ends all that is under way, but for what ends a session. */
  end(): void {
    this.#end.abort(new PosternError('USER_CANCELLED', { stage: 'gateway' }));
  }
}

type Message = Parameters<typeof messageHeaders>[0];

function asMessage({ id, method, params }: RequestEnvelope): Message {
  return { jsonrpc: '2.0', id, method, params };
}
