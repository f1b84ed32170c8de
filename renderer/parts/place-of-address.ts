/** The host of an address with its port, in punycode as WHATWG prints it; `otherwise` where it is no address. */
export function placeOfAddress(address: string | undefined, otherwise: string): string {
  return URL.parse(address ?? '')?.host || otherwise;
}
