import { PosternError } from '../../errors/postern-error.ts';
import type { LocalProcessListener, LocalProcess } from '../../local-ports.ts';
import type { Clock } from '../../ports.ts';
import { bodyText } from '../http/mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from '../http/mcp-endpoint.ts';
import { handleLine } from '../messages/message-body.ts';
import {
  SharedStreamRequests,
  EventStreamWriter,
  UndeliveredMessages,
  withReplacedIds,
  withOriginalIds,
} from '../messages/event-stream-writer.ts';
import type { SharedStreamRequest, OriginalIds } from '../messages/event-stream-writer.ts';
import { surveyJson, withIdAt } from '../messages/survey-json.ts';
import { sessionHeader } from '../sse/sse-session.ts';

interface StdioOptions {
  /** Starts the server. Errors: PosternError. */
  readonly start: (listener: LocalProcessListener, signal: AbortSignal) => Promise<LocalProcess>;
  readonly clock: Pick<Clock, 'after'>;
  /** The error for a request without a response in time. */
  readonly timeoutError: () => PosternError;
}

export interface StdioTransport {
  readonly fetch: McpFetch;
  /** Ends the process; the next request starts another one. Never rejects. */
  restart(): Promise<void>;
  /** Ends the process for good. Never rejects. */
  close(): Promise<void>;
}

/**
 * A `fetch` that speaks streamable HTTP to the caller and stdio to the server. The process is the session: it starts
 * with the first request, and after it ends, requests that name it get 404, so that the caller starts a new one (MCP
 * 2025-11-25, stdio; session management 3 and 4).
 */
export function stdioTransport({ start, clock, timeoutError }: StdioOptions): StdioTransport {
  const end = new AbortController();
  let run: StdioRun | undefined;
  let starting: Promise<StdioRun> | undefined;

  async function startRun(): Promise<StdioRun> {
    const newRun = new StdioRun(() => {
      if (run === newRun) run = undefined;
    });
    const process = await start(newRun.listener, end.signal);
    newRun.begin(process);
    if (end.signal.aborted) {
      await newRun.stop();
      throw end.signal.reason;
    }
    if (!newRun.isOver) run = newRun;
    return newRun;
  }

  /** Concurrent callers wait for the same start. */
  async function ensureRunning(): Promise<StdioRun> {
    if (run) return run;
    end.signal.throwIfAborted();
    starting ??= startRun().finally(() => {
      starting = undefined;
    });
    return await starting;
  }

  /** One handshake per process: a second one starts a new process. */
  async function runForHandshake(): Promise<StdioRun> {
    if (run?.hasHandshake) {
      const previous = run;
      run = undefined;
      void previous.stop();
    }
    const fresh = await ensureRunning();
    fresh.hasHandshake = true;
    return fresh;
  }

  async function post(init: McpRequestInit, sessionId: string | null): Promise<Response> {
    const text = bodyText(init.body);
    const message = Buffer.from(text);
    const { id, hasMethod } = surveyJson(message);
    const line = text.replace(/[\r\n]+/gu, ' ');
    if (!hasMethod || id === undefined) {
      await run?.notify(line);
      return new Response(null, { status: 202 });
    }
    const current = sessionId === null && isInitialize(text) ? await runForHandshake() : await ensureRunning();
    const writer = await current.request({ id, message, line }, init);
    if (!writer) return new Response(null, { status: 400 });
    if (init.deadline !== undefined) {
      const stop = clock.after(init.deadline, () => writer.end(timeoutError()));
      void writer.started.then(stop);
    }
    return current.toStreamResponse(writer);
  }

  return {
    async fetch(_address, init = {}) {
      const sessionId = new Headers(init.headers).get(sessionHeader);
      if (sessionId !== null && sessionId !== run?.id) return new Response(null, { status: 404 });
      switch (init.method) {
        case 'POST':
          return await post(init, sessionId);
        case 'DELETE':
          await run?.stop();
          return new Response(null, { status: 200 });
        default:
          return run && sessionId !== null ? run.listen(init) : new Response(null, { status: 405 });
      }
    },
    async restart() {
      await run?.stop();
    },
    async close() {
      end.abort(new PosternError('USER_CANCELLED', { stage: 'local' }));
      await starting?.catch(() => {});
      await run?.stop();
    },
  };
}

function isInitialize(text: string): boolean {
  if (!/"initialize"/u.test(text)) return false;
  const message: unknown = JSON.parse(text);
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}

/** One process of a local server as a streamable HTTP session: each message goes to the request it belongs to. */
class StdioRun {
  readonly id = crypto.randomUUID();
  /** An `initialize` has been sent: there is one per process. */
  hasHandshake = false;
  readonly #pending = new SharedStreamRequests();
  readonly #undelivered = new UndeliveredMessages();
  #listener: EventStreamWriter | undefined;
  /** An abandoned request may still be answered. */
  #hasAbandonedRequest = false;
  #process: LocalProcess | undefined;
  #isOver = false;
  readonly #onEnd: () => void;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  readonly listener: LocalProcessListener = {
    onLine: (bytes) => handleLine(bytes, (message) => this.#handleMessage(message)),
    onTooLong: (beginning) => this.#refuseLong(beginning),
    onEnd: (error) => this.#end(error),
  };

