import type { Envelope } from '../messages/envelope.ts';
import { notificationText } from '../answers/answers.ts';
import type { Behind } from './behind.ts';
import { forwardRequest } from './forward-request.ts';
import type { PendingRequest } from './pending-request.ts';
import type { SessionPorts } from './session-ports.ts';
import { acknowledgedId, acknowledgementOf, notificationOf, wants } from './subscription-words.ts';

interface Listener {
  readonly pending: PendingRequest;
  /** The program has the acknowledgement: nothing may come before it, and it comes once. */
  isAcknowledged: boolean;
}

/**
 * What a program of the newer wire listens on through its pipe: a request whose answer is its end. While the server is
 * away it stays open, as it does by HTTP, so that the program is told when that is over.
 */
export class Listening {
  readonly #ports: SessionPorts;
  readonly #behind: Behind;
  readonly #listeners = new Set<Listener>();
  /** Those that wait for the server. */
  readonly #waiting = new Set<() => void>();

  constructor(ports: SessionPorts, behind: Behind) {
    this.#ports = ports;
    this.#behind = behind;
  }

  /** Sends a request; one that listens as often as it takes. Errors: PosternError. */
  async forward(pending: PendingRequest): Promise<void> {
    if (pending.request.method !== 'subscriptions/listen') return await forwardRequest(pending, this.#ports);
    const listener: Listener = { pending, isAcknowledged: false };
    this.#listeners.add(listener);
    try {
      while (!(await this.#hasEnded(listener))) await this.#mayBeThere(pending.signal);
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Whether this acknowledges what the program takes as acknowledged. */
  isRepeated(message: Envelope): boolean {
    const id = acknowledgedId(message);
    const listener = [...this.#listeners].find(({ pending }) => pending.request.id === id);
    const isRepeated = listener?.isAcknowledged === true;
    if (listener) listener.isAcknowledged = true;
    return isRepeated;
  }

  /** Tells the program of changes, by what it listens on where that is so. */
  async tell(changes: Iterable<string>): Promise<void> {
    for (const change of changes) {
      const concerned = [...this.#listeners].filter(
        ({ pending, isAcknowledged }) => isAcknowledged && wants(pending.request, change),
      );
      if (concerned.length === 0) await this.#ports.send(notificationText(change));
      for (const { pending } of concerned) await this.#ports.send(notificationOf(pending.request, change));
    }
  }

  /** The server may be there again. */
  lookAgain(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** False: the server is away. Errors: PosternError. */
  async #hasEnded(listener: Listener): Promise<boolean> {
    const { request, signal } = listener.pending;
    try {
      await forwardRequest(listener.pending, this.#ports);
      return true;
    } catch (error) {
      if (signal.aborted || !this.#ports.judge(error).isAway) throw error;
    }
    this.#behind.begin();
    if (!listener.isAcknowledged) {
      listener.isAcknowledged = true;
      await this.#ports.send(acknowledgementOf(request));
    }
    return false;
  }

  /** Errors: the reason of the signal. */
  async #mayBeThere(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const go = (): void => resolve();
    this.#waiting.add(go);
    signal.addEventListener('abort', go, { once: true });
    if (!signal.aborted) await promise;
    this.#waiting.delete(go);
    signal.removeEventListener('abort', go);
    signal.throwIfAborted();
  }
}
