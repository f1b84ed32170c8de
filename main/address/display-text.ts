import { domainToUnicode } from 'node:url';
import { displayNameLength } from '../limits.ts';

/** Line breaks and tabs separate words, so they become a space. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/**
 * C0 and C1 controls, and characters that are invisible or change the reading direction (Unicode TR 36): soft hyphen,
 * zero-width characters, bidirectional controls, interlinear marks, variation selectors, language tags, the empty
 * Braille cell, controls of shorthand and musical notation, and code points reserved for more of that kind.
 */
const invisible = (): RegExp =>
  /[\p{Cc}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Matches most texts. The pattern above is only built for the rest: a Unicode class costs V8 a millisecond. */
const plain = /^[\x20-\x7e]*$/u;

/** Server text for display on one line: NFC, nothing invisible, at most `maximum` characters (code points). */
export function displayText(text: string, maximum: number = displayNameLength): string {
  // Truncate huge names before the work, generously, since marks may still be combined or dropped.
  const start = text.slice(0, maximum * 64);
  const clean = plain.test(start)
    ? start.trim()
    : start.toWellFormed().replace(lineBreaks, ' ').replace(invisible(), '').normalize('NFC').trim();
  if (clean.length <= maximum) return clean;
  const characters = Array.from(clean);
  return characters.length <= maximum ? clean : `${characters.slice(0, maximum - 1).join('')}…`;
}

/**
 * A name for display. It starts with neither `-` nor `+`, which commands read as an option or a collection, nor with an
 * address, which means the server there. Empty if nothing is left.
 */
export function serverName(text: string): string {
  return displayText(text).replace(/^(?:[-+\s]|https?:\/\/)+/iu, '');
}

/** Why a typed name is invalid for a server: it has no visible character, starts with `-` or `+`, or is too long. */
export function nameProblem(typed: string): 'invisible' | 'sign' | 'long' | undefined {
  if (serverName(typed) === '') return 'invisible';
  const name = displayText(typed, displayNameLength + 1);
  if (/^[-+]/u.test(name)) return 'sign';
  return Array.from(name).length > displayNameLength ? 'long' : undefined;
}

/** A host for display: always punycode, so that `аpple.com` cannot pass for `apple.com`; at most 253 characters. */
export function displayHost(hostname: string): string {
  const host = URL.parse(`https://${hostname}/`)?.hostname;
  return displayText(host ?? hostname.replace(/[^\x21-\x7e]/g, '?'), 253);
}

/** Host for display, with the port if it is not the scheme's default. */
export function displayHostAndPort({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  return port === '' ? displayHost(hostname) : `${displayHost(hostname)}:${port}`;
}

/** Replaces invisible characters and direction controls with escapes such as `\u{200b}`. */
export function escapeHidden(text: string): string {
  return text.replaceAll(
    /[^\P{C}\n]|[\u2028\u2029\u115f\u1160\u3164\uffa0\u034f\ufe00-\ufe0f\u17b4\u17b5\u180b-\u180f\u2800\u{e0100}-\u{e01ef}]/gu,
    (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * A host for comparison: lower case, without IPv6 brackets, zone or root dot. `localhost.` and `localhost` are one host
 * to the resolver, so rules must treat them alike.
 */
export function canonicalHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
    .replace(/\.$/, '');
}

/** Escape sequences, such as colors, that a terminal would execute. */
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/gu;

/** Program output without terminal escape sequences. */
export function stripTerminalSequences(text: string): string {
  return text.replace(sequences, '');
}

/** Letters of other scripts that look like Latin ones (Unicode TR 39; the ones browsers watch for). */
const latinLookAlikes = /^[-0-9аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡοαντυικχγρεηωσագզէլհյոսւօցք]+$/u;

const latin = (): RegExp => /\p{Script=Latin}/u;
const resemblingScripts = (): RegExp =>
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
const ascii = /^[\x00-\x7f]*$/;

/**
 * Scripts in everyday use (Unicode TR 31, table 5). In others, whole words can read as Latin: Lisu, Cherokee, Coptic.
 */
const recommendedScripts = [
  ...['Common', 'Inherited', 'Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Ethiopic', 'Arabic', 'Hebrew'],
  ...['Thaana', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'],
];
const foreignLetter = (): RegExp =>
  new RegExp(`[^\\P{L}${recommendedScripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u');

/** A Latin letter beyond `a` to `z`, without its marks: `ı`, `ø`, `ł`, the small capitals of phonetics. */
const extendedLatin = (): RegExp => /[^\P{Script=Latin}a-z]/u;
/** A mark above, below or through the letter before it (NFD). */
const markedLetter = (): RegExp => /[a-z]\p{M}/u;

/** Escapes the non-ASCII letters of words that may be mistaken for Latin ones (Unicode TR 39). */
export function escapeConfusables(name: string): string {
  return name.replaceAll(/\S+/gu, (word) => {
    const label = word.normalize('NFD').toLowerCase();
    const isConfusable =
      (latin().test(label) && resemblingScripts().test(label)) ||
      (!ascii.test(word) && latinLookAlikes.test(word.toLowerCase()));
    return isConfusable ? word.replaceAll(/[^\x00-\x7f]/gu, (letter) => `\\u{${hexCodePoint(letter)}}`) : word;
  });
}

function hexCodePoint(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16);
}

/**
 * Whether a host can be mistaken for another: a label mixes Latin with a script that resembles it, has only look-alikes
 * under a Latin top-level domain, or has a letter that differs from one of `a` to `z` only by a mark or stroke. Takes
 * the punycode form (URL.hostname). Nothing but the owner distinguishes `gíthub.com` from an honest `münchen.de`, so
 * both match and the user looks twice.
 */
export function isConfusableHost(hostname: string): boolean {
  const labels = domainToUnicode(hostname).split('.');
  const topLevelDomain = labels.at(-1) ?? '';
  const isLatinTopLevel = ascii.test(topLevelDomain);
  return labels.some((whole) => {
    if (ascii.test(whole)) return false;
    const label = whole.normalize('NFD');
    if (foreignLetter().test(label) || extendedLatin().test(label) || markedLetter().test(label)) return true;
    if (latin().test(label) && resemblingScripts().test(label)) return true;
    return isLatinTopLevel && latinLookAlikes.test(whole);
  });
}
