import { createHash } from 'node:crypto';

/** Characters of a name: programs put one of their own before it, and models take 64. */
const longest = 50;
const hashed = 6;

/** What a tool or prompt of a member is called in a collection; it depends on these two alone, whoever else is there. */
export function offeredName(alias: string, name: string): string {
  const whole = `${alias}_${name}`;
  const letters = [...whole];
  if (letters.length <= longest) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, hashed);
  return `${letters.slice(0, longest - hashed - 1).join('')}_${hash}`;
}

/** What may have been meant by a name: an alias has no `_`. `isWhole`: the rest is the name, as far as can be told. */
export function readOfferedName(offered: string): { alias: string; rest: string; isWhole: boolean } | undefined {
  const at = offered.indexOf('_');
  if (at < 1) return undefined;
  const isWhole = [...offered].length < longest || !/_[0-9a-f]{6}$/u.test(offered);
  return { alias: offered.slice(0, at), rest: offered.slice(at + 1), isWhole };
}
