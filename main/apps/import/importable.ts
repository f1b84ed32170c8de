import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import { mostFurtherHeaders } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { Secret } from '../../secret.ts';
import { ourEntries } from '../entry/our-entries.ts';
import type { OurMarks } from '../entry/our-entries.ts';
import { faultOf, isServer, readEntry, readPipeWords } from '../entry/read-entry.ts';
import type { EntryHeader } from '../entry/read-entry.ts';
import { openList } from '../list/edit-file.ts';
import { ListFault } from '../list/entry-list.ts';
import type { FileContent } from '../list/entry-list.ts';
import { folderOf, pathHere } from '../table/program.ts';
import { programs } from '../table/table.ts';
import { listServer } from './list-server.ts';
import type { ListedServer } from './list-server.ts';
import { listedIn, listProjects } from './read-mcp-json.ts';
import type { Unread } from './read-mcp-json.ts';

/** An entry of a program that may become an integration. */
export interface Importable {
  /** As it stands there. */
  readonly name: string;
  readonly server: ListedServer;
  /** The setting of its app that leaves it out. */
  readonly keptOut?: string;
}

export interface ImportableList {
  readonly entries: readonly Importable[];
  readonly unread: readonly Unread[];
}

/** What the file at `path` lists; entries of Postern, at whichever port, are left out. Errors: CFG_*. */
export async function importableEntries(
  engine: OurMarks,
  path: string,
  content: FileContent,
  folder?: string,
): Promise<ImportableList> {
  const ours = await ourEntries(engine, path, content);
  const entries: Importable[] = [];
  const unread: Unread[] = [];
  for (const [name, value] of content.entries ?? []) {
    const entry = readEntry(value);
    if (readPipeWords(entry) ?? ours.some((each) => each.name === name)) continue;
    const fault = faultOf(value);
    if (fault) unread.push({ name, ...fault });
    else if (isServer(entry)) entries.push({ name, server: listServer(displayText(name) || 'server', entry, folder) });
  }
  const rest = Array.isArray(content.rest) ? (content.rest as readonly (readonly [string, unknown])[]) : [];
  const ofProjects = listProjects(rest.find(([name]) => name === 'projects')?.[1]);
  entries.push(...ofProjects.servers.map((server) => ({ name: server.name, server })));
  return { entries, unread: [...unread, ...ofProjects.unread] };
}

/** The folder that a list is of; `undefined`: it is the user's own, or nobody knows. */
function projectOf({ surroundings }: Pick<OurMarks, 'surroundings'>, path: string): string | undefined {
  const isOfUser = programs.some(({ files }) =>
    files[surroundings.system].some((place) => pathHere(place.path, surroundings) === path),
  );
  if (path === '' || isOfUser) return undefined;
  const names = programs.flatMap(({ projectFiles = [] }) => projectFiles).filter((name) => name.includes('/'));
  const slashed = path.replaceAll('\\', '/');
  const own = names.find((name) => slashed.endsWith(`/${name}`));
  return own === undefined ? folderOf(path) : path.slice(0, path.length - own.length - 1);
}

/**
 * The same of a file of any program, which its ending and what stands in it tell. `undefined`: it has no list. Errors:
 * CFG_*.
 */
export async function importableFile(
  engine: OurMarks,
  path: string,
  text: string,
): Promise<ImportableList | undefined> {
  const folder = projectOf(engine, path);
  const ending = /\.(toml|ya?ml)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) {
    const content = listedIn(text);
    return content && (await importableEntries(engine, path, content, folder));
  }
  const lists: ImportableList[] = [];
  for (const program of programs.filter(({ format }) => (ending === 'toml' ? /^toml/ : /^yaml/).test(format)))
    try {
      const content = openList(program).read(text);
      if (content.entries) lists.push(await importableEntries(engine, path, content, folder));
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
    }
  if (lists.length === 0) return undefined;
  return { entries: lists.flatMap(({ entries }) => entries), unread: lists.flatMap(({ unread }) => unread) };
}

/** Headers of an entry as a server can be sent them. */
interface FixedHeaders {
  /** The first that can be sent. */
  readonly first: FixedHeader | undefined;
  readonly further: readonly FixedHeader[];
  /** Names of those that are left out: HTTP or MCP needs the field, or its value cannot be sent. */
  readonly leftOut: readonly string[];
}

interface FixedHeader {
  readonly name: string;
  readonly value: Secret;
}

export function fixedHeaders(headers: readonly EntryHeader[] = []): FixedHeaders {
  const usable = headers
    .filter(({ name, value }) => isKeyHeaderName(name) && isKeyHeaderValue(value))
    .slice(0, mostFurtherHeaders + 1);
  const [first, ...further] = usable.map(({ name, value }) => ({ name, value: new Secret(value) }));
  return { first, further, leftOut: headers.filter((header) => !usable.includes(header)).map(({ name }) => name) };
}

/** Those of an entry that a server can be sent. */
export function sentHeaders(headers?: readonly EntryHeader[]): readonly FixedHeader[] {
  const { first, further } = fixedHeaders(headers);
  return first ? [first, ...further] : [];
}
