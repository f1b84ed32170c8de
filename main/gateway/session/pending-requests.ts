import type { CallOutcome } from '../log/call-log.ts';
import { idKey } from '../../mcp/messages/message-id.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import type { PendingRequest } from './pending-request.ts';

/** The requests of one program that are under way, by their ids. */
export class PendingRequests {
  readonly #byKey = new Map<string, PendingRequest>();

  /** Whether nobody waits, except for requests that last as long as somebody listens. */
  get isIdle(): boolean {
    return [...this.#byKey.values()].every(
      ({ request, isKept }) => isKept || request.method === 'subscriptions/listen',
    );
  }

  has(id: string): boolean {
    return this.#byKey.has(idKey(id));
  }

  get(id: string): PendingRequest | undefined {
    return this.#byKey.get(idKey(id));
  }

  add(pending: PendingRequest): void {
    this.#byKey.set(idKey(pending.request.id), pending);
  }

  remove(pending: PendingRequest): void {
    const key = idKey(pending.request.id);
    if (this.#byKey.get(key) === pending) this.#byKey.delete(key);
  }

  /** Ends those that have not left for the server, without an answer. Answers them in the order in which they came. */
  takeUnsent(): readonly RequestEnvelope[] {
    const unsent = [...this.#byKey.values()].filter(({ isOpen, hasLeft }) => isOpen && !hasLeft);
    for (const pending of unsent) {
      pending.settle();
      pending.abort();
      this.remove(pending);
    }
    return unsent.map(({ request }) => request);
  }

  end(outcome: CallOutcome): void {
    for (const pending of this.#byKey.values()) pending.end(outcome);
  }
}
