import { gatewaySession } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import { notificationText, rpcCode } from './answers.ts';
import { changeOf, changesOf, isCatalogued, isHandshake } from './catalogue.ts';
import { beginsSession, idKey, isObject } from './envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from './envelope.ts';
import { isOfNewerEra, isWholeDiscovery, saysNoDiscovery } from './era-evidence.ts';
import type { MessageOrder } from './message-order.ts';
import { PendingRequest } from './pending-request.ts';
import { refuseAtOnce } from './refuse-at-once.ts';
import type { SessionPorts } from './session-ports.ts';

/** The requests of one program: each gets exactly one answer, the server's as it came or one of ours. */
export class Requests {
  readonly #ports: SessionPorts;
  readonly #order: MessageOrder;
  readonly #pending = new Map<string, PendingRequest>();
  /** Listings that this program has asked for. */
  readonly #listed = new Set<string>();
  #isBehind = false;
  /** The last try to reach the server failed. */
  #isAway = false;
  #isClosed = false;

  constructor(ports: SessionPorts, order: MessageOrder) {
    this.#ports = ports;
    this.#order = order;
  }

  /** Whether nothing is under way but what goes on for as long as somebody listens. */
  get isIdle(): boolean {
    return [...this.#pending.values()].every(({ request }) => request.method === 'subscriptions/listen');
  }

  /** Whether the program has been told what the server did not say, or something could not be fetched. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Sends a request on its way. Never rejects; resolves when the next message may come. */
  async begin(request: RequestEnvelope): Promise<void> {
    const { send, isOlder, calls } = this.#ports;
    const key = idKey(request.id);
    const isFirst = beginsSession(request);
    const pending = new PendingRequest(request, calls.begin(request), send, () => {
      if (!isFirst) return;
      // A handshake that failed: nothing has to follow it.
      this.#ports.upstream.forgetHandshake();
      this.#order.release();
    });
    const refused = refuseAtOnce(request, {
      isUnderWay: this.#pending.has(key),
      isOlder: isOlder(),
      isFull: this.#order.isFullFor(request.bytes.byteLength),
    });
    if (refused) return await pending.answerError(refused.code, refused.message);
    if (isFirst) this.#order.keep();
    this.#pending.set(key, pending);
    void this.#run(key, pending);
  }

  /** An answer of the server. Resolves when the next message may come. */
  async take(answer: AnswerEnvelope): Promise<void> {
    const pending = this.#pending.get(idKey(answer.id));
    // One answer to each request, whatever a server sends.
    if (!pending || (!pending.isOpen && !pending.isKept)) return;
    const { catalogue, send, onTools, onEra } = this.#ports;
    const { request } = pending;
    const { error, result } = answer.message;
    if (error !== undefined) return await this.#takeError(pending, answer, error);
    if (request.method === 'tools/list' && isObject(result)) onTools(result);
    if (request.method === 'server/discover') onEra('modern');
    if (isCatalogued(request.method)) {
      const hasChanged = await catalogue.keep(request, answer);
      if (pending.isKept) {
        pending.settle();
        const change = hasChanged ? changeOf(request.method) : undefined;
        if (change !== undefined) await send(notificationText(change));
        return;
      }
      this.#note(request);
    }
    await pending.pass(answer);
  }

  /** An answer that is none. */
  async takeUnusable(id: string): Promise<void> {
    const pending = this.#pending.get(idKey(id));
    if (pending) await this.#refuse(pending, undefined);
  }

  /** The program no longer waits: it gets no answer (MCP 2026-07-28, cancellation), or what is `stillSent` to it. */
  cancel(id: string, { stillSent }: { readonly stillSent: boolean }): void {
    const pending = this.#pending.get(id);
    if (stillSent) return pending?.noteCancelled();
    pending?.end('cancelled');
    this.#pending.delete(id);
  }

  /** Tells the program to ask again for what it was told without the server. */
  async announce(): Promise<void> {
    if (!this.#isBehind || this.#isClosed) return;
    this.#isBehind = false;
    this.#isAway = false;
    const methods = this.#listed.size > 0 ? this.#listed : new Set(['tools/list']);
    for (const change of changesOf(methods)) await this.#ports.send(notificationText(change));
  }

  close(): void {
    this.#isClosed = true;
    for (const pending of this.#pending.values()) pending.end('SESSION_LOST');
  }

  async #run(key: string, pending: PendingRequest): Promise<void> {
    const stop = this.#answerInTime(pending);
    try {
      await this.#order.request(pending.request.bytes.byteLength, () => this.#forward(pending));
      this.#isAway = false;
      if (pending.isOpen) await this.#refuse(pending, undefined);
    } catch (error) {
      if (!pending.signal.aborted) await this.#fail(pending, error);
    } finally {
      stop();
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  async #forward(pending: PendingRequest): Promise<void> {
    const { request, signal } = pending;
    if (signal.aborted) return;
    const { parameterHeaders, upstream } = this.#ports;
    await upstream.request(request, { signal, headers: await parameterHeaders(request, false) });
    if (!pending.wantsHeaders || !pending.isOpen) return;
    await upstream.request(request, { signal, headers: await parameterHeaders(request, true) });
  }

  /** A handshake or a listing does not wait for a server that is slow; a call not long for one that was away. */
  #answerInTime(pending: PendingRequest): () => void {
    const { clock, upstream } = this.#ports;
    if (isCatalogued(pending.request.method)) {
      return clock.after(gatewaySession.patience, () => void this.#answerKept(pending));
    }
    if (!this.#isAway) return () => {};
    return clock.after(gatewaySession.patienceAway, () => {
      if (!pending.isOpen || !upstream.needsHandshake) return;
      void this.#refuse(pending, new PosternError('SERVER_OFFLINE', { stage: 'gateway' })).then(pending.abort);
    });
  }

  async #answerKept(pending: PendingRequest): Promise<boolean> {
    const kept = pending.isOpen ? await this.#ports.catalogue.answer(pending.request) : undefined;
    // The server may have answered meanwhile.
    if (!kept || !pending.isOpen) return false;
    this.#note(pending.request);
    this.#isBehind = true;
    await pending.answerKept(kept);
    return true;
  }

  async #fail(pending: PendingRequest, error: unknown): Promise<void> {
    const { method } = pending.request;
    const { isAway } = this.#ports.judge(error);
    if (isAway) {
      this.#isAway = true;
      this.#isBehind = true;
      if (isCatalogued(method) && (await this.#answerKept(pending))) return;
    } else if (beginsSession(pending.request) && this.#ports.isNewer()) return await this.#refuseOlder(pending);
    await this.#refuse(pending, error);
  }

  async #takeError(pending: PendingRequest, answer: AnswerEnvelope, error: unknown): Promise<void> {
    const { request } = pending;
    const code = isObject(error) ? error['code'] : undefined;
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
    await this.#refuse(pending, new PosternError('ERA_UNSUPPORTED', { stage: 'gateway' }));
  }

  #note({ method }: RequestEnvelope): void {
    if (!isHandshake(method)) this.#listed.add(method);
  }

  async #refuse(pending: PendingRequest, error: unknown): Promise<void> {
    await pending.refuseWith(this.#ports.refuse(error));
  }
}
