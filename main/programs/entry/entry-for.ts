import type { UsedServer } from '../used-server.ts';
import { PosternError } from '../../postern-error.ts';
import type { Entry } from '../list/entry-list.ts';
import type { Program, System, Shape } from '../table/program.ts';
import type { ProgramEngine, EntryCommand } from '../program-engine.ts';

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
export function helperWords(
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
