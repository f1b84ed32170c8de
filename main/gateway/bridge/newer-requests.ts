import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { errorText, refusalOf, resultText, rpcCode } from '../answers/answers.ts';
import type { Refusal } from '../answers/answers.ts';
import { exactMember, isObject, withId } from '../messages/envelope.ts';
import type { AnswerEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { cancelText, requestText, reserved, resultForNewer, withoutReservedMeta } from './revisions.ts';

export interface NewerRequestsPorts {
  /** To the collection, as an older program speaks. Never rejects. */
  readonly pass: (bytes: Buffer) => Promise<void>;
  /** To the program. `about`: what its request is known by. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly newId: () => string;
  readonly refuse: (error: PosternError) => Refusal;
}

interface Question {
  readonly id: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** A request of the program, from its first words to its last answer: in between it may be asked, and asks again. */
interface Asked {
  request: RequestEnvelope;
  about: string;
  /** As long as the program has no answer to its last words. */
  isOpen: boolean;
  rounds: number;
  readonly token: unknown;
  readonly wantsLog: boolean;
  /** What a member wants to know, asked and not asked yet. */
  asked: readonly Question[];
  waiting: Question[];
  last: AnswerEnvelope | undefined;
}

/**
 * Requests of a program of the newer wire, to a collection that speaks the older one. What a member asks in between is
 * an answer there that says so, and the program makes its request again (MCP 2026-07-28, multi round-trip requests).
 */
export class NewerRequests {
  readonly #ports: NewerRequestsPorts;
  /** By the id that the collection knows. */
  readonly #open = new Map<string, Asked>();
  /** Those that the program is to make again, by what it then shows; the oldest first. */
  readonly #states = new Map<string, string>();

  constructor(ports: NewerRequestsPorts) {
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
    if (requestState !== undefined) return await this.#goOn(request, about, { inputResponses, requestState });
    const id = this.#ports.newId();
    const { _meta: meta, ...said } = params;
    const { progressToken: token } = isObject(meta) ? meta : {};
    const wantsLog = isObject(meta) && meta[`${reserved}logLevel`] !== undefined;
    const asked = { request, about, isOpen: true, rounds: 0, token, wantsLog, asked: [], waiting: [], last: undefined };
    this.#open.set(id, asked);
    // Several processes of a program may use the same.
    const own = token === undefined ? meta : { ...(meta as JsonObject), progressToken: JSON.parse(id) as unknown };
    await this.#ports.pass(requestText(id, request.method, withoutReservedMeta({ ...said, _meta: own })));
  }

  /** The collection's answer. */
  async take(answer: AnswerEnvelope): Promise<void> {
    const asked = this.#open.get(answer.id);
    if (!asked) return;
    if (!asked.isOpen) {
      asked.last = answer;
      return;
    }
    this.#open.delete(answer.id);
    await this.#answer(asked, answer);
  }

  /** What a member wants to know. `about`: of which request, as the collection knows it. */
  async ask(question: Question, about: string | undefined): Promise<void> {
    const asked = this.#open.get(about ?? '');
    if (!asked) return await this.#decline(question);
    asked.waiting.push(question);
    if (asked.isOpen) await this.#askProgram(about ?? '', asked);
  }

  /** A member no longer wants to know it. */
  dropQuestion(id: string): void {
    for (const asked of this.#open.values()) asked.waiting = asked.waiting.filter((question) => question.id !== id);
  }

  /** The program no longer waits. */
  async cancel(about: string): Promise<void> {
    const id = this.#idOf(about);
    if (id !== undefined) await this.#drop(id);
  }

  /** Its request has not left: what the program sent. One that has been asked in between is not made once more. */
  async takeBack(id: string): Promise<Buffer | undefined> {
    const asked = this.#open.get(id);
    this.#open.delete(id);
    if (!asked || asked.rounds === 0) return asked?.request.bytes;
    const refusal = this.#ports.refuse(new PosternError('SESSION_LOST', { stage: 'gateway' }));
    await this.#ports.send(refusalOf(asked.request.id, asked.request.method, refusal), asked.about);
    return undefined;
  }

  /** Whose progress this is, and by what the program knows it. */
  progressOf(token: unknown): { readonly about: string; readonly token: unknown } | undefined {
    const asked = this.#open.get(JSON.stringify(token) ?? '');
    return asked?.isOpen === true && asked.token !== undefined ? asked : undefined;
  }

  /** What hears of what a server notes for this request, as the collection knows it. */
  logsOf(id: string | undefined): string | undefined {
    const asked = this.#open.get(id ?? '');
    return asked?.isOpen === true && asked.wantsLog ? asked.about : undefined;
  }

  #idOf(about: string): string | undefined {
    return [...this.#open].find(([, asked]) => asked.isOpen && asked.about === about)?.[0];
  }

  async #drop(id: string): Promise<void> {
    if (this.#open.delete(id)) await this.#ports.pass(Buffer.from(cancelText(id)));
  }

  async #answer({ request, about }: Asked, answer: AnswerEnvelope): Promise<void> {
    const { id, method } = request;
    if (answer.hasError) return await this.#ports.send(withId(answer, id), about);
    await this.#ports.send(resultText(id, resultForNewer(method, exactMember(answer.bytes, 'result'))), about);
  }

  async #askProgram(id: string, asked: Asked): Promise<void> {
    const { request, about } = asked;
    asked.isOpen = false;
    asked.rounds += 1;
    asked.asked = asked.waiting.splice(0);
    const requestState = JSON.parse(this.#ports.newId()) as string;
    this.#states.set(requestState, id);
    const [oldest] = this.#states;
    // Programs may never come back.
    if (oldest && this.#states.size > gatewaySession.questions) {
      this.#states.delete(oldest[0]);
      await this.#drop(oldest[1]);
    }
    const inputRequests = Object.fromEntries(
      asked.asked.map(({ method, params }, at) => [`question-${at + 1}`, { method, params }]),
    );
    await this.#ports.send(
      resultText(request.id, { resultType: 'input_required', inputRequests, requestState }),
      about,
    );
  }

  async #goOn(request: RequestEnvelope, about: string, said: JsonObject): Promise<void> {
    const state = String(said['requestState']);
    const id = this.#states.get(state) ?? '';
    const asked = this.#open.get(id);
    const isSame = asked?.request.method === request.method && asked.request.params['name'] === request.params['name'];
    if (!asked || !isSame) {
      const text = 'Nobody waits for this any more. Make the request anew.';
      return await this.#ports.send(errorText(request.id, rpcCode.wrongParameters, text), about);
    }
    this.#states.delete(state);
    Object.assign(asked, { request, about, isOpen: true });
    const answers = isObject(said['inputResponses']) ? said['inputResponses'] : {};
    for (const [at, question] of asked.asked.entries()) {
      const answer = answers[`question-${at + 1}`];
      if (isObject(answer)) await this.#ports.pass(Buffer.from(resultText(question.id, answer)));
      else await this.#decline(question);
    }
    if (asked.last) {
      this.#open.delete(id);
      await this.#answer(asked, asked.last);
    } else if (asked.waiting.length > 0) await this.#askProgram(id, asked);
  }

  async #decline({ id }: Question): Promise<void> {
    const text = 'The program has no answer.';
    await this.#ports.pass(Buffer.from(errorText(id, rpcCode.implementation, text)));
  }
}
