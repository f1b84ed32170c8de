import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { errorText, refusalOf, resultText, rpcCode } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { exactMember, isObject, withId } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { cancelText, requestText, reserved, resultForStateless, withoutReservedMeta } from './revisions.ts';

export interface StatelessRequestsPorts {
  /** Sends to the collection, as a session app would. Never rejects. */
  readonly pass: (bytes: Buffer) => Promise<void>;
  /** Sends to the app. `about`: identifies the request. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly newId: () => string;
  readonly refuse: (error: PosternError) => Refusal;
}

interface Question {
  readonly id: string;
  readonly method: string;
  readonly params: JsonObject;
}

/**
 * A request of the app, including its repetitions: members may ask something in between, and then the app makes it
 * again.
 */
interface AppRequestState {
  request: RequestEnvelope;
  about: string;
  /** Whether the app waits for a response to its last repetition. */
  isOpen: boolean;
  rounds: number;
  readonly token: unknown;
  readonly wantsLog: boolean;
  /** Questions of a member: asked, and not asked yet. */
  questions: readonly Question[];
  waiting: Question[];
  last: ResponseEnvelope | undefined;
}

/**
 * Requests of a stateless app to a collection, which uses sessions. A member's question is returned as a response of
 * its own kind, and the app repeats its request (MCP 2026-07-28, multi round-trip requests).
 */
export class StatelessRequests {
  readonly #ports: StatelessRequestsPorts;
  /** By id at the collection. */
  readonly #open = new Map<string, AppRequestState>();
  /** Requests that the app has to repeat, by `requestState`; oldest first. */
  readonly #states = new Map<string, string>();

  constructor(ports: StatelessRequestsPorts) {
    this.#ports = ports;
  }

