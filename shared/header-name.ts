/** Characters of a fixed header's name and value, such as an API key. */
const fixedHeader = { name: 64, value: 8_192 } as const;

/**
 * Fields that HTTP, fetch or MCP give a meaning of their own (RFC 9110, Fetch standard): a fixed value in one of
 * them would break or forge the request, or send the key where others read it.
 */
const taken: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'via', 'date'],
  ...['cookie', 'cookie2', 'set-cookie', 'origin', 'referer', 'range', 'user-agent', 'forwarded', 'last-event-id'],
]);
const takenFamilies = ['accept', 'access-control-', 'content-', 'if-', 'mcp-', 'proxy-', 'sec-', 'x-forwarded-'];

/**
 * A key that stands in the address of a server instead of a header: `?NAME` in its query, `/N` as a segment of its path.
 * No header can be called so.
 */
export function isAddressPart(name: string): boolean {
  return /^(?:\?(?:(?![#&=])[!-~]){1,200}|\/\d{1,2})$/u.test(name);
}

/** Whether a person may choose this header for an API key: a token of RFC 9110 5.6.2 that means nothing else. */
export function isKeyHeaderName(name: string): boolean {
  if (isAddressPart(name)) return true;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name.length > fixedHeader.name) return false;
  const lower = name.toLowerCase();
  return !taken.has(lower) && !takenFamilies.some((family) => lower.startsWith(family));
}

/** Visible ASCII and single spaces between: what every server can read, and nothing that ends a header line. */
export function isKeyHeaderValue(value: string): boolean {
  return value.length <= fixedHeader.value && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value);
}

/** A typed key without the space that came with it; `undefined`: a header cannot hold it. */
export function keyHeaderValue(typed: string): string | undefined {
  const value = typed.trim();
  return isKeyHeaderValue(value) ? value : undefined;
}
