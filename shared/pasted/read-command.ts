import { isLoopbackHost } from '../web-address.ts';

/** Commands that run a package by name. */
const runners: ReadonlySet<string> = new Set('npx pnpx bunx uvx pipx mcp-remote'.split(' '));
/** Commands that run what a path or flag names; their names are also plain English words. */
const launchers: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun node deno uv python python3 py docker podman cmd powershell bash sh java dotnet'.split(' '),
);
/** Commands that run an image, and their flags without a value; every other flag takes one. */
const containerRunners: ReadonlySet<string> = new Set('docker podman'.split(' '));
const bareContainerFlag =
  /^(?:-[ditqP]+|--(?:detach|init|interactive|no-healthcheck|oom-kill-disable|privileged|publish-all|quiet|read-only|replace|rm|sig-proxy|tls|tty))$/u;
/** AI apps whose own command adds a server: `claude mcp add`, `codex mcp add`. */
const appCommands: ReadonlySet<string> = new Set(
  'claude codex gemini qwen amp copilot droid auggie goose opencode cursor-agent code code-insiders cursor postern kiro-cli'.split(
    ' ',
  ),
);
/** The same apps as packages, for `npx`. */
const clientPackage =
  /^@(?:anthropic-ai\/claude-code|openai\/codex|google\/gemini-cli|qwen-code\/qwen-code|github\/copilot|sourcegraph\/amp)(?:@[\w.-]+)?$/u;
const bridge = /^(?:.*[/\\])?mcp-remote(?:@[\w.-]+)?$/u;
/** Adds an address to the AI apps on this computer. */
const installer = /^(?:add-mcp|install-mcp)(?:@[\w.-]+)?$/u;
const startOfPath = /^(?:\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\]|file:)/iu;
/** Flags of those commands that take a value. */
const flagsWithValue: ReadonlySet<string> = new Set(
  '-t --transport -s --scope -e --env -H --header --url --bearer-token-env-var --client-id --callback-port --cwd --timeout --type --description --include-tools --exclude-tools -a --agent -c --client'.split(
    ' ',
  ),
);
const variable = /^([A-Za-z_]\w*)=(.*)$/su;
/** With a name as in RFC 9110 5.6.2. */
const header = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/su;
/** Flags that take several values, with their pattern. */
const repeatableFlags: Readonly<Record<string, RegExp>> = {
  '-e': variable,
  '--env': variable,
  '-H': header,
  '--header': header,
};

/** What a command would connect or start on this computer; `undefined` if the line is not such a command. */
export function readCommand(line: string): Pasted | undefined {
  const words = withoutPrompt(splitCommand(line));
  const [first = '', ...rest] = words;
  const name = nameOf(first);
  if (appCommands.has(name)) return readClient(rest);
  const started = runners.has(name) ? rest.findIndex((word) => !word.startsWith('-')) : -1;
  if (clientPackage.test(rest[started] ?? '')) return readClient(rest.slice(started + 1));
  if (!startsExecutable(name, rest) && !startOfPath.test(first)) return undefined;
  if (words.some((word) => bridge.test(word))) return listOf({ command: first, args: rest }, undefined, findUrl(rest));
  const url = findUrl(rest);
  if (url !== undefined && rest.some((word) => installer.test(word))) return { kind: 'address', url };
  return localOf(readStartWords(line), words);
}

function startsExecutable(name: string, rest: readonly string[]): boolean {
  if (runners.has(name)) return rest.length > 0;
  return launchers.has(name) && rest.some((word) => /^(?:-|run$|exec$|dlx$|x$|tool$)|[/\\]|\.\w/u.test(word));
}

