import type { z } from 'zod';
import { pointerPart } from '../../../shared/json-pointer.ts';
import { displayText } from '../../address/display-text.ts';

export type Json = z.core.util.JSONType;

interface Limits {
  readonly depth: number;
  readonly members: number;
  readonly text: number;
  readonly nodes: number;
}

const shortly: Limits = { depth: 16, members: 500, text: 4_000, nodes: 20_000 };

/** The same without an end, for one that was bounded when it arrived. */
const whole: Limits = { depth: Infinity, members: Infinity, text: Infinity, nodes: Infinity };

interface ShownJson {
  readonly json: Json;
  /** Where not all of it is in there: how many members those have that lack some, by JSON pointer (RFC 6901). */
  readonly cut: Record<string, number> | undefined;
  readonly nodes: number;
}

/** A server's JSON for the window: nothing invisible in its texts, and no more of it than can be shown. */
export function showJson(value: unknown, limits: Partial<Limits> = {}): ShownJson {
  const most = { ...shortly, ...limits };
  const counts: Record<string, number> = {};
  let isCut = false;
  let nodes = 0;
  function first<Member>(members: readonly Member[], at: string): readonly Member[] {
    if (members.length <= most.members) return members;
    isCut = true;
    counts[at] ??= members.length;
    return members.slice(0, most.members);
  }
  function show(node: unknown, depth: number, at: string): Json {
    nodes += 1;
    if (node === null || typeof node === 'boolean') return node;
    if (typeof node === 'number') return Number.isFinite(node) ? node : null;
    if (typeof node === 'string') {
      const { text, cut } = displayBlock(node, most.text);
      isCut ||= cut;
      return text;
    }
    if (typeof node !== 'object' || depth > most.depth || nodes > most.nodes) {
      isCut = true;
      return '…';
    }
    if (Array.isArray(node)) return first(node, at).map((member, index) => show(member, depth + 1, `${at}/${index}`));
    const all = Object.entries(node);
    const named = all.filter(([name]) => isPlainName(name) && name !== '__proto__');
    if (named.length < all.length) {
      isCut = true;
      counts[at] = all.length;
    }
    return Object.fromEntries(
      first(named, at).map(([name, member]) => [name, show(member, depth + 1, `${at}/${pointerPart(name)}`)]),
    );
  }
  const json = show(value, 0, '');
  return { json, cut: isCut ? counts : undefined, nodes };
}

export const displayJson = (value: unknown, limits: Partial<Limits> = {}): Json => showJson(value, limits).json;

/** All of it, as it may be copied: nothing in it that cannot be seen. */
export const wholeJson = (value: unknown): Json => displayJson(value, whole);

/** A name that is sent back as it is shown. */
export function isPlainName(name: string, maximum = 256): boolean {
  return name !== '' && displayText(name, maximum) === name;
}

/** Text of several lines: line ends and indentation stay, what is invisible goes; at most `maximum` characters. */
export function displayBlock(text: string, maximum: number): { text: string; cut: boolean } {
  const cut = text.length > maximum;
  const lines = text
    .slice(0, maximum)
    .split(/\r\n?|\n/u)
    .map((line) => {
      const indentation = /^[ \t]*/u.exec(line)?.[0].replaceAll('\t', '    ') ?? '';
      return `${indentation}${displayText(line, maximum)}`;
    });
  return { text: lines.join('\n'), cut };
}
