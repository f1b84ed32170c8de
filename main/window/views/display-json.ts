import type { z } from 'zod/mini';
import { pointerPart } from '../../../shared/mcp-view.ts';
import { displayText } from '../../address/display-text.ts';

type Json = z.core.util.JSONType;

interface Limits {
  readonly depth: number;
  readonly members: number;
  readonly text: number;
  readonly nodes: number;
}

const displayLimits: Limits = { depth: 16, members: 500, text: 4_000, nodes: 20_000 };

/** For values whose size was limited on receipt. */
const noLimits: Limits = { depth: Infinity, members: Infinity, text: Infinity, nodes: Infinity };

interface TruncatedJson {
  readonly json: Json;
  /** If truncated: the full member counts of truncated arrays and objects, by JSON pointer (RFC 6901). */
  readonly cut: Record<string, number> | undefined;
  readonly nodes: number;
}

/** A server's JSON for the window, truncated and without invisible characters. */
export function truncateJson(value: unknown, limits: Partial<Limits> = {}): TruncatedJson {
  const bounds = { ...displayLimits, ...limits };
  const counts: Record<string, number> = {};
  let isCut = false;
  let nodes = 0;
  function truncate<Member>(members: readonly Member[], pointer: string): readonly Member[] {
    if (members.length <= bounds.members) return members;
    isCut = true;
    counts[pointer] ??= members.length;
    return members.slice(0, bounds.members);
  }
  function convert(node: unknown, depth: number, pointer: string): Json {
    nodes += 1;
    if (node === null || typeof node === 'boolean') return node;
    if (typeof node === 'number') return Number.isFinite(node) ? node : null;
    if (typeof node === 'string') {
      const { text, cut } = displayBlock(node, bounds.text);
      isCut ||= cut;
      return text;
    }
    if (typeof node !== 'object' || depth > bounds.depth || nodes > bounds.nodes) {
      isCut = true;
      return '…';
    }
    if (Array.isArray(node))
      return truncate(node, pointer).map((member, index) => convert(member, depth + 1, `${pointer}/${index}`));
    const all = Object.entries(node);
    const namedMembers = all.filter(([name]) => isPlainName(name) && name !== '__proto__');
    if (namedMembers.length < all.length) {
      isCut = true;
      counts[pointer] = all.length;
    }
    return Object.fromEntries(
      truncate(namedMembers, pointer).map(([name, member]) => [
        name,
        convert(member, depth + 1, `${pointer}/${pointerPart(name)}`),
      ]),
    );
  }
  const json = convert(value, 0, '');
  return { json, cut: isCut ? counts : undefined, nodes };
}

export const displayJson = (value: unknown, limits: Partial<Limits> = {}): Json => truncateJson(value, limits).json;

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
 * JSON that a server sent as text. Sanitized after parsing, because before that, escapes are plain letters.
 * `undefined`: not an object or array, not JSON, or too large to show completely. `budget`: shared by the whole result.
 */
export function readJsonText(text: string, budget: { nodes: number } = { nodes: textLimits.nodes }): Json | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const nodes = countNodes(value, Math.min(textLimits.nodes, budget.nodes));
    if (nodes === undefined) return undefined;
    budget.nodes -= nodes;
    return displayJson(value, textLimits);
  } catch {
    return undefined;
  }
}

/** `undefined`: the value could not be shown completely. */
function countNodes(value: unknown, maxNodes: number): number | undefined {
  let nodes = 0;
  function isDisplayable(node: unknown, depth: number): boolean {
    nodes += 1;
    if (nodes > maxNodes || depth > textLimits.depth) return false;
    if (typeof node === 'number') return isExact(node);
    if (typeof node !== 'object' || node === null) return true;
    if (Array.isArray(node)) return node.every((member) => isDisplayable(member, depth + 1));
    return Object.entries(node).every(
      ([name, member]) => isPlainName(name) && name !== '__proto__' && isDisplayable(member, depth + 1),
    );
  }
  return isDisplayable(value, 0) ? nodes : undefined;
}

/** Whether the number was parsed exactly: a long id is rounded, and 1e999 overflows (RFC 8259 section 6). */
function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}
