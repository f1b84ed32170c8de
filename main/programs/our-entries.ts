import type { FileContent } from './entry-list.ts';
import type { ProgramEngine } from './program-engine.ts';
import { readEntry, readGatewayAddress, readPipeWords } from './read-entry.ts';

export interface OurEntry {
  readonly name: string;
  /** Alias or id. */
  readonly server: string;
  /** Id of the record that it names; an address names none. */
  readonly record?: string;
}

/** Entries that lead to this profile. Those of another profile of Postern are somebody else's. */
export function ourEntries(
  { profileFolder, gatewayUrl }: Pick<ProgramEngine, 'profileFolder' | 'gatewayUrl'>,
  { entries = [] }: FileContent,
): readonly OurEntry[] {
  return entries.flatMap(([name, value]): readonly OurEntry[] => {
    const entry = readEntry(value);
    const pipe = readPipeWords(entry);
    if (pipe) return pipe.profileFolder === profileFolder ? [{ name, server: pipe.server, record: pipe.record }] : [];
    const server = readGatewayAddress(entry, gatewayUrl);
    return server === undefined ? [] : [{ name, server }];
  });
}
