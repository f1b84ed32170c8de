import { membersOf } from '../../../shared/json-object.ts';
import { AppFileFault } from '../../app-ports.ts';
import type { AppFile } from '../../app-ports.ts';
import { readEntry } from '../entry/read-entry.ts';
import type { ParsedEntry } from '../entry/read-entry.ts';
import { ListFault } from '../list/entry-list.ts';
import type { FileContent } from '../list/entry-list.ts';
import { parseJsonTree, valueOf } from '../list/json-list.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import { folderOf } from '../table/app.ts';
import type { App } from '../table/app.ts';

type Gate = NonNullable<App['gates']>[number];
type NamedEntry = readonly [name: string, value: unknown];

/** Entry name → the app setting that excludes the entry. */
export type ExcludedEntries = ReadonlyMap<string, string>;

/**
 * The entries that a setting of their app excludes, such as `mcp.allowed` of Gemini CLI; each setting is read as the
 * app reads it. A setting that cannot be read excludes nothing.
 */
export async function findExcludedEntries(
  engine: Pick<AppDependencies, 'files'>,
  { gates = [] }: App,
  file: AppFile,
  content: FileContent,
  entries: readonly NamedEntry[],
): Promise<ExcludedEntries> {
  const excluded = new Map<string, string>();
  if (entries.length === 0) return excluded;
  for (const gate of gates) {
    if (gate.onlyForProjects && file.project === undefined) continue;
    const root = gate.file === undefined ? rootOf(content) : await readSettingsFile(engine, file, gate.file);
    const values = membersAt(root, gate.member === '' ? [] : gate.member.split('.'));
    for (const [name, value] of entries) {
      const isExcluded = values.some((each) => excludes(gate, { root, setting: each, name, entry: readEntry(value) }));
      if (isExcluded && !excluded.has(name)) excluded.set(name, nameOf(gate));
    }
  }
  return excluded;
}

/** The excluding settings, without duplicates. */
export function excludingSettings(excludedBy: ExcludedEntries): string {
  return [...new Set(excludedBy.values())].join(', ');
}

function nameOf({ file, member }: Gate): string {
  if (file === undefined) return member;
  return member === '' ? file : `${member} (${file})`;
}

interface GateCheck {
  readonly root: unknown;
  /** The value of the gate's member. */
  readonly setting: unknown;
  readonly name: string;
  readonly entry: ParsedEntry;
}

function excludes({ excludes: excluded }: Gate, { root, setting, name, entry }: GateCheck): boolean {
  switch (excluded) {
    case 'others':
      return Array.isArray(setting) && !isListed(setting, name, entry);
    case 'others-if-any':
      return Array.isArray(setting) && setting.length > 0 && !isListed(setting, name, entry);
    case 'named':
      return (
        Array.isArray(setting) && setting.some((each) => isNamed(each, name) || matchesServer(each, entry) === true)
      );
    case 'switched':
      return membersOf(membersOf(setting)[name.toLowerCase().trim()])['enabled'] === false;
    case 'tools':
      return areAllToolsDisabled(root, setting, name);
    case 'all':
      // VS Code: `registry` allows only servers from its registry.
      return setting === false || setting === 'none' || setting === 'registry';
  }
}

/**
 * Matches by name. Claude Code (`allowedMcpServers`): if the list has any command or URL, only those count for a server
 * of that kind.
 */
function isListed(list: readonly unknown[], name: string, entry: ParsedEntry): boolean {
  const byKind = list.map((each) => matchesServer(each, entry)).filter((each) => each !== undefined);
  return byKind.length > 0 ? byKind.includes(true) : list.some((each) => isNamed(each, name));
}

function isNamed(value: unknown, name: string): boolean {
  return value === name || membersOf(value)['serverName'] === name;
}

/** Matches by `serverCommand` or `serverUrl`. `undefined`: the item is not about a server of this kind. */
function matchesServer(value: unknown, { url, words }: ParsedEntry): boolean | undefined {
  const { serverCommand, serverUrl } = membersOf(value);
  if (url !== undefined && typeof serverUrl === 'string') return matches(serverUrl, url);
  if (url !== undefined || !Array.isArray(serverCommand)) return undefined;
  return serverCommand.length === words.length && words.every((word, index) => serverCommand[index] === word);
}

type Pattern = readonly [pattern: string, isOn: boolean];

