/**
 * Where a link of a result leads, as the browser reads it: look-alike letters in a host are in punycode. `undefined`:
 * not an address of the web.
 */
export function outsideAddress(url: string): { readonly href: string; readonly host: string } | undefined {
  try {
    const { protocol, host, href } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? { href, host } : undefined;
  } catch {
    return undefined;
  }
}
