import { knownServers } from '../known-servers.ts';
import type { KnownServer } from './known-server.ts';

/** Long enough that no other word holds it. */
const telling = 6;

/** The service whose name this text bears, however it is written: for what is not at the service's own address. */
export function findLookAlike(text: string): KnownServer | undefined {
  const words = wordsOf(text);
  return knownServers.find(({ name }) => bears(words, wordsOf(name).join('')));
}

function bears(words: readonly string[], name: string): boolean {
  if (name.length >= telling && words.some((word) => word.includes(name))) return true;
  return words.some((_word, from) =>
    words.slice(from).some((_last, length) => words.slice(from, from + length + 1).join('') === name),
  );
}

/** Words without marks; what reads alike is the same: `0` and `o`, `1`, `i` and `l`, `rn` and `m`, `vv` and `w`. */
function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll(/[1i|]/gu, 'l')
    .replaceAll('3', 'e')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
