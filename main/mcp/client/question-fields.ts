import { fitsField, textFormats } from '../../../shared/question-field.ts';
import type { FieldBounds, FieldChoice, FieldCommon, QuestionField } from '../../../shared/question-field.ts';
import { displayText } from '../../address/display-text.ts';
import { serverQuestion } from '../use-bounds.ts';

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
