import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { answered, rpcCode, tooMany, underWay, unusableAnswer } from '../answers/answers.ts';
import type { Arrival } from '../answers/answers.ts';
import { Places } from '../limits/message-budget.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { failureOf } from '../answers/call-log.ts';
import type { CallOutcome } from '../answers/call-log.ts';
import { changesOf, emptyLastPage, isCatalogued } from '../messages/catalogue.ts';
import { beginsSession, isObject } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope, Unusable } from '../messages/envelope.ts';
import { boundedAnswer } from '../permissions/without-tools.ts';
import { LostCursor } from '../server/upstream.ts';
import { repairedAnswer } from '../server/repaired-answer.ts';
import {
  bearsOnEra,
  isAboutFields,
  isOfNewerEra,
  isWholeDiscovery,
  namesNewerEra,
  OlderRefused,
  saysNoDiscovery,
} from '../server/revision-evidence.ts';
import type { Listening } from './listening.ts';
import { PendingRequest, PendingRequests } from './pending-requests.ts';
import type { Coming } from './pending-requests.ts';
import type { Behind, SessionPorts } from './session-ports.ts';

/** The requests of one program: each gets exactly one answer, the server's as it came or one of ours. */
export class Requests {
  readonly #ports: SessionPorts;
  readonly #order: MessageOrder;
  readonly #pending = new PendingRequests();
  readonly #behind: Behind;
  readonly #listening: Listening;
  /** The last try to reach the server failed. */
  #isAway = false;
  #isResting = false;
  #isClosed = false;

  constructor(ports: SessionPorts, order: MessageOrder, behind: Behind, listening: Listening) {
    this.#ports = ports;
    this.#order = order;
    this.#behind = behind;
    this.#listening = listening;
  }

  get isIdle(): boolean {
    return this.#pending.isIdle;
  }

