/** Maximum characters of a fixed header such as an API key. */
const maxLengths = { name: 64, value: 8_192 } as const;

/**
 * Fields with their own meaning in HTTP, fetch or MCP (RFC 9110, Fetch standard): a fixed value would break or forge
 * the request, or send the key where others read it.
 */
const reservedNames: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'via', 'date'],
  ...['cookie', 'cookie2', 'set-cookie', 'origin', 'referer', 'range', 'user-agent', 'forwarded', 'last-event-id'],
]);
const reservedPrefixes = ['accept', 'access-control-', 'content-', 'if-', 'mcp-', 'proxy-', 'sec-', 'x-forwarded-'];

/**
 * A key in a server's address instead of a header: `?NAME` in its query, `/N` as a path segment. No header name looks
 * like that.
 */
export function isAddressPart(name: string): boolean {
  return /^(?:\?(?:(?![#&=])[!-~]){1,200}|\/\d{1,2})$/u.test(name);
}

/** Whether the user may choose this header for an API key: an RFC 9110 5.6.2 token without another meaning. */
export function isKeyHeaderName(name: string): boolean {
  if (isAddressPart(name)) return true;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name.length > maxLengths.name) return false;
  const lower = name.toLowerCase();
  return !reservedNames.has(lower) && !reservedPrefixes.some((family) => lower.startsWith(family));
}

/** Visible ASCII with single spaces: readable for every server, and nothing that ends a header line. */
export function isKeyHeaderValue(value: string): boolean {
  return value.length <= maxLengths.value && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value);
}

/** The typed key without surrounding space; `undefined` if a header can't contain it. */
export function keyHeaderValue(typed: string): string | undefined {
  const value = typed.trim();
  return isKeyHeaderValue(value) ? value : undefined;
}
