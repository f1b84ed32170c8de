import type { FileContent } from '../list/entry-list.ts';
import { gatewayUrlOf, type ProgramEngine } from '../program-engine.ts';
import { hashOfSecret } from '../records/program-secret.ts';
import { helperWords } from './entry-for.ts';
import { type ReadEntry, readBearer, readEntry, readLocalAddress, readPipeWords } from './read-entry.ts';

export interface OurEntry {
  readonly name: string;
  /** Alias or id. */
  readonly server: string;
  /** Id of the record that it names; an address with a secret names none. */
  readonly record?: string;
  /** Of the address that it holds instead of a command. */
  readonly port?: number;
  /** It holds an address with another port than Postern has now. */
  readonly hasOldPort?: true;
  /** It shows a secret that no program has any more. */
  readonly hasOldSecret?: true;
}

/** What tells them apart. */
export type OurMarks = Pick<ProgramEngine, 'profileFolder' | 'gatewayUrl' | 'records' | 'backups' | 'surroundings'>;

/**
 * Entries that lead to this profile, in the file at `path`. An address alone tells nothing: whatever listens on this
 * computer may have it, under the same name. Those of another profile of Postern are somebody else's. Errors: CFG_*.
 */
export async function ourEntries(
  marks: OurMarks,
  path: string,
  { entries = [] }: FileContent,
): Promise<readonly OurEntry[]> {
  const { profileFolder, gatewayUrl, records, backups } = marks;
  const hashes = (await records.list()).flatMap(({ secretHash }) => secretHash ?? []);
  const noted = (await backups.list()).filter((change) => change.path === path);
  return entries.flatMap(([name, value]): readonly OurEntry[] => {
    const entry = readEntry(value);
    const pipe = readPipeWords(entry);
    if (pipe) return pipe.profileFolder === profileFolder ? [{ name, server: pipe.server, record: pipe.record }] : [];
    const address = readLocalAddress(entry);
    if (!address) return [];
    const record = recordOfHelper(marks, entry);
    const bearer = readBearer(entry);
    const isSecretOurs = bearer !== undefined && hashes.includes(hashOfSecret(bearer));
    const isNoted = noted.some(({ names, port }) => port === address.port && names.includes(name));
    if (record === undefined && !isSecretOurs && !isNoted) return [];
    const hasOldPort = gatewayUrl !== gatewayUrlOf(address.port);
    const hasOldSecret = bearer !== undefined && !isSecretOurs;
    return [
      {
        name,
        ...address,
        ...(record !== undefined && { record }),
        ...(hasOldPort && { hasOldPort }),
        ...(hasOldSecret && { hasOldSecret }),
      },
    ];
  });
}

/** Its command line prints the headers of a record of this profile. */
function recordOfHelper(marks: OurMarks, { helper = '' }: ReadEntry): string | undefined {
  const record = /\bheaders ([a-z0-9]{16}) --profile-folder /.exec(helper)?.[1];
  return record !== undefined && helper.endsWith(` ${helperWords(marks, record)}`) ? record : undefined;
}
