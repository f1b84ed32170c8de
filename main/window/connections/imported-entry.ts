import { randomUUID } from 'node:crypto';
import type { ImportNote } from '../../../shared/import-notes.ts';
import { displayText } from '../../address/display-text.ts';
import { fixedHeaders } from '../../apps/import/importable.ts';
import type { ListedServer } from '../../apps/import/list-server.ts';
import type { ListedCommand } from '../../apps/import/listed-command.ts';
import type { Program } from '../../apps/table/program.ts';
import type { KeyHeader } from './connections.ts';

/** What of an entry of a list stays in main, until it is connected or taken over. */
export interface ImportedEntry {
  readonly name: string;
  /** Whole, with the keys in it. */
  readonly url?: string;
  readonly header?: KeyHeader;
  /** Of a local one, with the values of its variables. */
  readonly command?: ListedCommand;
  /** Where it stands; absent: it was pasted. */
  readonly place?: EntryPlace;
}

interface EntryPlace {
  readonly program: Program;
  /** As it is written there. */
  readonly name: string;
  /** All of it, of which the window was shown no value. */
  readonly server: ListedServer;
}

/** Keeps an entry, and answers what a window may know of it. */
export function keepEntry(
  imports: Map<string, ImportedEntry>,
  { name, url, headers, command, notes }: ListedServer,
  place?: EntryPlace,
): { readonly id: string; readonly headerNames?: string[]; readonly notes: ImportNote[] } {
  const id = randomUUID();
  const { first, further, leftOut } = fixedHeaders(headers);
  const key = first && url !== undefined && { ...first, further, url };
  imports.set(id, {
    name,
    ...(url !== undefined && { url }),
    ...(key && { header: key }),
    ...(command && { command }),
    ...(place && { place }),
  });
  return {
    id,
    ...(first && { headerNames: [first, ...further].map((header) => displayText(header.name)) }),
    notes: [...notes, ...(leftOut.length > 0 ? (['header-unusable'] as const) : [])],
  };
}
