import { notificationText } from '../responses/responses.ts';
import { acknowledgedId, acknowledgementOf, notificationOf, subscribesTo } from '../responses/subscriptions.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { Take } from '../server/connection.ts';
import type { PendingRequest } from './pending-requests.ts';
import type { StaleResponses, SessionPorts } from './session-ports.ts';

interface Listener {
  readonly pending: PendingRequest;
  /** The app has the acknowledgement. Nothing may precede it, and it is sent once. */
  isAcknowledged: boolean;
}

/**
 * Subscriptions of a stateless app at its pipe: requests whose response is their end. While the server is away they
 * stay open, as over HTTP, so that the app learns when it is back.
 */
export class AppSubscriptions {
  readonly #ports: SessionPorts;
  readonly #stale: StaleResponses;
  readonly #take: (pending: PendingRequest) => Take;
  readonly #listeners = new Set<Listener>();
  /** Changes that no process of the app has been notified of. */
  readonly #queued = new Set<string>();
  /** Subscriptions that wait for the server. */
  readonly #waiting = new Set<() => void>();

  /** `take`: handles everything that comes with the response to a request. */
  constructor(ports: SessionPorts, stale: StaleResponses, take: (pending: PendingRequest) => Take) {
    this.#ports = ports;
    this.#stale = stale;
    this.#take = take;
  }

  /** Sends a request; repeats a subscription as often as needed. Errors: PosternError. */
  async forward(pending: PendingRequest): Promise<void> {
    if (pending.request.method !== 'subscriptions/listen') return await this.#send(pending);
    const listener: Listener = { pending, isAcknowledged: false };
    this.#listeners.add(listener);
    try {
      while (!(await this.#hasEnded(listener))) await this.#waitForServer(pending.signal);
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /**
   * Whether this acknowledges a subscription that the app considers acknowledged. `of`: the request that it came with.
   */
  isRepeated(message: Envelope, of: PendingRequest | undefined): boolean {
    const id = acknowledgedId(message);
    const meant = [...this.#listeners].filter(({ pending }) => pending.request.id === id);
    const listener = meant.find(({ pending }) => pending === of) ?? meant[0];
    const isRepeated = listener?.isAcknowledged === true;
    if (listener) listener.isAcknowledged = true;
    return isRepeated;
  }

  /** Notifies the app of changes, through its subscriptions if it has any. */
  async notify(changes: Iterable<string>): Promise<void> {
    for (const change of changes) {
      const concerned = [...this.#listeners].filter(
        ({ pending, isAcknowledged }) => isAcknowledged && subscribesTo(pending.request, change),
      );
      if (concerned.length === 0 && this.#ports.isShared) this.#queued.add(change);
      if (concerned.length === 0) await this.#ports.send(notificationText(change));
      for (const { pending } of concerned)
        await this.#ports.send(notificationOf(pending.request, change), pending.about);
    }
  }

  /** Notifies a subscription, once acknowledged, of changes that nothing was notified of. */
  async sendQueued(): Promise<void> {
    for (const change of this.#queued) {
      const concerned = [...this.#listeners].find(
        ({ pending, isAcknowledged }) => isAcknowledged && subscribesTo(pending.request, change),
      );
      if (!concerned) continue;
      this.#queued.delete(change);
      await this.notify([change]);
    }
  }

  /** The server may be back. */
  retry(): void {
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
    this.#stale.markAway();
    if (!listener.isAcknowledged) {
      listener.isAcknowledged = true;
      await this.#ports.send(acknowledgementOf(request), listener.pending.about);
      await this.sendQueued();
    }
    return false;
  }

  async #send(pending: PendingRequest): Promise<void> {
    await forwardRequest(pending, this.#ports, this.#take(pending));
  }

  /** Errors: the signal's reason. */
  async #waitForServer(signal: AbortSignal): Promise<void> {
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

type ForwardPorts = Pick<SessionPorts, 'answers' | 'headersOf' | 'capabilities' | 'send' | 'upstream'>;

/** Permissions changed between consent and sending. */
class PermissionsChanged extends Error {}

/** Sends a request to the server; once more if header fields were missing. Errors: PosternError. */
async function forwardRequest(pending: PendingRequest, ports: ForwardPorts, take: Take): Promise<void> {
  while (!(await trySend(pending, ports, { take, isAgain: false })));
  if (pending.wantsHeaders && pending.isOpen) while (!(await trySend(pending, ports, { take, isAgain: true })));
}

/** False: it has to be admitted again. Errors: PosternError. */
async function trySend(
  pending: PendingRequest,
  { answers, headersOf, capabilities, send, upstream }: ForwardPorts,
  { take, isAgain }: { readonly take: Take; readonly isAgain: boolean },
): Promise<boolean> {
  const { request, signal, about } = pending;
  const { isContinuation = false, fields } = pending.context;
  const isChanged = capabilities.watchChanges();
  const notify = (notification: string): void => void send(notification, about);
  // The retry is the same call, already admitted.
  if (!isAgain) await capabilities.admit(request, { signal, isContinuation, notify });
  if (signal.aborted) return true;
  const headers = await headersOf(request, isAgain, fields);
  const onLeaving = (): void => {
    if (isChanged()) throw new PermissionsChanged();
    pending.wasSent = true;
  };
  // If a response is dropped: an open request is answered with the error; one already answered has only the rest to
  // lose.
  const onDropped = answers && ((): void => void (pending.isOpen || answers.end(about)));
  const onPaused = answers && ((): void => answers.pause(about));
  try {
    await upstream.request(request, { signal, ...headers, onLeaving, onPaused, onDropped, take });
    return true;
  } catch (error) {
    if (!(error instanceof PermissionsChanged)) throw error;
    return false;
  }
}
