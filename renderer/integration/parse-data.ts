import type { ContentView } from '../../shared/mcp-view.ts';
import type { JsonValue } from './read-arguments.ts';

/** Structure in a piece of a result: many servers send JSON as text. Plain words and numbers are left as they are. */
export function parseData(piece: ContentView): JsonValue | undefined {
  if (piece.type === 'json') return piece.json;
  if (piece.type !== 'text' || piece.cut || !/^\s*[[{]/.test(piece.text)) return undefined;
  try {
    return JSON.parse(piece.text) as JsonValue;
  } catch {
    return undefined;
  }
}
