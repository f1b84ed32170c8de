type WithoutUndefined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** An absent member and one that is `undefined` are told apart by our types, but not by zod's. */
export function dropUndefined<Value extends object>(value: Value): WithoutUndefined<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as WithoutUndefined<Value>;
}
