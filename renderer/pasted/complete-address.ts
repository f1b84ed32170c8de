import { isLoopbackHost } from '../parts/is-loopback-host.ts';

/** With its final dot (RFC 1035 2.3.4); the pattern below takes the square of a name's length. */
const longestHost = 254;
/** Ends of file names that are no domain of the first level. */
const file = /\.(?:[cm]?js|ts|exe|bat|cmd|jar|json|toml|ya?ml|txt)$/iu;
/** A name with a dot that ends in a word, `localhost`, or the literal of an address. */
const host =
  /^(?:\[[0-9a-f:.]+\]|localhost|(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]*\.?|\d{1,3}(?:\.\d{1,3}){3})$/iu;

/**
 * An address of which at most the scheme was left out, completed: with https, and for this computer with http, since no
 * certificate names it. `undefined`: it is none. Whether it may be used is main's to say.
 */
export function completeAddress(text: string): string | undefined {
  if (/\s/u.test(text)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return text;
  const [, place = '', name = ''] = /^((\[[^\]]*\]|[^/?#:@]+)(?::\d{1,5})?)(?:[/?].*)?$/u.exec(text) ?? [];
  if (name.length > longestHost || !host.test(name) || (name === text && file.test(name))) return undefined;
  return `${isLoopbackHost(place.toLowerCase()) ? 'http' : 'https'}://${text}`;
}
