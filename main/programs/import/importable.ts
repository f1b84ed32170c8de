import { displayText } from '../../address/display-text.ts';
import type { FileContent } from '../list/entry-list.ts';
import { ListFault } from '../list/list-fault.ts';
import { openList } from '../list/open-list.ts';
import { type OurMarks, ourEntries } from '../entry/our-entries.ts';
import { isServer, readEntry, readPipeWords } from '../entry/read-entry.ts';
import { type ListedServer, listServer } from './list-server.ts';
import { readMcpJson } from './read-mcp-json.ts';
import { programs } from '../table/table.ts';

/** An entry of a program that may become an integration. */
export interface Importable {
  /** As it stands there. */
  readonly name: string;
  readonly server: ListedServer;
}

/** What stands in the file at `path`; entries of Postern, at whichever port, are none. Errors: CFG_*. */
export async function importableEntries(
  engine: OurMarks,
  path: string,
  content: FileContent,
): Promise<readonly Importable[]> {
  const ours = await ourEntries(engine, path, content);
  return (content.entries ?? []).flatMap(([name, value]) => {
    const entry = readEntry(value);
    if (readPipeWords(entry) ?? ours.some((each) => each.name === name)) return [];
    return isServer(entry) ? [{ name, server: listServer(displayText(name) || 'server', entry) }] : [];
  });
}

/**
 * The same of a file of any program, which its ending and what stands in it tell. `undefined`: it has no list. Errors:
 * CFG_*.
 */
export async function importableFile(
  engine: OurMarks,
  path: string,
  text: string,
): Promise<readonly Importable[] | undefined> {
  const ending = /\.(toml|ya?ml)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) {
    const servers = readMcpJson(text);
    const entries = servers?.map(({ name, url, headers = [] }) => {
      const values = Object.fromEntries(headers.map((header) => [header.name, header.value]));
      return [name, { url, headers: values }] as const;
    });
    const ours = await ourEntries(engine, path, { rest: undefined, entries });
    const others = servers?.filter(({ name }) => !ours.some((each) => each.name === name));
    return others?.map((server) => ({ name: server.name, server }));
  }
  const formats = programs.filter(({ format }) => (ending === 'toml' ? /^toml/ : /^yaml/).test(format));
  for (const program of formats) {
    try {
      const content = openList(program).read(text);
      if (content.entries) return await importableEntries(engine, path, content);
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
    }
  }
  return undefined;
}
