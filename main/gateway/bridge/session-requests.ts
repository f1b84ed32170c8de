import { PosternError } from '../../errors/postern-error.ts';
import { bridgeRounds, messageBudget } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import type { Clock } from '../../ports.ts';
import { errorText, refusalOf, resultText, rpcCode, tooManyText, duplicateIdMessage } from '../responses/responses.ts';
import type { HttpResponses, Refusal } from '../responses/responses.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { exactMember, isObject, withId } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { OwnRequests } from '../server/own-requests.ts';
import {
  askableMethods,
  cancelText,
  requestText,
  requestWith,
  resultForSession,
  withMeta,
  withoutReservedMeta,
} from './revisions.ts';
import type { SessionApp } from './revisions.ts';

export interface SessionRequestsPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly own: Pick<OwnRequests, 'newId'>;
  /** Sends to the app. `about`: id of its request that this belongs to. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  /** Sends to the server. `isContinuation`: continues a call that was allowed. Never rejects. */
  readonly pass: (bytes: Buffer, isContinuation?: boolean) => Promise<void>;
  readonly refuse: (error: unknown) => Refusal;
  /** Absent at the socket. */
  readonly answers?: HttpResponses | undefined;
  /** Of the app, across all sessions. */
  readonly budget: AppBudget;
}

/** A request of the app that has no response yet. */
interface SessionRequest {
  readonly request: RequestEnvelope;
  /** Its progress token, as JSON text. */
  readonly token: string | undefined;
  /** How often the server has asked for input. */
  readonly rounds: number;
}

interface Question {
  readonly of: SessionRequest;
  readonly take: (result: JsonObject | undefined) => void;
}

/**
 * Requests of a session app to a stateless server. If the server needs input first, its response says so, and the
 * request is made again with the app's input (MCP 2026-07-28, multi round-trip requests).
 */
export class SessionRequests {
  readonly #ports: SessionRequestsPorts;
  readonly #app: SessionApp;
  /** By current request id at the server, as JSON text. */
  readonly #open = new Map<string, SessionRequest>();
  /** Open questions to the app, by id. */
  readonly #questions = new Map<string, Question>();
  readonly #end = new AbortController();
  /** As set with `logging/setLevel`. */
  logLevel: string | undefined;

