import { isObject } from '../../shared/json-object.ts';
/** How a value is entered. */
export type Shape =
  | { readonly kind: 'text'; readonly long: boolean; readonly filled: boolean; readonly format: TextFormat }
  | { readonly kind: 'number'; readonly whole: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'list'; readonly item: SchemaField }
  | GroupShape
  | VariantShape
  | { readonly kind: 'json' };
export interface GroupShape {
  readonly kind: 'group';
  readonly fields: readonly SchemaField[];
}
export interface VariantShape {
  readonly kind: 'variant';
  readonly options: readonly SchemaField[];
}
export type TextFormat = 'plain' | 'date' | 'email' | 'uri' | 'password';
/** JSON-encoded, since an enum may contain numbers too. */
interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  /** Accepts `null`. */
  readonly nullable: boolean;
  readonly description: string | undefined;
  readonly shape: Shape;
  /** Initial value. */
  readonly initial: JsonValue | undefined;
}

/** Limits against hostile schemas: nesting depth, total fields, and options per variant. */
export const formBounds = { depth: 6, fields: 300, options: 10 } as const;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const formats: Readonly<Record<string, TextFormat | undefined>> = {
  date: 'date',
  email: 'email',
  uri: 'uri',
  url: 'uri',
  password: 'password',
};

/** The form for an object's JSON schema. What cannot be expressed as fields is edited as JSON. */
export function readSchema(root: Json): GroupShape {
  const resolve = schemaResolver(root);
  let remaining: number = formBounds.fields;

  /** Required fields first. `undefined` if there are none or too many. */
  function group(schema: Json, depth: number): GroupShape | undefined {
    const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
    if (depth > 0 && (properties.length === 0 || properties.length > remaining)) return undefined;
    remaining -= properties.length;
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    const fields = properties.map(([name, property]) => field(name, property, required.has(name), depth));
    return { kind: 'group', fields: fields.toSorted((one, other) => Number(other.required) - Number(one.required)) };
  }

  function field(name: string, property: unknown, required: boolean, depth: number): SchemaField {
    const schema = resolve(property);
    const options = optionsOf(schema, resolve).filter((option) => option['type'] !== 'null');
    const only = options.length === 1 ? options[0] : undefined;
    return {
      name,
      label: textOf(schema['title']) ?? name,
      required,
      nullable: takesNull(schema),
      description: textOf(schema['description']) ?? textOf(only?.['description']),
      shape: shapeOf(only ?? schema, only ? [] : options, depth),
      initial: (schema['default'] ?? only?.['default'] ?? schema['const']) as JsonValue | undefined,
    };
  }

  function shapeOf(schema: Json, options: readonly Json[], depth: number): Shape {
    const choices = choicesOf(schema, options);
    if (choices.length > 0) return { kind: 'choice', choices };
    if (depth >= formBounds.depth || options.length > Math.min(formBounds.options, remaining)) return { kind: 'json' };
    if (options.length > 1) {
      remaining -= options.length;
      return { kind: 'variant', options: options.map((option) => field(nameOf(option), option, true, depth + 1)) };
    }
    switch (typeOf(schema)) {
      case 'string':
        return {
          kind: 'text',
          long: Number(schema['maxLength']) > 200,
          filled: Number(schema['minLength']) > 0,
          format: formats[String(schema['format'])] ?? 'plain',
        };
      case 'number':
      case 'integer':
        return { kind: 'number', whole: schema['type'] === 'integer' };
      case 'boolean':
        return { kind: 'boolean' };
      case 'array': {
        if (!isObject(schema['items']) || remaining === 0) return { kind: 'json' };
        remaining -= 1;
        return { kind: 'list', item: field('', schema['items'], true, depth + 1) };
      }
      case 'object':
        return group(schema, depth + 1) ?? { kind: 'json' };
      default:
        return { kind: 'json' };
    }
  }

  return group(resolve(root), 0) ?? { kind: 'group', fields: [] };
}

