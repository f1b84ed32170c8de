// A stateless app's `subscriptions/listen` requests, and how its requests are sent to the server.

import { notificationText } from '../responses/responses.ts';
import { acknowledgedId, acknowledgementOf, notificationOf, subscribesTo } from '../responses/subscriptions.ts';
import type { Envelope } from '../messages/envelope.ts';
import { callHeaders, forwardableFields, learnTools } from '../server/call-headers.ts';
import type { MessageHandler } from '../server/connection.ts';
import type { PendingRequest } from './pending-requests.ts';
import type { StaleResponses, SessionPorts } from './session-ports.ts';

interface Listener {
  readonly pending: PendingRequest;
  /** The app has received the acknowledgement, which is sent once and before anything else. */
  isAcknowledged: boolean;
}

/**
 * Subscriptions of a stateless app at the socket: requests that stay open until their response. They stay open while
 * the server is offline, so that the app is notified when it is back.
 */
export class AppSubscriptions {
  readonly #ports: SessionPorts;
  readonly #stale: StaleResponses;
  readonly #handlerFor: (pending: PendingRequest) => MessageHandler;
  readonly #listeners = new Set<Listener>();
  /** Change notifications that no process of the app could receive. */
  readonly #queued = new Set<string>();
  /** Wakes subscriptions that wait for the server. */
  readonly #waiting = new Set<() => void>();

  /** `handlerFor`: the handler of everything that arrives with the response to a request. */
  constructor(ports: SessionPorts, stale: StaleResponses, handlerFor: (pending: PendingRequest) => MessageHandler) {
    this.#ports = ports;
    this.#stale = stale;
    this.#handlerFor = handlerFor;
  }

  /** Sends a request to the server; a subscription is sent again whenever the server is back. Errors: PosternError. */
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
   * Whether this acknowledges a subscription a second time. `exchange`: the request on whose stream it arrived.
   */
  isRepeated(message: Envelope, exchange: PendingRequest | undefined): boolean {
    const id = acknowledgedId(message);
    const matching = [...this.#listeners].filter(({ pending }) => pending.request.id === id);
    const listener = matching.find(({ pending }) => pending === exchange) ?? matching[0];
    const isRepeated = listener?.isAcknowledged === true;
    if (listener) listener.isAcknowledged = true;
    return isRepeated;
  }

  /** Notifies the app of changes, through its subscriptions if it has any. */
  async notify(changes: Iterable<string>): Promise<void> {
    for (const change of changes) {
      const subscribed = [...this.#listeners].filter(
        ({ pending, isAcknowledged }) => isAcknowledged && subscribesTo(pending.request, change),
      );
      if (subscribed.length === 0 && this.#ports.isShared) this.#queued.add(change);
      if (subscribed.length === 0) await this.#ports.send(notificationText(change));
      for (const { pending } of subscribed)
        await this.#ports.send(notificationOf(pending.request, change), pending.requestKey);
    }
  }

  /** Sends queued change notifications to acknowledged subscriptions. */
  async sendQueued(): Promise<void> {
    for (const change of this.#queued) {
      const subscribed = [...this.#listeners].find(
        ({ pending, isAcknowledged }) => isAcknowledged && subscribesTo(pending.request, change),
      );
      if (!subscribed) continue;
      this.#queued.delete(change);
      await this.notify([change]);
    }
  }

  /** Retries waiting subscriptions, since the server may be back. */
  retry(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Returns false if the server is offline. Errors: PosternError. */
  async #hasEnded(listener: Listener): Promise<boolean> {
    const { request, signal } = listener.pending;
    try {
      await this.#send(listener.pending);
      return true;
    } catch (error) {
      if (signal.aborted || !this.#ports.server.judge(error).isAway) throw error;
    }
    this.#stale.markAway();
    if (!listener.isAcknowledged) {
      listener.isAcknowledged = true;
      await this.#ports.send(acknowledgementOf(request), listener.pending.requestKey);
      await this.sendQueued();
    }
    return false;
  }

  async #send(pending: PendingRequest): Promise<void> {
    await forwardRequest(pending, this.#ports, this.#handlerFor(pending));
  }

  /** Resolves when the server may be back. Errors: the signal's reason. */
  async #waitForServer(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const resume = (): void => resolve();
    this.#waiting.add(resume);
    signal.addEventListener('abort', resume, { once: true });
    if (!signal.aborted) await promise;
    this.#waiting.delete(resume);
    signal.removeEventListener('abort', resume);
    signal.throwIfAborted();
  }
}

type ForwardPorts = Pick<SessionPorts, 'httpResponses' | 'capabilities' | 'send' | 'server' | 'upstream'>;

/** Permissions changed between consent and sending. */
class PermissionsChanged extends Error {}

/** Sends a request to the server; once more if header fields were missing. Errors: PosternError. */
async function forwardRequest(pending: PendingRequest, ports: ForwardPorts, onMessage: MessageHandler): Promise<void> {
  while (!(await trySend(pending, ports, { onMessage, isRetry: false })));
  if (pending.needsHeaders && pending.isOpen) while (!(await trySend(pending, ports, { onMessage, isRetry: true })));
}

/** Returns false if the request has to be admitted again. Errors: PosternError. */
async function trySend(
  pending: PendingRequest,
  { httpResponses, capabilities, send, server, upstream }: ForwardPorts,
  { onMessage, isRetry }: { readonly onMessage: MessageHandler; readonly isRetry: boolean },
): Promise<boolean> {
  const { request, signal, requestKey } = pending;
  const { isContinuation = false, fields } = pending.context;
  const isChanged = capabilities.watchChanges();
  const notify = (notification: string): void => void send(notification, requestKey);
  // The retry is the same call, already admitted.
  const listTools = (): Promise<void> => learnTools({ server, upstream }, request);
  if (!isRetry) await pending.untimed(() => capabilities.admit(request, { signal, isContinuation, notify, listTools }));
  if (signal.aborted) return true;
  // An HTTP app has already repeated the arguments of its call in header fields.
  const headers =
    fields && !upstream.isSession
      ? { fields: await forwardableFields({ server, upstream, capabilities }, request, fields) }
      : { headers: await callHeaders({ server, upstream, isRetry }, request) };
  const onBeforeSend = (): void => {
    if (isChanged()) throw new PermissionsChanged();
    pending.markSent();
  };
  // If a response is dropped, an open request fails with the error; for an answered one, the exchange just ends.
  const onDropped = httpResponses && ((): void => void (pending.isOpen || httpResponses.end(requestKey)));
  const onPaused = httpResponses && ((): void => httpResponses.pause(requestKey));
  try {
    await upstream.request(request, { signal, ...headers, onBeforeSend, onPaused, onDropped, onMessage });
    return true;
  } catch (error) {
    if (!(error instanceof PermissionsChanged)) throw error;
    return false;
  }
}
