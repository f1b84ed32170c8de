import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Holding } from '../../gateway-ports.ts';
import { deadline, gatewaySession, leftoverBytes, refusalBytes, sessionEnd } from '../../limits.ts';
import { isOfEndedSession } from '../../mcp/http/ended-session.ts';
import { followStream, listenToServer } from '../../mcp/http/follow-stream.ts';
import { McpEndpoint } from '../../mcp/http/mcp-endpoint.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { refusedAnswer } from '../../mcp/http/refused-answer.ts';
import { readAtMost, readDocument } from '../../mcp/messages/message-body.ts';
import { meansId, mediaType, readRevision, readSessionId } from '../../mcp/messages/message-headers.ts';
import { noMcp } from '../../oauth/discovery/discovery.ts';
import { rpcCode } from '../answers/answers.ts';
import type { Arrival } from '../answers/answers.ts';
import type { ReadingRoom } from '../limits/message-budget.ts';
import { isCatalogued, isHandshake } from '../messages/catalogue.ts';
import { isObject, readEnvelope, readInTurn, readOnly, withIdOf } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { saysNothingOfEra } from './revision-evidence.ts';

type Message = NonNullable<NonNullable<Parameters<McpEndpoint['request']>[1]>['message']>;

/** Gets each message of the server, of an exchange with how it came; reading goes on when it has resolved. */
export type Take = (message: Envelope, arrival?: Arrival) => Promise<void>;

interface Exchange {
  readonly take: Take;
  readonly signal: AbortSignal;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Only the older wire takes a stream up again. */
  readonly canResume: boolean;
  readonly onPaused: (() => void) | undefined;
  /** Of its session, for what comes. */
  readonly holding: Holding;
}

/** `session-ended`: the server does not know the session any more, and has not acted on the request. */
type Exchanged = 'taken' | 'session-ended';

/** Sends a request as it came and takes all that comes with its answer. Errors: PosternError. */
async function exchange(endpoint: McpEndpoint, request: RequestEnvelope, options: Exchange): Promise<Exchanged> {
  const { signal, headers, fields } = options;
  const { id, method, params, bytes } = request;
  const response = await endpoint.request('POST', {
    message: { jsonrpc: '2.0', id, method, params } as Message,
    bytes,
    headers,
    fields,
    // Only what a server does may take its time: a handshake keeps others waiting.
    deadline: isCatalogued(method) ? deadline.mcpHeaders : undefined,
    signal,
  });
  if (method === 'initialize' && response.ok) {
    endpoint.sessionId = readSessionId(response.headers.get('mcp-session-id'));
  }
  if (method !== 'initialize' && isOfEndedSession(response, endpoint.sessionId)) {
    await response.body?.cancel();
    return 'session-ended';
  }
  if (response.ok) await takeAnswer(endpoint, response, request, options);
  else await takeRefusal(response, request, options);
  return 'taken';
}

async function takeAnswer(
  endpoint: McpEndpoint,
  response: Response,
  request: RequestEnvelope,
  { take, signal, host, canResume, onPaused, holding }: Exchange,
): Promise<void> {
  let isOpen = true;
  const arrival = { status: response.status, isStream: mediaType(response) === 'text/event-stream' };
  const takeOne = async (envelope: Envelope): Promise<void> => {
    const isAnswer = envelope.kind === 'answer' || envelope.kind === 'unusable';
    const isWanted = isAnswer && meansId(envelope.id ?? '', request.id);
    await take(isWanted && envelope.kind === 'answer' ? withIdOf(request, envelope) : envelope, arrival);
    // An answer that is not taken is an error of the request, also where it came on a stream.
    if (isWanted) isOpen = false;
  };
  switch (mediaType(response)) {
    case 'text/event-stream':
      return await followStream(response, {
        take: async (data) => await takeOne(await readInTurn(data)),
        isOpen: () => isOpen,
        resume: canResume ? (lastEventId) => endpoint.request('GET', { lastEventId, signal }) : undefined,
        onPaused,
        refusal: async (refused) => {
          await readAtMost(refused, leftoverBytes);
          return new PosternError('SESSION_LOST', { stage: 'gateway' });
        },
        signal,
        holding,
      });
    case 'application/json':
      try {
        const body = await readDocument(response, { holding, endsAtLength: true });
        const envelope = await readOnly(body, { id: request.id, host, status: response.status });
        // Nothing else comes, whoever it is for.
        return await takeOne(envelope.kind === 'unusable' ? { ...envelope, id: request.id } : envelope);
      } finally {
        void holding.hold(0);
      }
    default:
      if (response.status === 202) return void (await readAtMost(response, leftoverBytes));
      try {
        // An answer under a type that says something else.
        const body = await readDocument(response, { holding, endsAtLength: true });
        const envelope = await readOnly(body, { id: request.id, host, status: response.status });
        if (envelope.kind === 'answer') await takeOne(envelope);
      } finally {
        void holding.hold(0);
      }
  }
}

