import { isObject } from '../../../shared/json-object.ts';
import type { UnreadableEntryView } from '../../../shared/list-calls.ts';
import { displayText } from '../../address/display-text.ts';
import { faultOf, isServer, readEntry, readPipeArguments } from '../entry/read-entry.ts';
import type { EntryFault } from '../entry/read-entry.ts';
import { ListFault } from '../list/entry-list.ts';
import { parseJsonTree, valueOf } from '../list/json-list.ts';
import { toListedServer } from './listed-server.ts';
import type { ListedServer } from './listed-server.ts';

/** An entry that cannot be read: its name in the file, and the invalid member. */
export interface UnreadableEntry extends EntryFault {
  readonly name: string;
  /** Project folder, if a user list scopes the entry to a project. */
  readonly project?: string;
}

/** Clients disagree on the name of the list: `mcpServers` (most), `servers` (VS Code), `context_servers` (Zed). */
const listNames = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'];
/** An object with one of these is an entry. */
const entryFields = ['url', 'serverUrl', 'httpUrl', 'uri', 'command', 'cmd'];
/** Entries shown at once. */
const maxShown = 200;

interface McpList {
  readonly servers: readonly ListedServer[];
  /** Number of entries beyond the limit. */
  readonly more: number;
  /** Entries that cannot be read, up to the limit. */
  readonly unreadable: readonly UnreadableEntryView[];
}

/**
 * The servers of an `mcp.json` for any client, with `npx mcp-remote URL` unwrapped. Our own pipe entries are skipped:
 * they lead back to us. `undefined` if there is no list.
 */
export function readMcpList(text: string): McpList | undefined {
  const content = readListedEntries(text);
  if (!content) return undefined;
  const [[, projects] = []] = content.rest;
  const projectServers = readProjects(projects);
  const unreadable = [
    ...content.entries.flatMap(([name, value]) => unreadableEntry(name, value) ?? []),
    ...projectServers.unreadable.map(describeUnreadable),
  ];
  const readable = content.entries.filter(([, value]) => faultOf(value) === undefined);
  const all = [...toListedServers(readable), ...projectServers.servers];
  const more = Math.max(0, all.length - maxShown) + Math.max(0, unreadable.length - maxShown);
  return { servers: all.slice(0, maxShown), more, unreadable: unreadable.slice(0, maxShown) };
}

/** `undefined` if the entry can be read. */
function unreadableEntry(name: string, value: unknown): UnreadableEntryView | undefined {
  const fault = faultOf(value);
  return fault && describeUnreadable({ name, ...fault });
}

export function describeUnreadable({ name, member }: UnreadableEntry): UnreadableEntryView {
  return { name: displayText(name) || 'server', ...(member !== undefined && { member: displayText(member) }) };
}

function toListedServers(
  entries: readonly (readonly [name: string, value: unknown])[],
  folder?: string,
): readonly ListedServer[] {
  return entries.flatMap(([name, value]) => {
    const entry = readEntry(value);
    return isServer(entry) && !readPipeArguments(entry)
      ? [toListedServer(displayText(name) || 'server', entry, folder)]
      : [];
  });
}

interface ListedEntries {
  /** Claude Code's `projects`. */
  readonly rest: readonly (readonly [name: 'projects', value: unknown])[];
  readonly entries: readonly (readonly [name: string, value: unknown])[];
}

/** The entries as written; `undefined` if there is no list. */
export function readListedEntries(text: string): ListedEntries | undefined {
  const root = parseLooseJson(text);
  const entries = findEntries(root);
  const projects = tableOf(root)?.['projects'];
  const { servers, unreadable } = readProjects(projects);
  if (!entries && servers.length === 0 && unreadable.length === 0) return undefined;
  return { rest: [['projects', projects]], entries: entries ?? [] };
}

/** Claude Code's `projects`: a server list per project folder, and the names of disabled servers. */
export function readProjects(projects: unknown): {
  readonly servers: readonly ListedServer[];
  readonly unreadable: readonly UnreadableEntry[];
} {
  const servers: ListedServer[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (const [project, value] of Object.entries(tableOf(projects) ?? {})) {
    const { disabledMcpServers: disabledNames, mcpServers } = tableOf(value) ?? {};
    for (const [name, entry] of Object.entries(tableOf(mcpServers) ?? {})) {
      const fault = faultOf(entry);
      const isDisabled = Array.isArray(disabledNames) && disabledNames.includes(name);
      const effective = isDisabled ? { ...tableOf(entry), disabled: true } : entry;
      if (fault) unreadable.push({ name, project, ...fault });
      else servers.push(...toListedServers([[name, effective]], project).map((server) => ({ ...server, project })));
    }
  }
  return { servers, unreadable };
}

/**
 * JSON with comments and trailing commas. Read from the tree, since its objects have no prototype that a `__proto__`
 * key could set. `undefined` if invalid.
 */
function parseLooseJson(text: string): unknown {
  try {
    const tree = parseJsonTree(text, { comments: true, trailingCommas: true });
    return tree && valueOf(tree);
  } catch (error) {
    if (error instanceof ListFault) return undefined;
    throw error;
  }
}

/** From every list in the file: each client ignores the lists of others. */
function findEntries(root: unknown): ListedEntries['entries'] | undefined {
  const holder = tableOf(root);
  if (!holder) return undefined;
  // VS Code settings and OpenCode nest the list in `mcp`. A bare list of servers is accepted too.
  const inner = tableOf(holder['mcp']) ?? {};
  const bare = Object.entries(inner).filter(([name]) => !listNames.includes(name));
  const lists = [holder, inner].flatMap(namedLists);
  if (bare.some(([, value]) => isEntry(value))) lists.push(bare);
  if (lists.length > 0) return lists.flat();
  const all = Object.entries(holder);
  if (all.length > 0 && all.every(([, value]) => isEntry(value))) return all;
  return isEntry(holder) ? [[nameOf(holder), holder]] : undefined;
}

/** The name of an entry that was copied without one. */
function nameOf(entry: Record<string, unknown>): string {
  const { url } = readEntry(entry);
  const { name } = entry;
  return typeof name === 'string' ? name : (URL.parse(url ?? '')?.hostname ?? 'server');
}

function namedLists(holder: Record<string, unknown>): ListedEntries['entries'][] {
  return listNames.flatMap((name) => {
    const list = tableOf(holder[name]);
    return list ? [Object.entries(list)] : [];
  });
}

/** A copy with every key, `__proto__` included. */
function tableOf(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? { ...value } : undefined;
}

function isEntry(value: unknown): boolean {
  return typeof value === 'object' && value !== null && entryFields.some((field) => field in value);
}
