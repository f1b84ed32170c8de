import type { IncomingMessage } from 'node:http';
import { bodySilence, gatewayMessage, gatewaySession } from '../limits.ts';

/** What came of reading a body: all of it, or that it is longer than a message may be, or that no more of it comes. */
export type Reading =
  { readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'too-long' } | { readonly kind: 'silent' };

/** The body of one request, in the room of its program. */
export interface Body {
  /** Errors: those of the connection. */
  read(): Promise<Reading>;
  /** It is not held any more; once. */
  leave(): void;
}

/** A body and its bytes in the part of the room that all share. */
interface Place {
  shared: number;
}

interface Waiting {
  readonly place: Place;
  readonly bytes: number;
  readonly go: () => void;
}

/** All that a program has, but for one whole message. */
const sharedRoom = gatewaySession.buffer - gatewayMessage.size;

/**
 * What is held of one program's messages by HTTP, from their first byte until the server has answered: where that is
 * full, no more of them is read. One body at a time may always grow to a whole message, since many that each have come
 * in part would else wait for one another.
 */
export class BodyRoom {
  readonly #waiting: Waiting[] = [];
  #held = 0;
  #ahead: Place | undefined;

  enter(request: IncomingMessage): Body {
    const place: Place = { shared: 0 };
    return {
      read: () => this.#read(request, place),
      leave: () => {
        this.#held -= place.shared;
        if (this.#ahead === place) this.#ahead = undefined;
        this.#letIn();
      },
    };
  }

  async #read(request: IncomingMessage, place: Place): Promise<Reading> {
    if (Number(request.headers['content-length'] ?? 0) > gatewayMessage.size) return { kind: 'too-long' };
    const chunks: Buffer[] = [];
    let size = 0;
    // The connection stays, for the answer.
    const coming = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
    for (;;) {
      const next = await unlessSilent(coming.next());
      if (next === undefined) return { kind: 'silent' };
      if (next.done === true) return { kind: 'whole', bytes: Buffer.concat(chunks) };
      size += next.value.byteLength;
      if (size > gatewayMessage.size) return { kind: 'too-long' };
      await this.#take(place, next.value.byteLength, request);
      chunks.push(next.value);
    }
  }

  /** In the order in which they came. Errors: the connection has closed. */
  async #take(place: Place, bytes: number, { socket }: IncomingMessage): Promise<void> {
    if (this.#ahead === place) return;
    const { promise, resolve: go, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { place, bytes, go };
    const giveUp = (): void => {
      const index = this.#waiting.indexOf(waiting);
      if (index === -1) return;
      this.#waiting.splice(index, 1);
      this.#letIn();
      reject(new Error('the connection has closed'));
    };
    this.#waiting.push(waiting);
    this.#letIn();
    if (socket.destroyed) giveUp();
    socket.once('close', giveUp);
    await promise.finally(() => socket.off('close', giveUp));
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next && this.#has(next); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.go();
    }
  }

  /** Takes it, where there is room for it. */
  #has({ place, bytes }: Waiting): boolean {
    if (this.#held + bytes <= sharedRoom) {
      this.#held += bytes;
      place.shared += bytes;
      return true;
    }
    if (this.#ahead) return false;
    this.#ahead = place;
    return true;
  }
}

/** `undefined`: it has taken too long. What comes later is dropped. */
async function unlessSilent<Result>(coming: Promise<Result>): Promise<Result | undefined> {
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => silence.resolve(undefined), bodySilence);
  coming.catch(() => {});
  try {
    return await Promise.race([coming, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