/**
 * Whether OpenCode disables every tool of a server; its tools are called `NAME_TOOL`. Later versions apply the last
 * matching pattern (`permission` after `tools`), earlier ones the longest. Excluded only if both agree and no agent
 * enables one.
 */
function areAllToolsDisabled(root: unknown, setting: unknown, name: string): boolean {
  const { tools, permission, agent } = membersOf(root);
  if (setting !== tools && setting !== permission) return false;
  const prefix = `${name.replace(/[^\w-]/gu, '_')}_`;
  const patterns = [...readPatterns(tools), ...readPatterns(permission)];
  const own = Object.values(membersOf(agent)).flatMap((each) => [
    ...readPatterns(membersOf(each)['tools']),
    ...readPatterns(membersOf(each)['permission']),
  ]);
  if (own.some(([pattern, isOn]) => isOn && reach(pattern, prefix) !== 'none')) return false;
  const byLength = patterns.toSorted(([one], [other]) => one.length - other.length);
  // Report the setting that disables all of them.
  const isDecisive = readPatterns(setting).some(([pattern, isOn]) => !isOn && reach(pattern, prefix) === 'all');
  return isDecisive && [patterns, byLength].every((each) => areAllDisabled(each, prefix));
}

function areAllDisabled(patterns: readonly Pattern[], prefix: string): boolean {
  for (const [pattern, isOn] of patterns.toReversed()) {
    const reached = reach(pattern, prefix);
    if (reached === 'all' && !isOn) return true;
    if (reached !== 'none' && isOn) return false;
  }
  return false;
}

/** Only `deny` disables a tool, also as the `*` rule for its arguments. */
function readPatterns(value: unknown): readonly Pattern[] {
  if (value === 'deny') return [['*', false]];
  return Object.entries(membersOf(value)).map(([pattern, set]): Pattern => {
    const rules = Object.entries(membersOf(set));
    const rule = rules.length > 0 ? rules.findLast(([words]) => words === '*')?.[1] : set;
    return [pattern, rule !== false && rule !== 'deny'];
  });
}

/** How many of the names with this prefix a pattern with `*` and `?` matches. */
function reach(pattern: string, prefix: string): 'all' | 'some' | 'none' {
  let positions = [0];
  const open = (from: readonly number[]): number[] => {
    const all = new Set(from);
    for (const place of all) if (pattern[place] === '*') all.add(place + 1);
    return [...all];
  };
  // `undefined` stands for one more character, whichever it is: a tool name is not empty.
  for (const character of [...prefix, undefined]) {
    const next = open(positions).flatMap((place) => {
      const wanted = pattern[place];
      if (wanted === '*') return [place];
      return wanted === '?' || (character !== undefined && wanted === character) ? [place + 1] : [];
    });
    if (character === undefined && next.some((place) => /^\*+$/u.test(pattern.slice(place)))) return 'all';
    if (character === undefined) return open(positions).some((place) => place < pattern.length) ? 'some' : 'none';
    if (next.length === 0) return 'none';
    positions = [...new Set(next)];
  }
  return 'none';
}

/** `*` matches any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 'su').test(text);
}

/** Some apps write `a.b` as one key, some as `b` inside `a`. */
function membersAt(root: unknown, [first, ...rest]: readonly string[]): readonly unknown[] {
  if (first === undefined) return [root];
  const table = membersOf(root);
  const whole = rest.length > 0 ? table[[first, ...rest].join('.')] : undefined;
  return [
    ...(table[first] === undefined ? [] : membersAt(table[first], rest)),
    ...(whole === undefined ? [] : [whole]),
  ];
}

function rootOf({ rest }: FileContent): unknown {
  return Array.isArray(rest) ? Object.fromEntries(rest as readonly (readonly [string, unknown])[]) : rest;
}

async function readSettingsFile(
  { files }: Pick<AppDependencies, 'files'>,
  file: AppFile,
  name: string,
): Promise<unknown> {
  const separator = file.path.includes('\\') ? '\\' : '/';
  const path = `${folderOf(file.path)}${separator}${name.replaceAll('/', separator)}`;
  try {
    const text = await files.read({ ...file, path });
    const tree = text === undefined ? undefined : parseJsonTree(text, { comments: true, trailingCommas: true });
    return tree && valueOf(tree);
  } catch (error) {
    if (error instanceof ListFault || error instanceof AppFileFault) return undefined;
    throw error;
  }
}
