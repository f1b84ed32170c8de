/** How one argument of a tool is entered. */
export type SchemaFieldKind = 'text' | 'longText' | 'number' | 'integer' | 'boolean' | 'choice' | 'lines' | 'json';

export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly kind: SchemaFieldKind;
  readonly required: boolean;
  /** Of a text: the tool takes no empty one. */
  readonly filled?: boolean;
  readonly description: string | undefined;
  /** Of `choice`, as JSON, since an enumeration may hold numbers too. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** As it is entered. */
  readonly initial: string;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The form for a JSON schema of an object; what it cannot say as a field is entered as JSON. */
export function listSchemaFields(schema: Json): readonly SchemaField[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties).map(([name, property]) => {
    const described = isObject(property) ? property : {};
    const plain = withoutNull(described);
    const kind = kindOf(plain);
    return {
      name,
      label: textOf(described['title']) ?? name,
      kind,
      required: required.has(name),
      ...(Number(plain['minLength']) > 0 && { filled: true }),
      description: textOf(described['description']),
      choices: choicesOf(plain),
      initial: initialOf(kind, described['default'] ?? plain['const']),
    };
  });
}

/** "This or nothing" is this, not required. */
function withoutNull(property: Json): Json {
  const { type } = property;
  if (Array.isArray(type)) {
    const [only, ...others] = type.filter((name) => name !== 'null');
    return others.length === 0 ? { ...property, type: only } : property;
  }
  const union = property['anyOf'] ?? property['oneOf'];
  if (!Array.isArray(union)) return property;
  const [only, ...others] = union.filter((part) => !isObject(part) || part['type'] !== 'null');
  return others.length === 0 && isObject(only) ? only : property;
}

function kindOf(property: Json): SchemaFieldKind {
  if (choicesOf(property).length > 0) return 'choice';
  const { type, items, maxLength } = property;
  switch (type) {
    case 'string':
      return Number(maxLength) > 200 ? 'longText' : 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    case 'array':
      return isObject(items) && items['type'] === 'string' && items['enum'] === undefined ? 'lines' : 'json';
    default:
      return 'json';
  }
}

function choicesOf(property: Json): SchemaField['choices'] {
  if (!Array.isArray(property['enum'])) return [];
  return property['enum'].map((value) => ({ value: JSON.stringify(value), label: String(value) }));
}

function initialOf(kind: SchemaFieldKind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (kind === 'choice' || kind === 'boolean') return JSON.stringify(value);
  if (kind === 'lines' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value, null, 2);
}
