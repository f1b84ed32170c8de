// HTTP responses of one session: a single JSON message or an event stream per request.

import { responseSent } from '../../gateway-ports.ts';
import type { AppResponse } from '../../gateway-ports.ts';
import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { Arrival } from '../responses/responses.ts';
import { readEnvelope } from '../messages/envelope.ts';

type Message = Buffer | string;

interface StreamOptions {
  /** Prefix of its event ids, if the app may resume it. */
  readonly name?: string | undefined;
  /** Called when it was read further, disconnected or ended. */
  readonly onStateChange?: () => void;
}

/** One event stream to the app: a message waits until the previous one is read. */
class EventStream {
  readonly #name: string | undefined;
  readonly #onStateChange: () => void;
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #changed = Promise.withResolvers<void>();
  /** The last events, since events that were read may not have arrived. */
  readonly #sent: { readonly number: number; readonly event: Buffer }[] = [];
  #bytes = 0;
  #count = 0;

  constructor({ name, onStateChange = () => {} }: StreamOptions = {}) {
    this.#name = name;
    this.#onStateChange = onStateChange;
  }

  /** Read to its end, or abandoned. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Has no reader now, but may have one again. */
  get isDisconnected(): boolean {
    return !this.#isOver && !this.#reader;
  }

  get hasRoom(): boolean {
    return !this.#isOver && (this.#reader?.desiredSize ?? 0) > 0;
  }

