import { randomUUID } from 'node:crypto';
import type { ImportNote } from '../../../shared/pasted/read-pasted.ts';
import { displayText } from '../../address/display-text.ts';
import { fixedHeaders } from '../../apps/import/importable.ts';
import type { ListedServer } from '../../apps/import/list-server.ts';
import type { Program } from '../../apps/table/program.ts';
import type { KeyHeader } from './connections.ts';

/** What of an entry of a list stays in main, until it is connected or taken over. */
export interface ImportedEntry {
  /** All of it, of which the window was shown no value. */
  readonly server: ListedServer;
  readonly header?: KeyHeader;
  /** Where it is listed, and as what; absent: it was pasted. */
  readonly place?: { readonly program: Program; readonly name: string };
}

/** Keeps an entry, and answers what a window may know of it. */
export function keepEntry(
  imports: Map<string, ImportedEntry>,
  server: ListedServer,
  place?: ImportedEntry['place'],
): { readonly id: string; readonly headerNames?: string[]; readonly notes: ImportNote[] } {
  const { url, headers, notes } = server;
  const id = randomUUID();
  const { first, further, leftOut } = fixedHeaders(headers);
  const key = first && url !== undefined && { ...first, further, url };
  imports.set(id, { server, ...(key && { header: key }), ...(place && { place }) });
  return {
    id,
    ...(first && { headerNames: [first, ...further].map((header) => displayText(header.name)) }),
    notes: [...notes, ...(leftOut.length > 0 ? (['header-unusable'] as const) : [])],
  };
}
