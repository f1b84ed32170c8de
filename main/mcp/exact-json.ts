type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;
const exact = JSON as unknown as { rawJSON(text: string): unknown; parse(text: string, reviver: Reviver): unknown };

/** As `JSON.parse`, but numbers stay as they are written, however long: `JSON.stringify` writes them so again. */
export function parseExactly(text: string): unknown {
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exact.rawJSON(source) : value,
  );
}
