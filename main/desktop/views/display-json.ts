import type { z } from 'zod';
import { displayText } from '../../address/display-text.ts';

export type Json = z.core.util.JSONType;

interface Limits {
  readonly depth: number;
  readonly members: number;
  readonly text: number;
  readonly nodes: number;
}

const shortly: Limits = { depth: 16, members: 500, text: 4_000, nodes: 20_000 };

/** A server's JSON for the window: nothing invisible in its texts, and no more of it than can be shown. */
export function displayJson(value: unknown, limits: Limits = shortly): Json {
  let nodes = 0;
  function show(node: unknown, depth: number): Json {
    nodes += 1;
    if (node === null || typeof node === 'boolean') return node;
    if (typeof node === 'number') return Number.isFinite(node) ? node : null;
    if (typeof node === 'string') return displayBlock(node, limits.text).text;
    if (typeof node !== 'object' || depth > limits.depth || nodes > limits.nodes) return '…';
    if (Array.isArray(node)) return node.slice(0, limits.members).map((member) => show(member, depth + 1));
    const members = Object.entries(node).slice(0, limits.members);
    return Object.fromEntries(
      members
        .filter(([name]) => isPlainName(name) && name !== '__proto__')
        .map(([name, member]) => [name, show(member, depth + 1)]),
    );
  }
  return show(value, 0);
}

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
