import { encodeValue } from '../../mcp/messages/message-headers.ts';
import { isObject } from './envelope.ts';
import type { JsonObject, RequestEnvelope } from './envelope.ts';

interface Declaration {
  readonly header: string;
  readonly path: readonly string[];
}

/** A part of a schema; its whole way is written down only where it is needed, since a schema can be deep and wide. */
interface Place {
  readonly node: unknown;
  readonly name: string;
  readonly above: Place | undefined;
}

/** Header fields of one tool, and tools with any. */
const mostFields = 64;
const mostTools = 5_000;
const annotation = 'x-mcp-header';
/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/u;
const mirrored = new Set(['string', 'integer', 'boolean']);

/** Which arguments of each tool are repeated in header fields (MCP 2026-07-28, custom headers from tool parameters). */
export class ParameterHeaders {
  readonly #ofTools = new Map<string, readonly Declaration[]>();
  /** Whether the tools of the server are known at all. */
  isKnown = false;

  /** Takes in one tool of `tools/list`. */
  learn({ name, inputSchema }: JsonObject): void {
    if (typeof name !== 'string') return;
    const declared = declarationsOf(inputSchema);
    if (declared.length > 0 && this.#ofTools.size < mostTools) this.#ofTools.set(name, declared);
    else this.#ofTools.delete(name);
  }

  forget(): void {
    this.#ofTools.clear();
    this.isKnown = false;
  }

  /** Names of the fields that one tool has, in lower case. */
  namesOf(tool: unknown): readonly string[] {
    return (this.#ofTools.get(String(tool)) ?? []).map(({ header }) => `mcp-param-${header.toLowerCase()}`);
  }

  /** The fields for one call. A value that is not there, or has no such form, has none. */
  of({ params }: RequestEnvelope): Readonly<Record<string, string>> {
    const declared = this.#ofTools.get(String(params['name'])) ?? [];
    if (declared.length === 0) return {};
    const given = params['arguments'];
    return Object.fromEntries(
      declared.flatMap(({ header, path }) => {
        const text = asText(valueAt(given, path));
        return text === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, encodeValue(text)]];
      }),
    );
  }
}

/** A schema can be as deep as a message: no function here calls itself. */
function declarationsOf(schema: unknown): readonly Declaration[] {
  const found: Declaration[] = [];
  const waiting: Place[] = [{ node: schema, name: '', above: undefined }];
  for (let next = waiting.pop(); next !== undefined && found.length < mostFields; next = waiting.pop()) {
    const { node } = next;
    if (!isObject(node)) continue;
    const header = node[annotation];
    if (typeof header === 'string' && token.test(header) && next.above && mirrored.has(String(node['type']))) {
      found.push({ header, path: pathTo(next) });
    }
    if (!isObject(node['properties'])) continue;
    for (const [name, child] of Object.entries(node['properties'])) waiting.push({ node: child, name, above: next });
  }
  return found;
}

function pathTo(place: Place): readonly string[] {
  const names: string[] = [];
  for (let at: Place = place; at.above; at = at.above) names.unshift(at.name);
  return names;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let node = root;
  for (const name of path) node = isObject(node) ? node[name] : undefined;
  return node;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