  begin(process: LocalProcess): void {
    this.#process = process;
  }

  /** Sends a message without a response. */
  async notify(line: string): Promise<void> {
    await this.#process?.send(line);
  }

  /**
   * Sends a request and returns a stream with its messages. `undefined`: its id is already in use in this session. The
   * stateless protocol has no sessions: there, unrelated requests may share an id.
   */
  async request(outgoing: OutgoingRequest, { signal }: McpRequestInit): Promise<EventStreamWriter | undefined> {
    const isInFlight = this.#pending.has(outgoing.id);
    if (isInFlight && this.hasHandshake) return undefined;
    const { id, message, line, originalIds } = isInFlight ? withUniqueId(outgoing) : outgoing;
    const writer = this.#openWriter(signal, () => {
      // In a session the caller sends the cancellation; a stateless caller only closes the stream (MCP 2026-07-28).
      if (!this.#pending.remove(id)) return;
      this.#hasAbandonedRequest = true;
      if (!this.hasHandshake && !this.#isOver) void this.#sendCancelled(id);
    });
    this.#pending.add({ id, originalIds, writer, isHandshake: false }, message);
    await this.#process?.send(line);
    return writer;
  }

  /** Unsolicited messages from the server, for the latest listener. */
  listen({ signal }: McpRequestInit): Response {
    this.#listener?.end();
    const writer = this.#openWriter(signal, () => {
      if (this.#listener === writer) this.#listener = undefined;
    });
    this.#listener = writer;
    return this.toStreamResponse(writer);
  }

  toStreamResponse({ body }: EventStreamWriter): Response {
    return new Response(body, { headers: { 'content-type': 'text/event-stream', [sessionHeader]: this.id } });
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  async #handleMessage(data: Buffer): Promise<'message' | 'noise'> {
    const { id, idAt, hasId, isJson, hasMethod, hasResult, hasError } = surveyJson(data);
    if (!isJson || !(hasMethod || hasResult || hasError)) return 'noise';
    if (hasMethod) {
      await this.#deliverOther(data);
      return 'message';
    }
    const hasNoId = !hasId || id === 'null';
    const pending = hasNoId ? this.#takeOnlyPending() : this.#pending.take(id ?? '');
    if (!pending) return 'message';
    const { writer, originalIds } = pending;
    await writer.put(
      originalIds ? withOriginalIds(data, originalIds) : hasNoId ? withIdAt(data, idAt, pending.id) : data,
    );
    writer.end();
    return 'message';
  }

  /** The only pending request, which a response without an id must belong to. */
  #takeOnlyPending(): SharedStreamRequest | undefined {
    const [only, ...others] = this.#pending.all();
    return only && others.length === 0 && !this.#hasAbandonedRequest ? this.#pending.take(only.id) : undefined;
  }

  async #deliverOther(data: Buffer): Promise<void> {
    const writer = this.#pending.writerFor(data, this.#listener);
    if (writer) await writer.put(this.#pending.restoreIds(data));
    else this.#undelivered.add(data);
  }

  /** Fails the request that the overlong response belongs to; if its id was cut off, nothing can be reported. */
  #refuseLong(beginning: Buffer): void {
    const { id, hasMethod } = surveyJson(beginning);
    const pending = id === undefined || hasMethod ? undefined : this.#pending.take(id);
    pending?.writer.add(tooLong(pending.originalIds?.id ?? pending.id));
    pending?.writer.end();
  }

  #end(error: PosternError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { writer } of this.#pending.all()) writer.end(error);
    this.#listener?.end();
    this.#onEnd();
  }

  async #sendCancelled(id: string): Promise<void> {
    await this.notify(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  }

  #openWriter(signal: McpRequestInit['signal'], onOver: () => void): EventStreamWriter {
    const writer = new EventStreamWriter(signal, onOver);
    for (const message of this.#undelivered.drain()) writer.add(message);
    return writer;
  }
}

interface OutgoingRequest {
  readonly id: string;
  readonly message: Buffer;
  /** The message on one line. */
  readonly line: string;
  readonly originalIds?: OriginalIds;
}

/** Gives the request a unique id. */
function withUniqueId({ message }: OutgoingRequest): OutgoingRequest {
  const id = `postern:${crypto.randomUUID()}`;
  const { request, originalIds } = withReplacedIds(message, id);
  return { id: JSON.stringify(id), message: request, line: request.toString('utf8'), originalIds };
}

function tooLong(id: string): Buffer {
  const error = { code: -32_603, message: 'The response of this server is too long.' };
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
}
