import { isDeepStrictEqual } from 'node:util';
import { displayText } from '../../address/display-text.ts';
import { memberWords } from '../../limits.ts';
import { extensionsIn } from '../bridge/revisions.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/** Lists that a collection has of its members: where their entries stand in a result, and what tells two apart. */
export const lists = {
  'tools/list': { member: 'tools', key: 'name', capability: 'tools' },
  'prompts/list': { member: 'prompts', key: 'name', capability: 'prompts' },
  'resources/list': { member: 'resources', key: 'uri', capability: 'resources' },
  'resources/templates/list': { member: 'resourceTemplates', key: 'uriTemplate', capability: 'resources' },
} as const;
export type List = keyof typeof lists;

export function isList(method: string): method is List {
  return Object.hasOwn(lists, method);
}

/** Where each member goes on, by its id; `undefined` for a first page. */
export type Places = ReadonlyMap<string, string>;

/** Opaque to programs. */
export function writeCursor(places: Places): string {
  return Buffer.from(JSON.stringify([...places])).toString('base64url');
}

/** `undefined`: none of ours. */
export function readCursor(cursor: unknown): Places | undefined {
  if (typeof cursor !== 'string') return undefined;
  try {
    const places: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isPair = (pair: unknown): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string');
    return Array.isArray(places) && places.length > 0 && places.every(isPair) ? new Map(places) : undefined;
  } catch {
    return undefined;
  }
}

/** The entries of one page, as they are written. */
export function entriesOf(list: List, result: JsonObject): readonly JsonObject[] {
  const entries: unknown = result[lists[list].member];
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

/** What a server has said of itself; `undefined`: nobody knows, and everything may come. */
interface Known {
  readonly alias: string;
  readonly handshake: JsonObject | undefined;
}

/** What all members together can do, and say to whoever uses them. */
export function mergeHandshakes(members: readonly Known[]): JsonObject {
  const known = members.map(({ handshake }) => handshake && asObject(handshake['capabilities']));
  const has = (name: string): boolean => known.some((each) => !each || isObject(each[name]));
  const subscribes = known.some((each) => !each || asObject(each['resources'])['subscribe'] === true);
  const instructions = members.flatMap(({ alias, handshake }) => {
    const text = handshake?.['instructions'];
    const words = typeof text === 'string' ? attributed(alias, text) : '';
    return words === '' ? [] : [words];
  });
  const extensions = mergeSettings(known.map((each) => extensionsIn(each)));
  const experimental = mergeSettings(known.map((each) => asObject(each?.['experimental'])));
  return {
    capabilities: {
      // A member may have some one day, and members come and go.
      tools: { listChanged: true },
      ...(has('prompts') && { prompts: { listChanged: true } }),
      ...(has('resources') && { resources: { listChanged: true, ...(subscribes && { subscribe: true }) } }),
      ...(has('logging') && { logging: {} }),
      ...(has('completions') && { completions: {} }),
      ...(Object.keys(extensions).length > 0 && { extensions }),
      ...(Object.keys(experimental).length > 0 && { experimental }),
    },
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
  };
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** What any of them has; of its settings those that all who have it agree on, so that nobody is promised too much. */
function mergeSettings(all: readonly JsonObject[]): JsonObject {
  const names = new Set(all.flatMap((each) => Object.keys(each)));
  return Object.fromEntries([...names].map((name) => [name, agreedOn(all.flatMap((each) => each[name] ?? []))]));
}

function agreedOn([first, ...others]: readonly unknown[]): unknown {
  if (!isObject(first)) return others.every((other) => isDeepStrictEqual(other, first)) ? first : {};
  const agreed = Object.entries(first).filter(([name, value]) =>
    others.every((other) => isDeepStrictEqual(asObject(other)[name], value)),
  );
  return Object.fromEntries(agreed);
}

/**
 * A server's words with its name before each line, so that no line can pass for another server's, or for ours. Nothing
 * invisible stays, and no more than a bounded part of it.
 */
export function attributed(alias: string, text: string): string {
  const lines = text
    .slice(0, memberWords)
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u)
    .map((line) => `${/^[ \t]{0,40}/u.exec(line)?.[0] ?? ''}${displayText(line, memberWords)}`.trimEnd());
  const paragraphs = lines.filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '');
  if (paragraphs.at(-1) === '') paragraphs.pop();
  return paragraphs.map((line) => `${alias}: ${line}`.trimEnd()).join('\n');
}

/** Whether a URI may be one of this template (RFC 6570): its fixed parts stand in it, in their order. */
export function fitsTemplate(template: string, uri: string): boolean {
  return readTemplate(template)(uri);
}

/** The same for many. */
export function readTemplate(template: string): (uri: string) => boolean {
  const parts = template.split(/\{[^{}]*\}/u);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return (uri) => uri === template;
  const between = parts.slice(1, -1);
  return (uri) => {
    if (!uri.startsWith(first) || !uri.endsWith(last) || uri.length < first.length + last.length) return false;
    let from = first.length;
    for (const part of between) {
      const at = uri.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return from <= uri.length - last.length;
  };
}

/** Whether a URI may be one of both templates: their beginnings and their ends have to agree, since anything may stand between. */
export function overlap(one: string, other: string): boolean {
  if (!one.includes('{')) return fitsTemplate(other, one);
  if (!other.includes('{')) return fitsTemplate(one, other);
  const [starts, ends] = [edges(one), edges(other)];
  const begins = starts.first.startsWith(ends.first) || ends.first.startsWith(starts.first);
  return begins && (starts.last.endsWith(ends.last) || ends.last.endsWith(starts.last));
}

/** Whether it fits addresses of any scheme. */
export function isCatchAll(template: string): boolean {
  return template.includes('{') && !/^[a-z][a-z0-9+.-]*:/iu.test(edges(template).first);
}

function edges(template: string): { readonly first: string; readonly last: string } {
  const parts = template.split(/\{[^{}]*\}/u);
  return { first: parts[0] ?? '', last: parts.at(-1) ?? '' };
}
