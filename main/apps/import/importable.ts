import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import { maxFurtherHeaders } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { Secret } from '../../secret.ts';
import { ourEntries } from '../entry/our-entries.ts';
import type { OurEntryContext } from '../entry/our-entries.ts';
import { faultOf, isServer, readEntry, readPipeArguments } from '../entry/read-entry.ts';
import type { EntryHeader } from '../entry/read-entry.ts';
import { openList } from '../list/edit-file.ts';
import { ListFault } from '../list/entry-list.ts';
import type { FileContent } from '../list/entry-list.ts';
import { folderOf, expandPath } from '../table/app.ts';
import { apps } from '../table/apps.ts';
import { toListedServer } from './listed-server.ts';
import type { ListedServer } from './listed-server.ts';
import { readListedEntries, readProjects } from './read-mcp-json.ts';
import type { UnreadableEntry } from './read-mcp-json.ts';

/** An entry of an app that can become an integration. */
export interface Importable {
  /** As in the file. */
  readonly name: string;
  readonly server: ListedServer;
  /** The app setting that excludes it. */
  readonly excludedBy?: string;
}

export interface ImportableList {
  readonly entries: readonly Importable[];
  readonly unreadable: readonly UnreadableEntry[];
}

/** The entries of the file at `path`, without our own, at whichever port. Errors: CFG_*. */
export async function importableEntries(
  engine: OurEntryContext,
  path: string,
  content: FileContent,
  folder?: string,
): Promise<ImportableList> {
  const ours = await ourEntries(engine, path, content);
  const entries: Importable[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (const [name, value] of content.entries ?? []) {
    const entry = readEntry(value);
    if (readPipeArguments(entry) ?? ours.some((each) => each.name === name)) continue;
    const fault = faultOf(value);
    if (fault) unreadable.push({ name, ...fault });
    else if (isServer(entry))
      entries.push({ name, server: toListedServer(displayText(name) || 'server', entry, folder) });
  }
  const rest = Array.isArray(content.rest) ? (content.rest as readonly (readonly [string, unknown])[]) : [];
  const projectEntries = readProjects(rest.find(([name]) => name === 'projects')?.[1]);
  entries.push(...projectEntries.servers.map((server) => ({ name: server.name, server })));
  return { entries, unreadable: [...unreadable, ...projectEntries.unreadable] };
}

/** The project folder of a list; `undefined` if it is a user list, or the project is unknown. */
function projectFolderOf({ host }: Pick<OurEntryContext, 'host'>, path: string): string | undefined {
  const isUserList = apps.some(({ files }) =>
    files[host.system].some((place) => expandPath(place.path, host) === path),
  );
  if (path === '' || isUserList) return undefined;
  const names = apps.flatMap(({ projectFiles = [] }) => projectFiles).filter((name) => name.includes('/'));
  const slashed = path.replaceAll('\\', '/');
  const own = names.find((name) => slashed.endsWith(`/${name}`));
  return own === undefined ? folderOf(path) : path.slice(0, path.length - own.length - 1);
}

/**
 * The same for a file of any app; the format follows from its extension and content. `undefined` if it has no list.
 * Errors: CFG_*.
 */
export async function importableFile(
  engine: OurEntryContext,
  path: string,
  text: string,
): Promise<ImportableList | undefined> {
  const folder = projectFolderOf(engine, path);
  const extension = /\.(toml|ya?ml)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) {
    const content = readListedEntries(text);
    return content && (await importableEntries(engine, path, content, folder));
  }
  const lists: ImportableList[] = [];
  for (const app of apps.filter(({ format }) => (extension === 'toml' ? /^toml/ : /^yaml/).test(format)))
    try {
      const content = openList(app).read(text);
      if (content.entries) lists.push(await importableEntries(engine, path, content, folder));
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
    }
  if (lists.length === 0) return undefined;
  return {
    entries: lists.flatMap(({ entries }) => entries),
    unreadable: lists.flatMap(({ unreadable }) => unreadable),
  };
}

/** Headers of an entry that can be sent to the server. */
interface FixedHeaders {
  readonly first: FixedHeader | undefined;
  readonly further: readonly FixedHeader[];
  /** Names of dropped headers: reserved by HTTP or MCP, with an invalid value, or beyond the limit. */
  readonly leftOut: readonly string[];
}

interface FixedHeader {
  readonly name: string;
  readonly value: Secret;
}

export function fixedHeaders(headers: readonly EntryHeader[] = []): FixedHeaders {
  const usable = headers
    .filter(({ name, value }) => isKeyHeaderName(name) && isKeyHeaderValue(value))
    .slice(0, maxFurtherHeaders + 1);
  const [first, ...further] = usable.map(({ name, value }) => ({ name, value: new Secret(value) }));
  return { first, further, leftOut: headers.filter((header) => !usable.includes(header)).map(({ name }) => name) };
}

export function sentHeaders(headers?: readonly EntryHeader[]): readonly FixedHeader[] {
  const { first, further } = fixedHeaders(headers);
  return first ? [first, ...further] : [];
}
