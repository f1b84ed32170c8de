import type { z } from 'zod/mini';
import { pointerPart } from '../../../shared/json-pointer.ts';
import { displayText } from '../../address/display-text.ts';

type Json = z.core.util.JSONType;

interface Limits {
  readonly depth: number;
  readonly members: number;
  readonly text: number;
  readonly nodes: number;
}

const displayLimits: Limits = { depth: 16, members: 500, text: 4_000, nodes: 20_000 };

/** For values that were bounded when they arrived. */
const noLimits: Limits = { depth: Infinity, members: Infinity, text: Infinity, nodes: Infinity };

interface ShownJson {
  readonly json: Json;
  /** If truncated: the full member counts of truncated arrays and objects, by JSON pointer (RFC 6901). */
  readonly cut: Record<string, number> | undefined;
  readonly nodes: number;
}

/** A server's JSON for the window, truncated and without invisible characters. */
export function showJson(value: unknown, limits: Partial<Limits> = {}): ShownJson {
  const most = { ...displayLimits, ...limits };
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

/** The whole value, for copying, without invisible characters. */
export const wholeJson = (value: unknown): Json => displayJson(value, noLimits);

/** Whether a name is displayed exactly as it will be sent back. */
export function isPlainName(name: string, maximum = 256): boolean {
  return name !== '' && displayText(name, maximum) === name;
}

/** Multi-line text with line ends and indentation, without invisible characters; at most `maximum` characters. */
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

/** Limits for JSON in text content. Beyond them, it is more readable as text. */
const textLimits = { depth: 16, members: 20_000, text: 200_000, nodes: 20_000 } as const;

/**
 * JSON that a server sent as text. Sanitized after parsing, because escapes are still plain letters before.
 * `undefined`: not an object or array, not JSON, or too large to show completely. `room`: shared budget of one result.
 */
export function readJsonText(text: string, room: { nodes: number } = { nodes: textLimits.nodes }): Json | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const nodes = countNodes(value, Math.min(textLimits.nodes, room.nodes));
    if (nodes === undefined) return undefined;
    room.nodes -= nodes;
    return displayJson(value, textLimits);
  } catch {
    return undefined;
  }
}

/** `undefined`: it could not be shown completely. */
function countNodes(value: unknown, most: number): number | undefined {
  let nodes = 0;
  function fits(node: unknown, depth: number): boolean {
    nodes += 1;
    if (nodes > most || depth > textLimits.depth) return false;
    if (typeof node === 'number') return isExact(node);
    if (typeof node !== 'object' || node === null) return true;
    if (Array.isArray(node)) return node.every((member) => fits(member, depth + 1));
    return Object.entries(node).every(
      ([name, member]) => isPlainName(name) && name !== '__proto__' && fits(member, depth + 1),
    );
  }
  return fits(value, 0) ? nodes : undefined;
}

/** Whether the number was parsed exactly: a long id is rounded, and 1e999 overflows (RFC 8259 section 6). */
function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}
