import * as z from 'zod';
import { displayText } from '../../address/display-text.ts';
import { parseJsonTree, valueOf } from '../list/json/json-tree.ts';
import { ListFault } from '../list/list-fault.ts';
import { type ListedServer, listServer } from './list-server.ts';
import { isServer, readEntry, readPipeWords } from '../entry/read-entry.ts';

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
 * unwrapped, local commands as such. What starts a pipe of Postern leads back here, and is none. `undefined`: no such list.
 */
export function readMcpJson(text: string): readonly ListedServer[] | undefined {
  return listedIn(text)
    ?.slice(0, mostShown)
    .flatMap(([name, value]) => {
      const entry = entrySchema.safeParse(value).success ? readEntry(value) : undefined;
      return entry && isServer(entry) && !readPipeWords(entry)
        ? [listServer(displayText(name) || 'server', entry)]
        : [];
    });
}

/** The entries of such a list as they are written. `undefined`: no such list. */
export function listedIn(text: string): readonly (readonly [name: string, value: unknown])[] | undefined {
  const list = findList(parseLooseJson(text));
  return list && Object.entries(list);
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
