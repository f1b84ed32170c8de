/**
 * Parses a text again only when it has changed: files are read before every use, since another process may have
 * written them, and a list of a thousand entries takes far longer to check than to compare. Results are not to be
 * changed. A text that cannot be parsed throws each time.
 */
export function rememberParsed<Result>(parse: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: parse(text) };
    return last.result;
  };
}