/** The alternatives of a union; empty if there is none. Keywords next to the union apply to each. */
function optionsOf(schema: Json, resolve: (schema: unknown) => Json): Json[] {
  const { anyOf, oneOf, ...siblings } = schema;
  const union = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(union)) {
    const options = union.slice(0, formBounds.options * 10).map((option) => resolve(option));
    // Some unions only say which properties go together; those are not alternatives.
    if (!options.some((option) => typeOf(option) !== undefined || 'const' in option || 'enum' in option)) return [];
    const { title: _title, description: _description, default: _default, ...common } = siblings;
    return options.map((option) => mergeSchemas(common, option));
  }
  const { type } = schema;
  if (!Array.isArray(type)) return [];
  return type.slice(0, formBounds.options).map((name: unknown) => ({ ...siblings, type: name, title: undefined }));
}

function takesNull(schema: Json): boolean {
  const { type, anyOf, oneOf, enum: values, nullable } = schema;
  const options = [anyOf, oneOf].flatMap((union) => (Array.isArray(union) ? union : []));
  return (
    nullable === true ||
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(values) && values.includes(null)) ||
    options.some((option) => isObject(option) && option['type'] === 'null')
  );
}

/** The values of an enum, or of a union of constants. Omits `null`. */
function choicesOf(schema: Json, options: readonly Json[]): Choice[] {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(values)) return values.filter((value) => value !== null).map((value) => choice(value));
  if (options.length === 0 || !options.every((option) => 'const' in option)) return [];
  return options.map((option) => choice(option['const'], textOf(option['title'])));
}

function choice(value: unknown, label?: string): Choice {
  const json = JSON.stringify(value);
  return { value: json, label: label ?? (typeof value === 'string' ? value : json) };
}

/** Many schemas omit a type that the other keywords imply. */
function typeOf(schema: Json): unknown {
  if (schema['type'] !== undefined) return schema['type'];
  if (isObject(schema['properties'])) return 'object';
  return isObject(schema['items']) ? 'array' : undefined;
}

/** Name of a union member: its title, or the constant value of a discriminator property. */
function nameOf(option: Json): string {
  const properties = isObject(option['properties']) ? Object.values(option['properties']) : [];
  const fixed = properties.find((property) => isObject(property) && typeof property['const'] === 'string');
  return textOf(option['title']) ?? (isObject(fixed) ? String(fixed['const']) : '');
}

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };
type Json = Readonly<Record<string, unknown>>;

/** Limits: nested references, steps of a reference, and `allOf` members. */
const bounds = { depth: 8, steps: 20, parts: 5 } as const;

/**
 * Resolves a schema's references and merges its `allOf`. A reference that is dangling, external or circular resolves to
 * an empty schema (JSON Schema 2020-12 core, 9.4.1).
 */
function schemaResolver(root: Json): (schema: unknown) => Json {
  // Cached: a thousand references to one schema cost no more than one.
  const resolved = new Map<unknown, Json>();
  function resolve(schema: unknown, depth: number): Json {
    if (!isObject(schema) || depth > bounds.depth) return {};
    const known = resolved.get(schema);
    if (known) return known;
    // A cycle back to this schema resolves to an empty one.
    resolved.set(schema, {});
    const { $ref: reference, allOf, ...own } = schema;
    const target = typeof reference === 'string' ? findIn(root, reference) : undefined;
    const parts = Array.isArray(allOf) ? allOf.slice(0, bounds.parts) : [];
    let whole: Json = { ...(target && resolve(target, depth + 1)), ...own };
    for (const part of parts) whole = mergeSchemas(resolve(part, depth + 1), whole);
    resolved.set(schema, whole);
    return whole;
  }
  return (schema) => resolve(schema, 0);
}

/** Merges two schemas that both apply: the union of their properties; other keywords of `other` win. */
function mergeSchemas(one: Json, other: Json): Json {
  const listOf = (schema: Json): unknown[] => (Array.isArray(schema['required']) ? schema['required'] : []);
  const properties = [one, other].flatMap((schema) => (isObject(schema['properties']) ? [schema['properties']] : []));
  const required = [...new Set([...listOf(one), ...listOf(other)])];
  return {
    ...one,
    ...other,
    ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as Json }),
    ...(required.length > 0 && { required }),
  };
}

/** `#`, or a JSON pointer as a fragment (RFC 6901 section 6). Never looks outside the schema. */
function findIn(root: Json, reference: string): Json | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  if (steps.length > bounds.steps) return undefined;
  let found: unknown = root;
  for (const step of steps) {
    const name = decode(step);
    if (typeof found !== 'object' || found === null || name === undefined || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Json)[name];
  }
  return isObject(found) ? found : undefined;
}

function decode(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
