import { gatewayMessage, gatewaySession } from '../../limits.ts';
import type { Holding } from '../../holding.ts';

/** A reader that may not hold as much as it has to. */
interface Waiting {
  readonly of: Held;
  readonly bytes: number;
  readonly go: () => void;
}

interface Held {
  bytes: number;
}

/**
 * All that a session holds of the server's messages, from their first byte until the program has taken them: where that
 * is full, nobody reads on. Several messages may be half there, and none would ever be whole: so the last bytes are for
 * one of them alone, as many as the longest message has.
 */
export class SessionBuffer {
  readonly #shared = gatewaySession.buffer - gatewayMessage.size;
  readonly #waiting: Waiting[] = [];
  #total = 0;
  #alone: Held | undefined;

  /** For one stream, whose messages come one after the other. Nothing is held any more when `hold` gets 0. */
  open(): Holding {
    const held: Held = { bytes: 0 };
    return { hold: (bytes) => this.#hold(held, bytes) };
  }

  async #hold(held: Held, bytes: number): Promise<void> {
    // Nobody reads on.
    if (bytes === 0) for (const { go } of this.#takeWaiting(held)) go();
    if (bytes <= held.bytes) {
      this.#set(held, bytes);
      if (bytes === 0 && this.#alone === held) this.#alone = undefined;
      return this.#letGo();
    }
    await new Promise<void>((go) => {
      this.#waiting.push({ of: held, bytes, go });
      this.#letGo();
    });
  }

  /** The first of those that wait gets what is left where nobody has it; the others go on where all have room. */
  #letGo(): void {
    for (const waiting of this.#waiting.splice(0)) {
      const { of, bytes, go } = waiting;
      if (this.#total - of.bytes + bytes > this.#shared) this.#alone ??= of;
      if (this.#alone !== of && this.#total - of.bytes + bytes > this.#shared) this.#waiting.push(waiting);
      else {
        this.#set(of, bytes);
        go();
      }
    }
  }

  #takeWaiting(held: Held): readonly Waiting[] {
    const all = this.#waiting.splice(0);
    this.#waiting.push(...all.filter(({ of }) => of !== held));
    return all.filter(({ of }) => of === held);
  }

  #set(held: Held, bytes: number): void {
    this.#total += bytes - held.bytes;
    held.bytes = bytes;
  }
}
