import { membersOf } from '../../../shared/json-object.ts';
import { permissionBounds } from '../../../shared/tool-permissions.ts';
import type { PermissionLevel, ToolRule } from '../../../shared/tool-permissions.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Entry } from '../list/entry-list.ts';

/** What an entry says besides how to reach the server: disabled or not, and which tools the app may use. */
export interface EntrySettings {
  /** The server is disabled in the app. */
  readonly isDisabled: boolean;
  /** Tools that the app must not use. */
  readonly denied: readonly string[];
  /** The only tools that the app may use. Absent: all except `denied`. */
  readonly allowed?: readonly string[];
  /** Members that Postern cannot carry over: tool lists it cannot read, and the app's own credentials. */
  readonly unsupported: readonly string[];
}

const disabledKeys = ['disabled', 'isDisabled'];
const enabledKeys = ['enabled', 'isEnabled', 'isActive', 'active'];
/** Cline, Roo, Kilo, Windsurf and Kiro; Gemini and Qwen; Codex; Goose; Copilot CLI. */
const deniedKeys = [
  'excludeTools',
  'excludedTools',
  'exclude_tools',
  'disabledTools',
  'disabled_tools',
  'denied_tools',
];
const allowedKeys = [
  'includeTools',
  'includedTools',
  'enabledTools',
  'enabled_tools',
  'available_tools',
  'allowedTools',
  'tools',
];
/** Approvals, timeouts, and when tools are loaded and called (Copilot CLI, Codex). */
const otherKeys = [
  ...['alwaysAllow', 'autoApprove', 'autoAllow', 'trust', 'default_tools_approval_mode', 'required', 'description'],
  ...['timeout', 'initTimeout', 'connectionTimeout', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
  ...['deferTools', 'supports_parallel_tool_calls'],
];
const knownKeys: ReadonlySet<string> = new Set([
  ...disabledKeys,
  ...enabledKeys,
  ...deniedKeys,
  ...allowedKeys,
  ...otherKeys,
]);

export function readEntrySettings(value: unknown): EntrySettings {
  const entry = membersOf(value);
  const isSet = (key: string): boolean => entry[key] !== undefined && entry[key] !== null;
  const toolLists = [...deniedKeys, ...allowedKeys].filter(isSet);
  const allowLists = allowedKeys
    .filter((key) => isSet(key) && !allowsAllTools(key, entry[key]))
    .map((key) => namesIn(entry[key], key));
  const allowed = allowLists.reduce((before, names) => before?.filter((name) => names?.includes(name)), allowLists[0]);
  const unknownToolKeys = Object.keys(entry).filter(
    (key) => /tool/iu.test(key) && !/timeout/iu.test(key) && !knownKeys.has(key) && isSet(key),
  );
  return {
    isDisabled: disabledKeys.some((key) => isTrue(entry[key])) || enabledKeys.some((key) => isFalse(entry[key])),
    denied: [...new Set(deniedKeys.filter(isSet).flatMap((key) => namesIn(entry[key], key) ?? []))],
    ...(allowed && { allowed: [...new Set(allowed)] }),
    // Codex has a table with a rule for each tool.
    unsupported: [
      ...toolLists.filter((key) => !allowsAllTools(key, entry[key]) && namesIn(entry[key], key) === undefined),
      ...unknownToolKeys,
    ],
  };
}

/**
 * Carries tool lists, approvals, timeouts and the on/off state from `current` over to `entry`. `enables`: the user
 * wants the server enabled.
 */
export function withEntrySettings(entry: Entry, current: unknown, { enables = false } = {}): Entry {
  const isCarriedOver = (key: string): boolean =>
    knownKeys.has(key) && !(enables && (disabledKeys.includes(key) || enabledKeys.includes(key)));
  const carriedOver = Object.entries(membersOf(current)).filter(([key, value]) => isCarriedOver(key) && value !== null);
  return { ...entry, ...Object.fromEntries(carriedOver) };
}

export function restrictsTools({ denied, allowed }: EntrySettings): boolean {
  return denied.length > 0 || allowed !== undefined;
}

/**
 * Turns an app's tool lists into rules of Postern, which hold even if the app drops its own list. They never loosen
 * what the user has set in Postern.
 */
export function withRules(level: PermissionLevel, { denied, allowed }: EntrySettings): PermissionLevel {
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

/** Reverts a rule change from `before` to `after`, except for what the user has set since. */
export function withoutRules(
  level: PermissionLevel,
  { before, after }: { readonly before: PermissionLevel; readonly after: PermissionLevel },
): PermissionLevel {
  const lacks = ({ rules = [] }: PermissionLevel, { tool, rule }: { tool: string; rule: string }): boolean =>
    rules.every((each) => each.tool !== tool || each.rule !== rule);
  const remaining = (level.rules ?? []).filter((each) => lacks(after, each) || !lacks(before, each));
  const restored = (before.rules ?? []).filter(
    (each) => lacks(after, each) && remaining.every(({ tool }) => tool !== each.tool),
  );
  const { preset, ...others } = level;
  const restoredPreset = preset === after.preset ? before.preset : preset;
  return {
    ...others,
    ...(restoredPreset !== undefined && { preset: restoredPreset }),
    rules: [...remaining, ...restored],
  };
}

/** Errors: APP_FILE_LAYOUT if replacing the entry would lose settings. */
export function refuseUnsupported(path: string, name: string, { unsupported = [] }: Partial<EntrySettings> = {}): void {
  if (unsupported.length === 0) return;
  const detail = { file: path, entry: name.slice(0, 80), members: unsupported.map((member) => member.slice(0, 200)) };
  throw new PosternError('APP_FILE_LAYOUT', { stage: 'apps', detail });
}

/** Copilot CLI writes `["*"]` for all tools, Goose an empty list. */
function allowsAllTools(key: string, value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return (key === 'tools' && value.includes('*')) || (key === 'available_tools' && value.length === 0);
}

/** `undefined` for patterns (Amp) and for long lists: each of the two lists gets half of the allowed rules. */
function namesIn(value: unknown, key: string): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > permissionBounds.rules / 2) return undefined;
  const names = value.filter(
    (name): name is string =>
      typeof name === 'string' && name !== '' && name.length <= permissionBounds.tool && !/[*?[\]{}]/u.test(name),
  );
  if (names.length < value.length) return undefined;
  // Gemini CLI allows `run(ls)` for a tool called `run`.
  return key === 'includeTools' ? names.map((name) => name.replace(/(?<=.)\(.*$/su, '')) : names;
}

/** Accepts the usual spellings of a boolean. */
function isTrue(value: unknown): boolean {
  return /^(?:true|1|yes|on)$/iu.test(String(value));
}

function isFalse(value: unknown): boolean {
  return /^(?:false|0|no|off)$/iu.test(String(value));
}
