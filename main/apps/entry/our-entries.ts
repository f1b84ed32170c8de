import { PosternError } from '../../errors/postern-error.ts';
import { shownProgram, splitAddress } from '../../secret.ts';
import type { Entry, FileContent } from '../list/entry-list.ts';
import { gatewayUrlOf } from '../program-engine.ts';
import type { EntryCommand, ProgramEngine, UsedServer } from '../program-engine.ts';
import { hashOfSecret } from '../records/program-secret.ts';
import type { Program, Shape, System } from '../table/program.ts';
import { readBearer, readEntry, readLocalAddress, readPipeWords } from './read-entry.ts';
import type { ReadEntry } from './read-entry.ts';

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

/** What in an entry shows that the program may use Postern: nothing, a command that prints it, or the secret itself. */
export type EntrySecret = 'none' | 'helper' | 'header';

/** The way in over HTTP, and what the program shows there. */
export interface HttpAccess {
  /** `http://127.0.0.1:PORT/mcp` */
  readonly gatewayUrl: string;
  readonly authorization: string;
}

interface Wanted {
  readonly name: string;
  readonly integration: UsedServer;
  /** Of the program's record. */
  readonly id: string;
  /** Absent: the entry starts the pipe. */
  readonly http?: HttpAccess | undefined;
}

/** The entry that leads to `integration`, in the name of a record. Errors: APP_TRANSLOCATED. */
export function entryFor(engine: ProgramEngine, program: Program, { name, integration, id, http }: Wanted): Entry {
  const { pipe, own, profileFolder, surroundings } = engine;
  if (engine.isTranslocated === true) throw new PosternError('APP_TRANSLOCATED', { stage: 'programs' });
  const server = integration.alias ?? integration.id;
  if (!http) {
    const args = [...pipe.args, '--profile-folder', profileFolder, server, '--program', id];
    return fillEntry(program.stdio, name, { command: pipe.command, args });
  }
  const command = [own.command, ...own.args].map((word) => quote(word, surroundings.system));
  return fillEntry(program.http ?? {}, name, {
    url: `${http.gatewayUrl}/${server}`,
    headers: { Authorization: http.authorization },
    helper: [...command, helperWords(engine, id)].join(' '),
  });
}

/** How the command line ends that prints the headers of a record of this profile. */
function helperWords(
  { profileFolder, surroundings }: Pick<ProgramEngine, 'profileFolder' | 'surroundings'>,
  record: string,
): string {
  return `headers ${record} --profile-folder ${quote(profileFolder, surroundings.system)}`;
}

export function secretOf({ http = {} }: Program, isHttp: boolean): EntrySecret {
  if (!isHttp) return 'none';
  return JSON.stringify(http).includes('{helper}') ? 'helper' : 'header';
}

/** For the shell that programs give such a command to. */
function quote(word: string, system: System): string {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  return system === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** An address, and what shows there that the program may use it. */
interface EntryAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A command line that prints them. */
  readonly helper: string;
}

/** The entry of `shape` under `name` that leads to `target`. */
export function fillEntry(shape: Shape, name: string, target: EntryCommand | EntryAddress): Entry {
  const known: Readonly<Record<string, unknown>> =
    'command' in target
      ? {
          '{command}': target.command,
          '{args}': target.args,
          '{words}': [target.command, ...target.args],
        }
      : { '{url}': target.url, '{headers}': target.headers, '{helper}': target.helper };
  return fill(shape, { ...known, '{name}': name }) as Entry;
}

function fill(value: unknown, known: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return known[value] ?? value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, known)]));
}

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
  /** It is switched off there. */
  readonly switchedOff?: true;
  /** The setting of its app that leaves it out. */
  readonly keptOut?: string;
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
    ...(known && entry.decisions.isOff && { switchedOff: true }),
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
