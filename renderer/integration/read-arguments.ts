import type { Draft, GroupDraft } from './draft.ts';
import type { JsonValue } from './resolve-schema.ts';
import type { GroupShape, SchemaField } from './schema-fields.ts';

export type ArgumentFault = 'needed' | 'misfit' | 'numberWrong' | 'jsonWrong' | 'objectWrong';
/** By the path of the field. */
export type ArgumentFaults = Readonly<Record<string, ArgumentFault>>;

export interface ReadArguments {
  readonly values: Record<string, JsonValue>;
  readonly faults: ArgumentFaults;
}

export const pathOf = (path: string, name: string | number): string => `${path}/${encodeURIComponent(name)}`;

/** What was entered, as the tool wants it. What is empty and not required is left out. */
export function readArguments(shape: GroupShape, draft: GroupDraft): ReadArguments {
  const faults: Record<string, ArgumentFault> = {};
  return { values: readGroup(shape, draft, '', faults), faults };
}

/** `undefined`: left out, or at fault. */
export function readDraft(
  field: SchemaField,
  draft: Draft,
  path: string,
  faults: Record<string, ArgumentFault>,
): JsonValue | undefined {
  const { shape, required, nullable } = field;
  const fail = (fault: ArgumentFault): undefined => void (faults[path] = fault);
  const absent = (): null | undefined => {
    if (!required) return undefined;
    return nullable ? null : fail('needed');
  };
  if (typeof draft === 'object' && 'json' in draft) return parse(draft.json, fail, absent);
  switch (shape.kind) {
    case 'text': {
      const text = asText(draft);
      if (text.trim() !== '') return text;
      // An empty text may be meant, unless the tool says that it takes none. In a list it is a line not filled yet.
      return required && !nullable && !shape.filled && field.name !== '' ? text : absent();
    }
    case 'number': {
      const text = asText(draft);
      if (text.trim() === '') return absent();
      const value = Number(text);
      return (shape.whole ? Number.isSafeInteger(value) : Number.isFinite(value)) ? value : fail('numberWrong');
    }
    case 'boolean':
    case 'choice':
    case 'json':
      return parse(asText(draft), fail, absent);
    case 'list': {
      const items = typeof draft === 'object' && 'list' in draft ? draft.list : [];
      if (items.length === 0 && !required) return undefined;
      return items.flatMap((item, index) => readDraft(shape.item, item, pathOf(path, index), faults) ?? []);
    }
    case 'group': {
      if (typeof draft === 'object' && 'group' in draft) return readGroup(shape, draft, path, faults);
      return required ? readGroup(shape, { group: {} }, path, faults) : undefined;
    }
    case 'variant': {
      if (typeof draft !== 'object' || !('option' in draft)) return absent();
      const option = shape.options[draft.option];
      if (!option) return absent();
      return readDraft(option, draft.drafts[draft.option] ?? '', path, faults);
    }
  }
}

function readGroup(
  { fields }: GroupShape,
  { group, extra }: GroupDraft,
  path: string,
  faults: Record<string, ArgumentFault>,
): Record<string, JsonValue> {
  const entries = fields.flatMap((field): [string, JsonValue][] => {
    const value = readDraft(field, group[field.name] ?? '', pathOf(path, field.name), faults);
    return value === undefined ? [] : [[field.name, value]];
  });
  return { ...Object.fromEntries(entries), ...extra };
}

/** A draft of another shape: the server has changed its schema. */
function asText(draft: Draft): string {
  return typeof draft === 'string' ? draft : '';
}

function parse(
  text: string,
  fail: (fault: ArgumentFault) => undefined,
  absent: () => null | undefined,
): JsonValue | undefined {
  if (text.trim() === '') return absent();
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return fail('jsonWrong');
  }
}
