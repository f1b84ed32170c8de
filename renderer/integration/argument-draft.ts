import { isObject } from '../../shared/json-object.ts';
import type { GroupShape, JsonValue, SchemaField, Shape, VariantShape } from './schema-fields.ts';

/** Input for one value, valid or not. */
export type Draft =
  /** Text; for a group it means "left out". */
  | string
  | { readonly list: readonly Draft[] }
  | GroupDraft
  | VariantDraft
  /** Does not fit the field, so it is edited as JSON. */
  | { readonly json: string };
export interface GroupDraft {
  readonly group: Readonly<Record<string, Draft>>;
  /** Members that have no field. */
  readonly extra?: Readonly<Record<string, JsonValue>>;
}

/** Keeps the input of the other options. `option` -1: none. */
interface VariantDraft {
  readonly option: number;
  readonly drafts: Readonly<Record<number, Draft>>;
}

/** Longer lists are edited as JSON. */
const maxItems = 100;

export function startGroup(shape: GroupShape): GroupDraft {
  return { group: Object.fromEntries(shape.fields.map((field) => [field.name, startDraft(field)])) };
}

/** Initial draft, before any input. */
export function startDraft(field: SchemaField): Draft {
  const { shape, required, initial } = field;
  if (initial !== undefined && initial !== null) return fitDraft(shape, initial) ?? asJson(initial);
  switch (shape.kind) {
    case 'group':
      return required ? startGroup(shape) : '';
    case 'list':
      return { list: [] };
    case 'variant':
      return required ? chooseOption(shape, { option: -1, drafts: {} }, 0) : { option: -1, drafts: {} };
    default:
      return '';
  }
}

/** Switches the option and restores what was entered for it before. */
export function chooseOption(shape: VariantShape, { drafts }: VariantDraft, option: number): VariantDraft {
  const field = shape.options[option];
  return { option, drafts: field ? { [option]: startDraft(field), ...drafts } : drafts };
}

/** The draft that reads back as `value`; as JSON if no field fits. */
function draftOf(field: SchemaField, value: JsonValue): Draft {
  const draft = fitDraft(field.shape, value);
  if (draft === undefined) return asJson(value);
  const read = readDraft(field, draft, '', {});
  return read !== undefined && isSame(read, value) ? draft : asJson(value);
}

export function groupOf({ fields }: GroupShape, value: Readonly<Record<string, JsonValue>>): GroupDraft {
  const known = new Set(fields.map(({ name }) => name));
  const extra = Object.entries(value).filter(([name]) => !known.has(name));
  const entries = fields.map((field): [string, Draft] => {
    const memberValue = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    // A default that the user removed is not restored.
    return [
      field.name,
      memberValue === undefined ? startDraft({ ...field, initial: undefined }) : draftOf(field, memberValue),
    ];
  });
  return { group: Object.fromEntries(entries), ...(extra.length > 0 && { extra: Object.fromEntries(extra) }) };
}

function fitDraft(shape: Shape, value: JsonValue): Draft | undefined {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
    case 'boolean':
    case 'choice':
      return JSON.stringify(value);
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'list':
      return Array.isArray(value) && value.length <= maxItems
        ? { list: value.map((item) => draftOf(shape.item, item)) }
        : undefined;
    case 'group':
      return isObject(value) ? groupOf(shape, value) : undefined;
    case 'variant':
      for (const [option, field] of shape.options.entries()) {
        const draft = draftOf(field, value);
        const isWhole = typeof draft === 'string' || !('json' in draft);
        const faults = {};
        if (isWhole && readDraft(field, draft, '', faults) !== undefined && Object.keys(faults).length === 0)
          return { option, drafts: { [option]: draft } };
      }
      return undefined;
  }
}

/** Equality by value, ignoring the order of members. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  const sorted = (_name: string, value: JsonValue): JsonValue =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}

function asJson(value: JsonValue): Draft {
  return { json: JSON.stringify(value, null, 2) };
}

export type ArgumentFault = 'required' | 'invalidValue' | 'invalidNumber' | 'invalidJson' | 'invalidObject';
/** By field path. */
export type ArgumentFaults = Readonly<Record<string, ArgumentFault>>;

export interface ParsedArguments {
  readonly values: Record<string, JsonValue>;
  readonly faults: ArgumentFaults;
}

export const pathOf = (path: string, name: string | number): string => `${path}/${encodeURIComponent(name)}`;

/** Arguments for the tool. Omits optional fields that are empty. */
export function readArguments(shape: GroupShape, draft: GroupDraft): ParsedArguments {
  const faults: Record<string, ArgumentFault> = {};
  return { values: readGroup(shape, draft, '', faults), faults };
}

/** `undefined` if left out or invalid. */
function readDraft(
  field: SchemaField,
  draft: Draft,
  path: string,
  faults: Record<string, ArgumentFault>,
): JsonValue | undefined {
  const { shape, required, nullable } = field;
  const fail = (fault: ArgumentFault): undefined => void (faults[path] = fault);
  const absent = (): null | undefined => {
    if (!required) return undefined;
    return nullable ? null : fail('required');
  };
  if (typeof draft === 'object' && 'json' in draft) return parse(draft.json, fail, absent);
  switch (shape.kind) {
    case 'text': {
      const text = asText(draft);
      if (text.trim() !== '') return text;
      // Empty text can be intended, unless the tool forbids it. In a list it is an unfilled row.
      return required && !nullable && !shape.filled && field.name !== '' ? text : absent();
    }
    case 'number': {
      const text = asText(draft);
      if (text.trim() === '') return absent();
      const value = Number(text);
      return (shape.whole ? Number.isSafeInteger(value) : Number.isFinite(value)) ? value : fail('invalidNumber');
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

/** The server may have changed its schema since, so the draft may not be text. */
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
    return fail('invalidJson');
  }
}

/** The input as JSON, with placeholders for missing required fields. */
export function writeTemplate(shape: GroupShape, draft: GroupDraft): string {
  return JSON.stringify(fill(shape, readArguments(shape, draft).values), null, 2);
}

function fill({ fields }: GroupShape, values: Record<string, JsonValue>): Record<string, JsonValue> {
  const missing = fields.filter(({ name, required }) => required && !Object.hasOwn(values, name));
  return { ...Object.fromEntries(missing.map((field) => [field.name, placeholderFor(field)])), ...values };
}

function placeholderFor({ shape, nullable }: SchemaField): JsonValue {
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
      return shape.options[0] ? placeholderFor(shape.options[0]) : null;
    case 'json':
      return null;
  }
}
