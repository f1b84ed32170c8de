import { AsyncLocalStorage } from 'node:async_hooks';
import { isObject } from '../../../shared/json-object.ts';
import { isValidAnswer, textFormats } from '../../../shared/question-field.ts';
import type {
  FieldBounds,
  FieldChoice,
  FieldCommon,
  FieldValue,
  QuestionField,
} from '../../../shared/question-field.ts';
import type { QuestionRefusal } from '../../../shared/question-view.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { displayText } from '../../address/display-text.ts';
import { elicitation } from '../../limits.ts';

/** What a server asks the user during a call (MCP, elicitation). Texts are as the server wrote them. */
export type ServerQuestion = {
  readonly message: string;
  /** It certainly belongs to this call; otherwise it arrived while several ran. */
  readonly belongsToCall: boolean;
} & (
  | { readonly kind: 'form'; readonly fields: readonly QuestionField[] }
  | {
      readonly kind: 'page';
      readonly address: BrowserAddress;
      /** The call continues only after the user has finished with the page. */
      readonly isRequired: boolean;
      /** Resolves when the server reports that they have. */
      readonly completed: Promise<void>;
    }
);

export type QuestionAnswer =
  | { readonly action: 'accept'; readonly content?: Record<string, FieldValue> }
  | { readonly action: 'decline' | 'cancel' };

/** Asks the user who waits for a call. */
export interface UserPrompter {
  ask(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>;
  onRefused(reason: QuestionRefusal): void;
  /** Applies the server's address rules. Errors: why the address is not opened. */
  checkPage(address: string): BrowserAddress;
}

/** A log message of the server, verbatim. */
export interface LogEntry {
  readonly level: string;
  readonly data?: unknown;
}

interface Call {
  /** Absent: there is no user to ask. */
  readonly prompter: UserPrompter | undefined;
  readonly onLog: ((entry: LogEntry) => void) | undefined;
  /** Aborts when the call ends. */
  readonly signal: AbortSignal;
  askedCount: number;
  /** Questions are asked one at a time. */
  lastQuestion: Promise<unknown>;
}

type PromptableCall = Call & { readonly prompter: UserPrompter };

/** The current call: the transport handles messages of a response in the async context of its call. */
const currentCall = new AsyncLocalStorage<Call>();

/**
 * Questions and logs of one server over one connection. They go to the call they arrived with or, if they arrived
 * separately, to the newest call. Without a waiting user, or beyond the bounds, a question is declined or canceled
 * automatically.
 */
export class ServerQuestions {
  readonly #calls: Call[] = [];
  /** Aborts when no call is left. */
  #activity = new AbortController();
  readonly #pageResolvers = new Map<string, () => void>();

