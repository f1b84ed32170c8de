// A session app's requests to a stateless server, with the input that the server asks for in between.

import { isObject } from '../../../shared/json-object.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bridgeRounds, messageBudget } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import type { Clock } from '../../ports.ts';
import {
  cancelText,
  errorText,
  refusalOf,
  requestText,
  resultText,
  rpcCode,
  tooManyText,
  duplicateIdMessage,
} from '../responses/responses.ts';
import type { HttpResponses, Refusal } from '../responses/responses.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { asObject, exactMember, withId } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { AwaitedResponses } from '../server/own-requests.ts';
import type { OwnRequests } from '../server/own-requests.ts';
import { inputRequestCapabilities, requestWith, resultForSession, withMeta, withoutReservedMeta } from './revisions.ts';
import type { SessionApp } from './revisions.ts';

export interface SessionAppRequestsPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly own: Pick<OwnRequests, 'newId'>;
  /** `requestId`: the app's request that the message belongs to. */
  readonly sendToApp: (message: Buffer | string, requestId?: string) => Promise<void>;
  /** `isContinuation`: continues a call that was already allowed. Never rejects. */
  readonly sendToServer: (bytes: Buffer, isContinuation?: boolean) => Promise<void>;
  readonly refuse: (error: unknown) => Refusal;
  /** Absent at the socket. */
  readonly httpResponses?: HttpResponses | undefined;
  /** Shared by all sessions of the app. */
  readonly budget: AppBudget;
}

/** A request of the app that has no response yet. */
interface PendingRequest {
  readonly request: RequestEnvelope;
  /** Its progress token, as JSON text. */
  readonly token: string | undefined;
  /** How often the server has requested input. */
  readonly rounds: number;
  /** Ids of the server's input requests that the app has not answered. */
  readonly inputIds: Set<string>;
}

/**
 * Requests of a session app to a stateless server. If the server responds that it needs input, the app is asked for it,
 * and the request is sent again with that input (MCP 2026-07-28, multi round-trip requests).
 */
export class SessionAppRequests {
  readonly #ports: SessionAppRequestsPorts;
  readonly #app: SessionApp;
  /** By the id of the current attempt at the server, as JSON text. */
  readonly #open = new Map<string, PendingRequest>();
  /** Input requests to the app. */
  readonly #inputs = new AwaitedResponses();
  readonly #closing = new AbortController();
  /** As set with `logging/setLevel`. */
  logLevel: string | undefined;

