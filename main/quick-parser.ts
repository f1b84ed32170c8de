import type * as z from 'zod/mini';

/** Parses a value; `undefined`: it is invalid, or unusual. */
type QuickParser<Value> = (value: unknown) => Value | undefined;

/**
 * Parses objects of a strict schema as zod does, but visits only the members that are present: long lists are read
 * often, and most members are optional and absent. Leaves anything unusual to zod, which also names the
 * fault.
 */
export function createQuickParser<Schema extends z.core.$ZodType>(schema: Schema): QuickParser<z.output<Schema>> {
  const { def } = schema._zod as { readonly def: z.core.$ZodTypeDef };
  if (def.type === 'optional') return createQuickParser((def as z.core.$ZodOptionalDef).innerType as Schema);
  const { shape: members, catchall, checks } = def as z.core.$ZodObjectDef;
  if (def.type !== 'object' || catchall?._zod.def.type !== 'never' || checks?.length) {
    return (value) => {
      const parsed = schema._zod.run({ value, issues: [] }, { async: false });
      return parsed instanceof Promise || parsed.issues.length > 0 ? undefined : (parsed.value as z.output<Schema>);
    };
  }
  const entries = Object.entries(members).map(([name, member]) => ({
    name,
    isOptional: member._zod.optin === 'optional',
    // Most members of most entries are absent.
    parser: undefined as QuickParser<unknown> | undefined,
    member,
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const parsed: Record<string, unknown> = {};
    let count = 0;
    for (const entry of entries) {
      const given = (value as Record<string, unknown>)[entry.name];
      if (given === undefined && entry.isOptional) continue;
      const member = (entry.parser ??= createQuickParser(entry.member))(given);
      if (member === undefined) return undefined;
      parsed[entry.name] = member;
      count += 1;
    }
    return count === Object.keys(value).length ? (parsed as z.output<Schema>) : undefined;
  };
}
