import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Reservation } from '../../gateway-ports.ts';
import { deadline, gatewaySession, drainBytes, errorBodyBytes, sessionEndTimeout } from '../../limits.ts';
import { meansEndedSession } from '../../mcp/http/ended-session.ts';
import { followStream, listenToServer } from '../../mcp/http/follow-stream.ts';
import { McpEndpoint } from '../../mcp/http/mcp-endpoint.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { refusedResponseError } from '../../mcp/http/refused-response.ts';
import { readAtMost, readDocument } from '../../mcp/messages/message-body.ts';
import { matchesId, mediaType, readRevision, readSessionId } from '../../mcp/messages/message-headers.ts';
import { notMcpError } from '../../oauth/discovery/discovery.ts';
import { rpcCode } from '../responses/responses.ts';
import type { Arrival } from '../responses/responses.ts';
import type { ReadQuota } from '../limits/message-budget.ts';
import { isCatalogd, isHandshake } from '../messages/catalog.ts';
import { isObject, readEnvelope, readInTurn, readSoleMessage, withIdOf } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isInconclusive } from './revision-evidence.ts';

type Message = NonNullable<NonNullable<Parameters<McpEndpoint['request']>[1]>['message']>;

/**
 * Handles each message of the server, and how it arrived if it belongs to an exchange; reading continues when it
 * resolves.
 */
export type Take = (message: Envelope, arrival?: Arrival) => Promise<void>;

interface Exchange {
  readonly take: Take;
  readonly signal: AbortSignal;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Streams can be resumed only in protocol versions with sessions. */
  readonly canResume: boolean;
  readonly onPaused: (() => void) | undefined;
  /** Of its session, for what arrives. */
  readonly holding: Reservation;
}

/** `session-ended`: the server no longer knows the session and has not acted on the request. */
type Exchanged = 'taken' | 'session-ended';

/** Sends a request as it came and handles everything that comes with its response. Errors: PosternError. */
async function exchange(endpoint: McpEndpoint, request: RequestEnvelope, options: Exchange): Promise<Exchanged> {
  const { signal, headers, fields } = options;
  const { id, method, params, bytes } = request;
  const response = await endpoint.request('POST', {
    message: { jsonrpc: '2.0', id, method, params } as Message,
    bytes,
    headers,
    fields,
    // Only what a server does may take its time; a handshake keeps others waiting.
    deadline: isCatalogd(method) ? deadline.mcpHeaders : undefined,
    signal,
  });
  if (method === 'initialize' && response.ok) {
    endpoint.sessionId = readSessionId(response.headers.get('mcp-session-id'));
  }
  if (method !== 'initialize' && meansEndedSession(response, endpoint.sessionId)) {
    await response.body?.cancel();
    return 'session-ended';
  }
  if (response.ok) await takeResponse(endpoint, response, request, options);
  else await takeRefusal(response, request, options);
  return 'taken';
}

async function takeResponse(
  endpoint: McpEndpoint,
  response: Response,
  request: RequestEnvelope,
  { take, signal, host, canResume, onPaused, holding }: Exchange,
): Promise<void> {
  let isOpen = true;
  const arrival = { status: response.status, isStream: mediaType(response) === 'text/event-stream' };
  const takeOne = async (envelope: Envelope): Promise<void> => {
    const isAnswer = envelope.kind === 'response' || envelope.kind === 'unusable';
    const isWanted = isAnswer && matchesId(envelope.id ?? '', request.id);
    await take(isWanted && envelope.kind === 'response' ? withIdOf(request, envelope) : envelope, arrival);
    // A response that is not accepted is an error of the request, even on a stream.
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
          await readAtMost(refused, drainBytes);
          return new PosternError('SESSION_LOST', { stage: 'gateway' });
        },
        signal,
        holding,
      });
    case 'application/json':
      try {
        const body = await readDocument(response, { holding, endsAtLength: true });
        const envelope = await readSoleMessage(body, { id: request.id, host, status: response.status });
        // Nothing else will come, so it counts as the response, whatever its id.
        return await takeOne(envelope.kind === 'unusable' ? { ...envelope, id: request.id } : envelope);
      } finally {
        void holding.reserve(0);
      }
    default:
      if (response.status === 202) return void (await readAtMost(response, drainBytes));
      try {
        // A response with the wrong content type.
        const body = await readDocument(response, { holding, endsAtLength: true });
        const envelope = await readSoleMessage(body, { id: request.id, host, status: response.status });
        if (envelope.kind === 'response') await takeOne(envelope);
      } finally {
        void holding.reserve(0);
      }
  }
}

/** Sends a notification or response as it came. Errors: PosternError. */
async function sendOneWay(
  endpoint: McpEndpoint,
  message: Exclude<Envelope, { kind: 'unusable' | 'request' }>,
  signal: AbortSignal,
): Promise<void> {
  // Header fields repeat what a request says, but none of these messages.
  const plain = message.kind === 'response' ? { jsonrpc: '2.0' } : { jsonrpc: '2.0', method: message.method };
  const response = await endpoint.request('POST', { message: plain as Message, bytes: message.bytes, signal });
  await readAtMost(response, drainBytes);
}

