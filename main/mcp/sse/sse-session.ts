import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { deadline, drainBytes, sessionEndTimeout, urlLength } from '../../limits.ts';
import { endpointEvent } from '../../oauth/http/mcp-request.ts';
import type { Clock } from '../../ports.ts';
import { normalizeEndedSession } from '../http/ended-session.ts';
import { bodyText } from '../http/mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from '../http/mcp-endpoint.ts';
import { readAtMost, readEvents } from '../messages/message-body.ts';
import { mediaType } from '../messages/message-headers.ts';
import { SharedStreamRequests, EventStreamWriter, UndeliveredMessages } from '../messages/event-stream-writer.ts';
import { surveyJson } from '../messages/survey-json.ts';

/** Session header of streamable HTTP; HTTP+SSE itself has no header for it. */
export const sessionHeader = 'mcp-session-id';

export interface SseSessionOptions {
  readonly address: CheckedAddress;
  readonly fetch: McpFetch;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * One session with an HTTP+SSE server (MCP 2024-11-05): the stream that all its messages arrive on, and the endpoint
 * that takes ours. Each response goes to the request it answers; a bounded number of other messages waits for a reader.
 */
export class SseSession {
  readonly id = crypto.randomUUID();
  readonly #options: SseSessionOptions;
  readonly #end = new AbortController();
  readonly #endpoint = Promise.withResolvers<CheckedAddress>();
  readonly #pending = new SharedStreamRequests();
  #listener: EventStreamWriter | undefined;
  readonly #undelivered = new UndeliveredMessages();
  #hasEndpoint = false;

  constructor(options: SseSessionOptions) {
    this.#options = options;
    this.#endpoint.promise.catch(() => {});
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /**
   * Opens the stream; `none`: the server has no such stream, `silent`: its first event does not arrive. Errors: those
   * of `fetch`, ENDPOINT_REFUSED.
   */
  async open(): Promise<'open' | 'none' | 'silent'> {
    const { address, fetch, clock } = this.#options;
    const headers = { accept: 'text/event-stream' };
    const { signal } = this.#end;
    const response = await fetch(address, { method: 'GET', headers, signal, deadline: deadline.mcpHeaders });
    if (!response.ok || mediaType(response) !== 'text/event-stream' || !response.body) {
      await readAtMost(response, drainBytes);
      return 'none';
    }
    const stop = clock.after(deadline.sseEndpoint, () => this.close(new NoEndpoint('silent')));
    this.#read(response.body.getReader()).then(
      () => this.close(),
      (error: unknown) => this.close(error),
    );
    try {
      await this.#endpoint.promise;
      return 'open';
    } catch (error) {
      if (error instanceof NoEndpoint) return error.reason;
      throw error;
    } finally {
      stop();
    }
  }

  /** Sends a message. For a request, returns a stream with its messages. Errors: those of `fetch`. */
  async post(init: McpRequestInit, isHandshake = false): Promise<Response> {
    const message = Buffer.from(bodyText(init.body));
    const { id, hasMethod } = surveyJson(message);
    if (!hasMethod || id === undefined) return await this.#send(init);
    // Their responses would be indistinguishable.
    if (this.#pending.has(id)) return new Response(null, { status: 400 });
    const writer = this.#openWriter(init.signal, () => {
      const wasPending = this.#pending.remove(id);
      // An abandoned handshake starts no session.
      if (wasPending && isHandshake) this.close();
    });
    this.#pending.add({ id, writer, isHandshake }, message);
    const sending = this.#send(init, isHandshake);
    const refusal = sending.then((sent) => (sent.ok ? undefined : sent));
    try {
      const refusedResponse =
        (await Promise.race([refusal, writer.started])) ?? (await this.#awaitLateRefusal(refusal));
      if (refusedResponse) {
        writer.end();
        return refusedResponse;
      }
      // The POST response no longer matters.
      sending.then(({ body }) => body?.cancel()).catch(() => {});
      return toStreamResponse(writer, this.id);
    } catch (error) {
      writer.end();
      throw error;
    }
  }

