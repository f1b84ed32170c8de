import { setTimeout as pause } from 'node:timers/promises';
import { ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import {
  cancellationTimeout,
  drainBytes,
  errorBodyBytes,
  serverRequests,
  sessionEndTimeout,
  toolCall,
} from '../../limits.ts';
import { MessageLimiter } from '../messages/message-limiter.ts';
import type { VerbatimOptions } from '../messages/exact-json.ts';
import { isPage, readAtMost, readDocument, readEvents } from '../messages/message-body.ts';
import { isStateless, matchesId, mediaType, readSessionId } from '../messages/message-headers.ts';
import { AwaitedRequests, isResponse, isRequest } from '../messages/read-messages.ts';
import type { Request } from '../messages/read-messages.ts';
import { surveyJson } from '../messages/survey-json.ts';
import { followStream } from './follow-stream.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { McpFetch } from './mcp-endpoint.ts';
import { InvalidResponse } from './mcp-failure.ts';
import { hasSeveralJsonTexts, looksLikeJsonRpc, webPageError, findRevisionMismatch } from './refused-response.ts';

/**
 * Streamable HTTP (MCP 2025-11-25 and 2026-07-28) with bounds on all memory, work and time a server can cost us.
 * A request fails as soon as its response can no longer arrive. The fetch handles redirects, credentials and timeouts.
 */
export class BoundedTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport['onmessage'];
  /** In the stateless protocol, closing the request's stream is the cancellation. */
  readonly hasPerRequestStream = true;
  readonly listeningStream: ListeningStream;
  /** Whether to pass on change notifications. */
  wantsChanges = false;
  readonly #endpoint: McpEndpoint;
  readonly #host: string;
  readonly #awaited: AwaitedRequests;
  readonly #limiter = new MessageLimiter();
  /** Ids of pending `initialize` requests. */
  readonly #handshakes = new Set<string | number>();
  readonly #responses = new ResponseQueue();
  readonly #cancelling = new Cancellations();

  constructor(
    address: CheckedAddress,
    options: { readonly fetch: McpFetch; readonly verbatim?: VerbatimOptions | undefined },
  ) {
    this.#awaited = new AwaitedRequests(options.verbatim);
    this.#endpoint = new McpEndpoint(address, options.fetch);
    this.#host = new URL(address).host;
    this.listeningStream = new ListeningStream(this.#endpoint, (data) => this.#receiveEvent(data));
  }

  get sessionId(): string | undefined {
    return this.#endpoint.sessionId;
  }

  /** Whether entries of the latest listing by `method` were left out. */
  isPartial(method: string): boolean {
    return this.#limiter.isPartial(method);
  }

  /** Unusable parts of the latest response to this method. */
  unusableParts(method: string): readonly UnusablePart[] {
    return this.#limiter.unusableParts(method);
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#endpoint.version = version;
  }

  async close(): Promise<void> {
    await this.#cancelling.flush();
    this.#endpoint.end();
    this.onclose?.();
  }

  /**
   * For a request, resolves once the response has arrived. Errors: SdkHttpError, those of `fetch`, and for unusable
   * responses.
   */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isResponse(message)) return await this.#responses.enqueue(() => this.#notify(message));
    if (isRequest(message)) return await this.#request(message, options);
    const method = 'method' in message ? message.method : '';
    const isCancellation = method === 'notifications/cancelled';
    const sending = this.#notify(isCancellation ? withPlainReason(message) : message);
    if (isCancellation) {
      this.#cancelling.add(sending);
      // Not earlier: without the cancellation a server may treat the closed stream as one to resume.
      sending.finally(this.#awaited.aborterFor(message)).catch(() => {});
    }
    if (method !== 'notifications/initialized') return await sending;
    await sending.catch((error: unknown) => {
      // A server that rejects it may still work: the next request shows.
      const isLost = error instanceof PosternError && hasTrait(error, 'broken-connection');
      if (!(error instanceof SdkHttpError) && !isLost) throw error;
    });
    this.listeningStream.open();
  }

  /**
   * Ends the session, if there is one (MCP 2025-11-25, session management 5). Errors: those of `fetch`, also on
   * timeout.
   */
  async endSession(): Promise<void> {
    if (this.sessionId === undefined) return;
    await readAtMost(await this.#endpoint.request('DELETE', { signal: AbortSignal.timeout(sessionEndTimeout) }), 0);
    this.#endpoint.sessionId = undefined;
  }

  async #notify(message: JSONRPCMessage): Promise<void> {
    const response = await this.#endpoint.request('POST', { message });
    if (!response.ok) throw await readRefusal(response);
    await readAtMost(response, drainBytes);
  }

  async #request(message: Request, options: TransportSendOptions): Promise<void> {
    this.#limiter.noteRequest(message);
    if (message.method === 'initialize') this.#handshakes.add(message.id);
    const { settled, signal } = this.#awaited.add(message, options.requestSignal);
    try {
      const reading = this.#readResponse(message, signal, options.headers);
      await Promise.race([reading, settled]);
      reading.catch(() => {});
    } catch (error) {
      const lastPage = isResponseError(error) && !signal.aborted ? this.#limiter.emptyLastPage(message.id) : undefined;
      if (!lastPage) throw error;
      this.onmessage?.(lastPage);
    } finally {
      this.#awaited.remove(message.id);
      this.#limiter.forget(message.id);
    }
  }

  async #readResponse(message: Request, signal: AbortSignal, headers: TransportSendOptions['headers']): Promise<void> {
    // The caller of a tool sets its timeout; other requests use the default.
    const isToolCall = message.method === 'tools/call' || message.method === 'tasks/result';
    const deadline = isToolCall ? toolCall.longest : undefined;
    const response = await this.#endpoint.request('POST', { message, headers, deadline, signal });
    if (message.method === 'initialize' && response.ok) {
      this.#endpoint.sessionId = readSessionId(response.headers.get('mcp-session-id'));
    }
    if (!response.ok) return await this.#readErrorResponse(response, message);
    const isPending = (): boolean => this.#awaited.has(message.id);
    switch (mediaType(response)) {
      case 'text/event-stream': {
        // The stateless protocol has no resumption.
        const resume = isStateless(message)
          ? undefined
          : (lastEventId: string) => this.#endpoint.request('GET', { lastEventId, signal });
        return await followStream(response, {
          onMessage: (data) => this.#receiveEvent(data),
          isPending,
          resume,
          refusal: readRefusal,
          signal: this.#endpoint.signal,
        });
      }
      case 'application/json': {
        const body = await readDocument(response);
        try {
          this.#receive(body, message.id);
        } catch (error) {
          throw (await hasSeveralJsonTexts(body))
            ? new InvalidResponse({ kind: 'several-texts' }, response.status)
            : error;
        }
        if (isPending() && (await hasSeveralJsonTexts(body)))
          throw new InvalidResponse({ kind: 'several-texts' }, response.status);
        if (isPending()) throw new SdkError(SdkErrorCode.InvalidResult, 'The response does not match the request');
        return;
      }
      default:
        // Some servers may send the response on their own listening stream.
        if (response.status === 202) {
          await readAtMost(response, drainBytes);
          if (this.listeningStream.isOpen) return await new Promise(() => {});
        } else {
          const body = await readDocument(response);
          if (this.#receiveUntyped(body, message.id)) return;
          if (isPage(body)) throw webPageError({ host: this.#host, status: response.status });
        }
        throw new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'Neither JSON nor an event stream');
    }
  }

  /** Tries to read the body as the response despite its content type. Returns whether it was one. */
  #receiveUntyped(body: Buffer, id: string | number): boolean {
    try {
      this.#receive(body, id);
    } catch {
      return false;
    }
    return !this.#awaited.has(id);
  }

  /**
   * An error status may carry the response: in the stateless protocol for some errors (MCP 2026-07-28, streamable
   * HTTP), and on many servers for any. For a refused handshake, first determine which protocol form the server speaks.
   */
  async #readErrorResponse(response: Response, message: Request): Promise<void> {
    const refusal = await readRefusal(response);
    const body = Buffer.from(String(refusal.data['text']));
    const isHandshake = message.method === 'initialize' || message.method === 'server/discover';
    if (!(response.status === 400 && isStateless(message)) && (isHandshake || !isErrorFor(body, message.id)))
      throw refusal;
    try {
      this.#receive(body, message.id);
    } catch {
      throw refusal;
    }
    if (this.#awaited.has(message.id)) throw refusal;
  }

  /** An invalid message does not block later ones. */
  #receiveEvent(data: Buffer): void {
    try {
      this.#receive(data);
    } catch {} // Not for us.
  }

  #receive(bytes: Buffer, fallbackId?: string | number): void {
    for (const received of this.#awaited.read(bytes, fallbackId, { wantsChanges: this.wantsChanges })) {
      const admitted = received.kind === 'message' ? this.#limiter.admit(received.message) : received;
      if (!admitted) continue;
      if (admitted.kind === 'refused') {
        const detail = { host: this.#endpoint.host };
        this.#awaited.settle(admitted.id, new UnusableResponse(admitted.code, { stage: 'connection', detail }));
        continue;
      }
      if (admitted.kind === 'beyond-bounds') {
        const error = { code: ProtocolErrorCode.InvalidRequest, message: 'The request is too large or too deep' };
        this.send({ jsonrpc: '2.0', id: admitted.id, error }).catch(() => {});
        continue;
      }
      if (isResponse(admitted.message)) {
        const { message } = admitted;
        const { id } = message;
        const isHandshake = this.#handshakes.delete(id) && 'result' in message;
        const mismatch = isHandshake ? findRevisionMismatch(message.result) : undefined;
        this.#awaited.settle(id, mismatch && new InvalidResponse(mismatch, 200));
        if (mismatch) continue;
      }
      this.onmessage?.(admitted.message);
    }
  }
}

