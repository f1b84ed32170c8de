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
  /** It was read further, disconnected or ended. */
  readonly onMove?: () => void;
}

/** One event stream to the app: a message waits until the previous one is read. */
class EventStream {
  readonly #name: string | undefined;
  readonly #onMove: () => void;
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #moved = Promise.withResolvers<void>();
  /** The last events, since what was read may not have arrived. */
  readonly #sent: { readonly number: number; readonly event: Buffer }[] = [];
  #bytes = 0;
  #count = 0;

  constructor({ name, onMove = () => {} }: StreamOptions = {}) {
    this.#name = name;
    this.#onMove = onMove;
  }

  /** Read to its end, or abandoned. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Nothing reads it now, but something may again. */
  get isDisconnected(): boolean {
    return !this.#isOver && !this.#reader;
  }

  get hasRoom(): boolean {
    return !this.#isOver && (this.#reader?.desiredSize ?? 0) > 0;
  }

  /** Replaces the reader: from the beginning, or after that event. */
  open(after?: number): ReadableStream<Uint8Array> {
    this.disconnect();
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (reader) => {
          own = this.#reader = reader;
          if (this.#name !== undefined && after === undefined) reader.enqueue(primingEvent(this.#name));
          for (const { number, event } of this.#sent) if (number > (after ?? 0)) reader.enqueue(event);
          // All of it was read once, but may not have arrived.
          if (this.#isOver) this.disconnect();
        },
        pull: () => this.#move(),
        cancel: () => {
          if (this.#reader !== own) return;
          this.#reader = undefined;
          this.#isOver ||= this.#name === undefined;
          this.#move();
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
    while (!this.#isOver && (this.#reader?.desiredSize ?? 0) <= 0) await this.#moved.promise;
  }

  /** The same for the last message, which ends the stream. */
  async end(message: Message): Promise<void> {
    await this.add(message);
    this.close();
  }

  /** Disconnects the reader, which may come back. */
  disconnect(): void {
    if (!this.#reader) return;
    this.#reader.close();
    this.#reader = undefined;
    this.#move();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.disconnect();
    this.#move();
  }

  #store(number: number, event: Buffer): void {
    this.#sent.push({ number, event });
    this.#bytes += event.byteLength;
    const { count, size } = gatewaySession.undelivered;
    while (this.#sent.length > count || (this.#bytes > size && this.#sent.length > 1))
      this.#bytes -= this.#sent.shift()?.event.byteLength ?? 0;
  }

  #move(): void {
    this.#moved.resolve();
    this.#moved = Promise.withResolvers();
    this.#onMove();
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
  /** Change notifications are sent once each, and never dropped. */
  readonly #changes = new Set<string>();
  #messages: Message[] = [];
  #bytes = 0;
  /** Open streams, oldest first. */
  readonly #open = new Set<EventStream>();
  #moved = Promise.withResolvers<void>();

  /** Makes the app list again. */
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
    const onMove = (): void => {
      if (stream.isOver) this.#open.delete(stream);
      this.#flush();
      this.#moved.resolve();
      this.#moved = Promise.withResolvers();
    };
    const stream = new EventStream({ onMove });
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

  /** Of those with room: an app that has lost a stream opens another. */
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

/** The first response to a POST; `message`: if that is all. */
interface FirstResponse {
  readonly answer: AppResponse;
  readonly message?: Message;
}

/** The response to one POST: a single message as JSON, several as a stream. */
interface PendingExchange {
  readonly first: PromiseWithResolvers<FirstResponse>;
  readonly gone: Promise<void>;
  /** Prefix of its event ids. */
  readonly name: string | undefined;
  stream: EventStream | undefined;
  isAnswered: boolean;
  /** Nothing will come back for it. */
  readonly giveUp: () => void;
  /** Stops the current timer. */
  stop: () => void;
}

export interface WaitOptions {
  /** Also aborts once the response is sent. */
  readonly signal: AbortSignal;
  /** The app may resume the stream when it breaks. */
  readonly canResume: boolean;
  /** Nothing waits for the response any more; also called once it is sent. */
  readonly onGone: () => void;
}

const notFound: FirstResponse = { answer: { status: 404, headers: {} } };

/**
 * A session's HTTP requests: each message goes to the request that it belongs to, everything else to the streams that
 * the app listens on (MCP 2025-11-25 and 2026-07-28, streamable HTTP).
 */
export class Exchanges {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #stream = new AppStream();
  readonly #waiting = new Map<string, PendingExchange>();
  #count = 0;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  has(about: string): boolean {
    return this.#waiting.get(about)?.isAnswered === false;
  }

  /** The beginning of the response to this request. */
  wait(about: string, { signal, canResume, onGone }: WaitOptions): Promise<FirstResponse> {
    const gone = Promise.withResolvers<void>();
    const waiting: PendingExchange = {
      first: Promise.withResolvers(),
      gone: gone.promise,
      name: canResume ? `${(this.#count += 1)}` : undefined,
      stream: undefined,
      isAnswered: false,
      giveUp: () => {
        if (this.#waiting.get(about) === waiting) this.#waiting.delete(about);
        waiting.stop();
        waiting.stream?.close();
        gone.resolve();
        // Nobody reads it, but the caller must not wait forever.
        waiting.first.resolve(notFound);
        onGone();
      },
      // An app waits less long for headers than for a whole response.
      stop: this.#clock.after(gatewaySession.openStreamAfter, () => void this.#streamOf(waiting)),
    };
    this.#waiting.set(about, waiting);
    onAbort(signal, () => this.#settle(waiting, signal));
    return waiting.first.promise;
  }

  /** Opens a stream for everything else. */
  listen(): AppResponse {
    return asStream(this.#stream.open());
  }

  /** The rest of a stream after the given event; `undefined`: unknown (MCP 2025-11-25, resumability). */
  resume(lastEventId: string, signal: AbortSignal): AppResponse | undefined {
    const [name, number] = lastEventId.split('-', 2);
    const waiting = [...this.#waiting.values()].find((each) => each.name === name);
    if (!waiting?.stream || !/^\d{1,9}$/u.test(number ?? '')) return undefined;
    const body = waiting.stream.open(Number(number));
    waiting.stop();
    onAbort(signal, () => this.#settle(waiting, signal));
    return asStream(body);
  }

  /** The server makes the app fetch the rest later, as it does with Postern. */
  pause(about: string): void {
    const waiting = this.#waiting.get(about);
    if (waiting?.name !== undefined) this.#streamOf(waiting).disconnect();
  }

  /** Sends a message to the app; resolves when it is taken. `arrival`: of a response, if known. */
  async send(message: Message, about?: string, arrival?: Arrival): Promise<void> {
    const waiting = about === undefined ? undefined : this.#waiting.get(about);
    const other = arrival ? undefined : readEnvelope(Buffer.from(message));
    const isLast = other === undefined || other.kind === 'response';
    if (!waiting || waiting.isAnswered) {
      // Drop responses that nothing waits for.
      if (isLast) return;
      const isChange = other.kind === 'notification' && other.method.endsWith('/list_changed');
      return isChange ? this.#stream.sendChange(message.toString()) : await this.#stream.send(message);
    }
    if (isLast) waiting.isAnswered = true;
    if (isLast && !waiting.stream && arrival?.isStream !== true) {
      waiting.stop();
      waiting.first.resolve({ answer: asJson(message, arrival?.status), message });
      return await waiting.gone;
    }
    const stream = this.#streamOf(waiting, isLast ? message : undefined);
    if (!isLast) return await stream.add(message);
    await stream.end(message);
    await waiting.gone;
  }

  /** `status`: for requests without a response yet. */
  close(status: 404 | 503): void {
    this.#stream.close();
    for (const { first, giveUp } of this.#waiting.values()) {
      first.resolve({ answer: { status, headers: {} } });
      giveUp();
    }
  }

  /** No response, or no more of it, will come. */
  end(about: string): void {
    const waiting = this.#waiting.get(about);
    waiting?.first.resolve({ answer: { status: 202, headers: {} } });
    waiting?.giveUp();
  }

  /** A connection of the app has ended: it has the whole response, or may come back for it. */
  #settle(waiting: PendingExchange, { reason }: AbortSignal): void {
    const { name, stream, giveUp } = waiting;
    if (name === undefined || !stream || (stream.isOver && reason === responseSent)) return giveUp();
    if (stream.isOver || stream.isDisconnected) this.#giveUpLater(waiting);
  }

  #giveUpLater(waiting: PendingExchange): void {
    waiting.stop();
    waiting.stop = this.#clock.after(gatewaySession.brokenStream.longest, waiting.giveUp);
  }

  /** `message`: if that is all. */
  #streamOf(waiting: PendingExchange, message?: Message): EventStream {
    if (waiting.stream) return waiting.stream;
    waiting.stop();
    const stream = new EventStream({
      name: waiting.name,
      onMove: () => {
        if (stream.isDisconnected) this.#giveUpLater(waiting);
      },
    });
    waiting.stream = stream;
    waiting.first.resolve({ answer: asStream(stream.open()), ...(message !== undefined && { message }) });
    return stream;
  }
}

export function asJson(body: string | Uint8Array, status = 200): AppResponse {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function asStream(body: ReadableStream<Uint8Array>): AppResponse {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** Runs when the app has its response or no longer waits; at once if that is already so. */
export function onAbort(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
}