  /** Replaces the reader, which starts at the beginning or after the given event. */
  open(after?: number): ReadableStream<Uint8Array> {
    this.disconnect();
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (reader) => {
          own = this.#reader = reader;
          if (this.#name !== undefined && after === undefined) reader.enqueue(primingEvent(this.#name));
          for (const { number, event } of this.#sent) if (number > (after ?? 0)) reader.enqueue(event);
          // Everything was read once, but may not have arrived.
          if (this.#isOver) this.disconnect();
        },
        pull: () => this.#signalChange(),
        cancel: () => {
          if (this.#reader !== own) return;
          this.#reader = undefined;
          this.#isOver ||= this.#name === undefined;
          this.#signalChange();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 1 }),
    );
  }

  /** Resolves when the message is read, or the stream is over. Never rejects. */
  async add(message: Message): Promise<void> {
    if (this.#isOver) return;
    const number = (this.#count += 1);
    const id = this.#name === undefined ? '' : `id: ${this.#name}-${number}\n`;
    const event = Buffer.concat([Buffer.from(`${id}data: `), Buffer.from(message), Buffer.from('\n\n')]);
    if (this.#name !== undefined) this.#store(number, event);
    this.#reader?.enqueue(event);
    while (!this.#isOver && (this.#reader?.desiredSize ?? 0) <= 0) await this.#changed.promise;
  }

  /** Adds the last message and ends the stream. */
  async end(message: Message): Promise<void> {
    await this.add(message);
    this.close();
  }

  /** Disconnects the reader, which may reconnect. */
  disconnect(): void {
    if (!this.#reader) return;
    this.#reader.close();
    this.#reader = undefined;
    this.#signalChange();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.disconnect();
    this.#signalChange();
  }

  #store(number: number, event: Buffer): void {
    this.#sent.push({ number, event });
    this.#bytes += event.byteLength;
    const { count, size } = gatewaySession.undelivered;
    while (this.#sent.length > count || (this.#bytes > size && this.#sent.length > 1))
      this.#bytes -= this.#sent.shift()?.event.byteLength ?? 0;
  }

  #signalChange(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    this.#onStateChange();
  }
}

/** Tells the app from where and when to resume if the stream breaks (MCP 2025-11-25, sending messages 6). */
function primingEvent(name: string): Buffer {
  return Buffer.from(`id: ${name}-0\nretry: ${gatewaySession.brokenStream.retry}\ndata: \n\n`);
}

/**
 * Streams for messages that belong to no request. Each message goes to one of them (MCP 2025-11-25, multiple
 * connections 2); without any, it waits for the next.
 */
export class AppStream {
  /** Change notifications, each sent once and never dropped. */
  readonly #changes = new Set<string>();
  #messages: Message[] = [];
  #bytes = 0;
  /** Open streams, oldest first. */
  readonly #open = new Set<EventStream>();
  #moved = Promise.withResolvers<void>();

  /** Sends a change notification, which makes the app list again. */
  sendChange(notification: string): void {
    this.#changes.add(notification);
    this.#flush();
  }

  /** Resolves when the message is read; without a stream, only a limited number is stored. Never rejects. */
  async send(message: Message): Promise<void> {
    for (;;) {
      const newest = this.#newest;
      if (newest) return await newest.add(message);
      if (this.#open.size === 0) return this.#store(message);
      await this.#moved.promise;
    }
  }

  open(): ReadableStream<Uint8Array> {
    const onStateChange = (): void => {
      if (stream.isOver) this.#open.delete(stream);
      this.#flush();
      this.#moved.resolve();
      this.#moved = Promise.withResolvers();
    };
    const stream = new EventStream({ onStateChange });
    const body = stream.open();
    this.#open.add(stream);
    this.#flush();
    return body;
  }

  /** Closes all streams. */
  close(): void {
    for (const stream of this.#open) stream.close();
    this.#open.clear();
    this.#moved.resolve();
  }

  /** The newest stream with room: an app that lost a stream opens another. */
  get #newest(): EventStream | undefined {
    return [...this.#open].findLast(({ hasRoom }) => hasRoom);
  }

  #store(message: Message): void {
    const bytes = Buffer.byteLength(message);
    const { count, size } = gatewaySession.undelivered;
    if (this.#messages.length >= count || this.#bytes + bytes > size) return;
    this.#messages.push(message);
    this.#bytes += bytes;
  }

  #flush(): void {
    for (let stream = this.#newest; stream; stream = this.#newest) {
      const [change] = this.#changes;
      const next = change ?? this.#messages.shift();
      if (next === undefined) return;
      if (change === undefined) this.#bytes -= Buffer.byteLength(next);
      else this.#changes.delete(change);
      void stream.add(next);
    }
  }
}

/** The beginning of the response to a POST. `message`: set if that is the whole response. */
interface FirstResponse {
  readonly response: AppResponse;
  readonly message?: Message;
}

/** The response to one POST: a single message as JSON, several as a stream. */
interface PendingExchange {
  readonly first: PromiseWithResolvers<FirstResponse>;
  readonly abandoned: Promise<void>;
  /** Prefix of its event ids. */
  readonly name: string | undefined;
  stream: EventStream | undefined;
  hasResponse: boolean;
  /** The app will not fetch the rest. */
  readonly abandon: () => void;
  /** Stops the current timer. */
  stopTimer: () => void;
}

export interface WaitOptions {
  /** Also aborts once the response is sent. */
  readonly signal: AbortSignal;
  /** The app may resume the stream when it breaks. */
  readonly canResume: boolean;
  /** Called when the app no longer waits for the response, or has it. */
  readonly onAbandoned: () => void;
}

const notFoundResponse: FirstResponse = { response: { status: 404, headers: {} } };

/**
 * A session's HTTP requests. Each message is sent in the response to the request that it belongs to; all others go to
 * the streams on which the app listens (MCP 2025-11-25 and 2026-07-28, streamable HTTP).
 */
export class Exchanges {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #stream = new AppStream();
  readonly #pending = new Map<string, PendingExchange>();
  #count = 0;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  has(requestKey: string): boolean {
    return this.#pending.get(requestKey)?.hasResponse === false;
  }

  /** Resolves with the beginning of the response to this request. */
  wait(requestKey: string, { signal, canResume, onAbandoned }: WaitOptions): Promise<FirstResponse> {
    const abandoned = Promise.withResolvers<void>();
    const pending: PendingExchange = {
      first: Promise.withResolvers(),
      abandoned: abandoned.promise,
      name: canResume ? `${(this.#count += 1)}` : undefined,
      stream: undefined,
      hasResponse: false,
      abandon: () => {
        if (this.#pending.get(requestKey) === pending) this.#pending.delete(requestKey);
        pending.stopTimer();
        pending.stream?.close();
        abandoned.resolve();
        // Nothing reads it, but the caller must not wait forever.
        pending.first.resolve(notFoundResponse);
        onAbandoned();
      },
      // Apps wait longer for a response body than for its headers.
      stopTimer: this.#clock.after(gatewaySession.openStreamAfter, () => void this.#streamOf(pending)),
    };
    this.#pending.set(requestKey, pending);
    onAbort(signal, () => this.#onDisconnect(pending, signal));
    return pending.first.promise;
  }

  /** Opens a stream for messages that belong to no request. */
  listen(): AppResponse {
    return asStream(this.#stream.open());
  }

  /** The rest of a stream after the given event; `undefined`: unknown (MCP 2025-11-25, resumability). */
  resume(lastEventId: string, signal: AbortSignal): AppResponse | undefined {
    const [name, number] = lastEventId.split('-', 2);
    const pending = [...this.#pending.values()].find((each) => each.name === name);
    if (!pending?.stream || !/^\d{1,9}$/u.test(number ?? '')) return undefined;
    const body = pending.stream.open(Number(number));
    pending.stopTimer();
    onAbort(signal, () => this.#onDisconnect(pending, signal));
    return asStream(body);
  }

  /** Disconnects the stream: the app has to fetch the rest later, as Postern does from the server. */
  pause(requestKey: string): void {
    const pending = this.#pending.get(requestKey);
    if (pending?.name !== undefined) this.#streamOf(pending).disconnect();
  }

  /** Sends a message to the app; resolves when it is read. `arrival`: how a response arrived, if known. */
  async send(message: Message, requestKey?: string, arrival?: Arrival): Promise<void> {
    const pending = requestKey === undefined ? undefined : this.#pending.get(requestKey);
    const parsed = arrival ? undefined : readEnvelope(Buffer.from(message));
    const isLast = parsed === undefined || parsed.kind === 'response';
    if (!pending || pending.hasResponse) {
      // Drop responses that nothing waits for.
      if (isLast) return;
      const isChange = parsed.kind === 'notification' && parsed.method.endsWith('/list_changed');
      return isChange ? this.#stream.sendChange(message.toString()) : await this.#stream.send(message);
    }
    if (isLast) pending.hasResponse = true;
    if (isLast && !pending.stream && arrival?.isStream !== true) {
      pending.stopTimer();
      pending.first.resolve({ response: asJson(message, arrival?.status), message });
      return await pending.abandoned;
    }
    const stream = this.#streamOf(pending, isLast ? message : undefined);
    if (!isLast) return await stream.add(message);
    await stream.end(message);
    await pending.abandoned;
  }

  /** `status`: sent for requests without a response. */
  close(status: 404 | 503): void {
    this.#stream.close();
    for (const { first, abandon } of this.#pending.values()) {
      first.resolve({ response: { status, headers: {} } });
      abandon();
    }
  }

  /** Ends a request that gets no response, or nothing more. */
  end(requestKey: string): void {
    const pending = this.#pending.get(requestKey);
    pending?.first.resolve({ response: { status: 202, headers: {} } });
    pending?.abandon();
  }

  /** A connection of the app has ended: it has the whole response, or may resume it. */
  #onDisconnect(pending: PendingExchange, { reason }: AbortSignal): void {
    const { name, stream, abandon } = pending;
    if (name === undefined || !stream || (stream.isOver && reason === responseSent)) return abandon();
    if (stream.isOver || stream.isDisconnected) this.#abandonLater(pending);
  }

  #abandonLater(pending: PendingExchange): void {
    pending.stopTimer();
    pending.stopTimer = this.#clock.after(gatewaySession.brokenStream.longest, pending.abandon);
  }

  /** The stream of this exchange, opened if needed. `message`: set if that is the whole response. */
  #streamOf(pending: PendingExchange, message?: Message): EventStream {
    if (pending.stream) return pending.stream;
    pending.stopTimer();
    const stream = new EventStream({
      name: pending.name,
      onStateChange: () => {
        if (stream.isDisconnected) this.#abandonLater(pending);
      },
    });
    pending.stream = stream;
    pending.first.resolve({ response: asStream(stream.open()), ...(message !== undefined && { message }) });
    return stream;
  }
}

export function asJson(body: string | Uint8Array, status = 200): AppResponse {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function asStream(body: ReadableStream<Uint8Array>): AppResponse {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** Calls `run` when the signal aborts; at once if it has already. */
export function onAbort(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
}
