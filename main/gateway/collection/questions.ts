import { gatewaySession } from '../../limits.ts';
import { cancelText, requestText } from '../bridge/message-texts.ts';
import { parseExactly } from '../../exact-json.ts';
import { cancelledId, isObject, withId } from '../messages/envelope.ts';
import type { AnswerEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { Member } from './member.ts';
import { attributed, paramsOf } from './merged.ts';

interface Question {
  readonly member: Member;
  /** As the member wrote it. */
  readonly id: string;
  readonly token: unknown;
}

/** A page that a member wants opened, by its own name for it. */
interface Page {
  readonly member: Member;
  readonly id: unknown;
}

/**
 * What members have asked the program. Two of them may use the same ids, the same tokens for progress and the same names
 * for pages, so the program gets others; and it gets the name of whoever asks.
 */
export class Questions {
  readonly #newId: () => string;
  /** By the id that the program knows. */
  readonly #open = new Map<string, Question>();
  /** The same; the oldest first. They may be over long after the question (MCP 2025-11-25, elicitation by URL). */
  readonly #pages = new Map<string, Page>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The same question for the program. `params`: with addresses as the program gets them. */
  ask(member: Member, { id, method }: RequestEnvelope, { _meta, ...params }: JsonObject): Buffer {
    const own = this.#newId();
    const meta = { ...(isObject(_meta) && _meta), ...serverOf(member) };
    const token = isObject(_meta) ? _meta['progressToken'] : undefined;
    this.#open.set(own, { member, id, token });
    const said = token === undefined ? meta : { ...meta, progressToken: JSON.parse(own) as unknown };
    const asked = method === 'elicitation/create' ? this.#elicitation(member, params) : params;
    return requestText(own, method, { ...asked, _meta: said });
  }

  /** An error of a member, with the pages that it wants opened first (MCP 2025-11-25, elicitation by URL). */
  inError(member: Member, { bytes, id }: AnswerEnvelope): Buffer | string {
    const message = bytes.includes('elicitations') ? parseExactly(bytes.toString('utf8')) : undefined;
    const error = isObject(message) && isObject(message['error']) ? message['error'] : {};
    const data = isObject(error['data']) ? error['data'] : {};
    const { elicitations } = data;
    if (!Array.isArray(elicitations)) return bytes;
    const asked = elicitations
      .slice(0, gatewaySession.questions)
      .map((each: unknown) => (isObject(each) ? this.#elicitation(member, each) : each));
    const said = JSON.stringify({ ...error, data: { ...data, elicitations: asked } });
    return `{"jsonrpc":"2.0","id":${id},"error":${said}}`;
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

  /** What is over at a page of a member, as the program knows it; `undefined`: it has not asked for that. */
  pageOver(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): JsonObject | undefined {
    const params = paramsOf(bytes);
    const id = JSON.stringify(params['elicitationId']);
    const [own] = [...this.#pages].find(([, page]) => page.member === member && JSON.stringify(page.id) === id) ?? [];
    return own === undefined ? undefined : { ...params, elicitationId: parseExactly(own) };
  }

  /** A member is gone: what the program is told of each of its questions. */
  leave(member: Member): readonly string[] {
    const own = [...this.#open].filter(([, question]) => question.member === member).map(([id]) => id);
    for (const id of own) this.#open.delete(id);
    for (const [id, page] of this.#pages) if (page.member === member) this.#pages.delete(id);
    return own.map((id) => cancelText(id));
  }

  #elicitation(member: Member, { elicitationId, ...asked }: JsonObject): JsonObject {
    const { message } = asked;
    return {
      ...asked,
      ...(typeof message === 'string' && { message: attributed(member.alias, message) }),
      ...(elicitationId !== undefined && { elicitationId: this.#pageOf(this.#newId(), { member, id: elicitationId }) }),
    };
  }

  #pageOf(name: string, page: Page): unknown {
    this.#pages.set(name, page);
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size > gatewaySession.questions) this.#pages.delete(oldest);
    return parseExactly(name);
  }
}

/** Which member a message is of, in `_meta`. */
export function serverOf({ alias }: Member): JsonObject {
  return { 'dev.postern/server': alias };
}
