import { completeAddress } from './complete-address.ts';
import type { Pasted } from './pasted.ts';
import { splitCommand } from './split-command.ts';

/** Start a package by its name. */
const runners: ReadonlySet<string> = new Set('npx pnpx bunx uvx pipx mcp-remote'.split(' '));
/** Start what is said by a path or a flag; their names are words of plain English, too. */
const launchers: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun node deno uv python python3 py docker podman cmd powershell bash sh java dotnet'.split(' '),
);
/** AI programs whose own command adds a server: `claude mcp add`, `codex mcp add`. */
const clients: ReadonlySet<string> = new Set(
  'claude codex gemini qwen amp copilot droid auggie goose opencode cursor-agent code code-insiders cursor postern kiro-cli'.split(
    ' ',
  ),
);
const bridge = /^(?:.*[/\\])?mcp-remote(?:@[\w.-]+)?$/u;
/** Adds an address to the programs of this computer. */
const adder = /^(?:add-mcp|install-mcp)(?:@[\w.-]+)?$/u;
const startOfPath = /^(?:\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\]|file:)/iu;
/** Flags of those commands that have a value after them. */
const valued: ReadonlySet<string> = new Set(
  '-t --transport -s --scope -e --env -H --header --url --bearer-token-env-var --client-id --callback-port --cwd --timeout --type -a --agent -c --client'.split(
    ' ',
  ),
);

/** What a command would connect, or start on this computer. `undefined`: the line is no such command. */
export function readCommand(line: string): Pasted | undefined {
  const words = withoutPrompt(splitCommand(line));
  const [first = '', ...rest] = words;
  const name = nameOf(first);
  if (clients.has(name)) return readClient(rest);
  if (!startsProgram(name, rest) && !startOfPath.test(first)) return undefined;
  if (words.some((word) => bridge.test(word))) return listOf({ command: first, args: rest }, undefined, findUrl(rest));
  const url = findUrl(rest);
  if (url !== undefined && rest.some((word) => adder.test(word))) return { kind: 'address', url };
  return { kind: 'local', program: programOf(words) };
}

function startsProgram(name: string, rest: readonly string[]): boolean {
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

/** `NAME URL`, `URL`, `NAME --url URL`, `NAME -- COMMAND`; flags may stand anywhere before the `--`. */
function readAdded(words: readonly string[]): Pasted | undefined {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const plain: string[] = [];
  const flags: [string, string][] = [];
  for (let index = 0; index < own.length; index += 1) {
    const [flag = '', joined] = /^(--?[\w-]+)(?:=(.*))?$/su.exec(own[index] ?? '')?.slice(1) ?? [];
    if (flag === '') plain.push(own[index] ?? '');
    else if (joined !== undefined) flags.push([flag, joined]);
    else if (valued.has(flag)) flags.push([flag, own[(index += 1)] ?? '']);
  }
  const named = flags.find(([flag]) => flag === '--url')?.[1];
  const url = named ?? plain.slice(0, 2).findLast((word) => completeAddress(word) !== undefined);
  const [name] = plain.filter((word) => word !== url);
  const command = end < 0 ? plain.slice(1) : words.slice(end + 1);
  if (url === undefined) return command.length > 0 ? readStarted(command, name) : undefined;
  const address = completeAddress(url) ?? url;
  const headers = flags.flatMap(([flag, value]) => headerOf(flag, value));
  return listOf({ url: address, headers: Object.fromEntries(headers) }, name, address);
}

function readStarted(command: readonly string[], name: string | undefined): Pasted {
  const [first = '', ...args] = command;
  if (!command.some((word) => bridge.test(word))) return { kind: 'local', program: programOf(command) };
  return listOf({ command: first, args }, name, findUrl(args));
}

function headerOf(flag: string, value: string): readonly (readonly [string, string])[] {
  if (flag === '--bearer-token-env-var') return [['Authorization', `Bearer \${${value}}`]];
  const [, name, text] = (flag === '-H' || flag === '--header' ? /^([\w-]+):\s*(.*)$/su.exec(value) : null) ?? [];
  // A variable of the shell is for the person to fill in, as `import:read` knows it.
  return name === undefined ? [] : [[name, (text ?? '').replaceAll(/\$(\w+)/gu, '${$1}')]];
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

/** What a person would call it: the package rather than what starts it. */
function programOf(words: readonly string[]): string {
  const plain = words.filter((word) => !word.startsWith('-') && !/^(?:run|exec|dlx|tool|x|add)$/u.test(word));
  const [first = '', second] = plain;
  const starter = nameOf(first);
  return ((runners.has(starter) || launchers.has(starter)) && second !== undefined ? second : first).slice(0, 80);
}