  /**
   * Runs a call in which the user may be asked through `prompter` and `onLog` gets the server's log messages (MCP,
   * logging).
   */
  async runWithPrompter<Result>(
    prompter: UserPrompter | undefined,
    signal: AbortSignal,
    work: () => Promise<Result>,
    onLog?: (entry: LogEntry) => void,
  ): Promise<Result> {
    const end = new AbortController();
    const ending = AbortSignal.any([signal, end.signal]);
    const call: Call = { prompter, onLog, signal: ending, askedCount: 0, lastQuestion: Promise.resolve() };
    if (this.#calls.length === 0) this.#activity = new AbortController();
    this.#calls.push(call);
    try {
      return await currentCall.run(call, work);
    } finally {
      end.abort();
      this.#calls.splice(this.#calls.indexOf(call), 1);
      if (this.#calls.length === 0) this.#activity.abort();
    }
  }

  /** The server reports that the user has finished with a page (MCP 2025-11-25, elicitation/complete). */
  complete(id: string): void {
    this.#pageResolvers.get(id)?.();
  }

  log(entry: LogEntry): void {
    this.#findCall(({ onLog }) => onLog !== undefined).call?.onLog?.(entry);
  }

  /** Never rejects. */
  async answer(params: unknown, isRequired = false): Promise<QuestionAnswer> {
    const { call, belongsToCall } = this.#findCall(({ prompter }) => prompter !== undefined);
    if (!call?.prompter) return { action: 'cancel' };
    const { prompter } = call;
    call.askedCount += 1;
    if (call.askedCount > elicitation.count) {
      // Reported once, since repeating it would flood the user too.
      if (call.askedCount === elicitation.count + 1) prompter.onRefused('too-many');
      return { action: 'cancel' };
    }
    const answer = call.lastQuestion.then(() =>
      this.#ask({ ...call, prompter }, params, { isRequired, belongsToCall }),
    );
    call.lastQuestion = answer;
    return await answer;
  }

  #findCall(predicate: (call: Call) => boolean): { readonly call: Call | undefined; readonly belongsToCall: boolean } {
    const current = currentCall.getStore();
    if (current) return { call: this.#calls.find((call) => call === current && predicate(call)), belongsToCall: true };
    return { call: this.#calls.findLast(predicate), belongsToCall: this.#calls.length === 1 };
  }

  async #ask(
    call: PromptableCall,
    params: unknown,
    { isRequired, belongsToCall }: { readonly isRequired: boolean; readonly belongsToCall: boolean },
  ): Promise<QuestionAnswer> {
    const { prompter } = call;
    const { mode, message, requestedSchema, url, elicitationId } = (params ?? {}) as Readonly<Record<string, unknown>>;
    const text = String(message).slice(0, elicitation.message);
    const timeout = AbortSignal.timeout(elicitation.deadline);
    // If its call is unknown, it may belong to any of them.
    const ending = belongsToCall ? call.signal : this.#activity.signal;
    const signal = AbortSignal.any([ending, timeout]);
    try {
      if (mode === 'url') {
        const address = tryCheck(() => prompter.checkPage(String(url)));
        if (!address) return refuse(call, 'address', 'decline');
        const { promise: completed, resolve } = Promise.withResolvers<void>();
        const id = String(elicitationId);
        this.#pageResolvers.set(id, resolve);
        const page = { kind: 'page', message: text, belongsToCall, address, isRequired, completed } as const;
        return await prompter.ask(page, signal).finally(() => this.#pageResolvers.delete(id));
      }
      const fields = readQuestionFields(requestedSchema);
      if (!fields) return refuse(call, 'form', 'decline');
      return withValidFields(
        fields,
        await prompter.ask({ kind: 'form', message: text, belongsToCall, fields }, signal),
      );
    } catch {
      return timeout.aborted ? refuse(call, 'too-late', 'cancel') : { action: 'cancel' };
    }
  }
}

/** The server gets only the fields it asked for. */
function withValidFields(fields: readonly QuestionField[], answer: QuestionAnswer): QuestionAnswer {
  if (answer.action !== 'accept') return { action: answer.action };
  const entries = fields.flatMap((field): [string, FieldValue][] => {
    const value = answer.content?.[field.name];
    return isValidAnswer(field, value) ? [[field.name, value]] : [];
  });
  const isComplete = fields.every(
    ({ name, required }) => !required || entries.some(([entryName]) => entryName === name),
  );
  return isComplete ? { action: 'accept', content: Object.fromEntries(entries) } : { action: 'cancel' };
}

function refuse({ prompter }: PromptableCall, reason: QuestionRefusal, action: 'decline' | 'cancel'): QuestionAnswer {
  prompter.onRefused(reason);
  return { action };
}

function tryCheck(check: () => BrowserAddress): BrowserAddress | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;

/** The fields of a form; `undefined`: not a form the user can fill in, or too large. */
export function readQuestionFields(schema: unknown): readonly QuestionField[] | undefined {
  if (!isObject(schema) || !isObject(schema['properties'])) return undefined;
  const properties = Object.entries(schema['properties']);
  if (properties.length > elicitation.fields) return undefined;
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = properties.map(([name, property]) => readField(name, property, required.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function readField(name: string, schema: unknown, required: boolean): QuestionField | undefined {
  if (!isObject(schema) || name.length > elicitation.name) return undefined;
  const { title, description } = schema;
  const common: FieldCommon = {
    name,
    label: displayText(typeof title === 'string' && title !== '' ? title : name),
    ...(typeof description === 'string' && description !== '' && { description: displayText(description, 400) }),
    required,
  };
  const choices = readChoices(schema);
  const isFreeForm = schema['enum'] === undefined && schema['oneOf'] === undefined;
  const field = choices
    ? { ...common, kind: 'choice' as const, choices }
    : isFreeForm
      ? readFreeField(common, schema)
      : undefined;
  if (!field) return undefined;
  const defaultValue: unknown = schema['default'];
  return isValidAnswer(field, defaultValue) ? ({ ...field, initial: defaultValue } as QuestionField) : field;
}

function readFreeField(common: FieldCommon, schema: Json): QuestionField | undefined {
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
  const titledOptions = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(values)) {
    return toChoices(
      values.map((value, index) => ({ const: value, title: Array.isArray(names) ? names[index] : undefined })),
    );
  }
  return Array.isArray(titledOptions) ? toChoices(titledOptions) : undefined;
}

function toChoices(options: readonly unknown[]): FieldChoice[] | undefined {
  if (options.length === 0 || options.length > elicitation.choices) return undefined;
  const choices = options.flatMap((option) => {
    const { const: value, title } = isObject(option) ? option : {};
    if (typeof value !== 'string' || value.length > elicitation.message) return [];
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
