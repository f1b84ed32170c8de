import { shownProgram, splitAddress } from '../../secret-words.ts';
import type { UsedServer } from '../used-server.ts';
import type { OurEntry } from './our-entries.ts';
import { readEntry, readPipeWords } from './read-entry.ts';

/** What is shown of an entry: no value of a header or variable, no argument, no query of an address. */
export interface DescribedEntry {
  readonly name: string;
  readonly kind: 'remote' | 'local' | 'postern';
  /** Of a command: what it brings messages to, where that is known. */
  readonly url?: string;
  readonly command?: string;
  readonly headers: readonly string[];
  readonly env: readonly string[];
  /** Id of the integration that an entry of Postern leads to. */
  readonly integration?: string;
  /** It holds an address with another port than Postern has now. */
  readonly hasOldPort?: true;
  /** Folder of another profile that an entry of Postern leads to. */
  readonly otherProfile?: string;
}

/** What is known of this profile, where entries of Postern are to be told apart. */
export interface KnownProfile {
  readonly integrations: readonly UsedServer[];
  /** Those of the file that lead to it. */
  readonly ours: readonly OurEntry[];
}

export function describeEntry(name: string, value: unknown, known?: KnownProfile): DescribedEntry {
  const entry = readEntry(value);
  const pipe = readPipeWords(entry);
  const own = known?.ours.find((each) => each.name === name);
  // Another profile may have servers of the same names.
  const used = own && findUsed(known?.integrations ?? [], own.server);
  const shown = entry.url === undefined ? undefined : withoutSecrets(entry.url);
  return {
    name,
    kind: own || pipe ? 'postern' : entry.url === undefined ? 'local' : 'remote',
    ...(shown !== undefined && { url: shown }),
    ...(entry.words[0] !== undefined && { command: shownProgram(entry.words[0]) }),
    headers: entry.headers.map((header) => header.name),
    env: entry.env.map((variable) => variable.name),
    ...(used && { integration: used.id }),
    ...(own?.hasOldPort && { hasOldPort: true }),
    ...(known && pipe && !own && { otherProfile: pipe.profileFolder }),
  };
}

/** What an entry of Postern names: the alias, or the id. */
export function findUsed(integrations: readonly UsedServer[], server: string): UsedServer | undefined {
  return integrations.find(({ alias }) => alias === server) ?? integrations.find(({ id }) => id === server);
}

export function withoutSecrets(address: string): string {
  const whole = URL.parse(address);
  if (!whole) return address.split(/[?#]/)[0] ?? '';
  const url = new URL(splitAddress(whole.href).href);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
