import { domainToUnicode } from 'node:url';

/** Letters of other scripts that read as Latin ones (Unicode TR 39, the ones that browsers watch for). */
const latinLookAlikes = /^[-0-9аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡοαντυικχγρεηωσագզէլհյոսւօցք]+$/u;

const latin = /\p{Script=Latin}/u;
const resemblingScripts =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
const ascii = /^[\x00-\x7f]*$/;

/**
 * Scripts in everyday use (Unicode TR 31, table 5). Of the others whole words read as Latin: Lisu, Cherokee, Coptic.
 */
const recommendedScripts = [
  ...['Common', 'Inherited', 'Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Ethiopic', 'Arabic', 'Hebrew'],
  ...['Thaana', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'],
];
const foreignLetter = new RegExp(
  `[^\\P{L}${recommendedScripts.map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
);

/** A Latin letter beyond `a` to `z`, as it stands without its marks: `ı`, `ø`, `ł`, the small capitals of phonetics. */
const furtherLatin = /[^\P{Script=Latin}a-z]/u;
/** A mark above, below or through the letter before it (NFD). */
const marked = /[a-z]\p{M}/u;

/** A name in which words that may be read as Latin ones have their other letters written out (Unicode TR 39). */
export function writeOutConfusable(name: string): string {
  return name.replaceAll(/\S+/gu, (word) => {
    const label = word.normalize('NFD').toLowerCase();
    const isConfusable =
      (latin.test(label) && resemblingScripts.test(label)) ||
      (!ascii.test(word) && latinLookAlikes.test(word.toLowerCase()));
    return isConfusable ? word.replaceAll(/[^\x00-\x7f]/gu, (letter) => `\\u{${codeOf(letter)}}`) : word;
  });
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16);
}

/**
 * Whether a host may be read as another one: a label that mixes Latin with a script that resembles it, that consists
 * only of look-alikes under a Latin top-level domain, or that holds a letter which differs from one of `a` to `z` by a
 * mark or a stroke alone. Takes the punycode form (URL.hostname). Nothing tells `gíthub.com` from an honest
 * `münchen.de` but who owns it, so both are among them: whoever goes there looks twice.
 */
export function isConfusableHost(hostname: string): boolean {
  const labels = domainToUnicode(hostname).split('.');
  const domain = labels.at(-1) ?? '';
  const isLatinDomain = ascii.test(domain);
  return labels.some((whole) => {
    if (ascii.test(whole)) return false;
    const label = whole.normalize('NFD');
    if (foreignLetter.test(label) || furtherLatin.test(label) || marked.test(label)) return true;
    if (latin.test(label) && resemblingScripts.test(label)) return true;
    return isLatinDomain && latinLookAlikes.test(whole);
  });
}