/** Whether the request arrived but its response is invalid. Our other errors mean that it was not sent. */
function isResponseError(error: unknown): boolean {
  return error instanceof LostRequest || error instanceof UnusableResponse || !(error instanceof PosternError);
}

/** A response that is rejected. */
class UnusableResponse extends PosternError {}

/** Whether the body is a JSON-RPC error for this request id, or without an id (JSON-RPC 2.0, sections 5 and 5.1). */
function isErrorFor(body: Buffer, requestId: string | number): boolean {
  const { isJson, id, hasMethod, hasResult, hasError } = surveyJson(body);
  if (!isJson || hasMethod || hasResult || !hasError) return false;
  return (id === undefined || id === 'null' || matchesId(id, JSON.stringify(requestId))) && looksLikeJsonRpc(body);
}

/** The stream for unsolicited messages of a session-based server (MCP 2025-11-25, listening for messages). */
class ListeningStream {
  /** Resolves to whether the server has this stream. Errors: those of `fetch`, SdkError. */
  opened: Promise<boolean> = Promise.resolve(false);
  /** Resolves when the stream has ended. */
  ended: Promise<void> = Promise.resolve();
  isOpen = false;
  readonly #endpoint: McpEndpoint;
  readonly #onMessage: (data: Buffer) => void;
  #hasEnded = false;

