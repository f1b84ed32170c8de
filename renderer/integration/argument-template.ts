import type { GroupDraft } from './draft.ts';
import { readArguments } from './read-arguments.ts';
import type { JsonValue } from './resolve-schema.ts';
import type { GroupShape, SchemaField } from './schema-fields.ts';

/** What was entered as JSON, with a place for all that is needed and not there yet. */
export function writeTemplate(shape: GroupShape, draft: GroupDraft): string {
  return JSON.stringify(fill(shape, readArguments(shape, draft).values), null, 2);
}

function fill({ fields }: GroupShape, values: Record<string, JsonValue>): Record<string, JsonValue> {
  const missing = fields.filter(({ name, required }) => required && !Object.hasOwn(values, name));
  return { ...Object.fromEntries(missing.map((field) => [field.name, placeOf(field)])), ...values };
}

function placeOf({ shape, nullable }: SchemaField): JsonValue {
  if (nullable) return null;
  switch (shape.kind) {
    case 'text':
      return '';
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'choice':
      return shape.choices[0] ? (JSON.parse(shape.choices[0].value) as JsonValue) : null;
    case 'list':
      return [];
    case 'group':
      return fill(shape, {});
    case 'variant':
      return shape.options[0] ? placeOf(shape.options[0]) : null;
    case 'json':
      return null;
  }
}
