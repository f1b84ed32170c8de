import { wholeAnswer } from '../../gateway-ports.ts';
import type { ProgramAnswer } from '../../gateway-ports.ts';
import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { Arrival } from '../answers/answers.ts';
import { readEnvelope } from '../messages/envelope.ts';

type Message = Buffer | string;

interface StreamOptions {
  /** What its events are named after, where the app may take it up again. */
  readonly name?: string | undefined;
  /** It has been read on, was cut off, or is over. */
  readonly onMove?: () => void;
}

/** One stream of events to the app: a message waits until the one before it has been read. */
class EventsToApp {
  readonly #name: string | undefined;
  readonly #onMove: () => void;
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #moved = Promise.withResolvers<void>();
  /** The last ones, since what was read may not have arrived. */
  readonly #sent: { readonly number: number; readonly event: Buffer }[] = [];
  #bytes = 0;
  #count = 0;

  constructor({ name, onMove = () => {} }: StreamOptions = {}) {
    this.#name = name;
    this.#onMove = onMove;
  }

  /** It has been read to its end, or is for nobody. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Nobody reads it now, and somebody may again. */
  get isCutOff(): boolean {
    return !this.#isOver && !this.#reader;
  }

  get hasRoom(): boolean {
    return !this.#isOver && (this.#reader?.desiredSize ?? 0) > 0;
  }

