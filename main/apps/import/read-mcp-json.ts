import type { UnreadEntry } from '../../../shared/list-calls.ts';
import { displayText } from '../../address/display-text.ts';
import { faultOf, isServer, readEntry, readPipeWords } from '../entry/read-entry.ts';
import type { EntryFault } from '../entry/read-entry.ts';
import { ListFault } from '../list/entry-list.ts';
import { parseJsonTree, valueOf } from '../list/json-list.ts';
import { listServer } from './list-server.ts';
import type { ListedServer } from './list-server.ts';

/** An entry that cannot be read: its name in the file, and the member that is not as it should be. */
export interface Unread extends EntryFault {
  readonly name: string;
  /** Folder of the project that it is for, in a list of the user. */
  readonly project?: string;
}

/** Clients disagree on the name of the list: `mcpServers` (most), `servers` (VS Code), `context_servers` (Zed). */
const listNames = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'];
/** One of these makes an entry. */
const entryFields = ['url', 'serverUrl', 'httpUrl', 'uri', 'command', 'cmd'];
/** That are shown at once. */
const mostShown = 200;

/**
 * The servers of an `mcp.json`, whichever client it was written for: remote ones with their URL, `npx mcp-remote URL`
 * unwrapped, local commands as such. `folder`: that the list is of. What starts a pipe of Postern leads back here, and is none. `undefined`: no such list.
 */
export function readMcpJson(text: string, folder?: string): readonly ListedServer[] | undefined {
  return readMcpList(text, folder)?.servers;
}

interface McpList {
  readonly servers: readonly ListedServer[];
  /** How many were left out, since a list that is shown has a limit. */
  readonly more: number;
  /** Entries that cannot be read, as many as are shown. */
  readonly unread: readonly UnreadEntry[];
}

/** The same, with what is not among them. */
export function readMcpList(text: string, folder?: string): McpList | undefined {
  const content = listedIn(text);
  if (!content) return undefined;
  const [[, projects] = []] = content.rest;
  const ofProjects = listProjects(projects);
  const unread = [
    ...content.entries.flatMap(([name, value]) => unreadEntry(name, value) ?? []),
    ...ofProjects.unread.map(describeUnread),
  ];
  const readable = content.entries.filter(([, value]) => faultOf(value) === undefined);
  const all = [...listAll(readable, folder), ...ofProjects.servers];
  const more = Math.max(0, all.length - mostShown) + Math.max(0, unread.length - mostShown);
  return { servers: all.slice(0, mostShown), more, unread: unread.slice(0, mostShown) };
}

/** What of an entry that cannot be read is shown; `undefined`: it can. */
export function unreadEntry(name: string, value: unknown): UnreadEntry | undefined {
  const fault = faultOf(value);
  return fault && describeUnread({ name, ...fault });
}

export function describeUnread({ name, member }: Unread): UnreadEntry {
  return { name: displayText(name) || 'server', ...(member !== undefined && { member: displayText(member) }) };
}

function listAll(
  entries: readonly (readonly [name: string, value: unknown])[],
  folder: string | undefined,
): readonly ListedServer[] {
  return entries.flatMap(([name, value]) => {
    const entry = readEntry(value);
    return isServer(entry) && !readPipeWords(entry) ? [listServer(displayText(name) || 'server', entry, folder)] : [];
  });
}

interface ListedIn {
  /** `projects` of Claude Code. */
  readonly rest: readonly (readonly [name: 'projects', value: unknown])[];
  readonly entries: readonly (readonly [name: string, value: unknown])[];
}

/** The entries of such a list as they are written. `undefined`: no such list. */
export function listedIn(text: string): ListedIn | undefined {
  const root = parseLooseJson(text);
  const entries = findEntries(root);
  const projects = tableOf(root)?.['projects'];
  const { servers, unread } = listProjects(projects);
  if (!entries && servers.length === 0 && unread.length === 0) return undefined;
  return { rest: [['projects', projects]], entries: entries ?? [] };
}

/** `projects` of Claude Code: by its folder, the list that it has for each, and names of servers that are off there. */
export function listProjects(projects: unknown): {
  readonly servers: readonly ListedServer[];
  readonly unread: readonly Unread[];
} {
  const servers: ListedServer[] = [];
  const unread: Unread[] = [];
  for (const [project, value] of Object.entries(tableOf(projects) ?? {})) {
    const { disabledMcpServers: off, mcpServers } = tableOf(value) ?? {};
    for (const [name, entry] of Object.entries(tableOf(mcpServers) ?? {})) {
      const fault = faultOf(entry);
      const isOff = Array.isArray(off) && off.includes(name);
      const given = isOff ? { ...tableOf(entry), disabled: true } : entry;
      if (fault) unread.push({ name, project, ...fault });
      else servers.push(...listAll([[name, given]], project).map((server) => ({ ...server, project })));
    }
  }
  return { servers, unread };
}

/**
 * JSON as people keep it in settings: with comments and trailing commas. By the tree, since its objects have no
 * prototype that a key `__proto__` could set. `undefined`: not even that.
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

/** Of every list in the file: one client passes over the list of another. */
function findEntries(root: unknown): ListedIn['entries'] | undefined {
  const holder = tableOf(root);
  if (!holder) return undefined;
  // VS Code keeps its list in `mcp` of its settings, OpenCode has it there; a bare list of servers is taken too.
  const inner = tableOf(holder['mcp']) ?? {};
  const bare = Object.entries(inner).filter(([name]) => !listNames.includes(name));
  const lists = [holder, inner].flatMap(namedLists);
  if (bare.some(([, value]) => isEntry(value))) lists.push(bare);
  if (lists.length > 0) return lists.flat();
  const all = Object.entries(holder);
  if (all.length > 0 && all.every(([, value]) => isEntry(value))) return all;
  return isEntry(holder) ? [[nameOf(holder), holder]] : undefined;
}

/** Of an entry that was copied without its name. */
function nameOf(entry: Record<string, unknown>): string {
  const { url } = readEntry(entry);
  const { name } = entry;
  return typeof name === 'string' ? name : (URL.parse(url ?? '')?.hostname ?? 'server');
}

function namedLists(holder: Record<string, unknown>): ListedIn['entries'][] {
  return listNames.flatMap((name) => {
    const list = tableOf(holder[name]);
    return list ? [Object.entries(list)] : [];
  });
}

/** With every name that stands there, `__proto__` too. */
function tableOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function isEntry(value: unknown): boolean {
  return typeof value === 'object' && value !== null && entryFields.some((field) => field in value);
}
