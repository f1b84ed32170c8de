import { cancelText, requestText } from '../bridge/message-texts.ts';
import { cancelledId, isObject, withId } from '../messages/envelope.ts';
import type { AnswerEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { Member } from './member.ts';
import { paramsOf } from './merged.ts';

interface Question {
  readonly member: Member;
  /** As the member wrote it. */
  readonly id: string;
  readonly token: unknown;
}

/**
 * What members have asked the program. Two of them may use the same ids, and the same tokens for progress, so the
 * program gets others.
 */
export class Questions {
  readonly #newId: () => string;
  /** By the id that the program knows. */
  readonly #open = new Map<string, Question>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The same question for the program. */
  ask(member: Member, { id, method, bytes }: RequestEnvelope): Buffer {
    const own = this.#newId();
    const { _meta, ...params } = paramsOf(bytes);
    const meta = isObject(_meta) ? _meta : {};
    const { progressToken: token } = meta;
    this.#open.set(own, { member, id, token });
    const said = token === undefined ? meta : { ...meta, progressToken: JSON.parse(own) as unknown };
    return requestText(own, method, Object.keys(said).length > 0 ? { ...params, _meta: said } : params);
  }

  /** Whose this answer is, and what it gets; `undefined`: nobody has asked, or it is answered. */
  answer(answer: AnswerEnvelope): { member: Member; text: Buffer } | undefined {
    const question = this.#open.get(answer.id);
    this.#open.delete(answer.id);
    return question && { member: question.member, text: withId(answer, question.id) };
  }

  /** The same for what the program says of its progress. */
  progress(bytes: Buffer): { member: Member; text: Buffer } | undefined {
    const { progressToken, ...params } = paramsOf(bytes);
    const question = this.#open.get(JSON.stringify(progressToken) ?? '');
    if (question?.token === undefined) return undefined;
    const said: JsonObject = { progressToken: question.token, ...params };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: said });
    return { member: question.member, text: Buffer.from(text) };
  }

  /** A member no longer wants an answer: what the program is told; `undefined`: it has not asked that. */
  cancel(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): string | undefined {
    const id = cancelledId(bytes);
    const found = [...this.#open].find(([, question]) => question.member === member && question.id === id);
    if (!found) return undefined;
    this.#open.delete(found[0]);
    return cancelText(found[0]);
  }

  /** A member is gone: what the program is told of each of its questions. */
  leave(member: Member): readonly string[] {
    const own = [...this.#open].filter(([, question]) => question.member === member).map(([id]) => id);
    for (const id of own) this.#open.delete(id);
    return own.map((id) => cancelText(id));
  }
}