  constructor(ports: SessionAppRequestsPorts, app: SessionApp) {
    this.#ports = ports;
    this.#app = app;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  async begin(request: RequestEnvelope): Promise<void> {
    const { id } = request;
    // Checked here, since the server may see that request under another id.
    const isDuplicate = [...this.#open.values()].some((open) => open.request.id === id);
    if (isDuplicate) return await this.#ports.sendToApp(errorText(id, rpcCode.notARequest, duplicateIdMessage), id);
    if (!this.#ports.budget.fits(request.bytes.byteLength)) return await this.#ports.sendToApp(tooManyText(id), id);
    const meta = metaOf(request);
    if (!meta)
      return await this.#ports.sendToApp(
        errorText(id, rpcCode.wrongParameters, 'The _meta of this request is too long.'),
        id,
      );
    await this.#forward(id, { request, token: JSON.stringify(meta['progressToken']), rounds: 0, inputIds: new Set() });
  }

  /** Handles a response from the server. */
  async handleResponse(response: ResponseEnvelope): Promise<void> {
    const pending = this.#open.get(response.id);
    if (!pending) return;
    this.#open.delete(response.id);
    const { id, method } = pending.request;
    if (response.hasError) return await this.#ports.sendToApp(withId(response, id), id);
    const result = exactMember(response.bytes, 'result');
    const { resultType = 'complete' } = result;
    if (resultType === 'complete')
      return await this.#ports.sendToApp(resultText(id, resultForSession(method, result)), id);
    if (resultType === 'input_required') return void this.#continue(pending, result);
    await this.#refuse(pending, new PosternError('MCP_FAILED', { stage: 'gateway' }));
  }

  /** Handles the app's response to an input request. */
  handleInput(response: ResponseEnvelope): void {
    this.#inputs.settle(response.id, response);
  }

  /** The app has canceled this request. Its input requests are withdrawn too. */
  async cancel(id: string): Promise<void> {
    for (const [current, pending] of this.#open) {
      if (pending.request.id !== id) continue;
      this.#open.delete(current);
      this.#ports.httpResponses?.end(id);
      await this.#ports.sendToServer(Buffer.from(cancelText(current)));
      for (const inputId of pending.inputIds) {
        this.#inputs.settle(inputId);
        await this.#ports.sendToApp(cancelText(inputId), id);
      }
    }
  }

  /** Id of the open request with this progress token, if any. */
  requestIdForToken(token: unknown): string | undefined {
    const key = JSON.stringify(token);
    const open = [...this.#open.values()].find((each) => each.token !== undefined && each.token === key);
    return open?.request.id;
  }

  /**
   * The app's original of a request that was not sent. A request for which the server has already requested input
   * cannot be repeated: it fails instead.
   */
  originalOf(id: string): Buffer | undefined {
    const pending = this.#open.get(id);
    this.#open.delete(id);
    if (!pending || pending.rounds === 0) return pending?.request.bytes;
    void this.#refuse(pending, new PosternError('SESSION_LOST', { stage: 'gateway' }));
    return undefined;
  }

  close(): void {
    this.#closing.abort();
    this.#open.clear();
    this.#inputs.close();
  }

  async #forward(id: string, pending: PendingRequest, extraParams: JsonObject = {}): Promise<void> {
    this.#open.set(id, pending);
    const { _meta } = withMeta({ _meta: metaOf(pending.request) }, this.#app, this.logLevel);
    // Only Postern may set these: session apps provide input in another way.
    const changed = { inputResponses: undefined, requestState: undefined, ...extraParams, _meta };
    await this.#ports.sendToServer(requestWith(pending.request, id, changed), pending.rounds > 0);
  }

  async #continue(previous: PendingRequest, { inputRequests, requestState }: JsonObject): Promise<void> {
    const inputs = Object.entries(asObject(inputRequests));
    const state = typeof requestState === 'string' ? { requestState } : {};
    const isEmpty = inputs.length === 0 && !('requestState' in state);
    if (isEmpty || inputs.length > bridgeRounds.inputRequests || previous.rounds >= bridgeRounds.rounds)
      return await this.#refuse(previous, new PosternError('MCP_FAILED', { stage: 'gateway' }));
    const pending = { ...previous, rounds: previous.rounds + 1 };
    const id = this.#ports.own.newId();
    // Still in flight, so the app can cancel it. Nothing else counts it until it is sent again.
    this.#open.set(id, pending);
    const release = this.#ports.budget.reserve(pending.request.bytes.byteLength);
    const responses = await Promise.all(inputs.map(([, input]) => this.#requestInput(pending, input)));
    if (inputs.length === 0) await this.#pause();
    release();
    if (!this.#open.has(id)) return;
    if (responses.includes(undefined)) {
      this.#open.delete(id);
      return await this.#ports.sendToApp(noInputText(pending.request), pending.request.id);
    }
    const inputResponses = Object.fromEntries(inputs.map(([name], at) => [name, responses[at]]));
    await this.#forward(id, pending, { ...(inputs.length > 0 && { inputResponses }), ...state });
  }

  /** `undefined`: the app does not support this kind of input, or returned an error. */
  async #requestInput(owner: PendingRequest, input: unknown): Promise<JsonObject | undefined> {
    const { method, params } = asObject(input);
    if (typeof method !== 'string' || !this.#app.capabilities[inputRequestCapabilities[method] ?? '']) return undefined;
    const id = this.#ports.own.newId();
    const inputParams = isObject(params) ? withoutReservedMeta(params) : {};
    // Required in 2025-11-25; stateless revisions have no such id.
    const isUrlMode = method === 'elicitation/create' && inputParams['mode'] === 'url';
    const appParams = isUrlMode ? { elicitationId: parseExactly(id), ...inputParams } : inputParams;
    owner.inputIds.add(id);
    const response = await this.#inputs.request(id, () =>
      this.#ports.sendToApp(requestText(id, method, appParams), owner.request.id),
    );
    owner.inputIds.delete(id);
    return response?.hasError === false ? withoutReservedMeta(exactMember(response.bytes, 'result')) : undefined;
  }

  /** Delay before retrying for a server that needs no input, only the request again. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.#ports.clock.after(bridgeRounds.pause, resolve);
    this.#closing.signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    stop();
  }

  async #refuse({ request: { id, method } }: PendingRequest, error: unknown): Promise<void> {
    await this.#ports.sendToApp(refusalOf(id, method, this.#ports.refuse(error)), id);
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
  return asObject(meta);
}

/** What a model reads if the app provided no input. */
function noInputText({ id, method }: RequestEnvelope): string {
  const text = 'The server asked something that this app could not answer.';
  if (method !== 'tools/call') return errorText(id, rpcCode.implementation, text);
  return resultText(id, { content: [{ type: 'text', text }], isError: true });
}