  constructor(ports: SessionRequestsPorts, app: SessionApp) {
    this.#ports = ports;
    this.#app = app;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  async begin(request: RequestEnvelope): Promise<void> {
    const { id } = request;
    // Checked here, since the server may know that request by another id.
    const isTaken = [...this.#open.values()].some((open) => open.request.id === id);
    if (isTaken) return await this.#ports.send(errorText(id, rpcCode.notARequest, duplicateIdMessage), id);
    if (!this.#ports.budget.fits(request.bytes.byteLength)) return await this.#ports.send(tooManyText(id), id);
    const meta = metaOf(request);
    if (!meta)
      return await this.#ports.send(
        errorText(id, rpcCode.wrongParameters, 'The _meta of this request is too long.'),
        id,
      );
    await this.#send(id, { request, token: JSON.stringify(meta['progressToken']), rounds: 0 });
  }

  /** Handles a response of the server. */
  async take(response: ResponseEnvelope): Promise<void> {
    const pending = this.#open.get(response.id);
    if (!pending) return;
    this.#open.delete(response.id);
    const { id, method } = pending.request;
    if (response.hasError) return await this.#ports.send(withId(response, id), id);
    const result = exactMember(response.bytes, 'result');
    const { resultType = 'complete' } = result;
    if (resultType === 'complete') return await this.#ports.send(resultText(id, resultForSession(method, result)), id);
    if (resultType === 'input_required') return void this.#continue(pending, result);
    await this.#refuse(pending, new PosternError('MCP_FAILED', { stage: 'gateway' }));
  }

  /** Handles the app's response to a question. */
  takeResponse(response: ResponseEnvelope): void {
    this.#questions.get(response.id)?.take(response.hasError ? undefined : exactMember(response.bytes, 'result'));
  }

  /** The app no longer waits for this request, nor for questions about it. */
  async cancel(id: string): Promise<void> {
    for (const [current, pending] of this.#open) {
      if (pending.request.id !== id) continue;
      this.#open.delete(current);
      this.#ports.answers?.end(id);
      await this.#ports.pass(Buffer.from(cancelText(current)));
      for (const [question, { of, take }] of this.#questions) {
        if (of.request !== pending.request) continue;
        take(undefined);
        await this.#ports.send(cancelText(question), id);
      }
    }
  }

  /** The request that a progress token belongs to; `undefined` if nothing waits for it. */
  withToken(token: unknown): string | undefined {
    const key = JSON.stringify(token);
    const open = [...this.#open.values()].find((each) => each.token !== undefined && each.token === key);
    return open?.request.id;
  }

  /**
   * The app's own form of a request that was not sent. One that the server has answered with a question is not
   * repeated.
   */
  originalOf(id: string): Buffer | undefined {
    const pending = this.#open.get(id);
    this.#open.delete(id);
    if (!pending || pending.rounds === 0) return pending?.request.bytes;
    void this.#refuse(pending, new PosternError('SESSION_LOST', { stage: 'gateway' }));
    return undefined;
  }

  close(): void {
    this.#end.abort();
    this.#open.clear();
    for (const { take } of this.#questions.values()) take(undefined);
  }

  async #send(id: string, pending: SessionRequest, more: JsonObject = {}): Promise<void> {
    this.#open.set(id, pending);
    const { _meta } = withMeta({ _meta: metaOf(pending.request) }, this.#app, this.logLevel);
    // Only Postern may set these: a session app is asked in another way.
    const changed = { inputResponses: undefined, requestState: undefined, ...more, _meta };
    await this.#ports.pass(requestWith(pending.request, id, changed), pending.rounds > 0);
  }

  async #continue(before: SessionRequest, { inputRequests, requestState }: JsonObject): Promise<void> {
    const questions = Object.entries(isObject(inputRequests) ? inputRequests : {});
    const state = typeof requestState === 'string' ? { requestState } : {};
    const isEmpty = questions.length === 0 && !('requestState' in state);
    if (isEmpty || questions.length > bridgeRounds.inputRequests || before.rounds >= bridgeRounds.rounds)
      return await this.#refuse(before, new PosternError('MCP_FAILED', { stage: 'gateway' }));
    const pending = { ...before, rounds: before.rounds + 1 };
    const id = this.#ports.own.newId();
    // Still in flight, so it can be cancelled.
    this.#open.set(id, pending);
    const answers = await Promise.all(questions.map(([, question]) => this.#ask(pending, question)));
    if (questions.length === 0) await this.#pause();
    if (!this.#open.has(id)) return;
    if (answers.includes(undefined)) {
      this.#open.delete(id);
      return await this.#ports.send(unanswered(pending.request), pending.request.id);
    }
    const inputResponses = Object.fromEntries(questions.map(([name], at) => [name, answers[at]]));
    await this.#send(id, pending, { ...(questions.length > 0 && { inputResponses }), ...state });
  }

  /** `undefined`: the app does not support this question, or has no response. */
  async #ask(of: SessionRequest, question: unknown): Promise<JsonObject | undefined> {
    const { method, params } = isObject(question) ? question : {};
    if (typeof method !== 'string' || !this.#app.capabilities[askableMethods[method] ?? '']) return undefined;
    const id = this.#ports.own.newId();
    const { promise, resolve } = Promise.withResolvers<JsonObject | undefined>();
    this.#questions.set(id, { of, take: resolve });
    const written = isObject(params) ? withoutReservedMeta(params) : {};
    // Required in 2025-11-25; the stateless form has no such id.
    const isPage = method === 'elicitation/create' && written['mode'] === 'url';
    const appParams = isPage ? { elicitationId: parseExactly(id), ...written } : written;
    await this.#ports.send(requestText(id, method, appParams), of.request.id);
    const result = await promise;
    this.#questions.delete(id);
    return result && withoutReservedMeta(result);
  }

  /** Delay for a server that only wants the request again. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.#ports.clock.after(bridgeRounds.pause, resolve);
    this.#end.signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    stop();
  }

  async #refuse({ request: { id, method } }: SessionRequest, error: unknown): Promise<void> {
    await this.#ports.send(refusalOf(id, method, this.#ports.refuse(error)), id);
  }
}

/** The request's `_meta`, with all digits of numbers; `undefined`: too long to parse. */
function metaOf({ bytes, paramsAt }: RequestEnvelope): JsonObject | undefined {
  const at = paramsAt?.findLast(({ name }) => name === '_meta');
  if (paramsAt && !at) return {};
  const { start, end } = at ?? { start: 0, end: bytes.byteLength };
  if (end - start > messageBudget.short) return undefined;
  const built = parseExactly(bytes.toString('utf8', start, end));
  const meta = at ? built : isObject(built) && isObject(built['params']) && built['params']['_meta'];
  return isObject(meta) ? meta : {};
}

/** What a model reads if the app has no response for the server. */
function unanswered({ id, method }: RequestEnvelope): string {
  const text = 'The server asked something that this app could not answer.';
  if (method !== 'tools/call') return errorText(id, rpcCode.implementation, text);
  return resultText(id, { content: [{ type: 'text', text }], isError: true });
}
