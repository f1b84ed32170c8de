type WithoutUndefined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** Our types distinguish an absent member from an `undefined` one; zod's do not. */
export function dropUndefined<Value extends object>(value: Value): WithoutUndefined<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as WithoutUndefined<Value>;
}
