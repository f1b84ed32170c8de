import { permissionBounds } from '../../../shared/tool-permissions.ts';
import type { PermissionLevel, ToolRule } from '../../../shared/tool-permissions.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Entry } from '../list/entry-list.ts';

/** What the user has decided about a server in an app, beside how it is reached. */
export interface EntryDecisions {
  /** It is switched off there. */
  readonly isOff: boolean;
  /** Tools that the app may not use. */
  readonly denied: readonly string[];
  /** The only ones that it may use; absent: all but those in `denied`. */
  readonly allowed?: readonly string[];
  /** Members that Postern cannot carry over: lists of tools that nobody here can read, and what the app signs in with. */
  readonly unread: readonly string[];
}

const off = ['disabled', 'isDisabled'];
const on = ['enabled', 'isEnabled', 'isActive', 'active'];
/** Cline, Roo, Kilo, Windsurf and Kiro; Gemini and Qwen; Codex; Goose; Copilot CLI. */
const deniedKeys = [
  'excludeTools',
  'excludedTools',
  'exclude_tools',
  'disabledTools',
  'disabled_tools',
  'denied_tools',
];
const onlyKeys = [
  'includeTools',
  'includedTools',
  'enabledTools',
  'enabled_tools',
  'available_tools',
  'allowedTools',
  'tools',
];
/** What the app does not ask about, how long it waits, and when it loads and calls tools (Copilot CLI, Codex). */
const otherKeys = [
  ...['alwaysAllow', 'autoApprove', 'autoAllow', 'trust', 'default_tools_approval_mode', 'required', 'description'],
  ...['timeout', 'initTimeout', 'connectionTimeout', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
  ...['deferTools', 'supports_parallel_tool_calls'],
];
const known: ReadonlySet<string> = new Set([...off, ...on, ...deniedKeys, ...onlyKeys, ...otherKeys]);

export function entryDecisions(value: unknown): EntryDecisions {
  const entry = membersOf(value);
  const given = (key: string): boolean => entry[key] !== undefined && entry[key] !== null;
  const lists = [...deniedKeys, ...onlyKeys].filter(given);
  const only = onlyKeys.filter((key) => given(key) && !isOfAll(key, entry[key])).map((key) => namesIn(entry[key], key));
  const allowed = only.reduce((before, names) => before?.filter((name) => names?.includes(name)), only[0]);
  const strange = Object.keys(entry).filter(
    (key) => /tool/iu.test(key) && !/timeout/iu.test(key) && !known.has(key) && given(key),
  );
  return {
    isOff: off.some((key) => isTrue(entry[key])) || on.some((key) => isFalse(entry[key])),
    denied: [...new Set(deniedKeys.filter(given).flatMap((key) => namesIn(entry[key], key) ?? []))],
    ...(allowed && { allowed: [...new Set(allowed)] }),
    // Codex has a table with a rule for each tool.
    unread: [...lists.filter((key) => !isOfAll(key, entry[key]) && namesIn(entry[key], key) === undefined), ...strange],
  };
}

/**
 * `entry` in the place of `standing`: with its lists of tools, approvals and times, and on or off as that was.
 * `switchesOn`: whoever asks for it wants it on.
 */
export function withDecisions(entry: Entry, standing: unknown, { switchesOn = false } = {}): Entry {
  const isKept = (key: string): boolean => known.has(key) && !(switchesOn && (off.includes(key) || on.includes(key)));
  const kept = Object.entries(membersOf(standing)).filter(([key, value]) => isKept(key) && value !== null);
  return { ...entry, ...Object.fromEntries(kept) };
}

/** The entry says which tools the app may use. */
export function hasRules({ denied, allowed }: EntryDecisions): boolean {
  return denied.length > 0 || allowed !== undefined;
}

/**
 * With rules for what the app may use of a server, which hold also where it forgets its own list. What the user has set
 * in Postern is not loosened by them.
 */
export function withRules(level: PermissionLevel, { denied, allowed }: EntryDecisions): PermissionLevel {
  const { preset = 'everything', rules = [] } = level;
  const rule: ToolRule = preset === 'everything' || preset === 'only-allowed' ? 'allow' : 'ask';
  const isNew = (name: string): boolean => !denied.includes(name) && rules.every(({ tool }) => tool !== name);
  return {
    ...level,
    ...(allowed && { preset: 'only-allowed' }),
    rules: [
      ...rules.filter(({ tool }) => !denied.includes(tool)),
      ...denied.map((tool) => ({ tool, rule: 'deny' as const })),
      ...(allowed ?? []).filter(isNew).map((tool) => ({ tool, rule })),
    ],
  };
}

/** Without what a change of rules made of `before`; what the user has set since then stays. */
export function withoutRules(
  level: PermissionLevel,
  { before, after }: { readonly before: PermissionLevel; readonly after: PermissionLevel },
): PermissionLevel {
  const lacks = ({ rules = [] }: PermissionLevel, { tool, rule }: { tool: string; rule: string }): boolean =>
    rules.every((each) => each.tool !== tool || each.rule !== rule);
  const left = (level.rules ?? []).filter((each) => lacks(after, each) || !lacks(before, each));
  const lost = (before.rules ?? []).filter(
    (each) => lacks(after, each) && left.every(({ tool }) => tool !== each.tool),
  );
  const { preset, ...others } = level;
  const back = preset === after.preset ? before.preset : preset;
  return { ...others, ...(back !== undefined && { preset: back }), rules: [...left, ...lost] };
}

/** Errors: PROGRAM_FILE_LAYOUT for an entry with what would be lost with it. */
export function refuseUnread(path: string, name: string, { unread = [] }: Partial<EntryDecisions> = {}): void {
  if (unread.length === 0) return;
  const detail = { file: path, entry: name.slice(0, 80), members: unread.map((member) => member.slice(0, 200)) };
  throw new PosternError('PROGRAM_FILE_LAYOUT', { stage: 'programs', detail });
}

/** Copilot CLI writes `["*"]` for all of them, and Goose an empty list. */
function isOfAll(key: string, value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return (key === 'tools' && value.includes('*')) || (key === 'available_tools' && value.length === 0);
}

/** A pattern (Amp has them) is no name. Half as many as there may be rules: a server has two lists. */
function namesIn(value: unknown, key: string): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > permissionBounds.rules / 2) return undefined;
  const names = value.filter(
    (name): name is string =>
      typeof name === 'string' && name !== '' && name.length <= permissionBounds.tool && !/[*?[\]{}]/u.test(name),
  );
  if (names.length < value.length) return undefined;
  // Gemini CLI lets a list say `run(ls)` of a tool that is called `run`.
  return key === 'includeTools' ? names.map((name) => name.replace(/(?<=.)\(.*$/su, '')) : names;
}

/** As people and other formats write `true` and `false`. */
function isTrue(value: unknown): boolean {
  return /^(?:true|1|yes|on)$/iu.test(String(value));
}

function isFalse(value: unknown): boolean {
  return /^(?:false|0|no|off)$/iu.test(String(value));
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
