/** Creates a value when it is first used. For schemas that most commands never use: building them slows every start. */
export function lazy<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}
