import type { ProgramFile } from '../../program-ports.ts';
import type { CommandName } from '../options/command-spec.ts';
import { optionSpecs } from '../options/option-specs.ts';
import type { OptionName } from '../options/option-specs.ts';
import type { OptionValues, ParsedArguments } from '../options/parse-arguments.ts';
import { printableLine } from '../text.ts';

/** A server, and the options that it is connected with. */
export interface ServerAtHand {
  readonly url: string;
  readonly options: OptionValues;
}

/** What is known where a step is advised, so that the commands in it can be typed as they stand. */
export interface Situation {
  readonly command?: CommandName | undefined;
  /** The integration as the person named it. */
  readonly name?: string | undefined;
  readonly server?: ServerAtHand | undefined;
}

/** How the output is wished says nothing about the server. */
const ofOutput: readonly OptionName[] = ['json', 'trace', 'help', 'version'];

/** A longer one is not fit to be shown, and one that is cut off is another address. */
const longestAddress = 400;

/** The server that a command was given by its address. */
export function addressedServer(args: ParsedArguments | undefined): ServerAtHand | undefined {
  if (args?.command !== 'connect' && args?.command !== 'discover') return undefined;
  const [url] = args.positionals;
  return url === undefined ? undefined : { url, options: args.options };
}

/**
 * The `postern connect` that reaches the server at hand, with `more`: without all that it was reached with (`--local`,
 * `--legacy-endpoints`) the command would end before it gets there. `replaced`: options that `more` gives another
 * value, or that are to be left out.
 */
export function writeConnect({ server }: Situation, more = '', replaced: readonly OptionName[] = []): string {
  const words = server ? [writeAddress(server.url), ...writeOptions(server.options, replaced)] : ['URL'];
  return `\`postern connect ${[...words, ...(more === '' ? [] : [more])].join(' ')}\``;
}

/**
 * What signs in where the person is: `token` and others have no `--sign-in`, and only the same call is told which
 * further permissions it needs. `otherwise`: the command to name where no integration is known.
 */
export function writeSignIn({ command, name }: Situation, otherwise: 'refresh' | 'tools' = 'refresh'): string {
  const signIn = (by: 'refresh' | 'tools'): string => `\`${writeUse(by, name, '--sign-in browser')}\``;
  if (name === undefined) return signIn(otherwise);
  switch (command) {
    case 'call':
      return 'repeat this `postern call` with --sign-in browser';
    case 'connect':
    case 'tools':
      return signIn('tools');
    default:
      return signIn('refresh');
  }
}

export function writeSignOut({ name }: Situation): string {
  return `\`${writeUse('sign-out', name)}\``;
}

/** A query may hold a key of the person's, which does not belong in an error. */
function writeAddress(url: string): string {
  if (url.length > longestAddress || url.includes('?')) return 'URL';
  return /^[\w.:/-]+$/u.test(url) ? url : writeReference(url);
}

function writeOptions(options: OptionValues, replaced: readonly OptionName[]): readonly string[] {
  return [...options]
    .filter(([name]) => !ofOutput.includes(name) && !replaced.includes(name))
    .flatMap(([name, values]) => values.map((value) => writeOption(name, value)));
}

/** An option with its value, which may begin with a dash. */
export function writeOption(name: OptionName, value: string): string {
  if (optionSpecs[name].value === undefined) return `--${name}`;
  return value.startsWith('-') ? `--${name}=${writeReference(value)}` : `--${name} ${writeReference(value)}`;
}

/** A name as a person would type it in a shell. */
export function writeReference(name: string): string {
  const shown = printableLine(name);
  if (/^\+?[\w.-]+$/u.test(shown)) return shown;
  return /["$`\\!%]/u.test(shown) ? `'${shown.replaceAll("'", `'\\''`)}'` : `"${shown}"`;
}

/** A command about a server; a name that would read as an option is behind `--`, and `more` before it. */
export function writeUse(command: CommandName, name: string | undefined, more = ''): string {
  const reference = name === undefined ? 'NAME' : writeReference(name);
  const words = printableLine(name ?? '').startsWith('-') ? [more, '--', reference] : [reference, more];
  return ['postern', command, ...words].filter((word) => word !== '').join(' ');
}

/** What lets a server on this computer run. */
export function writeStart({ name }: Situation): string {
  return `\`${writeUse('local start', name)}\``;
}

/** The words of a command about an entry in `file`, behind the name of the program. An id may begin as an option does. */
export function writeWhere({ project, editorProfile }: ProgramFile): string {
  if (project !== undefined) return ` --project ${writeReference(project)}`;
  return editorProfile === undefined ? '' : ` --editor-profile=${editorProfile}`;
}
