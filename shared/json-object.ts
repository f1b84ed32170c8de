/** True for an object of JSON: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of the object's members, `__proto__` included; empty if it is no object. */
export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {};
}
