import { AsyncLocalStorage } from 'node:async_hooks';
import { fitsField, textFormats } from '../../../shared/question-field.ts';
import type {
  FieldBounds,
  FieldChoice,
  FieldCommon,
  FieldValue,
  QuestionField,
} from '../../../shared/question-field.ts';
import type { RefusedQuestion } from '../../../shared/question-view.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { displayText } from '../../address/display-text.ts';
import { serverQuestion } from '../../limits.ts';

/** What a server asks a person while it works for them (MCP, elicitation). Texts are as the server wrote them. */
export type ServerQuestion = {
  readonly message: string;
  /** It came with the answer of this call, not by itself while several run. */
  readonly isOfCall: boolean;
} & (
  | { readonly kind: 'form'; readonly fields: readonly QuestionField[] }
  | {
      readonly kind: 'page';
      readonly address: BrowserAddress;
      /** The call goes on only once the person is through with the page. */
      readonly isRequired: boolean;
      /** Resolves when the server says that they are. */
      readonly completed: Promise<void>;
    }
);

export type QuestionAnswer =
  | { readonly action: 'accept'; readonly content?: Record<string, FieldValue> }
  | { readonly action: 'decline' | 'cancel' };

/** A person who waits for a call and may be asked. */
export interface QuestionedPerson {
  ask(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>;
  refused(why: RefusedQuestion): void;
  /** The address rules of the server that asks. Errors: why the address is not opened. */
  checkPage(address: string): BrowserAddress;
}

/** A line of a server's own log, as it wrote it. */
export interface LogEntry {
  readonly level: string;
  readonly data?: unknown;
}

interface Call {
  /** Nobody can be asked without. */
  readonly person: QuestionedPerson | undefined;
  readonly onLog: ((entry: LogEntry) => void) | undefined;
  /** Ends with the call. */
  readonly signal: AbortSignal;
  asked: number;
  /** One question after the other. */
  last: Promise<unknown>;
}

type AskedCall = Call & { readonly person: QuestionedPerson };

/** The call that something belongs to: the transport reads what comes with an answer in the context of its call. */
const callHere = new AsyncLocalStorage<Call>();

/**
 * What one server asks and logs over one connection. It goes to whoever waits for the call that it came with, or, where it
 * came by itself, for the newest call. While nobody waits, and beyond the bounds, a question is answered at once without
 * anybody.
 */
export class ServerQuestions {
  readonly #calls: Call[] = [];
  /** Ends when no call is left. */
  #busy = new AbortController();
  readonly #pages = new Map<string, () => void>();

