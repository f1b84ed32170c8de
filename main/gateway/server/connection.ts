// One HTTP connection to an MCP server: sends requests and reads everything that comes back.

import { isObject } from '../../../shared/json-object.ts';
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
import { isCacheable, isHandshake } from '../messages/catalog.ts';
import { readEnvelope, readInSlices, readSoleMessage, withIdOf } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isInconclusive } from './revision-evidence.ts';

type Message = NonNullable<NonNullable<Parameters<McpEndpoint['request']>[1]>['message']>;

/**
 * Handles one message from the server. `arrival`: how it arrived, if it belongs to an exchange. Reading continues when
 * it resolves.
 */
export type MessageHandler = (message: Envelope, arrival?: Arrival) => Promise<void>;

interface ExchangeOptions {
  readonly onMessage: MessageHandler;
  readonly signal: AbortSignal;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Streams can be resumed only in session revisions. */
  readonly canResume: boolean;
  readonly onPaused: (() => void) | undefined;
  /** Memory of the session for incoming messages. */
  readonly holding: Reservation;
}

/** `session-ended`: the server no longer knows the session and has not executed the request. */
type ExchangeOutcome = 'completed' | 'session-ended';

/** Sends a request unchanged and handles everything that arrives with its response. Errors: PosternError. */
async function exchange(
  endpoint: McpEndpoint,
  request: RequestEnvelope,
  options: ExchangeOptions,
): Promise<ExchangeOutcome> {
  const { signal, headers, fields } = options;
  const { id, method, params, bytes } = request;
  const response = await endpoint.request('POST', {
    message: { jsonrpc: '2.0', id, method, params } as Message,
    bytes,
    headers,
    fields,
    // Calls may take long, but other requests wait for a handshake.
    deadline: isCacheable(method) ? deadline.mcpHeaders : undefined,
    signal,
  });
  if (method === 'initialize' && response.ok) {
    endpoint.sessionId = readSessionId(response.headers.get('mcp-session-id'));
  }
  if (method !== 'initialize' && meansEndedSession(response, endpoint.sessionId)) {
    await response.body?.cancel();
    return 'session-ended';
  }
  if (response.ok) await handleResponse(endpoint, response, request, options);
  else await handleErrorStatus(response, request, options);
  return 'completed';
}

async function handleResponse(
  endpoint: McpEndpoint,
  response: Response,
  request: RequestEnvelope,
  { onMessage, signal, host, canResume, onPaused, holding }: ExchangeOptions,
): Promise<void> {
  let isOpen = true;
  const arrival = { status: response.status, isStream: mediaType(response) === 'text/event-stream' };
  const handleMessage = async (envelope: Envelope): Promise<void> => {
    const isFinal = envelope.kind === 'response' || envelope.kind === 'unusable';
    const isOwnResponse = isFinal && matchesId(envelope.id ?? '', request.id);
    await onMessage(isOwnResponse && envelope.kind === 'response' ? withIdOf(request, envelope) : envelope, arrival);
    // An unusable response fails the request, even on a stream.
    if (isOwnResponse) isOpen = false;
  };
  switch (mediaType(response)) {
    case 'text/event-stream':
      return await followStream(response, {
        onMessage: async (data) => await handleMessage(await readInSlices(data)),
        isPending: () => isOpen,
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
        // Nothing else will arrive, so it counts as the response, whatever its id.
        return await handleMessage(envelope.kind === 'unusable' ? { ...envelope, id: request.id } : envelope);
      } finally {
        void holding.reserve(0);
      }
    default:
      if (response.status === 202) return void (await readAtMost(response, drainBytes));
      try {
        // A response with the wrong content type.
        const body = await readDocument(response, { holding, endsAtLength: true });
        const envelope = await readSoleMessage(body, { id: request.id, host, status: response.status });
        if (envelope.kind === 'response') await handleMessage(envelope);
      } finally {
        void holding.reserve(0);
      }
  }
}

/** Sends a notification or response unchanged. Errors: PosternError. */
async function sendOneWay(
  endpoint: McpEndpoint,
  message: Exclude<Envelope, { kind: 'unusable' | 'request' }>,
  signal: AbortSignal,
): Promise<void> {
  // Header fields repeat the parameters of requests only.
  const headerFields = message.kind === 'response' ? { jsonrpc: '2.0' } : { jsonrpc: '2.0', method: message.method };
  const response = await endpoint.request('POST', { message: headerFields as Message, bytes: message.bytes, signal });
  await readAtMost(response, drainBytes);
}

/** Handles an error status, which may have a JSON-RPC response; one without an id belongs to this request. */
async function handleErrorStatus(
  response: Response,
  request: RequestEnvelope,
  { onMessage, host }: ExchangeOptions,
): Promise<void> {
  const { id, method } = request;
  const { status } = response;
  const body = await readAtMost(response, errorBodyBytes);
  // Otherwise it would look as if the server did not know the method.
  if (method === 'server/discover' && isInconclusive(status)) throw notMcpError('connection', { host, status });
  const envelope = readEnvelope(body);
  const arrival = { status, isStream: false };
  if (envelope.kind === 'response' && matchesId(envelope.id, id))
    return await onMessage(withIdOf(request, envelope), arrival);
  const error = errorWithoutId(body) ?? errorOf(request, response);
  if (error === undefined)
    throw refusedResponseError({ host, status, type: mediaType(response), body }, !isHandshake(method));
  await onMessage(readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)), arrival);
}

