import { displayText } from '../address/display-text.ts';
import { serverQuestion } from './use-bounds.ts';

export const textFormats = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof textFormats)[number];
export type FieldValue = string | number | boolean | string[];

interface Common {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
}
export interface FieldChoice {
  readonly value: string;
  readonly label: string;
}
/** One value that a server asks a person for (MCP 2025-11-25, elicitation, requested schema). Bounds hold both ends. */
export type QuestionField =
  | (Common & { readonly kind: 'text'; readonly format?: TextFormat; readonly pattern?: string } & Bounds &
      Preset<string>)
  | (Common & { readonly kind: 'number'; readonly whole: boolean } & Bounds & Preset<number>)
  | (Common & { readonly kind: 'boolean' } & Preset<boolean>)
  | (Common & { readonly kind: 'choice'; readonly choices: readonly FieldChoice[] } & Preset<string>)
  | (Common & { readonly kind: 'choices'; readonly choices: readonly FieldChoice[] } & Bounds & Preset<string[]>);
interface Bounds {
  readonly least?: number;
  readonly most?: number;
}
interface Preset<Value> {
  readonly initial?: Value;
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

/** Whether a value is one that the field takes. The server's pattern is not run: it could take for ever. */
export function fitsField(field: QuestionField, value: unknown): value is FieldValue {
  const { least, most } = { least: -Infinity, most: Infinity, ...field } as Required<Bounds>;
  const isWithin = (size: number): boolean => size >= least && size <= most;
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string' || value.length > serverQuestion.answer) return false;
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

/** Whether a field looks as if it wanted a secret, which no form may (MCP 2025-11-25, elicitation, safe URL handling). */
export function wantsSecret({ name, label, description = '' }: QuestionField): boolean {
  return /pass(?:word|wort|phrase|code)|secret|geheim|kennwort|api.?key|access.?token|\bpin\b|\bcvv\b/iu.test(
    `${name} ${label} ${description}`,
  );
}

const formats: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/u.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/iu.test(text) &&
    !Number.isNaN(Date.parse(text)),
};

function readField(name: string, schema: unknown, required: boolean): QuestionField | undefined {
  if (!isObject(schema) || name.length > serverQuestion.name) return undefined;
  const { title, description } = schema;
  const common: Common = {
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

function readPlain(common: Common, schema: Json): QuestionField | undefined {
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
    if (!isObject(option) || typeof option['const'] !== 'string') return [];
    const { const: value, title } = option;
    return [{ value, label: displayText(typeof title === 'string' ? title : value) }];
  });
  return choices.length === options.length ? choices : undefined;
}

function readBounds(schema: Json, least: string, most: string): Bounds {
  const bound = (name: string): number | undefined =>
    Number.isFinite(schema[name]) ? Number(schema[name]) : undefined;
  const [low, high] = [bound(least), bound(most)];
  return { ...(low !== undefined && { least: low }), ...(high !== undefined && { most: high }) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
