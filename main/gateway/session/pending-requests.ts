import { idKey } from '../../mcp/messages/message-headers.ts';
import { localArrival, errorText, refusalOf, refusedArrival, rpcCode } from '../responses/responses.ts';
import type { Arrival, Refusal, SendToApp } from '../responses/responses.ts';
import { outcomeOf } from '../responses/call-log.ts';
import type { CallOutcome, LoggedCall } from '../responses/call-log.ts';
import { onOneLine } from '../messages/envelope.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';

/** How a message of the app arrived. */
export interface MessageContext {
  /** Continues an admitted call for which the server has asked something. */
  readonly isContinuation?: boolean;
  /** A server may read it in more than one way; `undefined`: not checked. */
  readonly isAmbiguous?: boolean | undefined;
  /** Identifies its exchange, if several processes of the app share a session and may use the same ids. */
  readonly about?: string | undefined;
  /** Over HTTP: header fields, names in lower case. */
  readonly fields?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A request of an app in flight. It gets exactly one response. */
export class PendingRequest {
  readonly request: RequestEnvelope;
  readonly context: MessageContext;
  readonly #send: SendToApp;
  readonly #call: LoggedCall;
  readonly #onRefused: () => void;
  readonly #abort = new AbortController();
  #isCancelled = false;
  #state: 'open' | 'cached' | 'answered' = 'open';
  /** The server missed header fields that repeat arguments, so what is known of its tools is outdated. */
  wantsHeaders = false;
  /** Sent to the server, which may already act on it. */
  wasSent = false;

  /** Fingerprint of the sign-in when the request came. */
  owner: string | undefined;

  /** `onRefused` is called before an error goes to the app. */
  constructor(
    request: RequestEnvelope,
    context: MessageContext,
    call: LoggedCall,
    send: SendToApp,
    onRefused: () => void,
  ) {
    this.request = request;
    this.context = context;
    this.#call = call;
    this.#send = send;
    this.#onRefused = onRefused;
  }

  /** Identifies the request to the sender of responses. */
  get about(): string {
    return this.context.about ?? this.request.id;
  }

  /** Aborts when nobody waits for the response any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Answered from the cache; the server's own response is only compared. */
  get isFromCache(): boolean {
    return this.#state === 'cached';
  }

  /** Sends the server's response; `bytes`: as the app may see it. */
  async pass(response: ResponseEnvelope, arrival: Arrival, bytes = response.bytes): Promise<void> {
    if (this.isOpen && response.hasError) this.#onRefused();
    await this.#answer(onOneLine(bytes), outcomeOf(this.request.method, response), arrival);
  }

  /** Sends an error in the server's place. */
  async refuseWith(refusal: Refusal): Promise<void> {
    const { id, method } = this.request;
    if (this.isOpen) this.#onRefused();
    await this.#answer(refusalOf(id, method, refusal), refusal.code);
  }

  /** The same as a JSON-RPC error. */
  async answerError(code: number, message: string): Promise<void> {
    const isUnknown = code === rpcCode.unknownMethod;
    await this.#answer(errorText(this.request.id, code, message), `${code}`, isUnknown ? refusedArrival : localArrival);
  }

  /** Sends a substitute for a response that failed with `outcome`. */
  async answerWithSubstitute(message: Buffer, outcome: CallOutcome): Promise<void> {
    await this.#answer(message, outcome);
  }

  /** Answers from the cache. */
  async answerFromCache(message: Buffer): Promise<void> {
    await this.#answer(message, 'ok', localArrival, 'cached');
  }

  /** Drops a handshake that is answered elsewhere. */
  dismiss(): void {
    if (!this.isOpen) return;
    this.#onRefused();
    this.end('ok');
  }

  /** Whatever comes now is ignored. */
  settle(): void {
    this.#state = 'answered';
  }

  /** The app does not want the response any more; the server may send it anyway. */
  noteCancelled(): void {
    this.#isCancelled = true;
  }

  /** Ends it without a response. */
  end(outcome: CallOutcome): void {
    if (this.#state === 'open') this.#note(outcome, 0);
    this.settle();
    this.abort();
  }

  /** Stops everything that belongs to it; it has been answered. */
  readonly abort = (): void => this.#abort.abort();

  /** Only the first response goes to the app. */
  async #answer(
    message: Buffer | string,
    outcome: CallOutcome,
    arrival = localArrival,
    state: 'cached' | 'answered' = 'answered',
  ): Promise<void> {
    if (this.#state !== 'open') return;
    this.#note(outcome, Buffer.byteLength(message));
    // Set first: the server's response may come while this is being sent.
    this.#state = state;
    await this.#send(message, this.about, arrival);
  }

  #note(outcome: CallOutcome, bytes: number): void {
    const hasCome = outcome === 'ok' || outcome === 'toolError';
    this.#call.end(this.#isCancelled && !hasCome ? 'cancelled' : outcome, bytes);
  }
}

/** An app's requests in flight, by id. */
export class PendingRequests {
  readonly #byKey = new Map<string, PendingRequest>();

  /** Whether nothing waits, apart from subscriptions. */
  get isIdle(): boolean {
    return [...this.#byKey.values()].every(
      ({ request, isFromCache }) => isFromCache || request.method === 'subscriptions/listen',
    );
  }

  has(id: string): boolean {
    return this.#byKey.has(idKey(id));
  }

  get(id: string): PendingRequest | undefined {
    const pending = this.#byKey.get(idKey(id));
    // An id from the other side could equal an exchange key.
    return pending?.context.about === undefined ? pending : undefined;
  }

  /** Looks up by `about`. */
  of(about: string): PendingRequest | undefined {
    const pending = this.#byKey.get(about) ?? this.get(about);
    return pending?.about === about ? pending : undefined;
  }

  add(pending: PendingRequest): void {
    this.#byKey.set(keyOf(pending), pending);
  }

  remove(pending: PendingRequest): void {
    const key = keyOf(pending);
    if (this.#byKey.get(key) === pending) this.#byKey.delete(key);
  }

  /** Ends requests that were not sent to the server, without a response. Returns them in order of arrival. */
  takeUnsent(): readonly RequestEnvelope[] {
    const unsent = [...this.#byKey.values()].filter(({ isOpen, wasSent }) => isOpen && !wasSent);
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

function keyOf({ request: { id }, context: { about } }: PendingRequest): string {
  return about ?? idKey(id);
}
