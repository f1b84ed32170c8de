/** What cannot be seen, or turns the direction of text (Unicode TR 36); letters that are blank are among them. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f]/u;
const eachHidden = new RegExp(hidden.source, 'gu');

/**
 * A word of a command for whoever is to agree to it, on one line and with nothing left out: one that is empty, or has
 * something in it that cannot be seen, stands as it would be written in JSON.
 */
export function visibleWord(word: string): string {
  if (word !== '' && !hidden.test(word) && word === word.trim()) return word;
  return JSON.stringify(word).replaceAll(eachHidden, escapeUnits);
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
