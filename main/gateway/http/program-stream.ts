import { BetweenEvents } from '../../between-events.ts';
import { gatewaySession } from '../../limits.ts';

interface Listening {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly between: BetweenEvents;
}

/**
 * What a program listens on by HTTP: what the server sends by itself, and what Postern says between two events of it.
 * What comes while nobody listens waits for the next stream.
 */
export class ProgramStream {
  /** That something has changed is said once, and never thrown away. */
  readonly #changes = new Set<string>();
  #messages: string[] = [];
  #bytes = 0;
  /** The stream that was opened last. */
  #last: Listening | undefined;
  #end = new AbortController();

  /** Whether something waits for a stream. */
  get isWanted(): boolean {
    return this.#changes.size > 0 || this.#messages.length > 0;
  }

  /** Has the program ask again. */
  tellChange(notification: string): void {
    this.#changes.add(notification);
    this.#flush();
  }

  /** A message of the server that its own stream does not have. Of what nobody hears there is so much. */
  tell(message: string): void {
    const bytes = Buffer.byteLength(message);
    const { count, size } = gatewaySession.unheard;
    if (this.#messages.length >= count || this.#bytes + bytes > size) return;
    this.#messages.push(message);
    this.#bytes += bytes;
    this.#flush();
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
      if (this.#last === listening) this.#last = undefined;
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
          this.#last = listening;
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
    if (!this.#last?.between.is) return;
    const { controller } = this.#last;
    const take = (message: string): boolean => {
      // Much of what was said is not read yet.
      if ((controller.desiredSize ?? 0) <= -gatewaySession.unheard.size) return false;
      controller.enqueue(Buffer.from(`data: ${message}\n\n`));
      return true;
    };
    for (const change of this.#changes) if (take(change)) this.#changes.delete(change);
    const left = this.#messages.filter((message) => !take(message));
    this.#messages = left;
    this.#bytes = left.reduce((sum, message) => sum + Buffer.byteLength(message), 0);
  }
}
