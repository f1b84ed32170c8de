import { domainToUnicode } from 'node:url';

/** Letters of other scripts that read as Latin ones (Unicode TR 39, the ones that browsers watch for). */
const latinLookAlikes = /^[-0-9аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡοαντυικχγρεηωσագզէլհյոսւօցք]+$/u;

const latin = /\p{Script=Latin}/u;
const resemblingScripts =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
const ascii = /^[\x00-\x7f]*$/;

/** Scripts in everyday use (Unicode TR 31, table 5). Of the others whole words read as Latin: Lisu, Cherokee, Coptic. */
const recommendedScripts = [
  ...['Common', 'Inherited', 'Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Ethiopic', 'Arabic', 'Hebrew'],
  ...['Thaana', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'],
];
const foreignLetter = new RegExp(
  `[^\\P{L}${recommendedScripts.map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
);

/**
 * A Latin letter that no living language writes, such as the `ɡ` and the small capitals of phonetics: neither ASCII
 * with or without marks (as it stands in NFD), nor one of those that languages have added.
 */
const unusualLatin = /[^\P{Script=Latin}a-zßæøðþđħŋœŧłəǝɛɔɓɖɗƒɠɣɨƙƴɲʋʊɵʉƀ]/u;

/** Turkish and its neighbours write `ı`; elsewhere it is an `i`. */
const dotlessI = /ı/u;
const turkic = /[ğşçöüə]/u;
const turkicDomains = new Set(['tr', 'az']);

/**
 * Whether a host may be read as another one: a label that mixes Latin with a script that resembles it, that consists
 * only of look-alikes under a Latin top-level domain, or that holds a letter which nobody would write there. Takes the
 * punycode form (URL.hostname). Honest names with marks of their languages (`münchen.de`) are not among them.
 */
export function isConfusableHost(hostname: string): boolean {
  const labels = domainToUnicode(hostname).split('.');
  const domain = labels.at(-1) ?? '';
  const isLatinDomain = ascii.test(domain);
  return labels.some((whole) => {
    if (ascii.test(whole)) return false;
    const isTurkic = turkicDomains.has(domain) || turkic.test(whole);
    if (dotlessI.test(whole) && !isTurkic) return true;
    const label = whole.normalize('NFD').replaceAll('ı', 'i');
    if (foreignLetter.test(label) || unusualLatin.test(label)) return true;
    if (latin.test(label) && resemblingScripts.test(label)) return true;
    return isLatinDomain && latinLookAlikes.test(whole);
  });
}
