import { randomUUID } from 'node:crypto';
import { isKeyHeaderName, isKeyHeaderValue } from '../../shared/header-name.ts';
import type { ImportNote } from '../../shared/import-note.ts';
import type { Program } from '../programs/program.ts';
import type { ListedServer } from '../programs/read-mcp-json.ts';
import { Secret } from '../secret.ts';
import type { KeyHeader } from './connections/key-header.ts';

/** What of an entry of a list stays in main, until it is connected or taken over. */
export interface ImportedEntry {
  readonly name: string;
  readonly header?: KeyHeader;
  /** Where it stands; absent: it was pasted. */
  readonly place?: EntryPlace;
}

export interface EntryPlace {
  readonly program: Program;
  /** As it is written there. */
  readonly name: string;
  /** The whole address, of which the window was shown no query. */
  readonly url: string;
}

/** Keeps an entry, and answers what a window may know of it. */
export function keepEntry(
  imports: Map<string, ImportedEntry>,
  { name, url, header, notes }: ListedServer,
  place?: EntryPlace,
): { readonly id: string; readonly headerName?: string; readonly notes: ImportNote[] } {
  const id = randomUUID();
  const usable = header && isKeyHeaderName(header.name) && isKeyHeaderValue(header.value) ? header : undefined;
  const key = usable && url !== undefined && { name: usable.name, value: new Secret(usable.value), url };
  imports.set(id, { name, ...(key && { header: key }), ...(place && { place }) });
  return {
    id,
    ...(usable && { headerName: usable.name }),
    notes: [...notes, ...(header && !usable ? (['header-unusable'] as const) : [])],
  };
}
