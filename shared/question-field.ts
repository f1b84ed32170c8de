/** Maximum characters of a text answer. */
export const maxAnswerLength = 16_384;

export const textFormats = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof textFormats)[number];
export type FieldValue = string | number | boolean | string[];

export interface FieldCommon {
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly required: boolean;
}
export interface FieldChoice {
  readonly value: string;
  readonly label: string;
}
/** One value that a server asks the user for (MCP 2025-11-25, elicitation, requested schema). Bounds are inclusive. */
export type QuestionField =
  | (FieldCommon & {
      readonly kind: 'text';
      readonly format?: TextFormat | undefined;
      readonly pattern?: string | undefined;
    } & FieldBounds &
      Preset<string>)
  | (FieldCommon & { readonly kind: 'number'; readonly whole: boolean } & FieldBounds & Preset<number>)
  | (FieldCommon & { readonly kind: 'boolean' } & Preset<boolean>)
  | (FieldCommon & { readonly kind: 'choice'; readonly choices: FieldChoice[] } & Preset<string>)
  | (FieldCommon & { readonly kind: 'choices'; readonly choices: FieldChoice[] } & FieldBounds & Preset<string[]>);
export interface FieldBounds {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}
interface Preset<Value> {
  readonly initial?: Value | undefined;
}

/** Whether the value is valid for the field. The server's pattern is not run: it could take forever. */
export function isValidAnswer(field: QuestionField, value: unknown): value is FieldValue {
  const { least = -Infinity, most = Infinity } = field as QuestionField & FieldBounds;
  const isWithin = (size: number): boolean => size >= least && size <= most;
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string' || value.length > maxAnswerLength) return false;
      return isWithin([...value].length) && (field.format === undefined || formats[field.format](value));
    case 'number':
      return (
        typeof value === 'number' &&
        isWithin(value) &&
        (field.whole ? Number.isSafeInteger(value) : Number.isFinite(value))
      );
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return field.choices.some((choice) => choice.value === value);
    case 'choices':
      if (!Array.isArray(value) || !isWithin(value.length) || new Set(value).size < value.length) return false;
      return value.every((one) => field.choices.some((choice) => choice.value === one));
  }
}

/** Whether a field seems to ask for a secret, which no form may (MCP 2025-11-25, elicitation, safe URL handling). */
export function asksForSecret({ name, label, description = '' }: QuestionField): boolean {
  return /pass(?:word|wort|phrase|code)|secret|geheim|kennwort|api.?key|access.?token|\bpin\b|\bcvv\b/iu.test(
    `${name} ${label} ${description}`,
  );
}

const formats: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/u.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s]+$/iu.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/iu.test(text) &&
    !Number.isNaN(Date.parse(text)),
};
