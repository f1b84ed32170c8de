export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** References and parts one in the other, steps of a reference, and parts that stand together. */
const bounds = { depth: 8, steps: 20, parts: 5 } as const;

/**
 * What a schema stands for: its references followed, its `allOf` put together. A reference that leads nowhere, out of
 * the schema or round in a circle is a schema that says nothing (JSON Schema 2020-12 core, 9.4.1).
 */
export function schemaResolver(root: Json): (schema: unknown) => Json {
  // Each once: a thousand references to one schema cost no more than one.
  const resolved = new Map<unknown, Json>();
  function resolve(schema: unknown, depth: number): Json {
    if (!isObject(schema) || depth > bounds.depth) return {};
    const known = resolved.get(schema);
    if (known) return known;
    // As long as it is being resolved, a way back to it says nothing.
    resolved.set(schema, {});
    const { $ref: reference, allOf, ...own } = schema;
    const target = typeof reference === 'string' ? findIn(root, reference) : undefined;
    const parts = Array.isArray(allOf) ? allOf.slice(0, bounds.parts) : [];
    let whole: Json = { ...(target && resolve(target, depth + 1)), ...own };
    for (const part of parts) whole = bothSchemas(resolve(part, depth + 1), whole);
    resolved.set(schema, whole);
    return whole;
  }
  return (schema) => resolve(schema, 0);
}

/** Two schemas that both hold: the properties of both are there, and what the second says of itself comes first. */
export function bothSchemas(one: Json, other: Json): Json {
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

/** `#`, or a JSON pointer in a fragment (RFC 6901 section 6). Nothing outside of the schema is ever looked up. */
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
