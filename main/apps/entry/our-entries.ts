import { PosternError } from '../../errors/postern-error.ts';
import { displayProgram, splitAddress } from '../../secret.ts';
import type { Entry, FileContent } from '../list/entry-list.ts';
import { gatewayUrlOf } from '../app-dependencies.ts';
import type { EntryCommand, AppDependencies, EntryTarget } from '../app-dependencies.ts';
import { hashOfSecret } from '../records/app-secret.ts';
import type { App, Shape, System } from '../table/app.ts';
import { readBearer, readEntry, readLocalAddress, readPipeArguments } from './read-entry.ts';
import type { ParsedEntry } from './read-entry.ts';

export interface OurEntry {
  readonly name: string;
  /** Alias or ID. */
  readonly server: string;
  /** ID of the record that it names; a URL with a secret names none. */
  readonly record?: string;
  /** Port of its URL, if it has no command. */
  readonly port?: number;
  /** Its URL has a port that Postern no longer uses. */
  readonly hasOldPort?: true;
  /** Its secret matches no app record. */
  readonly hasOldSecret?: true;
}

/** What is needed to recognize our entries. */
export type OurEntryContext = Pick<AppDependencies, 'profileFolder' | 'gatewayUrl' | 'records' | 'backups' | 'host'>;

/**
 * Entries for this profile in the file at `path`. A local URL alone is no proof: any server on this computer may have
 * it, even under the same name. Entries of another Postern profile are not ours. Errors: CFG_*.
 */