  /**
   * A server that has dropped the session ends its stream and refuses the message at the same time: wait briefly for
   * the refusal.
   */
  async #awaitLateRefusal(refusal: Promise<Response | undefined>): Promise<Response | undefined> {
    if (!this.isOver) return undefined;
    const timeout = Promise.withResolvers<undefined>();
    const stop = this.#options.clock.after(sessionEndTimeout, () => timeout.resolve(undefined));
    return await Promise.race([refusal, timeout.promise]).finally(stop);
  }

  /** Unsolicited messages from the server, for the latest listener. */
  listen({ signal }: McpRequestInit): Response {
    this.#listener?.end();
    const writer = this.#openWriter(signal, () => {
      if (this.#listener === writer) this.#listener = undefined;
    });
    this.#listener = writer;
    return toStreamResponse(writer, this.id);
  }

  /** Ends the stream and every pending request on it. `error`: the reason. */
  close(error?: unknown): void {
    if (this.isOver) return;
    this.#end.abort();
    this.#endpoint.reject(error ?? new NoEndpoint('none'));
    for (const { writer } of this.#pending.all()) writer.end(error);
    this.#listener?.end(error);
  }

  async #send({ headers: initHeaders, ...init }: McpRequestInit, isHandshake = false): Promise<Response> {
    const { address: namedBy, fetch } = this.#options;
    const headers = new Headers(initHeaders);
    headers.delete(sessionHeader);
    const response = await fetch(await this.#endpoint.promise, { ...init, headers, namedBy });
    if (!response.ok)
      return isHandshake ? response : await normalizeEndedSession(response, { message: init.body, hasServed: false });
    // Some send "Accepted" as body; the actual response comes on the stream.
    await readAtMost(response, drainBytes);
    return new Response(null, { status: 202 });
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    for await (const data of readEvents(reader, {}, undefined, (name, text) => this.#setEndpoint(name, text))) {
      // MCP 2024-11-05: the first event is the endpoint; otherwise it is another kind of stream.
      if (!this.#hasEndpoint) return;
      await this.#deliver(data);
    }
  }

  /** Only the first counts: a session has one endpoint. */
  #setEndpoint(name: string, data: Buffer): void {
    if (this.#hasEndpoint || name !== endpointEvent) return;
    this.#hasEndpoint = true;
    this.#endpoint.resolve(resolveEndpoint(data.toString('utf8'), this.#options.address));
  }

  async #deliver(data: Buffer): Promise<void> {
    const { id, hasMethod, hasResult } = surveyJson(data);
    if (hasMethod) return await this.#deliverOther(data);
    const pending = id === undefined ? undefined : this.#pending.take(id);
    if (!pending) return;
    await pending.writer.put(data);
    pending.writer.end();
    if (pending.isHandshake && !hasResult) this.close();
  }

  async #deliverOther(data: Buffer): Promise<void> {
    const writer = this.#pending.writerFor(data, this.#listener);
    if (writer) await writer.put(data);
    else this.#undelivered.add(data);
  }

  #openWriter(signal: McpRequestInit['signal'], onOver: () => void): EventStreamWriter {
    const writer = new EventStreamWriter(signal, onOver);
    for (const message of this.#undelivered.drain()) writer.add(message);
    return writer;
  }
}

/** The stream is not an HTTP+SSE stream. */
class NoEndpoint extends Error {
  readonly reason: 'none' | 'silent';

  constructor(reason: NoEndpoint['reason']) {
    super(reason);
    this.reason = reason;
  }
}

function toStreamResponse({ body }: EventStreamWriter, id: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream', [sessionHeader]: id } });
}

/**
 * The message endpoint named by the `endpoint` event of the stream at `stream` (MCP 2024-11-05). It must be on the same
 * origin, since a credential goes there. Errors: ENDPOINT_REFUSED.
 */
function resolveEndpoint(endpoint: string, stream: CheckedAddress): CheckedAddress {
  const from = new URL(stream);
  const url = URL.parse(endpoint.trim(), stream);
  const isSameOrigin =
    endpoint.trim() !== '' && url !== null && url.origin === from.origin && url.username === '' && url.password === '';
  const address = isSameOrigin ? atSameOrigin(stream, url.pathname, url.search) : undefined;
  if (address === undefined || address.length > urlLength.received) {
    throw new PosternError('ENDPOINT_REFUSED', { stage: 'connection', detail: { host: from.host } });
  }
  return address;
}
