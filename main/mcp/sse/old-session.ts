import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { deadline, leftoverBytes, sessionEnd, urlLength } from '../../limits.ts';
import { endpointEvent } from '../../oauth/wire/mcp-request.ts';
import type { Clock } from '../../ports.ts';
import { asEndedSession } from '../http/ended-session.ts';
import { textOf } from '../http/mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from '../http/mcp-endpoint.ts';
import { readAtMost, readEvents } from '../messages/message-body.ts';
import { mediaType } from '../messages/message-headers.ts';
import { AskedRequests, MessageOutlet, UnheardMessages } from '../messages/message-outlet.ts';
import { surveyJson } from '../messages/survey-json.ts';

/** The session of a streamable HTTP request, which the old transport has no field for. */
export const sessionField = 'mcp-session-id';

export interface OldSessionOptions {
  readonly address: CheckedAddress;
  readonly fetch: McpFetch;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * One session with a server of MCP 2024-11-05: the stream that all its messages come on, and the address that it
 * takes ours at. Each message goes to whoever asked for it, and of what nobody asked for so much waits for a reader.
 */
export class OldSession {
  readonly id = crypto.randomUUID();
  readonly #options: OldSessionOptions;
  readonly #end = new AbortController();
  readonly #endpoint = Promise.withResolvers<CheckedAddress>();
  readonly #asked = new AskedRequests();
  #listener: MessageOutlet | undefined;
  readonly #unheard = new UnheardMessages();
  #isNamed = false;

  constructor(options: OldSessionOptions) {
    this.#options = options;
    this.#endpoint.promise.catch(() => {});
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /**
   * Opens the stream; `none`: the server has none of this kind, `silent`: its first event does not come. Errors: those
   * of `fetch`, ENDPOINT_REFUSED.
   */
  async open(): Promise<'open' | 'none' | 'silent'> {
    const { address, fetch, clock } = this.#options;
    const headers = { accept: 'text/event-stream' };
    const { signal } = this.#end;
    const response = await fetch(address, { method: 'GET', headers, signal, deadline: deadline.mcpHeaders });
    if (!response.ok || mediaType(response) !== 'text/event-stream' || !response.body) {
      await readAtMost(response, leftoverBytes);
      return 'none';
    }
    const stop = clock.after(deadline.oldEndpoint, () => this.close(new NoEndpoint('silent')));
    this.#read(response.body.getReader()).then(
      () => this.close(),
      (error: unknown) => this.close(error),
    );
    try {
      await this.#endpoint.promise;
      return 'open';
    } catch (error) {
      if (error instanceof NoEndpoint) return error.why;
      throw error;
    } finally {
      stop();
    }
  }

  /** Sends a message; the answer to a request is a stream with what comes for it. Errors: those of `fetch`. */
  async post(init: McpRequestInit, isHandshake = false): Promise<Response> {
    const message = Buffer.from(textOf(init.body));
    const { id, hasMethod } = surveyJson(message);
    if (!hasMethod || id === undefined) return await this.#send(init);
    // Nobody could tell their answers apart.
    if (this.#asked.has(id)) return new Response(null, { status: 400 });
    const outlet = this.#openOutlet(init.signal, () => {
      const wasAsked = this.#asked.remove(id);
      // A handshake that nobody waits for any more begins nothing.
      if (wasAsked && isHandshake) this.close();
    });
    this.#asked.add({ id, outlet, isHandshake }, message);
    const sending = this.#send(init, isHandshake);
    const refusing = sending.then((sent) => (sent.ok ? undefined : sent));
    try {
      const refused = (await Promise.race([refusing, outlet.begun])) ?? (await this.#refusedAtEnd(refusing));
      if (refused) {
        outlet.end();
        return refused;
      }
      // Whatever is said of it now says nothing to anybody.
      sending.then(({ body }) => body?.cancel()).catch(() => {});
      return asStream(outlet, this.id);
    } catch (error) {
      outlet.end();
      throw error;
    }
  }

