import type { Entry } from '../entry-list.ts';

/** A table with its header and one pair a line. */
export function renderTable(keys: readonly string[], entry: Entry, end: string): string {
  const pairs = Object.entries(entry).map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`);
  return [`[${keys.map(renderKey).join('.')}]`, ...pairs].map((line) => `${line}${end}`).join('');
}

/** The same as a pair for an inline table that is there: on one line (TOML 1.0, inline tables). */
export function renderPair(key: string, entry: Entry): string {
  return `${renderKey(key)} = ${renderValue(entry)}`;
}

function renderKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : renderText(key);
}

function renderValue(value: unknown): string {
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${renderKey(key)} = ${renderValue(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** A basic string: what JSON escapes TOML does too, and one more (TOML 1.0, strings). */
function renderText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`);
}
