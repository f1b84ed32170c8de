// `Mcp-Param-*` header fields, which repeat arguments of a tool call (MCP 2026-07-28).

import { isObject } from '../../../shared/json-object.ts';
import { encodeValue } from '../../mcp/messages/message-headers.ts';
import type { JsonObject, RequestEnvelope } from './envelope.ts';

interface Declaration {
  readonly header: string;
  readonly path: readonly string[];
}

/** A node of a schema. Its path is built only when needed, since a schema can be deep and wide. */
interface SchemaNode {
  readonly node: unknown;
  readonly name: string;
  readonly parent: SchemaNode | undefined;
}

/** Maximum number of header fields per tool, and of tools that have any. */
const maxFields = 64;
const maxTools = 5_000;
const annotation = 'x-mcp-header';
/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/u;
const mirrored = new Set(['string', 'integer', 'boolean']);

/** Which arguments of each tool are repeated in header fields (MCP 2026-07-28, custom headers from tool parameters). */
export class ParameterHeaders {
  readonly #ofTools = new Map<string, readonly Declaration[]>();
  /** True once the server's tools have been listed. */
  isKnown = false;

  /** Adds one tool of `tools/list`. */
  learn({ name, inputSchema }: JsonObject): void {
    if (typeof name !== 'string') return;
    const declared = declarationsOf(inputSchema);
    if (declared.length > 0 && this.#ofTools.size < maxTools) this.#ofTools.set(name, declared);
    else this.#ofTools.delete(name);
  }

  forget(): void {
    this.#ofTools.clear();
    this.isKnown = false;
  }

  /** Names of a tool's header fields, in lower case. */
  namesOf(tool: unknown): readonly string[] {
    return (this.#ofTools.get(String(tool)) ?? []).map(({ header }) => `mcp-param-${header.toLowerCase()}`);
  }

  /** Header fields for one call. A value that is absent or has no header form is skipped. */
  of({ params }: RequestEnvelope): Readonly<Record<string, string>> {
    const declared = this.#ofTools.get(String(params['name'])) ?? [];
    if (declared.length === 0) return {};
    const input = params['arguments'];
    return Object.fromEntries(
      declared.flatMap(({ header, path }) => {
        const text = asText(valueAt(input, path));
        return text === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, encodeValue(text)]];
      }),
    );
  }
}

/** Iterative: a schema can be as deep as a message. */
function declarationsOf(schema: unknown): readonly Declaration[] {
  const found: Declaration[] = [];
  const waiting: SchemaNode[] = [{ node: schema, name: '', parent: undefined }];
  for (let next = waiting.pop(); next !== undefined && found.length < maxFields; next = waiting.pop()) {
    const { node } = next;
    if (!isObject(node)) continue;
    const header = node[annotation];
    if (typeof header === 'string' && token.test(header) && next.parent && mirrored.has(String(node['type']))) {
      found.push({ header, path: pathTo(next) });
    }
    if (!isObject(node['properties'])) continue;
    for (const [name, child] of Object.entries(node['properties'])) waiting.push({ node: child, name, parent: next });
  }
  return found;
}

function pathTo(node: SchemaNode): readonly string[] {
  const names: string[] = [];
  for (let at: SchemaNode = node; at.parent; at = at.parent) names.unshift(at.name);
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
