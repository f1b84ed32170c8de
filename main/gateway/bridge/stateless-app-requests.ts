// A stateless app's requests to a collection, including the retries that carry input for its members.

import { isObject } from '../../../shared/json-object.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { cancelText, errorText, refusalOf, requestText, resultText, rpcCode } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { asObject, exactMember, withId } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { reservedPrefix, resultForStateless, withoutReservedMeta } from './revisions.ts';

export interface StatelessAppRequestsPorts {
  /** Sends to the collection, as a session app would. Never rejects. */
  readonly sendToCollection: (bytes: Buffer) => Promise<void>;
  /** `requestKey`: identifies the app's request. */
  readonly sendToApp: (message: Buffer | string, requestKey?: string) => Promise<void>;
  readonly newId: () => string;
  readonly refuse: (error: PosternError) => Refusal;
}

interface InputRequest {
  readonly id: string;
  readonly method: string;
  readonly params: JsonObject;
}

/**
 * A request of the app, including its retries: when a member requests input, the app sends its request again with that
 * input.
 */
interface PendingRequest {
  request: RequestEnvelope;
  requestKey: string;
  /** Whether the app waits for a response to its last attempt. */
  isOpen: boolean;
  rounds: number;
  readonly token: unknown;
  readonly wantsLogs: boolean;
  /** Input requests of a member: those sent to the app, and those still to be sent. */
  sentInputRequests: readonly InputRequest[];
  queuedInputRequests: InputRequest[];
  bufferedResponse: ResponseEnvelope | undefined;
}

/**
 * Requests of a stateless app to a collection, which uses sessions. A member's server-to-client request becomes an
 * `input_required` response, and the app repeats its request with the input (MCP 2026-07-28, multi round-trip
 * requests).
 */
export class StatelessAppRequests {
  readonly #ports: StatelessAppRequestsPorts;
  /** By id at the collection. */
  readonly #open = new Map<string, PendingRequest>();
  /** Requests that the app has to repeat, by `requestState`; oldest first. */
  readonly #requestStates = new Map<string, string>();

  constructor(ports: StatelessAppRequestsPorts) {
    this.#ports = ports;
  }

  get isIdle(): boolean {
    return ![...this.#open.values()].some(({ isOpen }) => isOpen);
  }

  has(requestKey: string): boolean {
    return this.#idOf(requestKey) !== undefined;
  }

  async begin(request: RequestEnvelope, requestKey: string): Promise<void> {
    const { inputResponses, requestState, ...params } = exactMember(request.bytes, 'params');
    if (requestState !== undefined) return await this.#continue(request, requestKey, { inputResponses, requestState });
    const id = this.#ports.newId();
    const { _meta: meta, ...input } = params;
    const { progressToken: token } = asObject(meta);
    const wantsLogs = isObject(meta) && meta[`${reservedPrefix}logLevel`] !== undefined;
    const pending: PendingRequest = {
      request,
      requestKey,
      isOpen: true,
      rounds: 0,
      token,
      wantsLogs,
      sentInputRequests: [],
      queuedInputRequests: [],
      bufferedResponse: undefined,
    };
    this.#open.set(id, pending);
    // Several processes of an app may use the same token.
    const own = token === undefined ? meta : { ...(meta as JsonObject), progressToken: JSON.parse(id) as unknown };
    await this.#ports.sendToCollection(requestText(id, request.method, withoutReservedMeta({ ...input, _meta: own })));
  }

  /** Handles a response from the collection. */
  async handleResponse(response: ResponseEnvelope): Promise<void> {
    const pending = this.#open.get(response.id);
    if (!pending) return;
    if (!pending.isOpen) {
      pending.bufferedResponse = response;
      return;
    }
    this.#open.delete(response.id);
    await this.#respond(pending, response);
  }

  /** A member requests input. `collectionRequestId`: id of the request at the collection. */
  async requestInput(inputRequest: InputRequest, collectionRequestId: string | undefined): Promise<void> {
    const pending = this.#open.get(collectionRequestId ?? '');
    if (!pending) return await this.#decline(inputRequest);
    pending.queuedInputRequests.push(inputRequest);
    if (pending.isOpen) await this.#sendInputRequests(collectionRequestId ?? '', pending);
  }

  /** A member withdraws an input request. */
  withdrawInputRequest(id: string): void {
    for (const pending of this.#open.values())
      pending.queuedInputRequests = pending.queuedInputRequests.filter((inputRequest) => inputRequest.id !== id);
  }

  /** The app has canceled the request. */
  async cancel(requestKey: string): Promise<void> {
    const id = this.#idOf(requestKey);
    if (id !== undefined) await this.#drop(id);
  }

  /** The app's original of a request that was not sent. If input was already requested, the request fails instead. */
  async originalOf(id: string): Promise<Buffer | undefined> {
    const pending = this.#open.get(id);
    this.#open.delete(id);
    if (!pending || pending.rounds === 0) return pending?.request.bytes;
    const refusal = this.#ports.refuse(new PosternError('SESSION_LOST', { stage: 'gateway' }));
    await this.#ports.sendToApp(refusalOf(pending.request.id, pending.request.method, refusal), pending.requestKey);
    return undefined;
  }

  /** The open request with this progress token, with the app's own token. */
  findByProgressToken(token: unknown): { readonly requestKey: string; readonly token: unknown } | undefined {
    const pending = this.#open.get(JSON.stringify(token) ?? '');
    return pending?.isOpen === true && pending.token !== undefined ? pending : undefined;
  }

  /** The app's request that receives log messages, given its id at the collection. */
  logRequestKey(id: string | undefined): string | undefined {
    const pending = this.#open.get(id ?? '');
    return pending?.isOpen === true && pending.wantsLogs ? pending.requestKey : undefined;
  }

  #idOf(requestKey: string): string | undefined {
    return [...this.#open].find(([, pending]) => pending.isOpen && pending.requestKey === requestKey)?.[0];
  }

  async #drop(id: string): Promise<void> {
    if (this.#open.delete(id)) await this.#ports.sendToCollection(Buffer.from(cancelText(id)));
  }

  async #respond({ request, requestKey }: PendingRequest, response: ResponseEnvelope): Promise<void> {
    const { id, method } = request;
    if (response.hasError) return await this.#ports.sendToApp(withId(response, id), requestKey);
    await this.#ports.sendToApp(
      resultText(id, resultForStateless(method, exactMember(response.bytes, 'result'))),
      requestKey,
    );
  }

