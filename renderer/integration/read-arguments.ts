import type { SchemaField } from './schema-fields.ts';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };
export type ArgumentFault = 'needed' | 'numberWrong' | 'jsonWrong';

export interface ReadArguments {
  readonly values: Record<string, JsonValue>;
  readonly faults: Readonly<Record<string, ArgumentFault>>;
}

/** What was entered, as the tool wants it. Empty fields that are not required are left out. */
export function readArguments(
  fields: readonly SchemaField[],
  entered: Readonly<Record<string, string>>,
): ReadArguments {
  const values: Record<string, JsonValue> = {};
  const faults: Record<string, ArgumentFault> = {};
  for (const field of fields) {
    const text = entered[field.name] ?? field.initial;
    if (text.trim() === '') {
      // An empty text may be meant, unless the tool says that it takes none; an empty number cannot be.
      const isText = field.kind === 'text' || field.kind === 'longText';
      if (field.required && isText && field.filled !== true) values[field.name] = text;
      else if (field.required) faults[field.name] = 'needed';
      continue;
    }
    const read = readOne(field, text);
    if ('fault' in read) faults[field.name] = read.fault;
    else values[field.name] = read.value;
  }
  return { values, faults };
}

function readOne({ kind }: SchemaField, text: string): { value: JsonValue } | { fault: ArgumentFault } {
  switch (kind) {
    case 'text':
    case 'longText':
      return { value: text };
    case 'number':
    case 'integer': {
      const value = Number(text);
      const isRight = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
      return isRight ? { value } : { fault: 'numberWrong' };
    }
    case 'lines':
      return { value: text.split('\n').filter((line) => line.trim() !== '') };
    case 'boolean':
    case 'choice':
    case 'json':
      try {
        return { value: JSON.parse(text) as JsonValue };
      } catch {
        return { fault: 'jsonWrong' };
      }
  }
}