  /** Sends a request on its way. Never rejects; resolves when the next may come. */
  async begin(request: RequestEnvelope, coming: Coming): Promise<void> {
    const { send, giveBack, isOlder, calls } = this.#ports;
    if (this.#isResting) return await giveBack(request.bytes);
    const isFirst = beginsSession(request);
    if (isFirst && this.#ports.bridges(request, 'unknown')) return;
    const pending = new PendingRequest(request, coming, calls.begin(request), send, () => {
      if (!isFirst) return;
      // A handshake that failed: nothing has to follow it.
      this.#ports.upstream.forgetHandshake();
      this.#order.release();
    });
    pending.owner = this.#ports.catalogue.owner;
    const refused = refuseAtOnce(request, {
      isUnderWay: coming.about === undefined && this.#pending.has(request.id),
      isOlder: isOlder(),
      isFull: this.#order.isFullFor(request.bytes.byteLength),
    });
    if (refused) return await pending.answerError(refused.code, refused.message);
    if (isFirst) this.#order.keep();
    this.#pending.add(pending);
    void this.#run(pending);
  }

  /** An answer of the server; `of`: the request whose exchange it came with. Resolves when the next message may come. */
  async take(given: AnswerEnvelope, of?: PendingRequest, arrival = answered): Promise<void> {
    const pending = of?.request.id === given.id ? of : this.#pending.get(given.id);
    // One answer to each request, whatever a server sends.
    if (!pending || (!pending.isOpen && !pending.isKept)) return this.#ports.onMisfit('server-answer');
    const bounded = await boundedAnswer(pending.request.method, given);
    if (bounded !== given) this.#ports.onMisfit('long-listing');
    const answer = await repairedAnswer(pending.request, bounded, this.#ports.onUnusable);
    const { catalogue, onTools, onEra } = this.#ports;
    const { request } = pending;
    if (answer.hasError) return await this.#takeError(pending, answer, arrival);
    // What the account before may see goes to nobody.
    if (isCatalogued(request.method) && pending.owner !== catalogue.owner)
      return await this.#refuse(pending, new PosternError('SESSION_LOST', { stage: 'gateway' }));
    if (request.method === 'tools/list') await onTools(answer.bytes);
    if (request.method === 'server/discover' && namesNewerEra(answer.message['result'])) onEra('modern');
    if (isCatalogued(request.method)) {
      await catalogue.keep(request, answer, pending.owner);
      const changes = this.#behind.noteAnswer(request, answer);
      if (pending.isKept) {
        pending.settle();
        return await this.#listening.tell(changes);
      }
    }
    await pending.pass(answer, arrival, await this.#ports.permits.shown(request, answer.bytes));
  }

  /** An answer that cannot be read as one. */
  async takeUnusable(id: string, reason: Unusable, of?: PendingRequest): Promise<void> {
    const pending = of?.request.id === id ? of : this.#pending.get(id);
    if (pending) await this.#refuseAnswer(pending, unusableAnswer(reason));
  }

  /** The program no longer waits: it gets no answer (MCP 2026-07-28, cancellation), or what is `stillSent` to it. */
  cancel(id: string, { stillSent }: { readonly stillSent: boolean }): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (stillSent && pending.hasLeft) return pending.noteCancelled();
    pending.end('cancelled');
    this.#pending.remove(pending);
    this.#ports.answers?.end(pending.about);
  }

  /** The app has hung up, or has its answer. What is kept of a handshake or a listing is good for the next time. */
  drop(about: string): void {
    const pending = this.#pending.of(about);
    if (!pending?.isOpen) return;
    if (isCatalogued(pending.request.method)) return pending.noteCancelled();
    pending.end('cancelled');
    this.#pending.remove(pending);
  }

  /** Whether this request is at the server, or on its way there. */
  hasLeft(id: string): boolean {
    return this.#pending.get(id)?.hasLeft === true;
  }

  /** Whether this request has been given back. */
  isGivenBack(id: string): boolean {
    return this.#isResting && !this.#pending.has(id);
  }

  /** Lets nothing more leave: what has not left is given back, and so is what still comes. */
  async rest(): Promise<void> {
    this.#isResting = true;
    for (const { bytes } of this.#pending.takeUnsent()) await this.#ports.giveBack(bytes);
  }

  /** Tells the program to ask again for what it was told without the server. */
  async announce(): Promise<void> {
    if (!this.#behind.is || this.#isClosed) return;
    this.#isAway = false;
    await this.#listening.tell(this.#behind.end());
    this.#listening.lookAgain();
  }

  close(): void {
    this.#isClosed = true;
    this.#pending.end('SESSION_LOST');
  }

  async #run(pending: PendingRequest): Promise<void> {
    const stop = this.#answerInTime(pending);
    try {
      await this.#order.request(pending.request.bytes.byteLength, () => this.#listening.forward(pending));
      this.#isAway = false;
      if (pending.isOpen) await this.#refuseAnswer(pending, undefined);
    } catch (error) {
      if (error instanceof LostCursor) await this.#beginListAnew(pending);
      else if (!pending.signal.aborted) await this.#fail(pending, error);
    } finally {
      stop();
      this.#pending.remove(pending); // No answer comes any more.
      this.#behind.noteFailure(pending.request, false);
    }
  }

  /** A handshake or a listing does not wait for a server that is slow; a call not long for one that was away. */
  #answerInTime(pending: PendingRequest): () => void {
    const { clock, upstream, isLocal } = this.#ports;
    if (isCatalogued(pending.request.method)) {
      return clock.after(gatewaySession.patience, () => void this.#answerKept(pending));
    }
    if (!this.#isAway || isLocal) return () => {};
    return clock.after(gatewaySession.patienceAway, () => {
      if (!pending.isOpen || !upstream.needsHandshake) return;
      void this.#refuse(pending, new PosternError('SERVER_OFFLINE', { stage: 'gateway' })).then(pending.abort);
    });
  }

  async #answerKept(pending: PendingRequest): Promise<boolean> {
    const kept = pending.isOpen ? await this.#ports.catalogue.answer(pending.request) : undefined;
    // The server may have answered meanwhile.
    if (!kept || !pending.isOpen) return false;
    this.#behind.noteKept(pending.request, kept);
    await pending.answerKept(await this.#ports.permits.shown(pending.request, kept));
    return true;
  }

  async #fail(pending: PendingRequest, error: unknown): Promise<void> {
    const { bridges, isNewer, judge } = this.#ports;
    const isOlder = beginsSession(pending.request) && isNewer();
    if (judge(error).isAway) {
      this.#isAway = true;
      this.#behind.begin();
      if (isCatalogued(pending.request.method) && (await this.#answerKept(pending))) return;
      if (isOlder && bridges(pending.request, 'refused')) return pending.letGo();
    } else if (isOlder) return await this.#refuseOlder(pending);
    await this.#refuseAnswer(pending, error);
  }

  /** The program lists again, in the session that there is now. */
  async #beginListAnew(pending: PendingRequest): Promise<void> {
    const { request } = pending;
    await pending.answerInPlace(emptyLastPage(request), 'SESSION_LOST');
    await this.#listening.tell(changesOf([request.method]));
  }

  /** What the program has of a list is as good without the page that failed. */
  async #refuseAnswer(pending: PendingRequest, error: unknown): Promise<void> {
    const { isAway, isStoppedHere, refusal } = this.#ports.judge(error);
    if (isStoppedHere || !(await this.#endList(pending, refusal.code))) return await this.#refuse(pending, error);
    // Only the person can help, or the next try.
    if (isAway) this.#ports.refuse(error);
  }

  /** `false`: what failed is no further page of a list. */
  async #endList(pending: PendingRequest, outcome: CallOutcome): Promise<boolean> {
    const last = pending.isOpen && (await this.#ports.catalogue.lastPage(pending.request, pending.owner));
    if (!last) return false;
    this.#ports.onUnusable(last.missing);
    await pending.answerInPlace(last.answer, outcome);
    return true;
  }

  async #takeError(pending: PendingRequest, answer: AnswerEnvelope, arrival: Arrival): Promise<void> {
    const { request, coming } = pending;
    const { error } = answer.message;
    const code = isObject(error) ? error['code'] : undefined;
    if (coming.fields && isAboutFields(arrival.status)) return await pending.pass(answer, arrival);
    if (isOfNewerEra(code) && bearsOnEra(request)) this.#ports.onEra('modern');
    if (pending.isKept) return pending.settle();
    const isMissing = code === rpcCode.headerMismatch && request.method === 'tools/call';
    // An app that speaks HTTP has fields of its own.
    if (isMissing && !coming.fields && !pending.wantsHeaders) {
      pending.wantsHeaders = true;
      return;
    }
    if (beginsSession(request) && (this.#ports.isNewer() || isOfNewerEra(code))) {
      return await this.#refuseOlder(pending);
    }
    if (await this.#endList(pending, failureOf(answer))) return;
    if (!saysNoDiscovery(request, code)) return await pending.pass(answer, arrival);
    // A process answers without a status: its transport has refused an id that is under way.
    const isOfTransport = this.#ports.isLocal && arrival.status === 400;
    if (isWholeDiscovery(request) && !isOfTransport) this.#ports.onEra('legacy');
    await pending.answerError(rpcCode.unknownMethod, 'Method not found');
  }

  async #refuseOlder(pending: PendingRequest): Promise<void> {
    if (this.#ports.bridges(pending.request, 'refused')) return pending.letGo();
    await this.#refuse(pending, new OlderRefused());
  }

  async #refuse(pending: PendingRequest, error: unknown): Promise<void> {
    await pending.refuseWith(this.#ports.refuse(error));
  }
}

/**
 * When each message of a program goes out: one after the other until `notifications/initialized` (MCP 2025-11-25,
 * lifecycle), from then on at once, but for requests that would be too many at one time.
 */
export class MessageOrder {
  readonly #places: Places;
  #turn: Promise<void> | undefined;
  /** What goes out at once goes out after this. */
  #before: Promise<void> = Promise.resolve();

  constructor(budget: AppBudget) {
    this.#places = new Places(budget);
  }

  /** Whether one more request of that many bytes would be too much. */
  isFullFor(bytes: number): boolean {
    return this.#places.isFullFor(bytes);
  }

  /** From now on one after the other. */
  keep(): void {
    this.#turn ??= this.#before;
  }

  /** At once again. */
  release(): void {
    this.#turn = undefined;
  }

  /** Until what has come so far, and `last`, has gone out. */
  async keepUntil(last: () => Promise<void>): Promise<void> {
    const done = this.inTurn(last);
    // Those that come from now on wait for it, and not for each other: one may have to be answered before another is.
    this.#turn = undefined;
    this.#before = done.catch(() => {});
    await done;
  }

  /** Errors: those of `work`. */
  async inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#turn === undefined) {
      await this.#before;
      return await work();
    }
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    await done;
  }

  /** The same for a request of so many bytes, which takes a place until it is over. Errors: those of `work`. */
  async request(bytes: number, work: () => Promise<void>): Promise<void> {
    const place = this.#places.enter(bytes);
    try {
      await this.inTurn(async () => {
        await place.take();
        await work();
      });
    } finally {
      place.leave();
    }
  }
}

interface Standing {
  /** Another request with the same id. */
  readonly isUnderWay: boolean;
  /** The server is known to speak the older wire alone. */
  readonly isOlder: boolean;
  /** Too much waits already. */
  readonly isFull: boolean;
}

/** Why a request goes nowhere, as an error of JSON-RPC; `undefined` where it goes on its way. */
function refuseAtOnce({ method }: RequestEnvelope, { isUnderWay, isOlder, isFull }: Standing) {
  if (isUnderWay) return { code: rpcCode.notARequest, message: underWay };
  // What programs of both eras take as the sign to begin with `initialize`.
  if (method === 'server/discover' && isOlder) return { code: rpcCode.unknownMethod, message: 'Method not found' };
  if (isFull) return { code: rpcCode.implementation, message: tooMany };
  return undefined;
}
