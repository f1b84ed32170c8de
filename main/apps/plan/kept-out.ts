import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { readEntry } from '../entry/read-entry.ts';
import type { ReadEntry } from '../entry/read-entry.ts';
import { ListFault } from '../list/entry-list.ts';
import type { FileContent } from '../list/entry-list.ts';
import { parseJsonTree, valueOf } from '../list/json-list.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { folderOf } from '../table/program.ts';
import type { Program } from '../table/program.ts';

type Gate = NonNullable<Program['gates']>[number];
type NamedEntry = readonly [name: string, value: unknown];

/** By the name of an entry: the setting of its app that leaves it out. */
export type KeptOut = ReadonlyMap<string, string>;

/**
 * Those of `entries` that a setting of their app leaves out, such as `mcp.allowed` of Gemini CLI, each read as the app
 * reads it. What cannot be read leaves nothing out.
 */
export async function findKeptOut(
  engine: Pick<ProgramEngine, 'files'>,
  { gates = [] }: Program,
  file: ProgramFile,
  content: FileContent,
  entries: readonly NamedEntry[],
): Promise<KeptOut> {
  const found = new Map<string, string>();
  if (entries.length === 0) return found;
  for (const gate of gates) {
    if (gate.ofProjects && file.project === undefined) continue;
    const root = gate.file === undefined ? rootOf(content) : await readBeside(engine, file, gate.file);
    const values = membersAt(root, gate.member === '' ? [] : gate.member.split('.'));
    for (const [name, value] of entries) {
      const isLeftOut = values.some((each) => isOut(gate, { root, setting: each, name, entry: readEntry(value) }));
      if (isLeftOut && !found.has(name)) found.set(name, nameOf(gate));
    }
  }
  return found;
}

/** Each once. */
export function settingsIn(keptOut: KeptOut): string {
  return [...new Set(keptOut.values())].join(', ');
}

function nameOf({ file, member }: Gate): string {
  if (file === undefined) return member;
  return member === '' ? file : `${member} (${file})`;
}

interface Asked {
  readonly root: unknown;
  /** What the gate has. */
  readonly setting: unknown;
  readonly name: string;
  readonly entry: ReadEntry;
}

function isOut({ keepsOut }: Gate, { root, setting, name, entry }: Asked): boolean {
  switch (keepsOut) {
    case 'others':
      return Array.isArray(setting) && !isAmong(setting, name, entry);
    case 'others-if-any':
      return Array.isArray(setting) && setting.length > 0 && !isAmong(setting, name, entry);
    case 'named':
      return Array.isArray(setting) && setting.some((each) => isNamed(each, name) || fits(each, entry) === true);
    case 'switched':
      return tableOf(tableOf(setting)[name.toLowerCase().trim()])['enabled'] === false;
    case 'tools':
      return areToolsOut(root, setting, name);
    case 'all':
      // VS Code: of a list of its own alone.
      return setting === false || setting === 'none' || setting === 'registry';
  }
}

/**
 * A name, or as Claude Code has it: where a list says commands or addresses, those alone count for a server of that kind
 * (settings, allowedMcpServers).
 */
function isAmong(list: readonly unknown[], name: string, entry: ReadEntry): boolean {
  const byKind = list.map((each) => fits(each, entry)).filter((each) => each !== undefined);
  return byKind.length > 0 ? byKind.includes(true) : list.some((each) => isNamed(each, name));
}

function isNamed(value: unknown, name: string): boolean {
  return value === name || tableOf(value)['serverName'] === name;
}

/** By `serverCommand` or `serverUrl`; `undefined`: it says nothing of a server of this kind. */
function fits(value: unknown, { url, words }: ReadEntry): boolean | undefined {
  const { serverCommand, serverUrl } = tableOf(value);
  if (url !== undefined && typeof serverUrl === 'string') return matches(serverUrl, url);
  if (url !== undefined || !Array.isArray(serverCommand)) return undefined;
  return serverCommand.length === words.length && words.every((word, index) => serverCommand[index] === word);
}

type Pattern = readonly [pattern: string, isOn: boolean];

/**
 * Whether OpenCode has no tool of a server: they are called `NAME_TOOL`. Later versions take the last pattern that fits,
 * `permission` after `tools`, earlier ones the longest: it is out where both say so, and no agent has one.
 */
