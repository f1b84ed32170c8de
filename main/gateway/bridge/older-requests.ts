import { PosternError } from '../../errors/postern-error.ts';
import { bridgeRounds, messageBudget } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import type { Clock } from '../../ports.ts';
import { errorText, refusalOf, resultText, rpcCode, tooManyText, underWay } from '../answers/answers.ts';
import type { AnswersByHttp, Refusal } from '../answers/answers.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { exactMember, isObject, withId } from '../messages/envelope.ts';
import type { AnswerEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { OwnRequests } from '../server/own-requests.ts';
import {
  askable,
  cancelText,
  requestText,
  requestWith,
  resultForOlder,
  withMeta,
  withoutReservedMeta,
} from './revisions.ts';
import type { OlderProgram } from './revisions.ts';

export interface OlderRequestsPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly own: Pick<OwnRequests, 'newId'>;
  /** To the program. `about`: the id of its request that this belongs to. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  /** To the server; `isGoingOn`: a call that was let through goes on. Never rejects. */
  readonly pass: (bytes: Buffer, isGoingOn?: boolean) => Promise<void>;
  readonly refuse: (error: unknown) => Refusal;
  /** Left out at the socket. */
  readonly answers?: AnswersByHttp | undefined;
  /** Of the app, in all sessions. */
  readonly budget: AppBudget;
}

/** A request of the program, as long as it has no answer. */
interface OlderRequest {
  readonly request: RequestEnvelope;
  /** Of its progress, as JSON text. */
  readonly token: string | undefined;
  /** How often the server has asked for more. */
  readonly rounds: number;
}

interface Question {
  readonly of: OlderRequest;
  readonly take: (result: JsonObject | undefined) => void;
}

/**
 * The requests of an older program at a newer server. Where the server wants to know something first, its answer says
 * so, and the request is made again with what the program says (MCP 2026-07-28, multi round-trip requests).
 */
export class OlderRequests {
  readonly #ports: OlderRequestsPorts;
  readonly #program: OlderProgram;
  /** By the id of the request at the server that stands for it now, as JSON text. */
  readonly #open = new Map<string, OlderRequest>();
  /** What the program has been asked and has not answered, by id. */
  readonly #questions = new Map<string, Question>();
  readonly #end = new AbortController();
  /** That the program wants to hear of, by `logging/setLevel`. */
  logLevel: string | undefined;