/** An error status may come with a response; one without an id belongs to this request. */
async function takeRefusal(response: Response, request: RequestEnvelope, { take, host }: Exchange): Promise<void> {
  const { id, method } = request;
  const { status } = response;
  const body = await readAtMost(response, errorBodyBytes);
  // Otherwise its message would look like that of a server that does not know the method.
  if (method === 'server/discover' && isInconclusive(status)) throw notMcpError('connection', { host, status });
  const envelope = readEnvelope(body);
  const arrival = { status, isStream: false };
  if (envelope.kind === 'response' && matchesId(envelope.id, id))
    return await take(withIdOf(request, envelope), arrival);
  const error = errorWithoutId(body) ?? errorOf(request, response);
  if (error === undefined)
    throw refusedResponseError({ host, status, type: mediaType(response), body }, !isHandshake(method));
  await take(readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)), arrival);
}

/** Older servers have no other response to an unknown method. */
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
  /** Sends with the integration's credential. Errors: PosternError. */
  readonly fetch: McpFetch;
  readonly take: Take;
  /** Quota for what arrives. */
  readonly answers: ReadQuota;
  /** Ends the session if it holds too much; also because of a response, unless that one can end alone. */
  readonly hangUp: () => void;
  /** Aborts everything. */
  readonly end: AbortSignal;
  /** Fingerprint of the current sign-in. */
  readonly owner: () => string | undefined;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The app's own header fields, if those are passed on instead of Postern's. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Called before sending: until then the server cannot have acted on it. */
  readonly onLeaving?: () => void;
  /** Called if the memory of the response is needed elsewhere and the rest is dropped; without it, the session ends. */
  readonly onDropped?: (() => void) | undefined;
  /** Called when the server ends the response stream early; the rest is fetched later. */
  readonly onPaused?: (() => void) | undefined;
  /** Handles what comes with the response; default: the handler of messages that belong to no request. */
  readonly take?: Take;
}

/** One connection to the server. With sessions, it is a session of its own once the handshake is answered. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #endpoint: McpEndpoint;
  readonly #canResume: boolean;
  readonly #owner: string | undefined;
  #isAdopted = false;
  /** `over`: for now; `none`: the server refuses such a stream. */
  #stream: 'not-requested' | 'open' | 'over' | 'none' = 'not-requested';

  constructor(options: ConnectionOptions, form: 'session' | 'stateless') {
    this.#options = options;
    this.#endpoint = new McpEndpoint(options.url, options.fetch);
    this.#canResume = form === 'session';
    this.#owner = options.owner();
  }

  /** With sessions: the handshake is answered, and for the current sign-in. */
  get isReady(): boolean {
    return this.#isAdopted && this.#owner === this.#options.owner();
  }

  /** The server has forgotten the session. */
  markLost(): void {
    this.#isAdopted = false;
  }

  /** Resolves when everything that comes with the response is handled. Errors: PosternError. */
  async request(request: RequestEnvelope, sending: SendOptions): Promise<Exchanged> {
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
  async sendOneWay(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    // A server takes a notification at once; one that does not would hold up what follows.
    const inTime = AbortSignal.timeout(gatewaySession.deliveryTimeout);
    await sendOneWay(this.#endpoint, message, AbortSignal.any([inTime, this.#options.end]));
  }

  /** Adopts the result of `initialize`, which every further request refers to. Ignores an error. */
  adopt(result: unknown): void {
    if (!isObject(result)) return;
    this.#endpoint.version = readRevision(result['protocolVersion']);
    this.#isAdopted = true;
  }

  /**
   * Reads what the server sends on its own, as long as it is `hasListener`; the end of this stream means nothing for
   * requests. `isAgain`: reopen it if it has ended. Returns whether the server has refused it, in which case it may
   * have forgotten the session. Never rejects.
   */
  async listen(hasListener: () => boolean, isAgain: boolean): Promise<boolean> {
    if (this.#stream !== 'not-requested' && (this.#stream !== 'over' || !isAgain)) return false;
    this.#stream = 'open';
    const { take, answers, hangUp, end: signal } = this.#options;
    const takeOne = async (data: Buffer): Promise<void> => await take(await readInTurn(data));
    const listening = { take: takeOne, signal, hasListener, holding: answers.open(hangUp) };
    const status = await listenToServer(this.#endpoint, listening).catch(() => undefined);
    const isForNow = status === 408 || status === 429;
    const isRefused = status !== undefined && status < 500 && !isForNow;
    this.#stream = isRefused ? 'none' : 'over';
    return isRefused && status >= 400 && status !== 405;
  }

  /** Ends the session at the server (MCP 2025-11-25, session management 5) and everything in flight. Never rejects. */
  async close(): Promise<void> {
    if (this.#endpoint.sessionId !== undefined) {
      await this.#endpoint
        .request('DELETE', { signal: AbortSignal.timeout(sessionEndTimeout) })
        .then((response) => readAtMost(response, 0))
        .catch(() => {});
    }
    this.#endpoint.end();
  }
}
