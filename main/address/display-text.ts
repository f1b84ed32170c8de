import { displayNameLength } from '../limits.ts';

/** Line ends and tabs separate words, so they become a space. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/**
 * C0 and C1 controls, and what is invisible or turns the reading direction (Unicode TR 36): soft hyphen, zero-width
 * characters, bidirectional controls, interlinear marks, variation selectors, language tags, the empty Braille cell,
 * controls of shorthand and of musical notation, and what is reserved for more of that kind.
 */
const invisible =
  /[\p{Cc}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/**
 * Text from a server, made fit to be shown in one line: NFC, nothing invisible, at most `maximum` characters (code
 * points).
 */
export function displayText(text: string, maximum: number = displayNameLength): string {
  // A name of a megabyte is cut before the work, generously, since marks may still be combined or dropped.
  const clean = text
    .slice(0, maximum * 64)
    .toWellFormed()
    .replace(lineBreaks, ' ')
    .replace(invisible, '')
    .normalize('NFC')
    .trim();
  const characters = Array.from(clean);
  return characters.length <= maximum ? clean : `${characters.slice(0, maximum - 1).join('')}…`;
}

/**
 * A name as it is shown. It begins with neither `-` nor `+`, which commands read as an option and a collection. Empty
 * where nothing is left.
 */
export function serverName(text: string): string {
  return displayText(text).replace(/^[-+\s]+/u, '');
}

/** A host as it is shown: always punycode, so that `аpple.com` cannot pass for `apple.com`; at most 253 characters. */
export function displayHost(hostname: string): string {
  const host = URL.parse(`https://${hostname}/`)?.hostname;
  return displayText(host ?? hostname.replace(/[^\x21-\x7e]/g, '?'), 253);
}

/** Where an address leads, as it is shown: the host, and the port where it is not the scheme's own. */
export function displayPlace({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  return port === '' ? displayHost(hostname) : `${displayHost(hostname)}:${port}`;
}

/** Text in which nothing is hidden: what has no shape of its own, or turns the direction of text, is written out. */
export function writeOutHidden(text: string): string {
  return text.replaceAll(
    /[^\P{C}\n]|[\u2028\u2029\u115f\u1160\u3164\uffa0\u034f\ufe00-\ufe0f\u17b4\u17b5\u180b-\u180f\u2800\u{e0100}-\u{e01ef}]/gu,
    (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * A host as it is compared: lower case, without the brackets of an IPv6 literal, the zone or the root dot.
 * `localhost.` and `localhost` are one host to the resolver, so a rule must not tell them apart.
 */
export function canonicalHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
    .replace(/\.$/, '');
}
