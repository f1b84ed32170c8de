import type { FileContent } from '../list/entry-list.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { hashOfSecret } from '../records/program-secret.ts';
import { readBearer, readEntry, readGatewayAddress, readLocalAddress, readPipeWords } from './read-entry.ts';

export interface OurEntry {
  readonly name: string;
  /** Alias or id. */
  readonly server: string;
  /** Id of the record that it names; an address names none. */
  readonly record?: string;
  /** It holds an address with another port than Postern has now. */
  readonly hasOldPort?: true;
}

/**
 * Entries that lead to this profile, in the file at `path`. Those of another profile of Postern are somebody else's.
 * Errors: CFG_*.
 */
export async function ourEntries(
  {
    profileFolder,
    gatewayUrl,
    records,
    backups,
  }: Pick<ProgramEngine, 'profileFolder' | 'gatewayUrl' | 'records' | 'backups'>,
  path: string,
  { entries = [] }: FileContent,
): Promise<readonly OurEntry[]> {
  const hashes = (await records.list()).flatMap(({ secretHash }) => secretHash ?? []);
  const noted = (await backups.list()).filter((change) => change.path === path).flatMap(({ names }) => names);
  return entries.flatMap(([name, value]): readonly OurEntry[] => {
    const entry = readEntry(value);
    const pipe = readPipeWords(entry);
    if (pipe) return pipe.profileFolder === profileFolder ? [{ name, server: pipe.server, record: pipe.record }] : [];
    const server = readGatewayAddress(entry, gatewayUrl);
    if (server !== undefined) return [{ name, server }];
    // The port may have been another one. Whatever else listens on this computer may have such an address too.
    const old = readLocalAddress(entry);
    const bearer = readBearer(entry);
    const isOurs = noted.includes(name) || (bearer !== undefined && hashes.includes(hashOfSecret(bearer)));
    return old !== undefined && isOurs ? [{ name, server: old, hasOldPort: true }] : [];
  });
}