/** `$ `, `> `, `sudo` and variables before a command. */
function withoutPrompt(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !/^(?:[$>%#]|sudo|PS>|env|export|[A-Za-z_]\w*=.*)$/su.test(word));
  return start < 0 ? [] : words.slice(start);
}

function readClient(words: readonly string[]): Pasted | undefined {
  const json = words.find((word) => word.startsWith('{'));
  if (words.includes('--add-mcp') && json !== undefined) return readEntry(json);
  if (words[0] === 'connect') return addressOf(words.find((word) => completeAddress(word)));
  if (words[0] !== 'mcp' || words[1] === undefined) return undefined;
  if (words[1] === 'add-json' && json !== undefined) return readEntry(json, words[2]);
  return words[1] === 'add' ? readAdded(words.slice(2)) : undefined;
}

/** `NAME URL`, `URL`, `NAME --url URL`, `NAME -- COMMAND`; flags may appear anywhere before the `--`. */
function readAdded(words: readonly string[]): Pasted | undefined {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const positional: string[] = [];
  let second = own.length;
  const flags: [string, string][] = [];
  for (let index = 0; index < own.length; index += 1) {
    const [flag = '', joined] = readFlag(own[index] ?? '');
    if (flag === '') positional.push(own[index] ?? '');
    if (flag === '' && positional.length === 2) second = index;
    if (flag === '') continue;
    if (joined !== undefined) flags.push([flag, joined]);
    else if (flagsWithValue.has(flag)) flags.push([flag, own[(index += 1)] ?? '']);
    for (let next = own[index + 1]; next !== undefined && isFurtherValue(flag, next); next = own[index + 1]) {
      flags.push([flag, next]);
      index += 1;
    }
  }
  const named = flags.find(([flag]) => flag === '--url')?.[1];
  const url = named ?? positional.slice(0, 2).findLast((word) => completeAddress(word) !== undefined);
  const [name] = positional.filter((word) => word !== url);
  // Without the `--` (Gemini CLI), everything after the command belongs to it.
  const command = end < 0 ? own.slice(second) : words.slice(end + 1);
  const variables = flags.flatMap(([flag, value]) => (repeatableFlags[flag] === variable ? variableOf(value) : []));
  if (url === undefined) return command.length > 0 ? readStarted({ words: command, variables }, name) : undefined;
  const address = completeAddress(url) ?? url;
  const headers = flags.flatMap(([flag, value]) => headerOf(flag, value));
  return listOf({ url: address, headers: Object.fromEntries(headers) }, name, address);
}

/** A flag and its joined value: `--header=X`, `-HX`. */
function readFlag(word: string): readonly (string | undefined)[] {
  const short = word.slice(0, 2);
  if (/^-\w[^=]/su.test(word) && flagsWithValue.has(short)) return [short, word.slice(2)];
  return /^(--?[\w-]+)(?:=(.*))?$/su.exec(word)?.slice(1) ?? [];
}

/** `--header "A: 1" "B: 2"` */
const isFurtherValue = (flag: string, word: string): boolean =>
  !word.startsWith('-') && repeatableFlags[flag]?.test(word) === true && completeAddress(word) === undefined;

function readStarted({ words, variables }: StartWords, name: string | undefined): Pasted {
  const [first = '', ...args] = words;
  if (!words.some((word) => bridge.test(word)))
    return { ...localOf({ variables }, words), ...(name !== undefined && { name }) };
  const env = Object.fromEntries(variables.map(({ name: variableName, value = '' }) => [variableName, value]));
  return listOf({ command: first, args, ...(variables.length > 0 && { env }) }, name, findUrl(args));
}

function headerOf(flag: string, value: string): readonly (readonly [string, string])[] {
  if (flag === '--bearer-token-env-var') return [['Authorization', `Bearer \${${value}}`]];
  const [, name, text = ''] = (repeatableFlags[flag] === header ? header.exec(value) : null) ?? [];
  // The user has to fill in a shell variable, which `import:read` recognizes.
  return name === undefined ? [] : [[name, text.trimEnd().replaceAll(/\$(?:env:)?(\w+)/gu, '${$1}')]];
}

function readEntry(json: string, name?: string): Pasted {
  return { kind: 'list', text: name === undefined ? json : `{${JSON.stringify(name)}: ${json}}` };
}

function listOf(entry: object, name: string | undefined, url: string | undefined): Pasted {
  const key = name ?? (url === undefined ? 'server' : (URL.parse(url)?.hostname ?? 'server'));
  const text = JSON.stringify({ mcpServers: { [key]: entry } });
  return { kind: 'list', text, ...(url !== undefined && { url }) };
}

const addressOf = (word: string | undefined): Pasted | undefined =>
  word === undefined ? undefined : { kind: 'address', url: completeAddress(word) ?? word };

const findUrl = (words: readonly string[]): string | undefined => words.find((word) => /^https?:\/\//iu.test(word));

const nameOf = (word: string): string =>
  word
    .replace(/^.*[/\\]/u, '')
    .replace(/\.(?:exe|cmd|bat)$/iu, '')
    .toLowerCase();

/** A command to start. Variables that a container takes from its surroundings, `-e NAME`, have no value yet. */
function localOf(
  { variables }: Pick<StartWords, 'variables'>,
  words: readonly string[],
): Extract<Pasted, { readonly kind: 'local' }> {
  const container = readContainer(words);
  const known = new Set(variables.map(({ name }) => name));
  const asked = [...new Set(container?.variables)].filter((name) => !known.has(name)).map((name) => ({ name }));
  const app = container?.image?.slice(0, 80) ?? appOf(words);
  return { kind: 'local', app, words, variables: [...variables, ...asked] };
}

/** `docker run FLAGS IMAGE …`: the image, and the names of variables that are passed on. */
function readContainer(
  words: readonly string[],
): { readonly image: string | undefined; readonly variables: readonly string[] } | undefined {
  const start = words.indexOf('run') + 1;
  if (!containerRunners.has(nameOf(words[0] ?? '')) || start === 0) return undefined;
  const variables: string[] = [];
  let index = start;
  for (let word = words[index]; word?.startsWith('-'); word = words[index]) {
    const [flag = '', joined] = /^(-[a-zA-Z](?=[^=])|--?[\w-]+)(?:=?(.+))?$/su.exec(word)?.slice(1) ?? [];
    const isBare = bareContainerFlag.test(word) || word.startsWith('--rm=');
    const value = isBare ? undefined : (joined ?? words[index + 1]);
    if (/^(?:-e|--env)$/u.test(flag) && /^[A-Za-z_]\w*$/u.test(value ?? '')) variables.push(value ?? '');
    index += isBare || joined !== undefined ? 1 : 2;
  }
  return { image: words[index], variables };
}

/** A readable name: the package instead of its runner. */
function appOf(words: readonly string[]): string {
  const positional = words.filter((word) => !word.startsWith('-') && !/^(?:run|exec|dlx|tool|x|add)$/u.test(word));
  const [first = '', second] = positional;
  const starter = nameOf(first);
  return ((runners.has(starter) || launchers.has(starter)) && second !== undefined ? second : first).slice(0, 80);
}

/**
 * Splits a command line as a POSIX shell does: quotes (also typographic ones from web pages), backslash escapes, line
 * continuations. Expands and runs nothing; `;`, `|` and `&&` start another command.
 */
function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  const joined = line.replace(/[\\^`]\r?\n\s*/gu, ' ').replaceAll(/[“”]/gu, '"');
  for (const [whole] of joined.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gsu)) {
    if (/^(?:;|\||&&|\|\|)$/u.test(whole)) break;
    const isLast = /(?<!\\);$/u.test(whole);
    words.push((isLast ? whole.slice(0, -1) : whole).replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gsu, unquote));
    if (isLast) break;
  }
  return words;
}

function unquote(_whole: string, double?: string, single?: string, escaped?: string): string {
  return double?.replaceAll(/\\(["\\$`])/gu, '$1') ?? single ?? escaped ?? '';
}

/** A command line to start: its words, and the variables before them. */
export interface StartWords {
  readonly words: readonly string[];
  readonly variables: readonly { readonly name: string; readonly value?: string }[];
}

/** Reads `$ NAME=value npx …` as users copy it. Expands nothing. */
export function readStartWords(line: string): StartWords {
  const all = splitCommand(line.trim());
  const start = all.findIndex((word) => !/^(?:[$>%#]|PS>|env|export|[A-Za-z_]\w*=.*)$/su.test(word));
  const before = start < 0 ? all : all.slice(0, start);
  const variables = before.flatMap(variableOf);
  return { words: start < 0 ? [] : all.slice(start), variables };
}

/** `NAME=value` */
function variableOf(word: string): StartWords['variables'] {
  const [, name, value] = variable.exec(word) ?? [];
  return name === undefined ? [] : [{ name, value: value ?? '' }];
}

/** The default name of a local server: its package. */
export function nameAfter(app: string): string {
  return app
    .replace(/^.*[/\\]/u, '')
    .replace(/[@:][\w.-]+$/u, '')
    .replace(/^(?:mcp-)?server-|-mcp(?:-server)?$/gu, '')
    .slice(0, 80);
}

/** Globals of both the window and Node, which this folder's types leave out. */
export const { URL, URLSearchParams, atob } = globalThis as unknown as {
  readonly URL: { parse(this: void, text: string): { readonly hostname: string; readonly pathname: string } | null };
  readonly URLSearchParams: new (query: string) => { get(name: string): string | null };
  readonly atob: (text: string) => string;
};

/** What the user typed or pasted in place of a server. */
export type Pasted =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'address'; readonly url: string }
  /** A text with several candidate addresses. */
  | { readonly kind: 'several'; readonly urls: readonly string[] }
  /**
   * Servers for `import:read`, which leaves header secrets in main: a pasted configuration, or one that is equivalent
   * to a command. `url`: its only address, if that is visible here.
   */
  | { readonly kind: 'list'; readonly text: string; readonly url?: string }
  /** Would start this program on this computer, with these words and variables. */
  | ({ readonly kind: 'local'; readonly app: string; readonly name?: string } & StartWords)
  /** Possibly the name of a service. */
  | { readonly kind: 'name'; readonly name: string }
  /** Text without any address. */
  | { readonly kind: 'text' };

/** With its final dot (RFC 1035 2.3.4); the pattern below is quadratic in a name's length. */
const maxHostLength = 254;
/** File extensions that are not top-level domains. */
const file = /\.(?:[cm]?js|ts|exe|bat|cmd|jar|json|toml|ya?ml|txt)$/iu;
/** A dotted name that ends in a word, `localhost`, or an address literal. */
const host =
  /^(?:\[[0-9a-f:.]+\]|localhost|(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]*\.?|\d{1,3}(?:\.\d{1,3}){3})$/iu;

/**
 * Completes an address without a scheme: with https, or http for this computer, since no certificate names it.
 * `undefined` if it is not an address. Main decides whether it may be used.
 */
export function completeAddress(text: string): string | undefined {
  if (/\s/u.test(text)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return text;
  const [, place = '', name = ''] = /^((\[[^\]]*\]|[^/?#:@]+)(?::\d{1,5})?)(?:[/?].*)?$/u.exec(text) ?? [];
  if (name.length > maxHostLength || !host.test(name) || (name === text && file.test(name))) return undefined;
  return `${isLoopbackHost(place.toLowerCase()) ? 'http' : 'https'}://${text}`;
}
