import { changePermissions, permissionBounds, type ToolPermissions } from '../../../shared/tool-permissions.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { Program } from '../table/program.ts';
import type { Entry } from '../list/entry-list.ts';

/** What the user has decided about a server in an app, beside how it is reached. */
export interface EntryDecisions {
  /** It is switched off there. */
  readonly isOff: boolean;
  /** Tools that the app may not use. */
  readonly denied: readonly string[];
  /** Members about tools that nobody here can read: what they forbid would be lost. */
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
/** What the app does not ask about, and how long it waits. */
const otherKeys = [
  ...['alwaysAllow', 'autoApprove', 'autoAllow', 'trust', 'default_tools_approval_mode', 'required', 'description'],
  ...['timeout', 'initTimeout', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
];
const known: ReadonlySet<string> = new Set([...off, ...on, ...deniedKeys, ...onlyKeys, ...otherKeys]);

export function entryDecisions(value: unknown): EntryDecisions {
  const entry = membersOf(value);
  const given = (key: string): boolean => entry[key] !== undefined && entry[key] !== null;
  const lists = [...deniedKeys, ...onlyKeys].filter(given);
  const strange = Object.keys(entry).filter(
    (key) => /tool/iu.test(key) && !/timeout/iu.test(key) && !known.has(key) && given(key),
  );
  return {
    isOff: off.some((key) => isTrue(entry[key])) || on.some((key) => isFalse(entry[key])),
    denied: [...new Set(deniedKeys.filter(given).flatMap((key) => namesIn(entry[key]) ?? []))],
    // Codex has a table with a rule for each tool.
    unread: [...lists.filter((key) => namesIn(entry[key]) === undefined), ...strange],
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

/** A rule for each tool that the app may not use: it holds also where the app forgets its own list. Errors: CFG_*. */
export async function denyTools(
  store: Pick<IntegrationStore, 'update'>,
  { id }: Pick<Integration, 'id'>,
  { id: program }: Pick<Program, 'id'>,
  { denied = [] }: Partial<EntryDecisions> = {},
): Promise<void> {
  if (denied.length === 0) return;
  await store.update(id, ({ permissions, ...kept }) => {
    const set = denied.reduce<ToolPermissions | undefined>(
      (before, tool) => changePermissions(before, { tool, rule: 'deny', program }),
      permissions,
    );
    return { ...kept, ...(set && { permissions: set }) };
  });
}

/** Errors: PROGRAM_FILE_LAYOUT for an entry with a list of tools that cannot be read, and so not be kept. */
export function refuseUnread(path: string, name: string, { unread = [] }: Partial<EntryDecisions> = {}): void {
  if (unread.length === 0) return;
  const detail = { file: path, entry: name.slice(0, 80), members: unread.join(', ').slice(0, 200) };
  throw new PosternError('PROGRAM_FILE_LAYOUT', { stage: 'programs', detail });
}

function namesIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > permissionBounds.rules) return undefined;
  const names = value.filter(
    (name): name is string => typeof name === 'string' && name !== '' && name.length <= permissionBounds.tool,
  );
  return names.length === value.length ? names : undefined;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function isFalse(value: unknown): boolean {
  return value === false || value === 'false';
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