  get isIdle(): boolean {
    return ![...this.#open.values()].some(({ isOpen }) => isOpen);
  }

  has(about: string): boolean {
    return this.#idOf(about) !== undefined;
  }

  async begin(request: RequestEnvelope, about: string): Promise<void> {
    const { inputResponses, requestState, ...params } = exactMember(request.bytes, 'params');
    if (requestState !== undefined) return await this.#continue(request, about, { inputResponses, requestState });
    const id = this.#ports.newId();
    const { _meta: meta, ...input } = params;
    const { progressToken: token } = isObject(meta) ? meta : {};
    const wantsLog = isObject(meta) && meta[`${reserved}logLevel`] !== undefined;
    const pending = {
      request,
      about,
      isOpen: true,
      rounds: 0,
      token,
      wantsLog,
      questions: [],
      waiting: [],
      last: undefined,
    };
    this.#open.set(id, pending);
    // Several processes of an app may use the same token.
    const own = token === undefined ? meta : { ...(meta as JsonObject), progressToken: JSON.parse(id) as unknown };
    await this.#ports.pass(requestText(id, request.method, withoutReservedMeta({ ...input, _meta: own })));
  }

  /** Handles a response of the collection. */
  async take(response: ResponseEnvelope): Promise<void> {
    const pending = this.#open.get(response.id);
    if (!pending) return;
    if (!pending.isOpen) {
      pending.last = response;
      return;
    }
    this.#open.delete(response.id);
    await this.#respond(pending, response);
  }

  /** A member asks something. `about`: the request, by its id at the collection. */
  async ask(question: Question, about: string | undefined): Promise<void> {
    const pending = this.#open.get(about ?? '');
    if (!pending) return await this.#decline(question);
    pending.waiting.push(question);
    if (pending.isOpen) await this.#askApp(about ?? '', pending);
  }

  /** A member withdraws a question. */
  dropQuestion(id: string): void {
    for (const pending of this.#open.values())
      pending.waiting = pending.waiting.filter((question) => question.id !== id);
  }

  /** The app no longer waits. */
  async cancel(about: string): Promise<void> {
    const id = this.#idOf(about);
    if (id !== undefined) await this.#drop(id);
  }

  /** The request was not sent: returns what the app sent. One with questions in between is not repeated. */
  async originalOf(id: string): Promise<Buffer | undefined> {
    const pending = this.#open.get(id);
    this.#open.delete(id);
    if (!pending || pending.rounds === 0) return pending?.request.bytes;
    const refusal = this.#ports.refuse(new PosternError('SESSION_LOST', { stage: 'gateway' }));
    await this.#ports.send(refusalOf(pending.request.id, pending.request.method, refusal), pending.about);
    return undefined;
  }

  /** The request that a progress token belongs to, with the app's own token. */
  progressOf(token: unknown): { readonly about: string; readonly token: unknown } | undefined {
    const pending = this.#open.get(JSON.stringify(token) ?? '');
    return pending?.isOpen === true && pending.token !== undefined ? pending : undefined;
  }

  /** Which request of the app receives log messages of this one, given its id at the collection. */
  logsOf(id: string | undefined): string | undefined {
    const pending = this.#open.get(id ?? '');
    return pending?.isOpen === true && pending.wantsLog ? pending.about : undefined;
  }

  #idOf(about: string): string | undefined {
    return [...this.#open].find(([, pending]) => pending.isOpen && pending.about === about)?.[0];
  }

  async #drop(id: string): Promise<void> {
    if (this.#open.delete(id)) await this.#ports.pass(Buffer.from(cancelText(id)));
  }

  async #respond({ request, about }: AppRequestState, response: ResponseEnvelope): Promise<void> {
    const { id, method } = request;
    if (response.hasError) return await this.#ports.send(withId(response, id), about);
    await this.#ports.send(resultText(id, resultForStateless(method, exactMember(response.bytes, 'result'))), about);
  }

  async #askApp(id: string, pending: AppRequestState): Promise<void> {
    const { request, about } = pending;
    pending.isOpen = false;
    pending.rounds += 1;
    pending.questions = pending.waiting.splice(0);
    const requestState = JSON.parse(this.#ports.newId()) as string;
    this.#states.set(requestState, id);
    const [oldest] = this.#states;
    // Apps may never come back.
    if (oldest && this.#states.size > gatewaySession.serverRequests) {
      this.#states.delete(oldest[0]);
      await this.#drop(oldest[1]);
    }
    const inputRequests = Object.fromEntries(
      pending.questions.map(({ method, params }, at) => [`question-${at + 1}`, { method, params }]),
    );
    await this.#ports.send(
      resultText(request.id, { resultType: 'input_required', inputRequests, requestState }),
      about,
    );
  }

  async #continue(request: RequestEnvelope, about: string, input: JsonObject): Promise<void> {
    const state = String(input['requestState']);
    const id = this.#states.get(state) ?? '';
    const pending = this.#open.get(id);
    const isSame =
      pending?.request.method === request.method && pending.request.params['name'] === request.params['name'];
    if (!pending || !isSame) {
      const text = 'This request has expired. Send it again without requestState.';
      return await this.#ports.send(errorText(request.id, rpcCode.wrongParameters, text), about);
    }
    this.#states.delete(state);
    Object.assign(pending, { request, about, isOpen: true });
    const answers = isObject(input['inputResponses']) ? input['inputResponses'] : {};
    for (const [at, question] of pending.questions.entries()) {
      const response = answers[`question-${at + 1}`];
      if (isObject(response)) await this.#ports.pass(Buffer.from(resultText(question.id, response)));
      else await this.#decline(question);
    }
    if (pending.last) {
      this.#open.delete(id);
      await this.#respond(pending, pending.last);
    } else if (pending.waiting.length > 0) await this.#askApp(id, pending);
  }

  async #decline({ id }: Question): Promise<void> {
    const text = 'The app did not answer.';
    await this.#ports.pass(Buffer.from(errorText(id, rpcCode.implementation, text)));
  }
}
