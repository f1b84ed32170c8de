import { setTimeout as pause } from 'node:timers/promises';
import { ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { isAbout } from '../../../shared/error-facts.ts';
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
import { MessageBound } from '../messages/bound-message.ts';
import type { AsWritten } from '../messages/exact-json.ts';
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
 * Streamable HTTP (MCP 2025-11-25 and 2026-07-28) with bounds on everything a server can make us hold, do and wait for.
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
  readonly #bound = new MessageBound();
  /** Ids of pending `initialize` requests. */
  readonly #handshakes = new Set<string | number>();
  readonly #responses = new ResponseQueue();
  readonly #cancelling = new Cancellations();

  constructor(
    address: CheckedAddress,
    options: { readonly fetch: McpFetch; readonly asWritten?: AsWritten | undefined },
  ) {
    this.#awaited = new AwaitedRequests(options.asWritten);
    this.#endpoint = new McpEndpoint(address, options.fetch);
    this.#host = new URL(address).host;
    this.listeningStream = new ListeningStream(this.#endpoint, (data) => this.#takeEvent(data));
  }

  get sessionId(): string | undefined {
    return this.#endpoint.sessionId;
  }

  /** Whether entries of the latest listing by `method` were left out. */
  isPartial(method: string): boolean {
    return this.#bound.isPartial(method);
  }

  /** Unusable parts of the latest response to this method. */
  unusable(method: string): readonly UnusablePart[] {
    return this.#bound.unusable(method);
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
    const telling = this.#notify(isCancellation ? withPlainReason(message) : message);
    if (isCancellation) {
      this.#cancelling.add(telling);
      // Not earlier: without the cancellation a server may treat the closed stream as one to resume.
      telling.finally(this.#awaited.aborterFor(message)).catch(() => {});
    }
    if (method !== 'notifications/initialized') return await telling;
    await telling.catch((error: unknown) => {
      // A server that rejects it may still work: the next request shows.
      const isUnheard = error instanceof PosternError && isAbout(error, 'broken-connection');
      if (!(error instanceof SdkHttpError) && !isUnheard) throw error;
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
    this.#bound.noteRequest(message);
    if (message.method === 'initialize') this.#handshakes.add(message.id);
    const { answered, signal } = this.#awaited.add(message, options.requestSignal);
    try {
      const asking = this.#readResponse(message, signal, options.headers);
      await Promise.race([asking, answered]);
      asking.catch(() => {});
    } catch (error) {
      const last = isResponseError(error) && !signal.aborted ? this.#bound.emptyLastPage(message.id) : undefined;
      if (!last) throw error;
      this.onmessage?.(last);
    } finally {
      this.#awaited.remove(message.id);
      this.#bound.forget(message.id);
    }
  }

  async #readResponse(message: Request, signal: AbortSignal, headers: TransportSendOptions['headers']): Promise<void> {
    // The caller of a tool sets its timeout; other requests use the default.
    const isOfTool = message.method === 'tools/call' || message.method === 'tasks/result';
    const deadline = isOfTool ? toolCall.longest : undefined;
    const response = await this.#endpoint.request('POST', { message, headers, deadline, signal });
    if (message.method === 'initialize' && response.ok) {
      this.#endpoint.sessionId = readSessionId(response.headers.get('mcp-session-id'));
    }
    if (!response.ok) return await this.#readErrorResponse(response, message);
    const isOpen = (): boolean => this.#awaited.has(message.id);
    switch (mediaType(response)) {
      case 'text/event-stream': {
        // The stateless protocol has no resumption.
        const resume = isStateless(message)
          ? undefined
          : (lastEventId: string) => this.#endpoint.request('GET', { lastEventId, signal });
        return await followStream(response, {
          take: (data) => this.#takeEvent(data),
          isOpen,
          resume,
          refusal: readRefusal,
          signal: this.#endpoint.signal,
        });
      }
      case 'application/json': {
        const body = await readDocument(response);
        try {
          this.#take(body, message.id);
        } catch (error) {
          throw (await hasSeveralJsonTexts(body))
            ? new InvalidResponse({ kind: 'several-texts' }, response.status)
            : error;
        }
        if (isOpen() && (await hasSeveralJsonTexts(body)))
          throw new InvalidResponse({ kind: 'several-texts' }, response.status);
        if (isOpen()) throw new SdkError(SdkErrorCode.InvalidResult, 'The response does not match the request');
        return;
      }
      default:
        // Some servers may send the response on their own listening stream.
        if (response.status === 202) {
          await readAtMost(response, drainBytes);
          if (this.listeningStream.isOpen) return await new Promise(() => {});
        } else {
          const body = await readDocument(response);
          if (this.#takeUntyped(body, message.id)) return;
          if (isPage(body)) throw webPageError({ host: this.#host, status: response.status });
        }
        throw new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'Neither JSON nor an event stream');
    }
  }

  /** Takes the body as the response despite its content type. Returns whether it was. */
  #takeUntyped(body: Buffer, id: string | number): boolean {
    try {
      this.#take(body, id);
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
      this.#take(body, message.id);
    } catch {
      throw refusal;
    }
    if (this.#awaited.has(message.id)) throw refusal;
  }

  /** An invalid message does not block later ones. */
  #takeEvent(data: Buffer): void {
    try {
      this.#take(data);
    } catch {} // Not for us.
  }

  #take(bytes: Buffer, whole?: string | number): void {
    for (const read of this.#awaited.read(bytes, whole, { wantsChanges: this.wantsChanges })) {
      const admitted = read.kind === 'message' ? this.#bound.admit(read.message) : read;
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
        const wrong = isHandshake ? findRevisionMismatch(message.result) : undefined;
        this.#awaited.settle(id, wrong && new InvalidResponse(wrong, 200));
        if (wrong) continue;
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
  readonly #take: (data: Buffer) => void;
  #hasEnded = false;

  constructor(endpoint: McpEndpoint, take: (data: Buffer) => void) {
    this.#endpoint = endpoint;
    this.#take = take;
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
      for await (const data of readEvents(body.getReader(), {})) this.#take(data);
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

/** Responses to the server's own requests: a few are sent at once, a few wait, the rest is dropped. */
class ResponseQueue {
  readonly #waiting: (() => void)[] = [];
  #answering = 0;

  /** Sends it now, later or never. Errors: those of `send`. */
  async enqueue(send: () => Promise<void>): Promise<void> {
    if (this.#answering < serverRequests.concurrent) this.#answering += 1;
    else if (this.#waiting.length >= serverRequests.queued) return;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      await send();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#answering -= 1;
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
    const enough = new AbortController();
    const waiting = pause(cancellationTimeout, undefined, { signal: enough.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(this.#sending), waiting]);
    enough.abort();
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
