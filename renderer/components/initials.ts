/** The style sheet defines as many. */
const tints = 8;

/** Stable across computers and time: FNV-1a hash of the name. */
export function tintOf(name: string): number {
  let sum = 0x811c9dc5;
  for (const letter of name.trim().toLowerCase()) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0) % tints;
}

/** The first letters or digits of two words, or the first two of a single word, in any script: `CC`, `Cu`. */
export function initialsOf(name: string): string {
  const [first, second] = name.match(/[\p{L}\p{N}]+/gu) ?? ['·'];
  const [one = '', two = ''] = first ?? '';
  const [other] = second ?? '';
  return one.toUpperCase() + (other?.toUpperCase() ?? two.toLowerCase());
}
