import { createHash } from 'node:crypto';
import type { SeenTool } from '../../ports.ts';
import { surveyJson } from '../messages/survey-json.ts';

/** Characters of a name as it stands, of one that is cut; of the text that is kept of a tool, and of a description there. */
const bounds = { name: 256, cut: 200, text: 16_384, description: 4_096 } as const;

/** What a model reads of a tool, and what says what it does (MCP 2025-11-25, tools; tool annotations). */
const described = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
const annotated = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
/** Names of members as readers take them that do not look at capitals. */
const folded: ReadonlySet<string> = new Set(described.map((name) => name.toLowerCase()));
/** Lists of a schema whose order says nothing (JSON Schema 2020-12, validation 6.1.1, 6.1.2 and 6.5.3). */
const sets: ReadonlySet<string> = new Set(['required', 'enum', 'type']);

export interface DescribedTool {
  readonly name: string;
  readonly [member: string]: unknown;
}

/**
 * A tool by what it says of itself, whatever the order of its members and the white space between them. `raw`: as it
 * came; where a member stands in it twice, readers differ in what it says (RFC 8259 section 4), and it is told by its
 * bytes.
 */
export function seeTool(tool: DescribedTool, raw?: Uint8Array): SeenTool {
  const text = canonical(coveredOf(tool));
  return {
    name: pinnedName(tool.name),
    form: raw && isTwofold(tool, raw) ? hashOf('twofold', raw) : hashOf('tool', text),
    text: text.length <= bounds.text ? text : shortened(tool),
  };
}

/** What a tool is remembered under: its name, unless that is too long. */
export function pinnedName(name: string): string {
  return name.length <= bounds.name ? name : `${name.slice(0, bounds.cut)}…${hashOf('name', name).slice(0, 22)}`;
}

function coveredOf(tool: DescribedTool): Readonly<Record<string, unknown>> {
  const { annotations } = tool;
  const members = Object.entries(tool).filter(([name, member]) => folded.has(name.toLowerCase()) && member !== null);
  const covered = {
    ...Object.fromEntries(members),
    ...withoutNull(tool, 'inputSchema'),
    ...withoutNull(tool, 'outputSchema'),
  };
  return isObject(annotations) ? { ...covered, annotations: annotationsOf(annotations) } : covered;
}

/** Null is absent there, as for whoever calls the tool; deeper in a schema it may be a value. */
function withoutNull(tool: DescribedTool, name: 'inputSchema' | 'outputSchema'): Readonly<Record<string, unknown>> {
  const schema = tool[name];
  if (!isObject(schema)) return {};
  const { properties, required, ...rest } = schema;
  return { [name]: { ...rest, ...(properties !== null && { properties }), ...(required !== null && { required }) } };
}

/** Others are for nobody: the library of the window leaves them out too. */
function annotationsOf(annotations: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = annotated.filter((name) => annotations[name] !== undefined && annotations[name] !== null);
  return Object.fromEntries(known.map((name) => [name, annotations[name]]));
}

function shortened({ name, title, description, annotations }: DescribedTool): string | undefined {
  const begun = typeof description === 'string' ? description.slice(0, bounds.description) : undefined;
  const text = canonical(coveredOf({ name, title, description: begun, annotations }));
  return text.length <= bounds.text ? text : undefined;
}

/** Whether less is left of it once it has been read. */
function isTwofold(tool: DescribedTool, raw: Uint8Array): boolean {
  return surveyJson(raw).nodes !== surveyJson(Buffer.from(JSON.stringify(tool))).nodes;
}

/** JSON with its members in one order, so that two texts are the same where they mean the same. */
function canonical(value: unknown, name = ''): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item));
    return `[${(sets.has(name) ? items.toSorted() : items).join(',')}]`;
  }
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member, key)}`).join(',')}}`;
  }
  // One that is too large for JavaScript would become null.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  return JSON.stringify(value) ?? 'null';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hashOf(kind: 'tool' | 'twofold' | 'name', said: string | Uint8Array): string {
  return createHash('sha256').update(`${kind}\n`).update(said).digest('base64url');
}
