import type { FileContent } from '../list/entry-list.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { hashOfSecret } from '../records/program-secret.ts';
import { readBearer, readEntry, readLocalAddress, readPipeWords } from './read-entry.ts';

export interface OurEntry {
  readonly name: string;
  /** Alias or id. */
  readonly server: string;
  /** Id of the record that it names; an address names none. */
  readonly record?: string;
  /** Of the address that it holds instead of a command. */
  readonly port?: number;
  /** It holds an address with another port than Postern has now. */
  readonly hasOldPort?: true;
}

/** What tells them apart. */
export type OurMarks = Pick<ProgramEngine, 'profileFolder' | 'gatewayUrl' | 'records' | 'backups'>;

/**
 * Entries that lead to this profile, in the file at `path`: by what they start, by the port that is ours, and by what we
 * noted of those that hold another one. Those of another profile of Postern are somebody else's. Errors: CFG_*.
 */
export async function ourEntries(
  { profileFolder, gatewayUrl, records, backups }: OurMarks,
  path: string,
  { entries = [] }: FileContent,
): Promise<readonly OurEntry[]> {
  const hashes = (await records.list()).flatMap(({ secretHash }) => secretHash ?? []);
  const noted = (await backups.list()).filter((change) => change.path === path).flatMap(({ names }) => names);
  return entries.flatMap(([name, value]): readonly OurEntry[] => {
    const entry = readEntry(value);
    const pipe = readPipeWords(entry);
    if (pipe) return pipe.profileFolder === profileFolder ? [{ name, server: pipe.server, record: pipe.record }] : [];
    const address = readLocalAddress(entry);
    if (!address) return [];
    if (gatewayUrl === `http://127.0.0.1:${address.port}/mcp`) return [{ name, ...address }];
    // The port may have been another one. Whatever else listens on this computer may have such an address too.
    const bearer = readBearer(entry);
    const isOurs = noted.includes(name) || (bearer !== undefined && hashes.includes(hashOfSecret(bearer)));
    return isOurs ? [{ name, ...address, hasOldPort: true }] : [];
  });
}
