import * as z from 'zod';
import { displayText } from '../address/display-text.ts';

/** One server of a pasted list. Nothing of it is ever run. */
export interface ListedServer {
  readonly name: string;
  readonly kind: 'remote' | 'local';
  readonly url?: string;
  /** A fixed header that comes with it. */
  readonly header?: { readonly name: string; readonly value: string };
  readonly notes: readonly string[];
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
const mostServers = 200;
/** `${input:key}`, `${KEY}`, `<your key>`: for a person to fill in. */
const placeholder = /\$\{[^}]*\}|<[^>]+>|YOUR[_-]/iu;

/**
 * The servers of an `mcp.json`, whichever client it was written for: remote ones with their URL, `npx mcp-remote URL`
 * unwrapped, local commands as such. `undefined`: no such list.
 */
export function readMcpJson(text: string): readonly ListedServer[] | undefined {
  const list = findList(parse(text));
  if (!list) return undefined;
  return Object.entries(list)
    .slice(0, mostServers)
    .flatMap(([name, value]) => {
      const entry = entrySchema.safeParse(value);
      return entry.success ? [readEntry(displayText(name) || 'server', entry.data)] : [];
    });
}

function readEntry(name: string, entry: z.infer<typeof entrySchema>): ListedServer {
  const headers = Object.entries(entry.headers ?? {}).map(([header, value]) => ({
    name: header,
    value: String(value),
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
  notes: readonly string[],
): ListedServer {
  const [header, ...others] = headers;
  const isPlaceholder = header !== undefined && placeholder.test(header.value);
  return {
    name,
    kind: 'remote',
    url: displayText(url, 2_048),
    ...(header && !isPlaceholder && { header }),
    notes: [
      ...notes,
      ...(isPlaceholder ? ['header-to-fill-in'] : []),
      ...(others.length > 0 ? ['further-headers'] : []),
      ...(placeholder.test(url) ? ['url-to-fill-in'] : []),
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
    const [, name, value] = (words[index - 1] === '--header' && /^([^:\s]+):\s*(.*)$/u.exec(word)) || [];
    return name !== undefined && value !== undefined ? [{ name, value }] : [];
  });
  return { url, headers };
}

function findList(root: unknown): Record<string, unknown> | undefined {
  const holder = texts.safeParse(root);
  if (!holder.success) return undefined;
  for (const name of listNames) {
    const list = texts.safeParse(holder.data[name]);
    if (list.success) return list.data;
  }
  // VS Code keeps its list in `mcp` of its settings; a bare list of servers is taken too.
  if (holder.data['mcp'] !== undefined) return findList(holder.data['mcp']);
  const values = Object.values(holder.data);
  const isBare =
    values.length > 0 &&
    values.every((value) => /"(?:url|serverUrl|httpUrl|command)":/u.test(JSON.stringify(value) ?? ''));
  return isBare ? holder.data : undefined;
}

/** Such files are edited by hand: comments and trailing commas are forgiven. */
function parse(text: string): unknown {
  for (const candidate of [text, withoutComments(text)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      continue;
    }
  }
  return undefined;
}

function withoutComments(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (_match, quoted?: string) => quoted ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/gu, (_match, quoted?: string) => quoted ?? '');
}