  /** A server that has forgotten the session ends its stream, and says so of the message in the same moment. */
  async #refusedAtEnd(refusing: Promise<Response | undefined>): Promise<Response | undefined> {
    if (!this.isOver) return undefined;
    const late = Promise.withResolvers<undefined>();
    const stop = this.#options.clock.after(sessionEnd, () => late.resolve(undefined));
    return await Promise.race([refusing, late.promise]).finally(stop);
  }

  /** What the server sends by itself, for whoever listened last. */
  listen({ signal }: McpRequestInit): Response {
    this.#listener?.end();
    const outlet = this.#openOutlet(signal, () => {
      if (this.#listener === outlet) this.#listener = undefined;
    });
    this.#listener = outlet;
    return asStream(outlet, this.id);
  }

  /** Ends the stream and all that waits for something on it. `error`: why it ended. */
  close(error?: unknown): void {
    if (this.isOver) return;
    this.#end.abort();
    this.#endpoint.reject(error ?? new NoEndpoint('none'));
    for (const { outlet } of this.#asked.all()) outlet.end(error);
    this.#listener?.end(error);
  }

  async #send({ headers: given, ...init }: McpRequestInit, isHandshake = false): Promise<Response> {
    const { address: namedBy, fetch } = this.#options;
    const headers = new Headers(given);
    headers.delete(sessionField);
    const response = await fetch(await this.#endpoint.promise, { ...init, headers, namedBy });
    if (!response.ok)
      return isHandshake ? response : await asEndedSession(response, { message: init.body, hasServed: false });
    // Some say "Accepted" in it; the answer comes on the stream.
    await readAtMost(response, leftoverBytes);
    return new Response(null, { status: 202 });
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    for await (const data of readEvents(reader, {}, undefined, (name, said) => this.#takeEndpoint(name, said))) {
      // MCP 2024-11-05: the first event is the endpoint; what begins otherwise is another kind of stream.
      if (!this.#isNamed) return;
      await this.#pass(data);
    }
  }

  /** The first one counts: a session has one address. */
  #takeEndpoint(name: string, said: Buffer): void {
    if (this.#isNamed || name !== endpointEvent) return;
    this.#isNamed = true;
    this.#endpoint.resolve(oldEndpoint(said.toString('utf8'), this.#options.address));
  }

  async #pass(data: Buffer): Promise<void> {
    const { id, hasMethod, hasResult } = surveyJson(data);
    if (hasMethod) return await this.#passOther(data);
    const asked = id === undefined ? undefined : this.#asked.take(id);
    if (!asked) return;
    await asked.outlet.put(data);
    asked.outlet.end();
    if (asked.isHandshake && !hasResult) this.close();
  }

  async #passOther(data: Buffer): Promise<void> {
    const outlet = this.#asked.outletOf(data, this.#listener);
    if (outlet) await outlet.put(data);
    else this.#unheard.keep(data);
  }

  #openOutlet(signal: McpRequestInit['signal'], onOver: () => void): MessageOutlet {
    const outlet = new MessageOutlet(signal, onOver);
    for (const message of this.#unheard.take()) outlet.add(message);
    return outlet;
  }
}

/** The stream is none of the old transport. */
class NoEndpoint extends Error {
  readonly why: 'none' | 'silent';

  constructor(why: NoEndpoint['why']) {
    super(why);
    this.why = why;
  }
}

function asStream({ body }: MessageOutlet, id: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream', [sessionField]: id } });
}

/**
 * Where a server of MCP 2024-11-05 wants its messages, as the `endpoint` event of the stream at `stream` names it: a
 * place at the same origin, since a credential goes there. Errors: ENDPOINT_REFUSED.
 */
function oldEndpoint(named: string, stream: CheckedAddress): CheckedAddress {
  const from = new URL(stream);
  const url = URL.parse(named.trim(), stream);
  const isOwn =
    named.trim() !== '' && url !== null && url.origin === from.origin && url.username === '' && url.password === '';
  const address = isOwn ? atSameOrigin(stream, url.pathname, url.search) : undefined;
  if (address === undefined || address.length > urlLength.received) {
    throw new PosternError('ENDPOINT_REFUSED', { stage: 'connection', detail: { host: from.host } });
  }
  return address;
}
