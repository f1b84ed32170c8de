import type { BrowserAddress } from '../address/browser-address.ts';
import { fitsField, readQuestionFields } from './question-fields.ts';
import type { FieldValue, QuestionField } from './question-fields.ts';
import { serverQuestion } from './use-bounds.ts';

/** What a server asks a person while it works for them (MCP, elicitation). Texts are as the server wrote them. */
export type ServerQuestion =
  | { readonly kind: 'form'; readonly message: string; readonly fields: readonly QuestionField[] }
  | {
      readonly kind: 'page';
      readonly message: string;
      readonly address: BrowserAddress;
      /** The call goes on only once the person is through with the page. */
      readonly isRequired: boolean;
      /** Resolves when the server says that they are. */
      readonly completed: Promise<void>;
    };

export type QuestionAnswer =
  | { readonly action: 'accept'; readonly content?: Record<string, FieldValue> }
  | { readonly action: 'decline' | 'cancel' };

/** Why a question was answered without the person. */
export type RefusedQuestion = 'address' | 'form' | 'too-many' | 'too-late';

/** A person who waits for a call and may be asked. */
export interface QuestionedPerson {
  ask(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>;
  refused(why: RefusedQuestion): void;
  /** The address rules of the server that asks. Errors: why the address is not opened. */
  checkPage(address: string): BrowserAddress;
}

interface Call {
  readonly person: QuestionedPerson;
  readonly signal: AbortSignal;
  asked: number;
  /** One question after the other. */
  last: Promise<unknown>;
}

/**
 * The questions of one server over one connection. They go to whoever waits for the newest call; while nobody does, and
 * beyond the bounds, they are answered at once and without anybody.
 */
export class ServerQuestions {
  readonly #calls: Call[] = [];
  readonly #pages = new Map<string, () => void>();

  /** Runs a call in which `person` may be asked. */
  async during<Result>(
    person: QuestionedPerson | undefined,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!person) return await work();
    const call: Call = { person, signal, asked: 0, last: Promise.resolve() };
    this.#calls.push(call);
    try {
      return await work();
    } finally {
      this.#calls.splice(this.#calls.indexOf(call), 1);
    }
  }

  /** The server says that the person is through with a page (MCP 2025-11-25, elicitation/complete). */
  complete(id: string): void {
    this.#pages.get(id)?.();
  }

  /** Never rejects. */
  async answer(params: unknown, isRequired = false): Promise<QuestionAnswer> {
    const call = this.#calls.at(-1);
    if (!call) return { action: 'cancel' };
    call.asked += 1;
    if (call.asked > serverQuestion.count) {
      // Said once, or that would be the flood.
      if (call.asked === serverQuestion.count + 1) call.person.refused('too-many');
      return { action: 'cancel' };
    }
    const asking = call.last.then(() => this.#ask(call, params, isRequired));
    call.last = asking;
    return await asking;
  }

  async #ask(call: Call, params: unknown, isRequired: boolean): Promise<QuestionAnswer> {
    const { person } = call;
    const { mode, message, requestedSchema, url, elicitationId } = (params ?? {}) as Readonly<Record<string, unknown>>;
    const text = String(message).slice(0, serverQuestion.message);
    const late = AbortSignal.timeout(serverQuestion.deadline);
    const signal = AbortSignal.any([call.signal, late]);
    try {
      if (mode === 'url') {
        const address = checked(() => person.checkPage(String(url)));
        if (!address) return refuse(call, 'address', 'decline');
        const { promise: completed, resolve } = Promise.withResolvers<void>();
        const id = String(elicitationId);
        this.#pages.set(id, resolve);
        const page = { kind: 'page', message: text, address, isRequired, completed } as const;
        return await person.ask(page, signal).finally(() => this.#pages.delete(id));
      }
      const fields = readQuestionFields(requestedSchema);
      if (!fields) return refuse(call, 'form', 'decline');
      return fitting(fields, await person.ask({ kind: 'form', message: text, fields }, signal));
    } catch {
      return late.aborted ? refuse(call, 'too-late', 'cancel') : { action: 'cancel' };
    }
  }
}

/** Nothing goes to a server that it has not asked for. */
function fitting(fields: readonly QuestionField[], answer: QuestionAnswer): QuestionAnswer {
  if (answer.action !== 'accept') return { action: answer.action };
  const entries = fields.flatMap((field): [string, FieldValue][] => {
    const value = answer.content?.[field.name];
    return fitsField(field, value) ? [[field.name, value]] : [];
  });
  const isWhole = fields.every(({ name, required }) => !required || entries.some(([given]) => given === name));
  return isWhole ? { action: 'accept', content: Object.fromEntries(entries) } : { action: 'cancel' };
}

function refuse({ person }: Call, why: RefusedQuestion, action: 'decline' | 'cancel'): QuestionAnswer {
  person.refused(why);
  return { action };
}

function checked(check: () => BrowserAddress): BrowserAddress | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}
