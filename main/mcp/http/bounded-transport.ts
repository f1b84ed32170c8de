import { setTimeout as pause } from 'node:timers/promises';
import { ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { isAbout } from '../../../shared/error-facts.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import { cancellationTime, leftoverBytes, refusalBytes, serverQuestions, sessionEnd, toolCall } from '../../limits.ts';
import { MessageBound } from '../messages/bound-message.ts';
import type { AsWritten } from '../messages/exact-json.ts';
import { isPage, readAtMost, readDocument, readEvents } from '../messages/message-body.ts';
import { isModern, meansId, mediaType, readSessionId } from '../messages/message-headers.ts';
import { AwaitedRequests, isAnswer, isRequest } from '../messages/read-messages.ts';
import type { Request } from '../messages/read-messages.ts';
import { surveyJson } from '../messages/survey-json.ts';
import { followStream } from './follow-stream.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { McpFetch } from './mcp-endpoint.ts';
import { WrongAnswer } from './mcp-failure.ts';
import { areSeveralTexts, isOfRpc, pageAnswer, wrongRevision } from './refused-answer.ts';

/**
 * Streamable HTTP (MCP 2025-11-25 and 2026-07-28), with a bound on all that a server can make us hold, do and wait for.
 * A request fails at once when its answer cannot come any more. Redirects, credentials and times are the fetch's.
 */
export class BoundedTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport['onmessage'];
  /** What tells a server of the stateless wire that nobody waits any more is the end of the request's stream. */
  readonly hasPerRequestStream = true;
  readonly ownStream: OwnStream;
  /** Whether somebody wants to know what the server says has changed. */
  hearsChanges = false;
  readonly #endpoint: McpEndpoint;
  readonly #host: string;
  readonly #asked: AwaitedRequests;
  readonly #bound = new MessageBound();
  /** Ids of `initialize` without an answer. */
  readonly #handshakes = new Set<string | number>();
  readonly #questions = new AnswerQueue();
  readonly #cancelling = new Cancellations();

  constructor(
    address: CheckedAddress,
    options: { readonly fetch: McpFetch; readonly asWritten?: AsWritten | undefined },
  ) {
    this.#asked = new AwaitedRequests(options.asWritten);
    this.#endpoint = new McpEndpoint(address, options.fetch);
    this.#host = new URL(address).host;
    this.ownStream = new OwnStream(this.#endpoint, (data) => this.#takeEvent(data));
  }

  get sessionId(): string | undefined {
    return this.#endpoint.sessionId;
  }

  /** Whether entries of the newest listing by `method` were left out. */
  isPartial(method: string): boolean {
    return this.#bound.isPartial(method);
  }

  /** What the newest answer to this method has that nobody can use. */
  unusable(method: string): readonly UnusablePart[] {
    return this.#bound.unusable(method);
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#endpoint.version = version;
  }

  async close(): Promise<void> {
    await this.#cancelling.settled();
    this.#endpoint.end();
    this.onclose?.();
  }

  /**
   * Of a request: resolves once it is answered. Errors: SdkHttpError, those of `fetch`, and for an answer of no use.
   */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isAnswer(message)) return await this.#questions.answer(() => this.#tell(message));
    if (isRequest(message)) return await this.#ask(message, options);
    const method = 'method' in message ? message.method : '';
    const isCancellation = method === 'notifications/cancelled';
    const telling = this.#tell(isCancellation ? withPlainReason(message) : message);
    if (isCancellation) {
      this.#cancelling.add(telling);
      // Only then: without that word a server may take the end of the exchange for one to go on from.
      telling.finally(this.#asked.ending(message)).catch(() => {});
    }
    if (method !== 'notifications/initialized') return await telling;
    await telling.catch((error: unknown) => {
      // A server that has no answer for it can still do its work: what comes next shows that.
      const isUnheard = error instanceof PosternError && isAbout(error, 'broken-connection');
      if (!(error instanceof SdkHttpError) && !isUnheard) throw error;
    });
    this.ownStream.open();
  }

  /**
   * Ends the session, where there is one (MCP 2025-11-25, session management 5). Errors: those of `fetch`, also where
   * the server takes too long.
   */
  async endSession(): Promise<void> {
    if (this.sessionId === undefined) return;
    await readAtMost(await this.#endpoint.request('DELETE', { signal: AbortSignal.timeout(sessionEnd) }), 0);
    this.#endpoint.sessionId = undefined;
  }

  async #tell(message: JSONRPCMessage): Promise<void> {
    const response = await this.#endpoint.request('POST', { message });
    if (!response.ok) throw await readRefusal(response);
    await readAtMost(response, leftoverBytes);
  }

  async #ask(message: Request, options: TransportSendOptions): Promise<void> {
    this.#bound.asks(message);
    if (message.method === 'initialize') this.#handshakes.add(message.id);
    const { answered, signal } = this.#asked.add(message, options.requestSignal);
    try {
      const asking = this.#readAnswer(message, signal, options.headers);
      await Promise.race([asking, answered]);
      asking.catch(() => {});
    } catch (error) {
      const last = isOfAnswer(error) && !signal.aborted ? this.#bound.asLastPage(message.id) : undefined;
      if (!last) throw error;
      this.onmessage?.(last);
    } finally {
      this.#asked.remove(message.id);
      this.#bound.forget(message.id);
    }
  }

  async #readAnswer(message: Request, signal: AbortSignal, headers: TransportSendOptions['headers']): Promise<void> {
    // Whoever calls a tool says for how long; any other answer is due in the usual time.
    const isOfTool = message.method === 'tools/call' || message.method === 'tasks/result';
    const deadline = isOfTool ? toolCall.longest : undefined;
    const response = await this.#endpoint.request('POST', { message, headers, deadline, signal });
    if (message.method === 'initialize' && response.ok) {
      this.#endpoint.sessionId = readSessionId(response.headers.get('mcp-session-id'));
    }
    if (!response.ok) return await this.#readRefused(response, message);
    const isOpen = (): boolean => this.#asked.has(message.id);
    switch (mediaType(response)) {
      case 'text/event-stream': {
        // The stateless wire has no way to take a stream up again.
        const resume = isModern(message)
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
          throw (await areSeveralTexts(body)) ? new WrongAnswer({ kind: 'several-texts' }, response.status) : error;
        }
        if (isOpen() && (await areSeveralTexts(body)))
          throw new WrongAnswer({ kind: 'several-texts' }, response.status);
        if (isOpen()) throw new SdkError(SdkErrorCode.InvalidResult, 'The answer is not to the request');
        return;
      }
      default:
        // Some server may send the answer on the stream that it sends its own messages on.
        if (response.status === 202) {
          await readAtMost(response, leftoverBytes);
          if (this.ownStream.isOpen) return await new Promise(() => {});
        } else {
          const body = await readDocument(response);
          if (this.#isUnnamedAnswer(body, message.id)) return;
          if (isPage(body)) throw pageAnswer({ host: this.#host, status: response.status });
        }
        throw new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'Neither JSON nor an event stream');
    }
  }

  /** Whether it is the answer all the same, under a type that says something else. */
  #isUnnamedAnswer(body: Buffer, id: string | number): boolean {
    try {
      this.#take(body, id);
    } catch {
      return false;
    }
    return !this.#asked.has(id);
  }

  /**
   * A status that says no may come with the answer: on the stateless wire with some errors (MCP 2026-07-28, streamable
   * HTTP), and of many servers with any. What a handshake is refused with says first which wire the server speaks.
   */
  async #readRefused(response: Response, message: Request): Promise<void> {
    const refusal = await readRefusal(response);
    const body = Buffer.from(String(refusal.data['text']));
    const isHandshake = message.method === 'initialize' || message.method === 'server/discover';
    if (!(response.status === 400 && isModern(message)) && (isHandshake || !isError(body, message.id))) throw refusal;
    try {
      this.#take(body, message.id);
    } catch {
      throw refusal;
    }
    if (this.#asked.has(message.id)) throw refusal;
  }

  /** What is no message on this stream hides none that comes after it. */
  #takeEvent(data: Buffer): void {
    try {
      this.#take(data);
    } catch {} // Not for us.
  }

  #take(came: Buffer, whole?: string | number): void {
    for (const read of this.#asked.read(came, whole, { hearsChanges: this.hearsChanges })) {
      const admitted = read.kind === 'message' ? this.#bound.admit(read.message) : read;
      if (!admitted) continue;
      if (admitted.kind === 'refused') {
        const detail = { host: this.#endpoint.host };
        this.#asked.settle(admitted.id, new UnusableAnswer(admitted.code, { stage: 'connection', detail }));
        continue;
      }
      if (admitted.kind === 'beyond-bounds') {
        const error = { code: ProtocolErrorCode.InvalidRequest, message: 'The request is too large or too deep' };
        this.send({ jsonrpc: '2.0', id: admitted.id, error }).catch(() => {});
        continue;
      }
      if (isAnswer(admitted.message)) {
        const { message } = admitted;
        const { id } = message;
        const isHandshake = this.#handshakes.delete(id) && 'result' in message;
        const wrong = isHandshake ? wrongRevision(message.result) : undefined;
        this.#asked.settle(id, wrong && new WrongAnswer(wrong, 200));
        if (wrong) continue;
      }
      this.onmessage?.(admitted.message);
    }
  }
}

