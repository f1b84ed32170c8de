import { displayText } from '../../address/display-text.ts';
import type { FileContent } from '../list/entry-list.ts';
import { ListFault } from '../list/list-fault.ts';
import { openList } from '../list/open-list.ts';
import { type OurMarks, ourEntries } from '../entry/our-entries.ts';
import { type EntryFault, faultOf, isServer, readEntry, readPipeWords } from '../entry/read-entry.ts';
import { type ListedServer, listServer } from './list-server.ts';
import { folderOf, pathHere } from '../table/surroundings.ts';
import { listedIn, listProjects } from './read-mcp-json.ts';
import { programs } from '../table/table.ts';

/** An entry of a program that may become an integration. */
export interface Importable {
  /** As it stands there. */
  readonly name: string;
  readonly server: ListedServer;
}

/** An entry that cannot be read: its name in the file, and the member that is not as it should be. */
export interface Unread extends EntryFault {
  readonly name: string;
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
  entries.push(...ofProjects.map((server) => ({ name: server.name, server })));
  return { entries, unread };
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
  const formats = programs.filter(({ format }) => (ending === 'toml' ? /^toml/ : /^yaml/).test(format));
  for (const program of formats) {
    try {
      const content = openList(program).read(text);
      if (content.entries) return await importableEntries(engine, path, content, folder);
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
    }
  }
  return undefined;
}
