/** One request of an app to its model, in any API. */
export interface Question {
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
  /** Tool results in this conversation, as the model reads them. */
  readonly results: readonly string[];
}

/** The model's output: a tool call, or text. */
export type Answer = { readonly call: string } | { readonly text: string };

/** One model API: how a request is read, and a response written. */
export interface ModelApi {
  /** The request path, without the prefix. */
  readonly path: RegExp;
  read(body: Body): Question;
  /** The events of a stream, or one document if no stream was requested. */
  write(answer: Answer, body: Body): readonly ModelEvent[] | object;
}

export interface ModelEvent {
  /** `event:`, if the API names its events. */
  readonly name?: string;
  readonly data: object | string;
}

export type Body = Readonly<Record<string, unknown>>;

/** The objects in a list; empty for anything else. */
export function objectsOf(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.filter((item): item is Body => typeof item === 'object' && item !== null) : [];
}

/** All text in a value: strings, the items of lists, and the `text`, `output` or `content` of objects. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const { text, output, content } = value as Body;
  return textOf(text ?? output ?? content);
}
