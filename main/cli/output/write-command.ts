import type { AppFile } from '../../app-ports.ts';
import type { CommandName } from '../options/command-spec.ts';
import { optionSpecs } from '../options/option-specs.ts';
import type { OptionName } from '../options/option-specs.ts';
import type { OptionValues, ParsedArguments } from '../options/parse-arguments.ts';
import { printableLine } from '../text.ts';

/** A server and the options it is connected with. */
export interface TargetServer {
  readonly url: string;
  readonly options: OptionValues;
}

/** What is known when a next step is written, so that its commands can be typed as they are. */
export interface AdviceContext {
  readonly command?: CommandName | undefined;
  /** The integration as the user named it. */
  readonly name?: string | undefined;
  readonly server?: TargetServer | undefined;
}

/** Options about output, not about the server. */
const outputOptions: readonly OptionName[] = ['json', 'trace', 'help', 'version'];

/** Longer addresses are not shown, because a cut one would be another address. */
const maxAddressLength = 400;

/** The server of a command that takes an address. */
export function addressedServer(args: ParsedArguments | undefined): TargetServer | undefined {
  if (args?.command !== 'connect' && args?.command !== 'discover') return undefined;
  const [url] = args.positionals;
  return url === undefined ? undefined : { url, options: args.options };
}

/**
 * The `postern connect` command for the current server with `more` options. Repeats options such as `--local`, without
 * which it would fail earlier. `replaced`: options that `more` sets again, or to leave out.
 */
export function writeConnect({ server }: AdviceContext, more = '', replaced: readonly OptionName[] = []): string {
  const words = server ? [writeAddress(server.url), ...writeOptions(server.options, replaced)] : ['URL'];
  return `\`postern connect ${[...words, ...(more === '' ? [] : [more])].join(' ')}\``;
}

/**
 * The command to sign in again from here. `call` must be repeated itself, because only the same call reports which
 * scopes it needs; commands such as `token` have no `--sign-in`. `fallback`: the command if no integration is known.
 */
export function writeSignIn({ command, name }: AdviceContext, fallback: 'refresh' | 'tools' = 'refresh'): string {
  const signIn = (by: 'refresh' | 'tools'): string => `\`${writeServerCommand(by, name, '--sign-in browser')}\``;
  if (name === undefined) return signIn(fallback);
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

export function writeSignOut({ name }: AdviceContext): string {
  return `\`${writeServerCommand('sign-out', name)}\``;
}

/** A query may contain an API key, which must not appear in an error. */
function writeAddress(url: string): string {
  if (url.length > maxAddressLength || url.includes('?')) return 'URL';
  return /^[\w.:/-]+$/u.test(url) ? url : quoteForShell(url);
}

function writeOptions(options: OptionValues, replaced: readonly OptionName[]): readonly string[] {
  return [...options]
    .filter(([name]) => !outputOptions.includes(name) && !replaced.includes(name))
    .flatMap(([name, values]) => values.map((value) => writeOption(name, value)));
}

/** An option with its value, which may start with a dash. */
export function writeOption(name: OptionName, value: string): string {
  if (optionSpecs[name].value === undefined) return `--${name}`;
  return value.startsWith('-') ? `--${name}=${quoteForShell(value)}` : `--${name} ${quoteForShell(value)}`;
}

/** A name quoted for a shell. */
export function quoteForShell(name: string): string {
  const escaped = printableLine(name);
  if (/^\+?[\w.-]+$/u.test(escaped)) return escaped;
  return /["$`\\!%]/u.test(escaped) ? `'${escaped.replaceAll("'", `'\\''`)}'` : `"${escaped}"`;
}

/** A command on a server. A name that looks like an option comes after `--`, and `more` before it. */
export function writeServerCommand(command: CommandName, name: string | undefined, more = ''): string {
  const reference = name === undefined ? 'NAME' : quoteForShell(name);
  const words = printableLine(name ?? '').startsWith('-') ? [more, '--', reference] : [reference, more];
  return ['postern', command, ...words].filter((word) => word !== '').join(' ');
}

/** The command that lets a local server run. */
export function writeLocalStart({ name }: AdviceContext): string {
  return `\`${writeServerCommand('local start', name)}\``;
}

/** Options that select `file` of an app. Uses `=`, because a profile ID may start with a dash. */
export function writeFileOptions({ project, editorProfile }: AppFile): string {
  if (project !== undefined) return ` --project ${quoteForShell(project)}`;
  return editorProfile === undefined ? '' : ` --editor-profile=${editorProfile}`;
}
