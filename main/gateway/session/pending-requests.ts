import { idKey } from '../../mcp/messages/message-headers.ts';
import { answered, errorText, refusalOf, refused, rpcCode } from '../answers/answers.ts';
import type { Arrival, Refusal, SendAbout } from '../answers/answers.ts';
import { outcomeOf } from '../answers/call-log.ts';
import type { CallOutcome, NotedCall } from '../answers/call-log.ts';
import { onOneLine } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';

/** How a message of the app came. */
export interface Coming {
  /** It goes on with a call that was let through, for which the server has asked something. */
  readonly isGoingOn?: boolean;
  /** A server may read it in more than one way; left out: nobody has looked. */
  readonly isAmbiguous?: boolean | undefined;
  /** What its exchange is known by, where several processes of the app share a session, and may use the same ids. */
  readonly about?: string | undefined;
  /** By HTTP: its header fields, names in lower case. */
  readonly fields?: Readonly<Record<string, string | undefined>> | undefined;
}

/** One request of a program on its way: it gets exactly one answer. */
export class PendingRequest {
  readonly request: RequestEnvelope;
  readonly coming: Coming;
  readonly #send: SendAbout;
  readonly #call: NotedCall;
  readonly #onRefused: () => void;
  readonly #abort = new AbortController();
  #isCancelled = false;
  #state: 'open' | 'kept' | 'answered' = 'open';
  /** The server missed header fields that repeat arguments; what is known of its tools is old. */
  wantsHeaders = false;
  /** It is on its way to the server, which may act on it already. */
  hasLeft = false;

  /** Whose lists the server would answer with when this came. */
  owner: string | undefined;

  /** `onRefused` is told before an error goes to the program. */
  constructor(request: RequestEnvelope, coming: Coming, call: NotedCall, send: SendAbout, onRefused: () => void) {
    this.request = request;
    this.coming = coming;
    this.#call = call;
    this.#send = send;
    this.#onRefused = onRefused;
  }

  /** What it is known by to whoever sends to the app. */
  get about(): string {
    return this.coming.about ?? this.request.id;
  }

  /** Aborts when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Answered from the catalogue; the server's own answer is only compared. */
  get isKept(): boolean {
    return this.#state === 'kept';
  }

  /** The server's answer; `bytes`: as the program may see it. */
  async pass(answer: AnswerEnvelope, arrival: Arrival, bytes = answer.bytes): Promise<void> {
    if (this.isOpen && answer.hasError) this.#onRefused();
    await this.#answer(onOneLine(bytes), outcomeOf(this.request.method, answer), arrival);
  }

  /** An error in the server's place. */
  async refuseWith(refusal: Refusal): Promise<void> {
    const { id, method } = this.request;
    if (this.isOpen) this.#onRefused();
    await this.#answer(refusalOf(id, method, refusal), refusal.code);
  }

  /** The same as an error of JSON-RPC. */
  async answerError(code: number, message: string): Promise<void> {
    const isUnknown = code === rpcCode.unknownMethod;
    await this.#answer(errorText(this.request.id, code, message), `${code}`, isUnknown ? refused : answered);
  }

  /** Something in place of an answer that failed with this. */
  async answerInPlace(message: Buffer, outcome: CallOutcome): Promise<void> {
    await this.#answer(message, outcome);
  }

  /** Answers from before. */
  async answerKept(message: Buffer): Promise<void> {
    await this.#answer(message, 'ok', answered, 'kept');
  }

  /** A handshake that is answered in another way: nothing follows it. */
  letGo(): void {
    if (!this.isOpen) return;
    this.#onRefused();
    this.end('ok');
  }

  /** Whatever comes now is for nobody. */
  settle(): void {
    this.#state = 'answered';
  }

  /** The program does not want the answer any more, which the server may send all the same. */
  noteCancelled(): void {
    this.#isCancelled = true;
  }

  /** Ends it without an answer. */
  end(outcome: CallOutcome): void {
    if (this.#state === 'open') this.#note(outcome, 0);
    this.settle();
    this.abort();
  }

  /** Nothing of it goes on; it has been answered. */
  readonly abort = (): void => this.#abort.abort();

  /** Only the first answer goes to the program. */
  async #answer(
    message: Buffer | string,
    outcome: CallOutcome,
    arrival = answered,
    state: 'kept' | 'answered' = 'answered',
  ): Promise<void> {
    if (this.#state !== 'open') return;
    this.#note(outcome, Buffer.byteLength(message));
    // First: the server's answer may come while this is sent.
    this.#state = state;
    await this.#send(message, this.about, arrival);
  }

  #note(outcome: CallOutcome, bytes: number): void {
    const hasCome = outcome === 'ok' || outcome === 'toolError';
    this.#call.end(this.#isCancelled && !hasCome ? 'cancelled' : outcome, bytes);
  }
}

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
    const pending = this.#byKey.get(idKey(id));
    // What others say may be the name of an exchange.
    return pending?.coming.about === undefined ? pending : undefined;
  }

  /** By what its exchange is known. */
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

function keyOf({ request: { id }, coming: { about } }: PendingRequest): string {
  return about ?? idKey(id);
}