/** Servers of session revisions may respond to an unknown method with just a 400. */
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
  /** Adds the integration's credential. Errors: PosternError. */
  readonly fetch: McpFetch;
  readonly onMessage: MessageHandler;
  /** Memory quota for incoming messages. */
  readonly quota: ReadQuota;
  /** Closes the session if it uses too much memory, unless only one response has to be dropped (`onDropped`). */
  readonly hangUp: () => void;
  /** Aborts everything in flight. */
  readonly closeSignal: AbortSignal;
  /** Fingerprint of the current sign-in. */
  readonly owner: () => string | undefined;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The app's own header fields, if they are sent instead of Postern's. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Called right before sending: until then, the server cannot have executed the request. */
  readonly onBeforeSend?: () => void;
  /** Called if the response is dropped because its memory is needed elsewhere; if absent, the session is closed. */
  readonly onDropped?: (() => void) | undefined;
  /** Called when the server ends the response stream early; the rest is fetched later. */
  readonly onPaused?: (() => void) | undefined;
  /** Handles messages on the response stream; default: `ConnectionOptions.onMessage`. */
  readonly onMessage?: MessageHandler;
}

/** One connection to the server. After an `initialize` handshake, it is one MCP session. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #endpoint: McpEndpoint;
  readonly #canResume: boolean;
  readonly #owner: string | undefined;
  #isAdopted = false;
  /** `over`: ended, but may be reopened. `none`: the server refuses such a stream. */
  #stream: 'not-requested' | 'open' | 'over' | 'none' = 'not-requested';

  constructor(options: ConnectionOptions, protocol: 'session' | 'stateless') {
    this.#options = options;
    this.#endpoint = new McpEndpoint(options.url, options.fetch);
    this.#canResume = protocol === 'session';
    this.#owner = options.owner();
  }

  /** True once the handshake is complete, while the sign-in is still the same. */
  get isReady(): boolean {
    return this.#isAdopted && this.#owner === this.#options.owner();
  }

  /** Records that the server no longer knows the session. */
  markLost(): void {
    this.#isAdopted = false;
  }

  /** Sends a request; resolves when everything that arrives with its response is handled. Errors: PosternError. */
  async request(request: RequestEnvelope, options: SendOptions): Promise<ExchangeOutcome> {
    const { signal, headers, fields, onBeforeSend, onPaused, onDropped, onMessage = this.#options.onMessage } = options;
    const dropController = new AbortController();
    const drop = (): void => {
      dropController.abort(new PosternError('GATEWAY_BUSY', { stage: 'gateway' }));
      onDropped?.();
    };
    signal.throwIfAborted();
    onBeforeSend?.();
    return await exchange(this.#endpoint, request, {
      onMessage,
      holding: this.#options.quota.open(onDropped ? drop : this.#options.hangUp),
      headers,
      fields,
      signal: AbortSignal.any([signal, this.#options.closeSignal, dropController.signal]),
      host: new URL(this.#options.url).host,
      canResume: this.#canResume,
      onPaused,
    });
  }

  /** Sends a notification or response. Errors: PosternError. */
  async sendOneWay(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    // Servers accept notifications at once; one that does not would delay later messages.
    const timeout = AbortSignal.timeout(gatewaySession.deliveryTimeout);
    await sendOneWay(this.#endpoint, message, AbortSignal.any([timeout, this.#options.closeSignal]));
  }

  /** Adopts the result of `initialize`, which every further request refers to. Ignores an error. */
  adopt(result: unknown): void {
    if (!isObject(result)) return;
    this.#endpoint.version = readRevision(result['protocolVersion']);
    this.#isAdopted = true;
  }

  /**
   * Reads the server's own stream while `hasListener`; its end does not affect requests. `reopen`: also if it has ended
   * before. Returns true if the server refused it, perhaps because it has lost the session. Never rejects.
   */
  async listen(hasListener: () => boolean, reopen: boolean): Promise<boolean> {
    if (this.#stream !== 'not-requested' && (this.#stream !== 'over' || !reopen)) return false;
    this.#stream = 'open';
    const { onMessage, quota, hangUp, closeSignal } = this.#options;
    const handleMessage = async (data: Buffer): Promise<void> => await onMessage(await readInSlices(data));
    const listening = { onMessage: handleMessage, signal: closeSignal, hasListener, holding: quota.open(hangUp) };
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
