interface RawJson {
  /** ECMAScript proposal json-parse-with-source: a value that is written as it was read. */
  rawJSON(text: string): unknown;
}

/**
 * `JSON.parse`, for what is written again: a number that JavaScript would write in other digits (an id of 20 digits,
 * `1.0`, `1e400`) stays as it stood, as a value that `JSON.stringify` alone understands. Errors: SyntaxError.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepNumber);
}

function keepNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || JSON.stringify(value) === source) return value;
  return (JSON as unknown as RawJson).rawJSON(source);
}
