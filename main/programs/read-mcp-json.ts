import * as z from 'zod';
import type { ImportNote } from '../../shared/import-note.ts';
import { displayText } from '../address/display-text.ts';
import { parseJsonTree, valueOf } from './json/json-tree.ts';
import { ListFault } from './list-fault.ts';

/** One server of a pasted list. Nothing of it is ever run. */
export interface ListedServer {
  readonly name: string;
  readonly kind: 'remote' | 'local';
  readonly url?: string;
  /** A fixed header that comes with it. */
  readonly header?: { readonly name: string; readonly value: string };
  readonly notes: readonly ImportNote[];
}

const texts = z.record(z.string(), z.unknown());
const entrySchema = z.object({
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: texts.optional(),
  command: z.string().optional(),
  args: z.array(z.unknown()).optional(),
});

/** Clients disagree on the name of the list: `mcpServers` (most), `servers` (VS Code), `context_servers` (Zed). */
const listNames = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'];
/** One of these makes an entry. */
const entryFields = ['url', 'serverUrl', 'httpUrl', 'command'];
const mostServers = 200;

/**
 * The servers of an `mcp.json`, whichever client it was written for: remote ones with their URL, `npx mcp-remote URL`
 * unwrapped, local commands as such. `undefined`: no such list.
 */
export function readMcpJson(text: string): readonly ListedServer[] | undefined {
  const list = findList(parseLooseJson(text));
  if (!list) return undefined;
  return Object.entries(list)
    .slice(0, mostServers)
    .flatMap(([name, value]) => {
      const entry = entrySchema.safeParse(value);
      return entry.success ? [readEntry(displayText(name) || 'server', entry.data)] : [];
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

function readEntry(name: string, entry: z.infer<typeof entrySchema>): ListedServer {
  const headers = Object.entries(entry.headers ?? {}).map(([header, value]) => ({
    name: header,
    value: typeof value === 'string' || typeof value === 'number' ? String(value) : '',
  }));
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  if (url !== undefined) return describeRemote(name, url, headers, []);
  const words = (entry.args ?? []).filter((word): word is string => typeof word === 'string');
  const wrapped = unwrapRemote([entry.command ?? '', ...words]);
  return wrapped
    ? describeRemote(name, wrapped.url, wrapped.headers, ['unwrapped-mcp-remote'])
    : { name, kind: 'local', notes: ['local-command'] };
}

function describeRemote(
  name: string,
  url: string,
  headers: readonly { readonly name: string; readonly value: string }[],
  notes: readonly ImportNote[],
): ListedServer {
  const [header, ...others] = headers;
  const isToFillIn = header !== undefined && isPlaceholder(header.value);
  return {
    name,
    kind: 'remote',
    url: displayText(url, 2_048),
    ...(header && !isToFillIn && { header }),
    notes: [
      ...notes,
      ...(isToFillIn ? (['header-to-fill-in'] as const) : []),
      ...(others.length > 0 ? (['further-headers'] as const) : []),
      ...(isPlaceholder(url) ? (['url-to-fill-in'] as const) : []),
    ],
  };
}

/** `npx [-y] mcp-remote[@version] URL [--header "Name: value"] …`: a bridge that Postern takes the place of. */
function unwrapRemote(
  words: readonly string[],
): { url: string; headers: readonly { name: string; value: string }[] } | undefined {
  const at = words.findIndex((word) => /^(?:.*[/\\])?mcp-remote(?:@[\w.-]+)?$/u.test(word));
  const url = at < 0 ? undefined : words.slice(at + 1).find((word) => /^https?:\/\//iu.test(word));
  if (url === undefined) return undefined;
  const headers = words.flatMap((word, index) => {
    const end = words[index - 1] === '--header' ? word.indexOf(':') : -1;
    return end > 0 ? [{ name: word.slice(0, end), value: word.slice(end + 1).trimStart() }] : [];
  });
  return { url, headers };
}

/** `${input:key}`, `${KEY}`, `<your key>`: for a person to fill in. Looks for both ends apart: a paste may be long. */
function isPlaceholder(text: string): boolean {
  const [variable, angle] = [text.indexOf('${'), text.indexOf('<')];
  if (variable >= 0 && text.lastIndexOf('}') > variable) return true;
  if (angle >= 0 && text.lastIndexOf('>') > angle + 1) return true;
  return /YOUR[_-]/iu.test(text);
}

function findList(root: unknown): Record<string, unknown> | undefined {
  const holder = texts.safeParse(root).data;
  if (!holder) return undefined;
  // VS Code keeps its list in `mcp` of its settings; a bare list of servers is taken too.
  const inner = texts.safeParse(holder['mcp']).data;
  return findNamedList(holder) ?? (inner && findNamedList(inner)) ?? [inner, holder].find(isBareList);
}

function findNamedList(holder: Record<string, unknown>): Record<string, unknown> | undefined {
  return listNames.map((name) => texts.safeParse(holder[name]).data).find((list) => list !== undefined);
}

function isBareList(list: Record<string, unknown> | undefined): boolean {
  const values = Object.values(list ?? {});
  return (
    values.length > 0 &&
    values.every((value) => typeof value === 'object' && value !== null && entryFields.some((field) => field in value))
  );
}