/** Sends a notification or an answer as it came. Errors: PosternError. */
async function tell(
  endpoint: McpEndpoint,
  message: Exclude<Envelope, { kind: 'unusable' | 'request' }>,
  signal: AbortSignal,
): Promise<void> {
  // Header fields repeat what a request says; of these nothing.
  const plain = message.kind === 'answer' ? { jsonrpc: '2.0' } : { jsonrpc: '2.0', method: message.method };
  const response = await endpoint.request('POST', { message: plain as Message, bytes: message.bytes, signal });
  await readAtMost(response, leftoverBytes);
}

/** A status that says no may have an answer with it, and one without an id is to the request that it came for. */
async function takeRefusal(response: Response, request: RequestEnvelope, { take, host }: Exchange): Promise<void> {
  const { id, method } = request;
  const { status } = response;
  const body = await readAtMost(response, refusalBytes);
  // Its words would be taken for those of a server that has never heard of the method.
  if (method === 'server/discover' && saysNothingOfEra(status)) throw noMcp('connection', { host, status });
  const envelope = readEnvelope(body);
  const arrival = { status, isStream: false };
  if (envelope.kind === 'answer' && meansId(envelope.id, id)) return await take(withIdOf(request, envelope), arrival);
  const error = errorWithoutId(body) ?? errorOf(request, response);
  if (error === undefined) throw refusedAnswer({ host, status, type: mediaType(response), body }, !isHandshake(method));
  await take(readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)), arrival);
}

/** Older servers have no other answer to a method that they do not know. */
function errorOf({ method }: RequestEnvelope, { status }: Response): unknown {
  return method === 'server/discover' && status === 400
    ? { code: rpcCode.unknownMethod, message: 'Method not found' }
    : undefined;
}

function errorWithoutId(body: Buffer): unknown {
  try {
    const message: unknown = JSON.parse(body.toString('utf8'));
    const isAboutRequest = isObject(message) && isObject(message['error']) && (message['id'] ?? null) === null;
    return isAboutRequest ? message['error'] : undefined;
  } catch {
    return undefined;
  }
}

export interface ConnectionOptions {
  readonly url: CheckedAddress;
  /** Sends with the credential of the integration. Errors: PosternError. */
  readonly fetch: McpFetch;
  readonly take: Take;
  /** For what comes. */
  readonly answers: ReadingRoom;
  /** Ends the session, where that has too much of it; also for an answer, unless that can end alone. */
  readonly hangUp: () => void;
  /** Ends all of it. */
  readonly end: AbortSignal;
  /** Of the sign-in that there is now. */
  readonly owner: () => string | undefined;
}

export interface Sending {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The app's own fields, where those go on in the place of ours. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Told before it is sent: until then the server cannot have acted on it. */
  readonly onLeaving?: () => void;
  /** Told where others need the memory of the answer, which then comes no further; left out: the session ends. */
  readonly onDropped?: (() => void) | undefined;
  /** Told when the server ends the stream of the answer early, and is asked for the rest. */
  readonly onPaused?: (() => void) | undefined;
  /** Who gets what comes with the answer; left out: whoever gets what belongs to no request. */
  readonly take?: Take;
}