/** Whether the request has arrived, and what came for it is no answer. Errors of ours besides say that it was not sent. */
function isOfAnswer(error: unknown): boolean {
  return error instanceof LostRequest || error instanceof UnusableAnswer || !(error instanceof PosternError);
}

/** An answer that is not taken. */
class UnusableAnswer extends PosternError {}

/** Whether it is a JSON-RPC error about the request with this id, or without one (JSON-RPC 2.0, sections 5 and 5.1). */
function isError(body: Buffer, asked: string | number): boolean {
  const { isJson, id, hasMethod, hasResult, hasError } = surveyJson(body);
  if (!isJson || hasMethod || hasResult || !hasError) return false;
  return (id === undefined || id === 'null' || meansId(id, JSON.stringify(asked))) && isOfRpc(body);
}

/** The stream that a server with sessions sends its own messages on (MCP 2025-11-25, listening for messages). */
class OwnStream {
  /** Resolves once the server has answered whether it has one. Errors: those of `fetch`, SdkError. */
  opened: Promise<boolean> = Promise.resolve(false);
  /** Resolves when nothing more comes on it. */
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

  /** For somebody who waits for what comes on it: many hosts let no stream last, and what came meanwhile is lost. */
  openAgain(): void {
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

/** `null`: many servers have none (405). */
async function openStream(endpoint: McpEndpoint): Promise<Response['body']> {
  const response = await endpoint.request('GET');
  if (response.ok && mediaType(response) === 'text/event-stream') return response.body;
  await readAtMost(response, leftoverBytes);
  if (response.status >= 500)
    throw new SdkError(SdkErrorCode.ClientHttpFailedToOpenStream, 'No stream for messages of the server');
  return null;
}

/** Answers to a server's own questions: a few under way at once, a few that wait, and no more. */
class AnswerQueue {
  readonly #waiting: (() => void)[] = [];
  #answering = 0;

  /** Sends it now, later, or not at all. Errors: those of `send`. */
  async answer(send: () => Promise<void>): Promise<void> {
    if (this.#answering < serverQuestions.atOnce) this.#answering += 1;
    else if (this.#waiting.length >= serverQuestions.waiting) return;
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

/** Cancellations on their way to a server: one may be all that stops a tool. */
class Cancellations {
  readonly #sending = new Set<Promise<void>>();

  add(telling: Promise<void>): void {
    this.#sending.add(telling);
    telling.finally(() => this.#sending.delete(telling)).catch(() => {});
  }

  /** Waits a moment for those that have not arrived. */
  async settled(): Promise<void> {
    if (this.#sending.size === 0) return;
    const enough = new AbortController();
    const waiting = pause(cancellationTime, undefined, { signal: enough.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(this.#sending), waiting]);
    enough.abort();
  }
}

/** The library would write down the error of ours that ended the request. */
function withPlainReason(message: JSONRPCMessage): JSONRPCMessage {
  if (!('params' in message)) return message;
  return { ...message, params: { ...message.params, reason: 'The client no longer waits for the answer.' } };
}

/** What a server says no with, as the library knows it. The text is for its own reading alone. */
async function readRefusal(response: Response): Promise<SdkHttpError> {
  const { status, statusText } = response;
  const text = (await readAtMost(response, refusalBytes)).toString('utf8');
  const type = mediaType(response);
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Refused', { status, statusText, text, type });
}
