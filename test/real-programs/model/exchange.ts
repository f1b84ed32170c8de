/** One request of a program to its model, whatever API it came by. */
export interface Question {
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
  /** What tools have answered in this conversation, as the model reads it. */
  readonly results: readonly string[];
}

/** What the model says: a call of a tool, or words. */
export type Answer = { readonly call: string } | { readonly text: string };

/** One API of a model: how a question is read, and an answer written. */
export interface ModelApi {
  /** Of the address, without what stands before. */
  readonly path: RegExp;
  read(body: Body): Question;
  /** The events of a stream, or one document where none was asked for. */
  write(answer: Answer, body: Body): readonly ModelEvent[] | object;
}

export interface ModelEvent {
  /** `event:`, where the API names its events. */
  readonly name?: string;
  readonly data: object | string;
}

export type Body = Readonly<Record<string, unknown>>;

/** The members of a list that are objects; nothing for anything else. */
export function objectsOf(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.filter((item): item is Body => typeof item === 'object' && item !== null) : [];
}

/** Text as it stands, in a list of parts or in an object: every string called `text` or `output`, and plain ones. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const { text, output, content } = value as Body;
  return textOf(text ?? output ?? content);
}