export async function ourEntries(
  context: OurEntryContext,
  path: string,
  { entries = [] }: FileContent,
): Promise<readonly OurEntry[]> {
  const { profileFolder, gatewayUrl, records, backups } = context;
  const hashes = (await records.list()).flatMap(({ secretHash }) => secretHash ?? []);
  const changes = (await backups.list()).filter((change) => change.path === path);
  return entries.flatMap(([name, value]): readonly OurEntry[] => {
    const entry = readEntry(value);
    const pipe = readPipeArguments(entry);
    if (pipe) return pipe.profileFolder === profileFolder ? [{ name, server: pipe.server, record: pipe.record }] : [];
    const address = readLocalAddress(entry);
    if (!address) return [];
    const record = recordOfHelper(context, entry);
    const bearer = readBearer(entry);
    const isSecretOurs = bearer !== undefined && hashes.includes(hashOfSecret(bearer));
    const isLogged = changes.some(({ names, port }) => port === address.port && names.includes(name));
    if (record === undefined && !isSecretOurs && !isLogged) return [];
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

/** The record whose headers the helper command prints, if it is one of this profile. */
function recordOfHelper(context: OurEntryContext, { helper = '' }: ParsedEntry): string | undefined {
  const record = /\bheaders ([a-z0-9]{16}) --profile-folder /.exec(helper)?.[1];
  return record !== undefined && helper.endsWith(` ${helperCommand(context, record)}`) ? record : undefined;
}

/** How an entry authenticates: not at all, by a command that prints the secret, or by the secret in a header. */
export type EntrySecret = 'none' | 'helper' | 'header';

/** The gateway's URL, and the `Authorization` value for it. */
export interface HttpAccess {
  /** `http://127.0.0.1:PORT/mcp` */
  readonly gatewayUrl: string;
  readonly authorization: string;
}

interface NewEntry {
  readonly name: string;
  readonly integration: EntryTarget;
  /** ID of the app's record. */
  readonly id: string;
  /** Absent if the entry starts the pipe. */
  readonly http?: HttpAccess | undefined;
}

/** The entry for `integration` that names a record. Errors: APP_TRANSLOCATED. */
export function entryFor(engine: AppDependencies, app: App, { name, integration, id, http }: NewEntry): Entry {
  const { pipe, cli, profileFolder, host } = engine;
  if (engine.isTranslocated === true) throw new PosternError('APP_TRANSLOCATED', { stage: 'apps' });
  const server = integration.alias ?? integration.id;
  if (!http) {
    const args = [...pipe.args, '--profile-folder', profileFolder, server, '--app', id];
    return fillEntry(app.stdio, name, { command: pipe.command, args });
  }
  const command = [cli.command, ...cli.args].map((word) => quote(word, host.system));
  return fillEntry(app.http ?? {}, name, {
    url: `${http.gatewayUrl}/${server}`,
    headers: { Authorization: http.authorization },
    helper: [...command, helperCommand(engine, id)].join(' '),
  });
}

/** Arguments of the CLI that print the headers of a record of this profile. */
function helperCommand(
  { profileFolder, host }: Pick<AppDependencies, 'profileFolder' | 'host'>,
  record: string,
): string {
  return `headers ${record} --profile-folder ${quote(profileFolder, host.system)}`;
}

export function secretOf({ http = {} }: App, isHttp: boolean): EntrySecret {
  if (!isHttp) return 'none';
  return JSON.stringify(http).includes('{helper}') ? 'helper' : 'header';
}

/** Quotes for the shell in which apps run the helper command. */
function quote(word: string, system: System): string {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  return system === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A URL and how to authenticate there. */
interface EntryAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A command line that prints the headers. */
  readonly helper: string;
}

/** Fills the template `shape`. */
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

/** What is shown of an entry: no header values, variable values, arguments or URL queries. */
export interface DescribedEntry {
  readonly name: string;
  readonly kind: 'remote' | 'local' | 'postern';
  /** Of a bridge command: the server behind it, if known. */
  readonly url?: string;
  readonly command?: string;
  readonly headers: readonly string[];
  readonly env: readonly string[];
  /** ID of the integration, for one of our entries. */
  readonly integration?: string;
  /** Its URL has a port that Postern no longer uses. */
  readonly hasOldPort?: true;
  /** Disabled in the app. */
  readonly switchedOff?: true;
  /** The app setting that excludes it. */
  readonly excludedBy?: string;
  /** Folder of the Postern profile, if the entry belongs to another one. */
  readonly otherProfile?: string;
}

/** This profile, for recognizing our entries. */
export interface KnownProfile {
  readonly integrations: readonly EntryTarget[];
  /** The file's entries for this profile. */
  readonly ours: readonly OurEntry[];
}

export function describeEntry(name: string, value: unknown, known?: KnownProfile): DescribedEntry {
  const entry = readEntry(value);
  const pipe = readPipeArguments(entry);
  const own = known?.ours.find((each) => each.name === name);
  // Only for our own entries: another profile may have servers with the same names.
  const target = own && findTarget(known?.integrations ?? [], own.server);
  const shown = entry.url === undefined ? undefined : withoutSecrets(entry.url);
  return {
    name,
    kind: own || pipe ? 'postern' : entry.url === undefined ? 'local' : 'remote',
    ...(shown !== undefined && { url: shown }),
    ...(entry.words[0] !== undefined && { command: displayProgram(entry.words[0]) }),
    headers: entry.headers.map((header) => header.name),
    env: entry.env.map((variable) => variable.name),
    ...(target && { integration: target.id }),
    ...(own?.hasOldPort && { hasOldPort: true }),
    ...(known && entry.settings.isDisabled && { switchedOff: true }),
    ...(known && pipe && !own && { otherProfile: pipe.profileFolder }),
  };
}

/** By alias, else by ID: an entry may name either. */
export function findTarget(integrations: readonly EntryTarget[], server: string): EntryTarget | undefined {
  return integrations.find(({ alias }) => alias === server) ?? integrations.find(({ id }) => id === server);
}

export function withoutSecrets(address: string): string {
  const whole = URL.parse(address);
  if (!whole) return address.split(/[?#]/)[0] ?? '';
  const url = new URL(splitAddress(whole.href).href);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
