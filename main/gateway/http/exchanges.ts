import type { ProgramAnswer } from '../../gateway-ports.ts';
import { gatewaySession } from '../../limits.ts';
import { readEnvelope } from '../messages/envelope.ts';
import type { Arrival } from '../server/exchange.ts';

type Message = Buffer | string;

/** One stream of events to the app: a message waits until the one before it has been read. */
class EventsToApp {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #moved = Promise.withResolvers<void>();

  /** `onMove`: it has been read on, or is over. */
  constructor(onMove: () => void = () => {}) {
    const move = (): void => {
      this.#moved.resolve();
      this.#moved = Promise.withResolvers();
      onMove();
    };
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: move,
        cancel: () => {
          this.#isOver = true;
          move();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 1 }),
    );
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get hasRoom(): boolean {
    return !this.#isOver && (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** Resolves when it has been read, or is for nobody. Never rejects. */
  async add(message: Message): Promise<void> {
    if (this.#isOver) return;
    this.#controller?.enqueue(Buffer.concat([Buffer.from('data: '), Buffer.from(message), Buffer.from('\n\n')]));
    while (!this.#isOver && (this.#controller?.desiredSize ?? 0) <= 0) await this.#moved.promise;
  }

  close(): void {
    if (!this.#isOver) this.#controller?.close();
    this.#isOver = true;
    this.#moved.resolve();
  }
}

/**
 * What an app listens on by HTTP, for what belongs to none of its requests. Of several streams one has each message
 * (MCP 2025-11-25, multiple connections 2). What comes while nobody listens waits for the next stream.
 */
export class ProgramStream {
  /** That something has changed is said once, and never thrown away. */
  readonly #changes = new Set<string>();
  #messages: Message[] = [];
  #bytes = 0;
  /** The streams that are open, in the order in which they were opened. */
  readonly #open = new Set<EventsToApp>();
  #moved = Promise.withResolvers<void>();

  /** Has the app ask again. */
  tellChange(notification: string): void {
    this.#changes.add(notification);
    this.#flush();
  }

  /** Resolves when it has been read; while nobody listens, only so many are kept. Never rejects. */
  async tell(message: Message): Promise<void> {
    for (;;) {
      const newest = this.#newest;
      if (newest) return await newest.add(message);
      if (this.#open.size === 0) return this.#keep(message);
      await this.#moved.promise;
    }
  }

  open(): ReadableStream<Uint8Array> {
    const stream = new EventsToApp(() => {
      if (stream.isOver) this.#open.delete(stream);
      this.#flush();
      this.#moved.resolve();
      this.#moved = Promise.withResolvers();
    });
    this.#open.add(stream);
    this.#flush();
    return stream.body;
  }

  /** Ends what is open. */
  close(): void {
    for (const stream of this.#open) stream.close();
    this.#open.clear();
    this.#moved.resolve();
  }

  /** Of those that can have a message now: an app that has lost one opens another. */
  get #newest(): EventsToApp | undefined {
    return [...this.#open].findLast(({ hasRoom }) => hasRoom);
  }

  #keep(message: Message): void {
    const bytes = Buffer.byteLength(message);
    const { count, size } = gatewaySession.unheard;
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

/** The first that an app gets for a POST; `message`: where that is all. */
interface Begun {
  readonly answer: ProgramAnswer;
  readonly message?: Message;
}

/** What the answer to one POST of the app gets: one message alone as it is, several as a stream. */
interface Waiting {
  readonly first: PromiseWithResolvers<Begun>;
  readonly gone: Promise<void>;
  stream: EventsToApp | undefined;
}

const isOverHere: Begun = { answer: { status: 404, headers: {} } };

/**
 * The requests of a session by HTTP: what is said goes where the app waits for it, and all else into what it listens on
 * (MCP 2025-11-25 and 2026-07-28, streamable HTTP).
 */
export class Exchanges {
  readonly #stream = new ProgramStream();
  readonly #waiting = new Map<string, Waiting>();

  has(about: string): boolean {
    return this.#waiting.has(about);
  }

  /** The beginning of the answer to the request that is known by this. `signal` aborts when it has gone out, too. */
  wait(about: string, signal: AbortSignal): Promise<Begun> {
    const gone = Promise.withResolvers<void>();
    const waiting: Waiting = { first: Promise.withResolvers(), gone: gone.promise, stream: undefined };
    this.#waiting.set(about, waiting);
    whenGone(signal, () => {
      if (this.#waiting.get(about) === waiting) this.#waiting.delete(about);
      gone.resolve();
      // For nobody, but whoever waits for it goes on.
      waiting.first.resolve(isOverHere);
    });
    return waiting.first.promise;
  }

  /** What the app listens on. */
  listen(): ProgramAnswer {
    return asStream(this.#stream.open());
  }

  /** A message for the app; resolves when it has been taken. `arrival`: of an answer, where that is known. */
  async tell(message: Message, about?: string, arrival?: Arrival): Promise<void> {
    const waiting = about === undefined ? undefined : this.#waiting.get(about);
    const other = arrival ? undefined : readEnvelope(Buffer.from(message));
    const isLast = other === undefined || other.kind === 'answer';
    if (!waiting) {
      // An answer that nobody waits for is for nobody.
      if (isLast) return;
      const isChange = other.kind === 'notification' && other.method.endsWith('/list_changed');
      return isChange ? this.#stream.tellChange(message.toString()) : await this.#stream.tell(message);
    }
    if (isLast) this.#waiting.delete(about ?? '');
    if (isLast && !waiting.stream && arrival?.isStream !== true) {
      waiting.first.resolve({ answer: asJson(message, arrival?.status), message });
      return await waiting.gone;
    }
    if (!waiting.stream) {
      waiting.stream = new EventsToApp();
      waiting.first.resolve({ answer: asStream(waiting.stream.body), ...(isLast && { message }) });
    }
    const read = waiting.stream.add(message);
    if (!isLast) return await read;
    waiting.stream.close();
    await waiting.gone;
  }

  close(): void {
    this.#stream.close();
    for (const { first, stream } of this.#waiting.values()) {
      first.resolve(isOverHere);
      stream?.close();
    }
    this.#waiting.clear();
  }
}

export function asJson(body: string | Uint8Array, status = 200): ProgramAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function asStream(body: ReadableStream<Uint8Array>): ProgramAnswer {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** Runs when the app has its answer or no longer waits for it, at once where that is so already. */
export function whenGone(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
}
