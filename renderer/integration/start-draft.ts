import type { Draft, GroupDraft, VariantDraft } from './draft.ts';
import { readDraft } from './read-arguments.ts';
import type { JsonValue } from './resolve-schema.ts';
import type { GroupShape, SchemaField, Shape, VariantShape } from './schema-fields.ts';

/** Items that are shown as fields; a longer list is shown as JSON. */
const mostItems = 100;

export function startGroup(shape: GroupShape): GroupDraft {
  return { group: Object.fromEntries(shape.fields.map((field) => [field.name, startDraft(field)])) };
}

/** Before anything was entered. */
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

/** Another option, with what was entered for it before. */
export function chooseOption(shape: VariantShape, { drafts }: VariantDraft, option: number): VariantDraft {
  const field = shape.options[option];
  return { option, drafts: field ? { [option]: startDraft(field), ...drafts } : drafts };
}

/** The draft that is read as this value; what fits no field stays as it is. */
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
    const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    // A default that was taken out is not put back.
    return [field.name, given === undefined ? startDraft({ ...field, initial: undefined }) : draftOf(field, given)];
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
      return Array.isArray(value) && value.length <= mostItems
        ? { list: value.map((item) => draftOf(shape.item, item)) }
        : undefined;
    case 'group':
      return isRecord(value) ? groupOf(shape, value) : undefined;
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

/** Equal as values; the order of members says nothing. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  const sorted = (_name: string, value: JsonValue): JsonValue =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}

function isRecord(value: JsonValue): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asJson(value: JsonValue): Draft {
  return { json: JSON.stringify(value, null, 2) };
}
