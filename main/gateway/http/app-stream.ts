import { gatewaySession } from '../../limits.ts';
import { BetweenEvents } from '../../message-lines.ts';

interface Listening {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly between: BetweenEvents;
}

interface Unheard {
  readonly message: string;
  readonly bytes: number;
  /** With which request it came; once that is answered nobody has to hear it. */
  readonly about: object | undefined;
}

/**
 * What a program listens on by HTTP: what the server sends by itself, and what Postern says between two events of it.
 * Of several streams one has each message (MCP 2025-11-25, multiple connections 2). What comes while nobody listens
 * waits for the next stream.
 */
export class ProgramStream {
  /** That something has changed is said once, and never thrown away. */
  readonly #changes = new Set<string>();
  #messages: Unheard[] = [];
  #bytes = 0;
  /** The streams that are open, in the order in which they were opened. */
  readonly #open = new Set<Listening>();
  #end = new AbortController();

  /** Has the program ask again. */
  tellChange(notification: string): void {
    this.#changes.add(notification);
    this.#flush();
  }

  /**
   * A message of the server that its own stream does not have. While nobody listens, only so many are kept. `about`: the
   * request that it belongs to.
   */
  tell(message: string, about?: object): void {
    const bytes = Buffer.byteLength(message);
    const { count, size } = gatewaySession.unheard;
    if (this.#messages.length >= count || this.#bytes + bytes > size) return;
    this.#messages.push({ message, bytes, about });
    this.#bytes += bytes;
    this.#flush();
  }

  /** A request has ended: what belonged to it and nobody has heard is for nobody. */
  forget(about: object): void {
    this.#keep(this.#messages.filter((unheard) => unheard.about !== about));
  }

  /**
   * A stream for the program. `source`: the server's, once there is one; `undefined` where it has none. It ends with
   * that.
   */
  open(source: Promise<ReadableStream<Uint8Array> | undefined>): ReadableStream<Uint8Array> {
    const between = new BetweenEvents();
    const { signal } = this.#end;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    let listening: Listening | undefined;
    source.catch(() => {});
    const leave = (): void => {
      signal.removeEventListener('abort', end);
      if (listening) this.#open.delete(listening);
      if (reader) void reader.cancel().catch(() => {});
      else void source.then((body) => body?.cancel()).catch(() => {});
    };
    const end = (): void => {
      leave();
      listening?.controller.close();
    };
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          listening = { controller, between };
          this.#open.add(listening);
          signal.addEventListener('abort', end, { once: true });
          this.#flush();
        },
        pull: async (controller) => {
          try {
            reader ??= (await source)?.getReader();
            if (!reader || signal.aborted) return;
            const { done, value } = await reader.read();
            if (signal.aborted) return;
            if (done) return end();
            between.pass(value);
            controller.enqueue(value);
            this.#flush();
          } catch (error) {
            if (signal.aborted) return;
            leave();
            controller.error(error);
          }
        },
        cancel: leave,
      },
      // Nothing is read ahead.
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  /** Ends what is open. */
  close(): void {
    this.#end.abort();
    this.#end = new AbortController();
  }

  #flush(): void {
    for (const change of this.#changes) if (this.#pass(change)) this.#changes.delete(change);
    this.#keep(this.#messages.filter(({ message }) => !this.#pass(message)));
  }

  #keep(messages: Unheard[]): void {
    this.#messages = messages;
    this.#bytes = messages.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Puts a message into the newest stream that can have one now: a program that has lost one opens another. */
  #pass(message: string): boolean {
    const listening = [...this.#open].findLast(
      // Much of what was said may not be read yet.
      ({ controller, between }) => between.is && (controller.desiredSize ?? 0) > -gatewaySession.unheard.size,
    );
    listening?.controller.enqueue(Buffer.from(`data: ${message}\n\n`));
    return listening !== undefined;
  }
}

/** Runs when the program has its answer or no longer waits for it, at once where that is so already. */
export function whenGone(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
}
