import { notificationText } from '../answers/answers.ts';
import { acknowledgedId, acknowledgementOf, notificationOf, wants } from '../answers/subscriptions.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { Take } from '../server/exchange.ts';
import type { PendingRequest } from './pending-requests.ts';
import type { Behind, SessionPorts } from './session-ports.ts';

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
  readonly #take: (pending: PendingRequest) => Take;
  readonly #listeners = new Set<Listener>();
  /** Changes of which no process of the app has heard. */
  readonly #untold = new Set<string>();
  /** Those that wait for the server. */
  readonly #waiting = new Set<() => void>();

  /** `take`: what gets all that comes with the answer to a request. */
  constructor(ports: SessionPorts, behind: Behind, take: (pending: PendingRequest) => Take) {
    this.#ports = ports;
    this.#behind = behind;
    this.#take = take;
  }

  /** Sends a request; one that listens as often as it takes. Errors: PosternError. */
  async forward(pending: PendingRequest): Promise<void> {
    if (pending.request.method !== 'subscriptions/listen') return await this.#send(pending);
    const listener: Listener = { pending, isAcknowledged: false };
    this.#listeners.add(listener);
    try {
      while (!(await this.#hasEnded(listener))) await this.#mayBeThere(pending.signal);
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Whether this acknowledges what the program takes as acknowledged. `of`: the request that it came with. */
  isRepeated(message: Envelope, of: PendingRequest | undefined): boolean {
    const id = acknowledgedId(message);
    const meant = [...this.#listeners].filter(({ pending }) => pending.request.id === id);
    const listener = meant.find(({ pending }) => pending === of) ?? meant[0];
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
      if (concerned.length === 0 && this.#ports.isShared) this.#untold.add(change);
      if (concerned.length === 0) await this.#ports.send(notificationText(change));
      for (const { pending } of concerned)
        await this.#ports.send(notificationOf(pending.request, change), pending.about);
    }
  }

  /** Tells whoever listens, once that is acknowledged, of what nobody has heard. */
  async tellUntold(): Promise<void> {
    for (const change of this.#untold) {
      const concerned = [...this.#listeners].find(
        ({ pending, isAcknowledged }) => isAcknowledged && wants(pending.request, change),
      );
      if (!concerned) continue;
      this.#untold.delete(change);
      await this.tell([change]);
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
      await this.#send(listener.pending);
      return true;
    } catch (error) {
      if (signal.aborted || !this.#ports.judge(error).isAway) throw error;
    }
    this.#behind.begin();
    if (!listener.isAcknowledged) {
      listener.isAcknowledged = true;
      await this.#ports.send(acknowledgementOf(request), listener.pending.about);
      await this.tellUntold();
    }
    return false;
  }

  async #send(pending: PendingRequest): Promise<void> {
    await forwardRequest(pending, this.#ports, this.#take(pending));
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

type ForwardPorts = Pick<SessionPorts, 'answers' | 'headersOf' | 'permits' | 'send' | 'upstream'>;

/** What may be called has changed between the yes and the moment of leaving. */
class ChangedMeanwhile extends Error {}

/** Sends a request to the server; once more where that missed header fields. Errors: PosternError. */
async function forwardRequest(pending: PendingRequest, ports: ForwardPorts, take: Take): Promise<void> {
  while (!(await hasLeft(pending, ports, { take, isAgain: false })));
  if (pending.wantsHeaders && pending.isOpen) while (!(await hasLeft(pending, ports, { take, isAgain: true })));
}

/** False: it is to be judged again. Errors: PosternError. */
async function hasLeft(
  pending: PendingRequest,
  { answers, headersOf, permits, send, upstream }: ForwardPorts,
  { take, isAgain }: { readonly take: Take; readonly isAgain: boolean },
): Promise<boolean> {
  const { request, signal, about } = pending;
  const { isGoingOn = false, fields } = pending.coming;
  const isChanged = permits.sinceNow();
  const tell = (notification: string): void => void send(notification, about);
  // The same call has been let through once.
  if (!isAgain) await permits.admit(request, { signal, isGoingOn, tell });
  if (signal.aborted) return true;
  const headers = await headersOf(request, isAgain, fields);
  const onLeaving = (): void => {
    if (isChanged()) throw new ChangedMeanwhile();
    pending.hasLeft = true;
  };
  // One that is refused is answered; of one that has an answer the rest is for nobody.
  const onDropped = answers && ((): void => void (pending.isOpen || answers.end(about)));
  const onPaused = answers && ((): void => answers.pause(about));
  try {
    await upstream.request(request, { signal, ...headers, onLeaving, onPaused, onDropped, take });
    return true;
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    return false;
  }
}
