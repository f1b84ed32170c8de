import { knownServers } from '../known-servers.ts';
import { addressesOf } from './find-known-server.ts';
import type { KnownServer } from './known-server.ts';

const most = 3;
/** Of a text that is compared with every name: no name and no host is longer. */
const longest = 64;

/** Services that may be meant by a name, or by the host of an address, with a slip in it; the nearest first. */
export function findNearServers(text: string): readonly KnownServer[] {
  const host = hostIn(text.slice(0, longest * 4));
  const typed = host ?? plain(text);
  if (typed.length > longest) return [];
  // What hosts have in common is no likeness: `mcp.` and `.com`.
  const longestWord = Math.max(...typed.split('.').map(({ length }) => length));
  return knownServers
    .map((server) => ({ server, slips: Math.min(...spellings(server, host).map((name) => countSlips(typed, name))) }))
    .filter(({ slips }) => slips <= mostSlips(longestWord) && (host === undefined || slips > 0))
    .toSorted((one, other) => one.slips - other.slips)
    .slice(0, most)
    .map(({ server }) => server);
}

/** Of an address, from which `https://` may be left out; `undefined`: it is a name. */
function hostIn(text: string): string | undefined {
  return /^(?:https?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?:[:/?#]|$)/iu.exec(text.trim())?.[1]?.toLowerCase();
}

function spellings(server: KnownServer, host: string | undefined): readonly string[] {
  if (host === undefined) return [plain(server.name)];
  return addressesOf(server).map((address) => hostIn(address) ?? '');
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Of a short word every other is near. */
function mostSlips(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** Letters that are missing, surplus, wrong or swapped with the next one (optimal string alignment). */
function countSlips(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}

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
