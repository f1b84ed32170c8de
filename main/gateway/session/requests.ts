import { gatewaySession } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import { rpcCode } from '../answers/answers.ts';
import { unusableAnswer } from '../answers/unusable-answer.ts';
import type { Behind } from './behind.ts';
import { isCatalogued } from '../messages/catalogue.ts';
import { boundedAnswer } from '../permissions/without-tools.ts';
import { beginsSession, isObject } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope, Unusable } from '../messages/envelope.ts';
import { bearsOnEra, isOfNewerEra, isWholeDiscovery, namesNewerEra, saysNoDiscovery } from '../server/era-evidence.ts';
import { OlderRefused } from '../server/older-refused.ts';
import type { Listening } from './listening.ts';
import type { MessageOrder } from './message-order.ts';
import { PendingRequest } from './pending-request.ts';
import { PendingRequests } from './pending-requests.ts';
import { refuseAtOnce } from './refuse-at-once.ts';
import type { SessionPorts } from './session-ports.ts';

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

  /** Sends a request on its way; `isGoingOn`: see `PendingRequest`. Never rejects; resolves when the next may come. */
  async begin(request: RequestEnvelope, isGoingOn: boolean): Promise<void> {
    const { send, giveBack, isOlder, calls } = this.#ports;
    if (this.#isResting) return await giveBack(request.bytes);
    const isFirst = beginsSession(request);
    if (isFirst && this.#ports.bridges(request, 'unknown')) return;
    const pending = new PendingRequest(request, isGoingOn, calls.begin(request), send, () => {
      if (!isFirst) return;
      // A handshake that failed: nothing has to follow it.
      this.#ports.upstream.forgetHandshake();
      this.#order.release();
    });
    pending.owner = this.#ports.catalogue.owner;
    const refused = refuseAtOnce(request, {
      isUnderWay: this.#pending.has(request.id),
      isOlder: isOlder(),
      isFull: this.#order.isFullFor(request.bytes.byteLength),
    });
    if (refused) return await pending.answerError(refused.code, refused.message);
    if (isFirst) this.#order.keep();
    this.#pending.add(pending);
    void this.#run(pending);
  }

  /** An answer of the server. Resolves when the next message may come. */
  async take(given: AnswerEnvelope): Promise<void> {
    const pending = this.#pending.get(given.id);
    // One answer to each request, whatever a server sends.
    if (!pending || (!pending.isOpen && !pending.isKept)) return this.#ports.onMisfit('server-answer');
    const answer = boundedAnswer(pending.request.method, given);
    if (answer !== given) this.#ports.onMisfit('long-listing');
    const { catalogue, onTools, onEra } = this.#ports;
    const { request } = pending;
    if (answer.hasError) return await this.#takeError(pending, answer);
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
    await pending.pass(answer, await this.#ports.permits.shown(request, answer.bytes));
  }

  /** An answer that cannot be read as one. */
  async takeUnusable(id: string, reason: Unusable): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending) await this.#refuse(pending, unusableAnswer(reason));
  }

  /** The program no longer waits: it gets no answer (MCP 2026-07-28, cancellation), or what is `stillSent` to it. */
  cancel(id: string, { stillSent }: { readonly stillSent: boolean }): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (stillSent && pending.hasLeft) return pending.noteCancelled();
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
      if (pending.isOpen) await this.#refuse(pending, undefined);
    } catch (error) {
      if (!pending.signal.aborted) await this.#fail(pending, error);
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
    await this.#refuse(pending, error);
  }

  async #takeError(pending: PendingRequest, answer: AnswerEnvelope): Promise<void> {
    const { request } = pending;
    const { error } = answer.message;
    const code = isObject(error) ? error['code'] : undefined;
    if (isOfNewerEra(code) && bearsOnEra(request)) this.#ports.onEra('modern');
    if (pending.isKept) return pending.settle();
    if (code === rpcCode.headerMismatch && request.method === 'tools/call' && !pending.wantsHeaders) {
      pending.wantsHeaders = true;
      return;
    }
    if (beginsSession(request) && (this.#ports.isNewer() || isOfNewerEra(code))) {
      return await this.#refuseOlder(pending);
    }
    if (!saysNoDiscovery(request, code)) return await pending.pass(answer);
    if (isWholeDiscovery(request)) this.#ports.onEra('legacy');
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
