import { idKey } from '../../mcp/messages/message-headers.ts';
import { localArrival, errorText, refusalOf, refusedArrival, rpcCode } from '../responses/responses.ts';
import type { Arrival, Refusal, SendToApp } from '../responses/responses.ts';
import { outcomeOf } from '../responses/call-log.ts';
import type { CallOutcome, LoggedCall } from '../responses/call-log.ts';
import { onOneLine } from '../messages/envelope.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';

/** How a message of the app arrived. */
export interface MessageContext {
  /** Continues an admitted call after the server has requested input. */
  readonly isContinuation?: boolean;
  /** The server might read it differently; `undefined`: not checked. */
  readonly isAmbiguous?: boolean | undefined;
  /** Identifies the request if processes of the app share a session, since they may use the same ids. */
  readonly requestKey?: string | undefined;
  /** Over HTTP: header fields, names in lower case. */
  readonly fields?: Readonly<Record<string, string | undefined>> | undefined;
  /** Called right before a request is sent to the server, after which it is not requeued any more. */
  readonly onSent?: () => void;
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
  /** The server refused the call for missing argument header fields, so its cached tools are outdated. */
  needsHeaders = false;
  #wasSent = false;

  /** Fingerprint of the sign-in when the request arrived. */
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

  /** True once sent to the server, which may already act on it. */
  get wasSent(): boolean {
    return this.#wasSent;
  }

  markSent(): void {
    this.#wasSent = true;
    this.context.onSent?.();
  }

  /** Identifies the request to `SendToApp`. */
  get requestKey(): string {
    return this.context.requestKey ?? this.request.id;
  }

  /** Aborts when the response is no longer needed. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Answered from the cache; the server's response is only compared with that. */
  get isFromCache(): boolean {
    return this.#state === 'cached';
  }

  /** Sends the server's response; `bytes`: as the app may see it. */
  async forward(response: ResponseEnvelope, arrival: Arrival, bytes = response.bytes): Promise<void> {
    if (this.isOpen && response.hasError) this.#onRefused();
    await this.#respond(onOneLine(bytes), outcomeOf(this.request.method, response), arrival);
  }

  /** Sends an error in the server's place. */
  async refuse(refusal: Refusal): Promise<void> {
    const { id, method } = this.request;
    if (this.isOpen) this.#onRefused();
    await this.#respond(refusalOf(id, method, refusal), refusal.code);
  }

  /** Sends a JSON-RPC error in the server's place. */
  async respondWithError(code: number, message: string): Promise<void> {
    const isUnknown = code === rpcCode.unknownMethod;
    await this.#respond(
      errorText(this.request.id, code, message),
      `${code}`,
      isUnknown ? refusedArrival : localArrival,
    );
  }

  /** Sends a substitute for a response that failed with `outcome`. */
  async respondWithSubstitute(message: Buffer, outcome: CallOutcome): Promise<void> {
    await this.#respond(message, outcome);
  }

  /** Answers from the cache. */
  async respondFromCache(message: Buffer): Promise<void> {
    await this.#respond(message, 'ok', localArrival, 'cached');
  }

  /** Runs `work` without counting its time as the server's. */
  async untimed(work: () => Promise<void>): Promise<void> {
    await this.#call.untimed(work);
  }

  /** Drops a handshake that the bridge answers. */
  dismiss(): void {
    if (!this.isOpen) return;
    this.#onRefused();
    this.end('ok');
  }

  /** Ignores any further response. */
  settle(): void {
    this.#state = 'answered';
  }

  /** The app has canceled; the server may respond anyway. */
  markCancelled(): void {
    this.#isCancelled = true;
  }

  /** Ends it without a response. */
  end(outcome: CallOutcome): void {
    if (this.#state === 'open') this.#log(outcome, 0);
    this.settle();
    this.abort();
  }

  /** Aborts the exchange with the server. */
  readonly abort = (): void => this.#abort.abort();

  /** Sends a response unless one was already sent. */
  async #respond(
    message: Buffer | string,
    outcome: CallOutcome,
    arrival = localArrival,
    state: 'cached' | 'answered' = 'answered',
  ): Promise<void> {
    if (this.#state !== 'open') return;
    this.#log(outcome, Buffer.byteLength(message));
    // Set first: the server's response may arrive while this is being sent.
    this.#state = state;
    await this.#send(message, this.requestKey, arrival);
  }

  #log(outcome: CallOutcome, bytes: number): void {
    const hasResponse = outcome === 'ok' || outcome === 'toolError';
    this.#call.end(this.#isCancelled && !hasResponse ? 'cancelled' : outcome, bytes);
  }
}

/** An app's requests in flight, by id. */
export class PendingRequests {
  readonly #byKey = new Map<string, PendingRequest>();

  /** Whether none waits for a response, apart from subscriptions. */
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
    // A server could send an id that equals a request key.
    return pending?.context.requestKey === undefined ? pending : undefined;
  }

  /** Looks up by `requestKey`. */
  findByKey(requestKey: string): PendingRequest | undefined {
    const pending = this.#byKey.get(requestKey) ?? this.get(requestKey);
    return pending?.requestKey === requestKey ? pending : undefined;
  }

  add(pending: PendingRequest): void {
    this.#byKey.set(keyOf(pending), pending);
  }

  remove(pending: PendingRequest): void {
    const key = keyOf(pending);
    if (this.#byKey.get(key) === pending) this.#byKey.delete(key);
  }

  /** Ends requests that were not sent to the server, without a response. Returns them in order of arrival. */
  removeUnsent(): readonly RequestEnvelope[] {
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

function keyOf({ request: { id }, context: { requestKey } }: PendingRequest): string {
  return requestKey ?? idKey(id);
}