  constructor(endpoint: McpEndpoint, onMessage: (data: Buffer) => void) {
    this.#endpoint = endpoint;
    this.#onMessage = onMessage;
  }

  open(): void {
    this.#hasEnded = false;
    const opening = openStream(this.#endpoint);
    this.opened = opening.then(Boolean);
    this.opened.catch(() => {});
    this.ended = opening
      .then(async (body) => await (body ? this.#read(body) : undefined))
      .catch(() => void (this.#hasEnded = true));
  }

  /** For a new listener: many hosts close such streams, and messages sent meanwhile are lost. */
  reopen(): void {
    if (this.#hasEnded) this.open();
  }

  async #read(body: NonNullable<Response['body']>): Promise<void> {
    this.isOpen = true;
    try {
      for await (const data of readEvents(body.getReader(), {})) this.#onMessage(data);
    } finally {
      this.isOpen = false;
      this.#hasEnded = true;
    }
  }
}

/** `null`: no such stream (405), as on many servers. */
async function openStream(endpoint: McpEndpoint): Promise<Response['body']> {
  const response = await endpoint.request('GET');
  if (response.ok && mediaType(response) === 'text/event-stream') return response.body;
  await readAtMost(response, drainBytes);
  if (response.status >= 500)
    throw new SdkError(SdkErrorCode.ClientHttpFailedToOpenStream, 'No stream for messages of the server');
  return null;
}

/** Responses to the server's own requests: a few are sent at once, a few wait, the rest are dropped. */
class ResponseQueue {
  readonly #waiting: (() => void)[] = [];
  #sending = 0;

  /** Sends it now, later or never. Errors: those of `send`. */
  async enqueue(send: () => Promise<void>): Promise<void> {
    if (this.#sending < serverRequests.concurrent) this.#sending += 1;
    else if (this.#waiting.length >= serverRequests.queued) return;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      await send();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#sending -= 1;
    }
  }
}

/** Cancellations being sent: one may be all that stops a tool. */
class Cancellations {
  readonly #sending = new Set<Promise<void>>();

  add(telling: Promise<void>): void {
    this.#sending.add(telling);
    telling.finally(() => this.#sending.delete(telling)).catch(() => {});
  }

  /** Waits briefly for the pending ones. */
  async flush(): Promise<void> {
    if (this.#sending.size === 0) return;
    const done = new AbortController();
    const timeout = pause(cancellationTimeout, undefined, { signal: done.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(this.#sending), timeout]);
    done.abort();
  }
}

/** The library would send the text of our error as the reason. */
function withPlainReason(message: JSONRPCMessage): JSONRPCMessage {
  if (!('params' in message)) return message;
  return { ...message, params: { ...message.params, reason: 'The client no longer waits for the response.' } };
}

/** A refusal as the library's error. Its text is only parsed, never shown. */
async function readRefusal(response: Response): Promise<SdkHttpError> {
  const { status, statusText } = response;
  const text = (await readAtMost(response, errorBodyBytes)).toString('utf8');
  const type = mediaType(response);
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Refused', { status, statusText, text, type });
}
