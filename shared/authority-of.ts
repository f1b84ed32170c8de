/**
 * The host and port of an address that may have `{name}` in it, ended by what ends them for every parser of URLs. Empty
 * where there is none.
 */
export function authorityOf(address: string): string {
  return /^https?:\/\/([^/?#\\]*)/iu.exec(address)?.[1] ?? '';
}