  /** Is read from now on by this: from its beginning, or after that event. */
  open(after?: number): ReadableStream<Uint8Array> {
    this.cut();
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (reader) => {
          own = this.#reader = reader;
          if (this.#name !== undefined && after === undefined) reader.enqueue(primingOf(this.#name));
          for (const { number, event } of this.#sent) if (number > (after ?? 0)) reader.enqueue(event);
          // All of it has been read once, and may not have arrived.
          if (this.#isOver) this.cut();
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

  /** Resolves when it has been read, or is for nobody. Never rejects. */
  async add(message: Message): Promise<void> {
    if (this.#isOver) return;
    const number = (this.#count += 1);
    const id = this.#name === undefined ? '' : `id: ${this.#name}-${number}\n`;
    const event = Buffer.concat([Buffer.from(`${id}data: `), Buffer.from(message), Buffer.from('\n\n')]);
    if (this.#name !== undefined) this.#keep(number, event);
    this.#reader?.enqueue(event);
    while (!this.#isOver && (this.#reader?.desiredSize ?? 0) <= 0) await this.#moved.promise;
  }

  /** The same for the last one, which ends it. */
  async end(message: Message): Promise<void> {
    await this.add(message);
    this.close();
  }

  /** Has whoever reads it come again. */
  cut(): void {
    if (!this.#reader) return;
    this.#reader.close();
    this.#reader = undefined;
    this.#move();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.cut();
    this.#move();
  }

  #keep(number: number, event: Buffer): void {
    this.#sent.push({ number, event });
    this.#bytes += event.byteLength;
    const { count, size } = gatewaySession.unheard;
    while (this.#sent.length > count || (this.#bytes > size && this.#sent.length > 1))
      this.#bytes -= this.#sent.shift()?.event.byteLength ?? 0;
  }

  #move(): void {
    this.#moved.resolve();
    this.#moved = Promise.withResolvers();
    this.#onMove();
  }
}

/** Tells the app from where and when to go on, should the stream end early (MCP 2025-11-25, sending messages 6). */
function primingOf(name: string): Buffer {
  return Buffer.from(`id: ${name}-0\nretry: ${gatewaySession.cutOff.retry}\ndata: \n\n`);
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
    const onMove = (): void => {
      if (stream.isOver) this.#open.delete(stream);
      this.#flush();
      this.#moved.resolve();
      this.#moved = Promise.withResolvers();
    };
    const stream = new EventsToApp({ onMove });
    const body = stream.open();
    this.#open.add(stream);
    this.#flush();
    return body;
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
  /** Of its events. */
  readonly name: string | undefined;
  stream: EventsToApp | undefined;
  isAnswered: boolean;
  /** Nobody comes back for it any more. */
  readonly giveUp: () => void;
  /** Of the timer that there is. */
  stop: () => void;
}

export interface WaitOptions {
  /** Aborts when the answer has gone out, too. */
  readonly signal: AbortSignal;
  /** The app may take the stream up again when it breaks off. */
  readonly canResume: boolean;
  /** Nobody waits for the answer any more; also told once it has gone out. */
  readonly onGone: () => void;
}

const isOverHere: Begun = { answer: { status: 404, headers: {} } };

/**
 * The requests of a session by HTTP: what is said goes where the app waits for it, and all else into what it listens on
 * (MCP 2025-11-25 and 2026-07-28, streamable HTTP).
 */
export class Exchanges {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #stream = new ProgramStream();
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  has(about: string): boolean {
    return this.#waiting.get(about)?.isAnswered === false;
  }

  /** The beginning of the answer to the request that is known by this. */
  wait(about: string, { signal, canResume, onGone }: WaitOptions): Promise<Begun> {
    const gone = Promise.withResolvers<void>();
    const waiting: Waiting = {
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
        // For nobody, but whoever waits for it goes on.
        waiting.first.resolve(isOverHere);
        onGone();
      },
      // An app does not wait for the head of an answer as long as for an answer.
      stop: this.#clock.after(gatewaySession.silence, () => void this.#streamOf(waiting)),
    };
    this.#waiting.set(about, waiting);
    whenGone(signal, () => this.#settle(waiting, signal));
    return waiting.first.promise;
  }

  /** What the app listens on. */
  listen(): ProgramAnswer {
    return asStream(this.#stream.open());
  }

  /** The rest of a stream after an event that the app names; `undefined`: there is none (MCP 2025-11-25, resumability). */
  resume(lastEventId: string, signal: AbortSignal): ProgramAnswer | undefined {
    const [name, number] = lastEventId.split('-', 2);
    const waiting = [...this.#waiting.values()].find((each) => each.name === name);
    if (!waiting?.stream || !/^\d{1,9}$/u.test(number ?? '')) return undefined;
    const body = waiting.stream.open(Number(number));
    waiting.stop();
    whenGone(signal, () => this.#settle(waiting, signal));
    return asStream(body);
  }

  /** The server has the app ask for the rest of this answer later, as it does with Postern. */
  pause(about: string): void {
    const waiting = this.#waiting.get(about);
    if (waiting?.name !== undefined) this.#streamOf(waiting).cut();
  }

  /** A message for the app; resolves when it has been taken. `arrival`: of an answer, where that is known. */
  async tell(message: Message, about?: string, arrival?: Arrival): Promise<void> {
    const waiting = about === undefined ? undefined : this.#waiting.get(about);
    const other = arrival ? undefined : readEnvelope(Buffer.from(message));
    const isLast = other === undefined || other.kind === 'answer';
    if (!waiting || waiting.isAnswered) {
      // An answer that nobody waits for is for nobody.
      if (isLast) return;
      const isChange = other.kind === 'notification' && other.method.endsWith('/list_changed');
      return isChange ? this.#stream.tellChange(message.toString()) : await this.#stream.tell(message);
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

  /** `status`: of what has not begun. */
  close(status: 404 | 503): void {
    this.#stream.close();
    for (const { first, giveUp } of this.#waiting.values()) {
      first.resolve({ answer: { status, headers: {} } });
      giveUp();
    }
  }

  /** No answer comes to this any more, or no more of it. */
  end(about: string): void {
    const waiting = this.#waiting.get(about);
    waiting?.first.resolve({ answer: { status: 202, headers: {} } });
    waiting?.giveUp();
  }

  /** A connection of the app has ended: it has all of its answer, or may come back for it. */
  #settle(waiting: Waiting, { reason }: AbortSignal): void {
    const { name, stream, giveUp } = waiting;
    if (name === undefined || !stream || (stream.isOver && reason === wholeAnswer)) return giveUp();
    if (stream.isOver || stream.isCutOff) this.#giveUpLater(waiting);
  }

  #giveUpLater(waiting: Waiting): void {
    waiting.stop();
    waiting.stop = this.#clock.after(gatewaySession.cutOff.longest, waiting.giveUp);
  }

  /** `message`: what it is, where that is all. */
  #streamOf(waiting: Waiting, message?: Message): EventsToApp {
    if (waiting.stream) return waiting.stream;
    waiting.stop();
    const stream = new EventsToApp({
      name: waiting.name,
      onMove: () => {
        if (stream.isCutOff) this.#giveUpLater(waiting);
      },
    });
    waiting.stream = stream;
    waiting.first.resolve({ answer: asStream(stream.open()), ...(message !== undefined && { message }) });
    return stream;
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
