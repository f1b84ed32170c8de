import { domainToUnicode } from 'node:url';

/** Letters of other scripts that read as Latin ones (Unicode TR 39, the ones that browsers watch for). */
const latinLookAlikes = /^[-0-9аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡοαντυικχγρεηωσ]+$/u;

const latin = /\p{Script=Latin}/u;
const resemblingScripts =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
const ascii = /^[\x00-\x7f]*$/;

/**
 * Whether a host may be read as another one: a label that mixes Latin with a script that resembles it, or that consists
 * only of look-alikes under a Latin top-level domain. Takes the punycode form (URL.hostname).
 */
export function isConfusableHost(hostname: string): boolean {
  const labels = domainToUnicode(hostname).split('.');
  const isLatinDomain = ascii.test(labels.at(-1) ?? '');
  return labels.some((label) => {
    if (ascii.test(label)) return false;
    if (latin.test(label) && resemblingScripts.test(label)) return true;
    return isLatinDomain && latinLookAlikes.test(label);
  });
}
