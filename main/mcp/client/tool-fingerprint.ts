import { createHash } from 'node:crypto';
import { isObject } from '../../../shared/json-object.ts';
import type { SeenTool } from '../../ports.ts';
import { surveyJson } from '../messages/survey-json.ts';

/** Maximum characters: of a name, of a truncated name, of the stored text of a tool, and of a description in it. */
const bounds = { name: 256, cut: 200, text: 16_384, description: 4_096 } as const;

/** Members that a model reads, or that describe the tool's behavior (MCP 2025-11-25, tools; tool annotations). */
const coveredNames = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
const coveredAnnotations = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
/** Names as seen by case-insensitive parsers. */
const lowerCaseNames: ReadonlySet<string> = new Set(coveredNames.map((name) => name.toLowerCase()));
/** Schema arrays whose order is irrelevant (JSON Schema 2020-12, validation 6.1.1, 6.1.2 and 6.5.3). */
const unorderedArrays: ReadonlySet<string> = new Set(['required', 'enum', 'type']);

export interface DescribedTool {
  readonly name: string;
  readonly [member: string]: unknown;
}

/**
 * Fingerprint of a tool's description, independent of member order and whitespace. `raw`: as received; if a member
 * appears twice, parsers disagree on it (RFC 8259 section 4), so the bytes are hashed.
 */
export function fingerprintTool(tool: DescribedTool, raw?: Uint8Array): SeenTool {
  const text = canonical(coveredMembers(tool));
  return {
    name: pinKey(tool.name),
    form: raw && hasDuplicateMembers(tool, raw) ? hashOf('twofold', raw) : hashOf('tool', text),
    text: text.length <= bounds.text ? text : truncatedText(tool),
  };
}

/** Key of a tool's pin: its name, shortened and hashed if too long. */
export function pinKey(name: string): string {
  return name.length <= bounds.name ? name : `${name.slice(0, bounds.cut)}…${hashOf('name', name).slice(0, 22)}`;
}

function coveredMembers(tool: DescribedTool): Readonly<Record<string, unknown>> {
  const { annotations } = tool;
  const members = Object.entries(tool).filter(
    ([name, member]) => lowerCaseNames.has(name.toLowerCase()) && member !== null,
  );
  const covered = {
    ...Object.fromEntries(members),
    ...withoutNull(tool, 'inputSchema'),
    ...withoutNull(tool, 'outputSchema'),
  };
  return isObject(annotations) ? { ...covered, annotations: annotationsOf(annotations) } : covered;
}

/** Null counts as absent here, as for callers of the tool; deeper in a schema it may be a value. */
function withoutNull(tool: DescribedTool, name: 'inputSchema' | 'outputSchema'): Readonly<Record<string, unknown>> {
  const schema = tool[name];
  if (!isObject(schema)) return {};
  const { properties, required, ...rest } = schema;
  return { [name]: { ...rest, ...(properties !== null && { properties }), ...(required !== null && { required }) } };
}

/** Unknown annotations are dropped, as the window's library does. */
function annotationsOf(annotations: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = coveredAnnotations.filter((name) => annotations[name] !== undefined && annotations[name] !== null);
  return Object.fromEntries(known.map((name) => [name, annotations[name]]));
}

function truncatedText({ name, title, description, annotations }: DescribedTool): string | undefined {
  const truncatedDescription = typeof description === 'string' ? description.slice(0, bounds.description) : undefined;
  const text = canonical(coveredMembers({ name, title, description: truncatedDescription, annotations }));
  return text.length <= bounds.text ? text : undefined;
}

/** True if parsing dropped something. */
function hasDuplicateMembers(tool: DescribedTool, raw: Uint8Array): boolean {
  return surveyJson(raw).nodes !== surveyJson(Buffer.from(JSON.stringify(tool))).nodes;
}

/** JSON with sorted members, so that equal values have equal text. */
function canonical(value: unknown, name = ''): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item));
    return `[${(unorderedArrays.has(name) ? items.toSorted() : items).join(',')}]`;
  }
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member, key)}`).join(',')}}`;
  }
  // A number too large for JavaScript would become null.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  return JSON.stringify(value) ?? 'null';
}

function hashOf(kind: 'tool' | 'twofold' | 'name', content: string | Uint8Array): string {
  return createHash('sha256').update(`${kind}\n`).update(content).digest('base64url');
}