  /** Runs a call in which `person` may be asked, and `onLog` told what the server writes down (MCP, logging). */
  async during<Result>(
    person: QuestionedPerson | undefined,
    signal: AbortSignal,
    work: () => Promise<Result>,
    onLog?: (entry: LogEntry) => void,
  ): Promise<Result> {
    const end = new AbortController();
    const ending = AbortSignal.any([signal, end.signal]);
    const call: Call = { person, onLog, signal: ending, asked: 0, last: Promise.resolve() };
    if (this.#calls.length === 0) this.#busy = new AbortController();
    this.#calls.push(call);
    try {
      return await callHere.run(call, work);
    } finally {
      end.abort();
      this.#calls.splice(this.#calls.indexOf(call), 1);
      if (this.#calls.length === 0) this.#busy.abort();
    }
  }

  /** The server says that the person is through with a page (MCP 2025-11-25, elicitation/complete). */
  complete(id: string): void {
    this.#pages.get(id)?.();
  }

  log(entry: LogEntry): void {
    this.#find(({ onLog }) => onLog !== undefined).call?.onLog?.(entry);
  }

  /** Never rejects. */
  async answer(params: unknown, isRequired = false): Promise<QuestionAnswer> {
    const { call, isOfCall } = this.#find(({ person }) => person !== undefined);
    if (!call?.person) return { action: 'cancel' };
    const { person } = call;
    call.asked += 1;
    if (call.asked > serverQuestion.count) {
      // Said once: said each time, it would be a flood itself.
      if (call.asked === serverQuestion.count + 1) person.refused('too-many');
      return { action: 'cancel' };
    }
    const asking = call.last.then(() => this.#ask({ ...call, person }, params, { isRequired, isOfCall }));
    call.last = asking;
    return await asking;
  }

  #find(fits: (call: Call) => boolean): { readonly call: Call | undefined; readonly isOfCall: boolean } {
    const here = callHere.getStore();
    if (here) return { call: this.#calls.find((call) => call === here && fits(call)), isOfCall: true };
    return { call: this.#calls.findLast(fits), isOfCall: this.#calls.length === 1 };
  }

  async #ask(
    call: AskedCall,
    params: unknown,
    { isRequired, isOfCall }: { readonly isRequired: boolean; readonly isOfCall: boolean },
  ): Promise<QuestionAnswer> {
    const { person } = call;
    const { mode, message, requestedSchema, url, elicitationId } = (params ?? {}) as Readonly<Record<string, unknown>>;
    const text = String(message).slice(0, serverQuestion.message);
    const late = AbortSignal.timeout(serverQuestion.deadline);
    // It may belong to any call where it is not known to which.
    const ending = isOfCall ? call.signal : this.#busy.signal;
    const signal = AbortSignal.any([ending, late]);
    try {
      if (mode === 'url') {
        const address = checked(() => person.checkPage(String(url)));
        if (!address) return refuse(call, 'address', 'decline');
        const { promise: completed, resolve } = Promise.withResolvers<void>();
        const id = String(elicitationId);
        this.#pages.set(id, resolve);
        const page = { kind: 'page', message: text, isOfCall, address, isRequired, completed } as const;
        return await person.ask(page, signal).finally(() => this.#pages.delete(id));
      }
      const fields = readQuestionFields(requestedSchema);
      if (!fields) return refuse(call, 'form', 'decline');
      return fitting(fields, await person.ask({ kind: 'form', message: text, isOfCall, fields }, signal));
    } catch {
      return late.aborted ? refuse(call, 'too-late', 'cancel') : { action: 'cancel' };
    }
  }
}

/** A server gets only what it asked for. */
function fitting(fields: readonly QuestionField[], answer: QuestionAnswer): QuestionAnswer {
  if (answer.action !== 'accept') return { action: answer.action };
  const entries = fields.flatMap((field): [string, FieldValue][] => {
    const value = answer.content?.[field.name];
    return fitsField(field, value) ? [[field.name, value]] : [];
  });
  const isWhole = fields.every(({ name, required }) => !required || entries.some(([given]) => given === name));
  return isWhole ? { action: 'accept', content: Object.fromEntries(entries) } : { action: 'cancel' };
}

function refuse({ person }: AskedCall, why: RefusedQuestion, action: 'decline' | 'cancel'): QuestionAnswer {
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

type Json = Readonly<Record<string, unknown>>;

/** The fields of a form; `undefined`: it is none that a person can be asked for, or it is too large. */
export function readQuestionFields(schema: unknown): readonly QuestionField[] | undefined {
  if (!isObject(schema) || !isObject(schema['properties'])) return undefined;
  const properties = Object.entries(schema['properties']);
  if (properties.length > serverQuestion.fields) return undefined;
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = properties.map(([name, property]) => readField(name, property, required.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function readField(name: string, schema: unknown, required: boolean): QuestionField | undefined {
  if (!isObject(schema) || name.length > serverQuestion.name) return undefined;
  const { title, description } = schema;
  const common: FieldCommon = {
    name,
    label: displayText(typeof title === 'string' && title !== '' ? title : name),
    ...(typeof description === 'string' && description !== '' && { description: displayText(description, 400) }),
    required,
  };
  const choices = readChoices(schema);
  const isOpen = schema['enum'] === undefined && schema['oneOf'] === undefined;
  const field = choices
    ? { ...common, kind: 'choice' as const, choices }
    : isOpen
      ? readPlain(common, schema)
      : undefined;
  if (!field) return undefined;
  const preset: unknown = schema['default'];
  return fitsField(field, preset) ? ({ ...field, initial: preset } as QuestionField) : field;
}

function readPlain(common: FieldCommon, schema: Json): QuestionField | undefined {
  switch (schema['type']) {
    case 'string': {
      const format = textFormats.find((known) => known === schema['format']);
      const pattern = typeof schema['pattern'] === 'string' ? displayText(schema['pattern'], 120) : undefined;
      const bounds = readBounds(schema, 'minLength', 'maxLength');
      return {
        ...common,
        kind: 'text',
        ...(format && { format }),
        ...(pattern !== undefined && { pattern }),
        ...bounds,
      };
    }
    case 'number':
    case 'integer':
      return {
        ...common,
        kind: 'number',
        whole: schema['type'] === 'integer',
        ...readBounds(schema, 'minimum', 'maximum'),
      };
    case 'boolean':
      return { ...common, kind: 'boolean' };
    case 'array': {
      const choices = isObject(schema['items']) ? readChoices(schema['items']) : undefined;
      return choices && { ...common, kind: 'choices', choices, ...readBounds(schema, 'minItems', 'maxItems') };
    }
    default:
      return undefined;
  }
}

function readChoices({ enum: values, enumNames: names, oneOf, anyOf }: Json): FieldChoice[] | undefined {
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(values)) {
    return toChoices(
      values.map((value, index) => ({ const: value, title: Array.isArray(names) ? names[index] : undefined })),
    );
  }
  return Array.isArray(titled) ? toChoices(titled) : undefined;
}

function toChoices(options: readonly unknown[]): FieldChoice[] | undefined {
  if (options.length === 0 || options.length > serverQuestion.choices) return undefined;
  const choices = options.flatMap((option) => {
    const { const: value, title } = isObject(option) ? option : {};
    if (typeof value !== 'string' || value.length > serverQuestion.message) return [];
    return [{ value, label: displayText(typeof title === 'string' ? title : value) }];
  });
  return choices.length === options.length ? choices : undefined;
}

function readBounds(schema: Json, least: string, most: string): FieldBounds {
  const bound = (name: string): number | undefined =>
    Number.isFinite(schema[name]) ? Number(schema[name]) : undefined;
  const [low, high] = [bound(least), bound(most)];
  return { ...(low !== undefined && { least: low }), ...(high !== undefined && { most: high }) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