/** One connection to the server: on the older wire a session of its own, once its handshake has been answered. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #endpoint: McpEndpoint;
  readonly #canResume: boolean;
  readonly #owner: string | undefined;
  #isAdopted = false;
  /** `over`: for now; there is none where the server refuses it. */
  #stream: 'unasked' | 'open' | 'over' | 'none' = 'unasked';

  constructor(options: ConnectionOptions, wire: 'older' | 'newer') {
    this.#options = options;
    this.#endpoint = new McpEndpoint(options.url, options.fetch);
    this.#canResume = wire === 'older';
    this.#owner = options.owner();
  }

  /** Of the older wire: its handshake is answered, and to the sign-in that there is now. */
  get isReady(): boolean {
    return this.#isAdopted && this.#owner === this.#options.owner();
  }

  /** The server has forgotten it. */
  lose(): void {
    this.#isAdopted = false;
  }

  /** Resolves when all that comes with the answer has been taken. Errors: PosternError. */
  async request(request: RequestEnvelope, sending: Sending): Promise<Exchanged> {
    const { signal, headers, fields, onLeaving, onPaused, onDropped, take = this.#options.take } = sending;
    const dropped = new AbortController();
    const drop = (): void => {
      dropped.abort(new PosternError('GATEWAY_BUSY', { stage: 'gateway' }));
      onDropped?.();
    };
    signal.throwIfAborted();
    onLeaving?.();
    return await exchange(this.#endpoint, request, {
      take,
      holding: this.#options.answers.open(onDropped ? drop : this.#options.hangUp),
      headers,
      fields,
      signal: AbortSignal.any([signal, this.#options.end, dropped.signal]),
      host: new URL(this.#options.url).host,
      canResume: this.#canResume,
      onPaused,
    });
  }

  /** Errors: PosternError. */
  async tell(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    // A server takes a notification at once; one that does not holds up what comes behind it.
    const inTime = AbortSignal.timeout(gatewaySession.telling);
    await tell(this.#endpoint, message, AbortSignal.any([inTime, this.#options.end]));
  }

  /** Takes the answer to `initialize`: what every further request says. An error makes nothing ready. */
  adopt(result: unknown): void {
    if (!isObject(result)) return;
    this.#endpoint.version = readRevision(result['protocolVersion']);
    this.#isAdopted = true;
  }

  /**
   * Reads what the server sends by itself, as long as it is `wanted`; a stream that ends says nothing about requests.
   * `isAgain`: also where it has ended. Answers whether the server has refused it, and may have forgotten the session.
   * Never rejects.
   */
  async listen(wanted: () => boolean, isAgain: boolean): Promise<boolean> {
    if (this.#stream !== 'unasked' && (this.#stream !== 'over' || !isAgain)) return false;
    this.#stream = 'open';
    const { take, answers, hangUp, end: signal } = this.#options;
    const takeOne = async (data: Buffer): Promise<void> => await take(await readInTurn(data));
    const listening = { take: takeOne, signal, wanted, holding: answers.open(hangUp) };
    const status = await listenToServer(this.#endpoint, listening).catch(() => undefined);
    const isForNow = status === 408 || status === 429;
    const isRefused = status !== undefined && status < 500 && !isForNow;
    this.#stream = isRefused ? 'none' : 'over';
    return isRefused && status >= 400 && status !== 405;
  }

  /**
   * Ends the session at the server (MCP 2025-11-25, session management 5), and all that is under way. Never rejects.
   */
  async close(): Promise<void> {
    if (this.#endpoint.sessionId !== undefined) {
      await this.#endpoint
        .request('DELETE', { signal: AbortSignal.timeout(sessionEnd) })
        .then((response) => readAtMost(response, 0))
        .catch(() => {});
    }
    this.#endpoint.end();
  }
}
