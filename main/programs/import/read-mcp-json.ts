import * as z from 'zod';
import { displayText } from '../../address/display-text.ts';
import type { UnreadEntry } from '../../../shared/import-note.ts';
import { parseJsonTree, valueOf } from '../list/json/json-tree.ts';
import { ListFault } from '../list/list-fault.ts';
import { type ListedServer, listServer } from './list-server.ts';
import { faultOf, isServer, readEntry, readPipeWords } from '../entry/read-entry.ts';

const texts = z.record(z.string(), z.unknown());
const address = z.string().optional();
/** What makes a value no entry at all. */
const entrySchema = z.object({ url: address, serverUrl: address, httpUrl: address, uri: address });

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
  const unread = content.entries.flatMap(([name, value]) => unreadEntry(name, value) ?? []);
  const readable = content.entries.filter(([, value]) => faultOf(value) === undefined);
  const all = [...listAll(readable, folder), ...listProjects(projects)];
  const more = Math.max(0, all.length - mostShown) + Math.max(0, unread.length - mostShown);
  return { servers: all.slice(0, mostShown), more, unread: unread.slice(0, mostShown) };
}

/** What of an entry that cannot be read is shown; `undefined`: it can. */
export function unreadEntry(name: string, value: unknown): UnreadEntry | undefined {
  const fault = faultOf(value);
  return fault && describeUnread({ name, ...fault });
}

export function describeUnread({ name, member }: UnreadEntry): UnreadEntry {
  return { name: displayText(name) || 'server', ...(member !== undefined && { member: displayText(member) }) };
}

function listAll(
  entries: readonly (readonly [name: string, value: unknown])[],
  folder: string | undefined,
): readonly ListedServer[] {
  return entries.flatMap(([name, value]) => {
    const entry = entrySchema.safeParse(value).success ? readEntry(value) : undefined;
    return entry && isServer(entry) && !readPipeWords(entry)
      ? [listServer(displayText(name) || 'server', entry, folder)]
      : [];
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
  const list = findList(root);
  const projects = texts.safeParse(root).data?.['projects'];
  if (!list && listProjects(projects).length === 0) return undefined;
  return { rest: [['projects', projects]], entries: Object.entries(list ?? {}) };
}

/** `projects` of Claude Code: by its folder, the list that it has for each, and names of servers that are off there. */
export function listProjects(projects: unknown): readonly ListedServer[] {
  return Object.entries(texts.safeParse(projects).data ?? {}).flatMap(([project, value]) => {
    const settings = texts.safeParse(value).data ?? {};
    const off = z.array(z.unknown()).safeParse(settings['disabledMcpServers']).data ?? [];
    return Object.entries(texts.safeParse(settings['mcpServers']).data ?? {}).flatMap(([name, entry]) => {
      const isOff = off.includes(name) && z.object({}).safeParse(entry).success;
      const given = isOff ? { ...(entry as object), disabled: true } : entry;
      return listAll([[name, given]], project).map((server) => ({ ...server, project }));
    });
  });
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

function findList(root: unknown): Record<string, unknown> | undefined {
  const holder = texts.safeParse(root).data;
  if (!holder) return undefined;
  // VS Code keeps its list in `mcp` of its settings, OpenCode has it there; a bare list of servers is taken too.
  const inner = texts.safeParse(holder['mcp']).data;
  const list = findNamedList(holder) ?? (inner && findNamedList(inner));
  if (list) return list;
  if (inner && Object.values(inner).some(isEntry)) return inner;
  if (Object.keys(holder).length > 0 && Object.values(holder).every(isEntry)) return holder;
  return isEntry(holder) ? { [nameOf(holder)]: holder } : undefined;
}

/** Of an entry that was copied without its name. */
function nameOf(entry: Record<string, unknown>): string {
  const { url } = readEntry(entry);
  const { name } = entry;
  return typeof name === 'string' ? name : (URL.parse(url ?? '')?.hostname ?? 'server');
}

function findNamedList(holder: Record<string, unknown>): Record<string, unknown> | undefined {
  return listNames.map((name) => texts.safeParse(holder[name]).data).find((list) => list !== undefined);
}

function isEntry(value: unknown): boolean {
  return typeof value === 'object' && value !== null && entryFields.some((field) => field in value);
}
