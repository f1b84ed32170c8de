import { displayText } from '../../address/display-text.ts';
import type { FileContent } from '../list/entry-list.ts';
import { ListFault } from '../list/list-fault.ts';
import { openList } from '../list/open-list.ts';
import { isServer, readEntry, readGatewayAddress, readPipeWords } from '../entry/read-entry.ts';
import { type ListedServer, listServer } from './list-server.ts';
import { readMcpJson } from './read-mcp-json.ts';
import { programs } from '../table/table.ts';

/** An entry of a program that may become an integration. */
export interface Importable {
  /** As it stands there. */
  readonly name: string;
  readonly server: ListedServer;
}

/** What stands in a program's file; entries of Postern are none. */
export function importableEntries({ entries = [] }: FileContent, gatewayUrl?: string): readonly Importable[] {
  return entries.flatMap(([name, value]) => {
    const entry = readEntry(value);
    if (readPipeWords(entry) ?? readGatewayAddress(entry, gatewayUrl)) return [];
    return isServer(entry) ? [{ name, server: listServer(displayText(name) || 'server', entry) }] : [];
  });
}

/** The same of a file of any program, which its ending and what stands in it tell. `undefined`: it has no list. */
export function importableFile(path: string, text: string): readonly Importable[] | undefined {
  const ending = /\.(toml|ya?ml)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) return readMcpJson(text)?.map((server) => ({ name: server.name, server }));
  const formats = programs.filter(({ format }) => (ending === 'toml' ? /^toml/ : /^yaml/).test(format));
  for (const program of formats) {
    try {
      const content = openList(program).read(text);
      if (content.entries) return importableEntries(content);
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
    }
  }
  return undefined;
}