  async #sendInputRequests(id: string, pending: PendingRequest): Promise<void> {
    const { request, requestKey } = pending;
    pending.isOpen = false;
    pending.rounds += 1;
    pending.sentInputRequests = pending.queuedInputRequests.splice(0);
    const requestState = JSON.parse(this.#ports.newId()) as string;
    this.#requestStates.set(requestState, id);
    const [oldest] = this.#requestStates;
    // Apps may never retry.
    if (oldest && this.#requestStates.size > gatewaySession.serverRequests) {
      this.#requestStates.delete(oldest[0]);
      await this.#drop(oldest[1]);
    }
    const inputRequests = Object.fromEntries(
      pending.sentInputRequests.map(({ method, params }, at) => [`question-${at + 1}`, { method, params }]),
    );
    await this.#ports.sendToApp(
      resultText(request.id, { resultType: 'input_required', inputRequests, requestState }),
      requestKey,
    );
  }

  async #continue(request: RequestEnvelope, requestKey: string, input: JsonObject): Promise<void> {
    const state = String(input['requestState']);
    const id = this.#requestStates.get(state) ?? '';
    const pending = this.#open.get(id);
    const isSame =
      pending?.request.method === request.method && pending.request.params['name'] === request.params['name'];
    if (!pending || !isSame) {
      const text = 'This request has expired. Send it again without requestState.';
      return await this.#ports.sendToApp(errorText(request.id, rpcCode.wrongParameters, text), requestKey);
    }
    this.#requestStates.delete(state);
    Object.assign(pending, { request, requestKey, isOpen: true });
    const responses = asObject(input['inputResponses']);
    for (const [at, inputRequest] of pending.sentInputRequests.entries()) {
      const response = responses[`question-${at + 1}`];
      if (isObject(response)) await this.#ports.sendToCollection(Buffer.from(resultText(inputRequest.id, response)));
      else await this.#decline(inputRequest);
    }
    if (pending.bufferedResponse) {
      this.#open.delete(id);
      await this.#respond(pending, pending.bufferedResponse);
    } else if (pending.queuedInputRequests.length > 0) await this.#sendInputRequests(id, pending);
  }

  async #decline({ id }: InputRequest): Promise<void> {
    const text = 'The app did not answer.';
    await this.#ports.sendToCollection(Buffer.from(errorText(id, rpcCode.implementation, text)));
  }
}
