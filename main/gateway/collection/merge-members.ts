// Merges what members list and declare: cursors, capabilities, instructions and URI templates.

import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../shared/json-object.ts';
import { displayText } from '../../address/display-text.ts';
import { memberTextLength } from '../../limits.ts';
import { extensionsIn } from '../bridge/revisions.ts';
import { asObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { lists } from '../messages/lists.ts';
import type { List } from '../messages/lists.ts';

/** Cursor of each member, by id; `undefined` for a first page. */
export type MemberCursors = ReadonlyMap<string, string>;

/** A cursor for apps, to which it is opaque. */
export function writeCursor(cursors: MemberCursors): string {
  return Buffer.from(JSON.stringify([...cursors])).toString('base64url');
}

/** `undefined`: not a cursor of Postern's. */
export function readCursor(cursor: unknown): MemberCursors | undefined {
  if (typeof cursor !== 'string') return undefined;
  try {
    const cursors: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isPair = (pair: unknown): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string');
    return Array.isArray(cursors) && cursors.length > 0 && cursors.every(isPair) ? new Map(cursors) : undefined;
  } catch {
    return undefined;
  }
}

/** The entries of one page, unchanged. */
export function entriesOf(list: List, result: JsonObject): readonly JsonObject[] {
  const entries: unknown = result[lists[list].member];
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

/** A member's `initialize` result; `undefined`: unknown, so it may have any capability. */
interface MemberHandshake {
  readonly alias: string;
  readonly handshake: JsonObject | undefined;
}

/** Combined capabilities and instructions of all members. */
export function mergeHandshakes(members: readonly MemberHandshake[]): JsonObject {
  const known = members.map(({ handshake }) => handshake && asObject(handshake['capabilities']));
  const has = (name: string): boolean => known.some((each) => !each || isObject(each[name]));
  const subscribes = known.some((each) => !each || asObject(each['resources'])['subscribe'] === true);
  const instructions = members.flatMap(({ alias, handshake }) => {
    const text = handshake?.['instructions'];
    const attributedText = typeof text === 'string' ? withAlias(alias, text) : '';
    return attributedText === '' ? [] : [attributedText];
  });
  const extensions = mergeSettings(known.map((each) => extensionsIn(each)));
  const experimental = mergeSettings(known.map((each) => asObject(each?.['experimental'])));
  return {
    capabilities: {
      // Members may add tools later, and members may be added.
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

/**
 * All names that any member declares, each with only the settings on which those members agree.
 */
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
 * Prefixes each line of a server's text with its alias, so that no line can imitate another server or Postern. Removes
 * invisible characters and limits the length.
 */
export function withAlias(alias: string, text: string): string {
  const lines = text
    .slice(0, memberTextLength)
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u)
    .map((line) => `${/^[ \t]{0,40}/u.exec(line)?.[0] ?? ''}${displayText(line, memberTextLength)}`.trimEnd());
  const paragraphs = lines.filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '');
  if (paragraphs.at(-1) === '') paragraphs.pop();
  return paragraphs.map((line) => `${alias}: ${line}`.trimEnd()).join('\n');
}

/** Whether a URI can match this template (RFC 6570): contains its fixed parts in order. */
export function matchesTemplate(template: string, uri: string): boolean {
  return compileTemplate(template)(uri);
}

/** A matcher for many URIs. */
export function compileTemplate(template: string): (uri: string) => boolean {
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

/**
 * Whether a URI can match both templates. Compares only their fixed beginnings and ends, since anything may be in
 * between.
 */
export function canOverlap(one: string, other: string): boolean {
  if (!one.includes('{')) return matchesTemplate(other, one);
  if (!other.includes('{')) return matchesTemplate(one, other);
  const [starts, ends] = [edges(one), edges(other)];
  const begins = starts.first.startsWith(ends.first) || ends.first.startsWith(starts.first);
  return begins && (starts.last.endsWith(ends.last) || ends.last.endsWith(starts.last));
}

/** Whether the template matches addresses of any scheme. */
export function isCatchAll(template: string): boolean {
  return template.includes('{') && !/^[a-z][a-z0-9+.-]*:/iu.test(edges(template).first);
}

function edges(template: string): { readonly first: string; readonly last: string } {
  const parts = template.split(/\{[^{}]*\}/u);
  return { first: parts[0] ?? '', last: parts.at(-1) ?? '' };
}
