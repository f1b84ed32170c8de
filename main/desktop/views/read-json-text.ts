import { displayJson, isPlainName } from './display-json.ts';
import type { Json } from './display-json.ts';

/** A text is bounded by its own length; deeper or of more parts, nobody reads it as a table. */
const limits = { depth: 16, members: 20_000, text: 200_000, nodes: 20_000 } as const;

/**
 * JSON that a server sent as text, cleaned after it was parsed: an escape is six plain letters before. `undefined`:
 * plain words and numbers, no JSON, or such as could not be shown whole. `room`: for all JSON of one result.
 */
export function readJsonText(text: string, room: { nodes: number } = { nodes: limits.nodes }): Json | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const nodes = countNodes(value, Math.min(limits.nodes, room.nodes));
    if (nodes === undefined) return undefined;
    room.nodes -= nodes;
    return displayJson(value, limits);
  } catch {
    return undefined;
  }
}

/** `undefined`: it could not be shown whole. */
function countNodes(value: unknown, most: number): number | undefined {
  let nodes = 0;
  function fits(node: unknown, depth: number): boolean {
    nodes += 1;
    if (nodes > most || depth > limits.depth) return false;
    if (typeof node === 'number') return isExact(node);
    if (typeof node !== 'object' || node === null) return true;
    if (Array.isArray(node)) return node.every((member) => fits(member, depth + 1));
    return Object.entries(node).every(
      ([name, member]) => isPlainName(name) && name !== '__proto__' && fits(member, depth + 1),
    );
  }
  return fits(value, 0) ? nodes : undefined;
}

/** Whether it is the number that was sent: a long id is rounded, and 1e999 is no number any more (RFC 8259 section 6). */
function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}