  constructor(ports: OlderRequestsPorts, program: OlderProgram) {
    this.#ports = ports;
    this.#program = program;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  async begin(request: RequestEnvelope): Promise<void> {
    const { id } = request;
    // Here, since at the server another id may stand for the one before.
    const isTaken = [...this.#open.values()].some((open) => open.request.id === id);
    if (isTaken) return await this.#ports.send(errorText(id, rpcCode.notARequest, underWay), id);
    if (!this.#ports.budget.fits(request.bytes.byteLength)) return await this.#ports.send(tooManyText(id), id);
    const meta = metaOf(request);
    if (!meta) return await this.#ports.send(errorText(id, rpcCode.wrongParameters, 'Its _meta is too long.'), id);
    await this.#send(id, { request, token: JSON.stringify(meta['progressToken']), rounds: 0 });
  }

  /** An answer of the server. */
  async take(answer: AnswerEnvelope): Promise<void> {
    const asked = this.#open.get(answer.id);
    if (!asked) return;
    this.#open.delete(answer.id);
    const { id, method } = asked.request;
    if (answer.hasError) return await this.#ports.send(withId(answer, id), id);
    const result = exactMember(answer.bytes, 'result');
    const { resultType = 'complete' } = result;
    if (resultType === 'complete') return await this.#ports.send(resultText(id, resultForOlder(method, result)), id);
    if (resultType === 'input_required') return void this.#goOn(asked, result);
    await this.#refuse(asked, new PosternError('MCP_FAILED', { stage: 'gateway' }));
  }

  /** The program's answer to a question. */
  takeAnswer(answer: AnswerEnvelope): void {
    this.#questions.get(answer.id)?.take(answer.hasError ? undefined : exactMember(answer.bytes, 'result'));
  }

  /** The program no longer waits for this request, nor wants to be asked for it. */
  async cancel(id: string): Promise<void> {
    for (const [current, asked] of this.#open) {
      if (asked.request.id !== id) continue;
      this.#open.delete(current);
      this.#ports.answers?.end(id);
      await this.#ports.pass(Buffer.from(cancelText(current)));
      for (const [question, { of, take }] of this.#questions) {
        if (of.request !== asked.request) continue;
        take(undefined);
        await this.#ports.send(cancelText(question), id);
      }
    }
  }

  /** Whose progress this is; `undefined` where nobody waits for it. */
  withToken(token: unknown): string | undefined {
    const key = JSON.stringify(token);
    const open = [...this.#open.values()].find((each) => each.token !== undefined && each.token === key);
    return open?.request.id;
  }

  /**
   * The program's own words, of a request that has not left for the server. One that the server has answered with a
   * question is not made once more.
   */
  takeBack(id: string): Buffer | undefined {
    const asked = this.#open.get(id);
    this.#open.delete(id);
    if (!asked || asked.rounds === 0) return asked?.request.bytes;
    void this.#refuse(asked, new PosternError('SESSION_LOST', { stage: 'gateway' }));
    return undefined;
  }

  close(): void {
    this.#end.abort();
    this.#open.clear();
    for (const { take } of this.#questions.values()) take(undefined);
  }

  async #send(id: string, asked: OlderRequest, more: JsonObject = {}): Promise<void> {
    this.#open.set(id, asked);
    const { _meta } = withMeta({ _meta: metaOf(asked.request) }, this.#program, this.logLevel);
    // Answers to questions are ours to give: a program of an older revision was asked them in another way.
    const changed = { inputResponses: undefined, requestState: undefined, ...more, _meta };
    await this.#ports.pass(requestWith(asked.request, id, changed), asked.rounds > 0);
  }

  async #goOn(before: OlderRequest, { inputRequests, requestState }: JsonObject): Promise<void> {
    const questions = Object.entries(isObject(inputRequests) ? inputRequests : {});
    const state = typeof requestState === 'string' ? { requestState } : {};
    const isEmpty = questions.length === 0 && !('requestState' in state);
    if (isEmpty || questions.length > bridgeRounds.questions || before.rounds >= bridgeRounds.rounds)
      return await this.#refuse(before, new PosternError('MCP_FAILED', { stage: 'gateway' }));
    const asked = { ...before, rounds: before.rounds + 1 };
    const id = this.#ports.own.newId();
    // It is still under way, and can be cancelled.
    this.#open.set(id, asked);
    const answers = await Promise.all(questions.map(([, question]) => this.#ask(asked, question)));
    if (questions.length === 0) await this.#pause();
    if (!this.#open.has(id)) return;
    if (answers.includes(undefined)) {
      this.#open.delete(id);
      return await this.#ports.send(unanswered(asked.request), asked.request.id);
    }
    const inputResponses = Object.fromEntries(questions.map(([name], at) => [name, answers[at]]));
    await this.#send(id, asked, { ...(questions.length > 0 && { inputResponses }), ...state });
  }

  /** `undefined`: the program did not say that it can answer this, or has no answer. */
  async #ask(of: OlderRequest, question: unknown): Promise<JsonObject | undefined> {
    const { method, params } = isObject(question) ? question : {};
    if (typeof method !== 'string' || !this.#program.capabilities[askable[method] ?? '']) return undefined;
    const id = this.#ports.own.newId();
    const { promise, resolve } = Promise.withResolvers<JsonObject | undefined>();
    this.#questions.set(id, { of, take: resolve });
    const written = isObject(params) ? withoutReservedMeta(params) : {};
    // Required in 2025-11-25; the newer wire has no such id.
    const isPage = method === 'elicitation/create' && written['mode'] === 'url';
    const asked = isPage ? { elicitationId: parseExactly(id), ...written } : written;
    await this.#ports.send(requestText(id, method, asked), of.request.id);
    const result = await promise;
    this.#questions.delete(id);
    return result && withoutReservedMeta(result);
  }

  /** A server that only wants to be asked again is not asked at once. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.#ports.clock.after(bridgeRounds.pause, resolve);
    this.#end.signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    stop();
  }

  async #refuse({ request: { id, method } }: OlderRequest, error: unknown): Promise<void> {
    await this.#ports.send(refusalOf(id, method, this.#ports.refuse(error)), id);
  }
}

/** What a request says of itself, with all digits of numbers; `undefined`: it is too long to be built. */
function metaOf({ bytes, paramsAt }: RequestEnvelope): JsonObject | undefined {
  const at = paramsAt?.findLast(({ name }) => name === '_meta');
  if (paramsAt && !at) return {};
  const { start, end } = at ?? { start: 0, end: bytes.byteLength };
  if (end - start > messageBudget.short) return undefined;
  const built = parseExactly(bytes.toString('utf8', start, end));
  const meta = at ? built : isObject(built) && isObject(built['params']) && built['params']['_meta'];
  return isObject(meta) ? meta : {};
}

/** What a model reads where the program has no answer for the server. */
function unanswered({ id, method }: RequestEnvelope): string {
  const text = 'The server asked something that this program could not answer.';
  if (method !== 'tools/call') return errorText(id, rpcCode.implementation, text);
  return resultText(id, { content: [{ type: 'text', text }], isError: true });
}
