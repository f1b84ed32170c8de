/** The style sheet defines as many. */
const tints = 8;

/** Stable across computers and time: FNV-1a hash of the name. */
export function tintOf(name: string): number {
  let sum = 0x811c9dc5;
  for (const letter of name.trim().toLowerCase()) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0) % tints;
}

/** The first letter or digit of a name, in any script. */
export function letterOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·';
}