function areToolsOut(root: unknown, setting: unknown, name: string): boolean {
  const { tools, permission, agent } = tableOf(root);
  if (setting !== tools && setting !== permission) return false;
  const beginning = `${name.replace(/[^\w-]/gu, '_')}_`;
  const patterns = [...patternsOf(tools), ...patternsOf(permission)];
  const own = Object.values(tableOf(agent)).flatMap((each) => [
    ...patternsOf(tableOf(each)['tools']),
    ...patternsOf(tableOf(each)['permission']),
  ]);
  if (own.some(([pattern, isOn]) => isOn && reach(pattern, beginning) !== 'none')) return false;
  const byLength = patterns.toSorted(([one], [other]) => one.length - other.length);
  // The one that takes all of them out is told.
  const isDecisive = patternsOf(setting).some(([pattern, isOn]) => !isOn && reach(pattern, beginning) === 'all');
  return isDecisive && [patterns, byLength].every((each) => areAllOff(each, beginning));
}

function areAllOff(patterns: readonly Pattern[], beginning: string): boolean {
  for (const [pattern, isOn] of patterns.toReversed()) {
    const reached = reach(pattern, beginning);
    if (reached === 'all' && !isOn) return true;
    if (reached !== 'none' && isOn) return false;
  }
  return false;
}

/** `deny` alone switches off, also as the rule for all that a tool is given. */
function patternsOf(value: unknown): readonly Pattern[] {
  if (value === 'deny') return [['*', false]];
  return Object.entries(tableOf(value)).map(([pattern, set]): Pattern => {
    const rules = Object.entries(tableOf(set));
    const rule = rules.length > 0 ? rules.findLast(([words]) => words === '*')?.[1] : set;
    return [pattern, rule !== false && rule !== 'deny'];
  });
}

/** Which of the names that begin so a pattern with `*` and `?` fits: all of them, some or none. */
function reach(pattern: string, beginning: string): 'all' | 'some' | 'none' {
  let places = [0];
  const open = (from: readonly number[]): number[] => {
    const all = new Set(from);
    for (const place of all) if (pattern[place] === '*') all.add(place + 1);
    return [...all];
  };
  // One sign more, whichever it is: a tool has a name.
  for (const sign of [...beginning, undefined]) {
    const next = open(places).flatMap((place) => {
      const wanted = pattern[place];
      if (wanted === '*') return [place];
      return wanted === '?' || (sign !== undefined && wanted === sign) ? [place + 1] : [];
    });
    if (sign === undefined && next.some((place) => /^\*+$/u.test(pattern.slice(place)))) return 'all';
    if (sign === undefined) return open(places).some((place) => place < pattern.length) ? 'some' : 'none';
    if (next.length === 0) return 'none';
    places = [...new Set(next)];
  }
  return 'none';
}

/** With `*` for anything. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 'su').test(text);
}

/** Some apps write `a.b` as one name, and some as `b` in `a`. */
function membersAt(root: unknown, [first, ...rest]: readonly string[]): readonly unknown[] {
  if (first === undefined) return [root];
  const table = tableOf(root);
  const whole = rest.length > 0 ? table[[first, ...rest].join('.')] : undefined;
  return [
    ...(table[first] === undefined ? [] : membersAt(table[first], rest)),
    ...(whole === undefined ? [] : [whole]),
  ];
}

function rootOf({ rest }: FileContent): unknown {
  return Array.isArray(rest) ? Object.fromEntries(rest as readonly (readonly [string, unknown])[]) : rest;
}

async function readBeside({ files }: Pick<ProgramEngine, 'files'>, file: ProgramFile, name: string): Promise<unknown> {
  const separator = file.path.includes('\\') ? '\\' : '/';
  const path = `${folderOf(file.path)}${separator}${name.replaceAll('/', separator)}`;
  try {
    const text = await files.read({ ...file, path });
    const tree = text === undefined ? undefined : parseJsonTree(text, { comments: true, trailingCommas: true });
    return tree && valueOf(tree);
  } catch (error) {
    if (error instanceof ListFault || error instanceof ProgramFileFault) return undefined;
    throw error;
  }
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
