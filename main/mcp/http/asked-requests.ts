import { idKey, meansId } from '../messages/message-id.ts';
import type { MessageOutlet } from '../messages/message-outlet.ts';

/** A request whose answer comes on a stream with those of others. */
export interface AskedRequest {
  /** As it is written. */
  readonly id: string;
  readonly outlet: MessageOutlet;
  readonly isHandshake: boolean;
}

/** The requests of a session that have no answer yet, by their ids. */
export class AskedRequests {
  readonly #byKey = new Map<string, AskedRequest>();

  has(id: string): boolean {
    return this.#byKey.has(idKey(id));
  }

  add(asked: AskedRequest): void {
    this.#byKey.set(idKey(asked.id), asked);
  }

  /** Answers whether it was there. */
  remove(id: string): boolean {
    return this.#byKey.delete(idKey(id));
  }

  /** The one that a server means with this id, which is answered with it. */
  take(id: string): AskedRequest | undefined {
    const asked = this.#byKey.get(idKey(id)) ?? this.all().find((other) => meansId(id, other.id));
    if (asked) this.remove(asked.id);
    return asked;
  }

  /** Oldest first. */
  all(): readonly AskedRequest[] {
    return [...this.#byKey.values()];
  }
}
