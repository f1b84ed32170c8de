import { atob, completeAddress, readCommand, URL, URLSearchParams } from './read-command.ts';
import type { Pasted } from './read-command.ts';

/** Notes about servers in a pasted list. */
export const importNotes = [
  'unwrapped-mcp-remote',
  'header-to-fill-in',
  'header-unusable',
  'url-to-fill-in',
  'local-command',
  'command-to-fill-in',
  'command-unusable',
  'command-empty',
  'switched-off',
  'in-sandbox',
  'members-unsupported',
] as const;

export type ImportNote = (typeof importNotes)[number];

/** Whether something only the user knows is missing: such an entry is not connected as it is. */
export function needsUserInput(notes: readonly ImportNote[]): boolean {
  return notes.some(
    (note) => note === 'url-to-fill-in' || note === 'header-to-fill-in' || note === 'command-to-fill-in',
  );
}

/** Maximum length to inspect, also while typing. A configuration may be longer: main reads and limits it. */
const maxTextLength = 65_536;
const maxAddresses = 6;
/** Punctuation at the end of a sentence. */
const trailingPunctuation = new Set('.,;:!?\'"”’»*');
const quotePairs = ['``', '""', "''", '<>', '()', '[]', '“”', '‘’', '«»'];

/**
 * Parses what the user typed or pasted in place of a server: its address, a piece of its documentation, a command that
 * would add it to an AI app, or a configuration. Runs nothing and contacts nothing.
 */
export function readPasted(whole: string): Pasted {
  const text = unwrap(whole.trim());
  if (text === '') return { kind: 'nothing' };
  const clipped = text.slice(0, maxTextLength);
  if (isConfiguration(clipped)) return readConfiguration(text);
  const fenced = [...clipped.matchAll(/```[^\n`]{0,80}\n([^`]*)/gu)].flatMap(([, code = '']) => readBlock(code) ?? []);
  const read = pick(fenced) ?? readBlock(clipped);
  if (read && read.kind !== 'local') return read;
  const isLine = !clipped.includes('\n');
  return (
    (isLine ? read : undefined) ??
    findAddresses(clipped) ??
    read ??
    (isLine && clipped.length <= 80 ? { kind: 'name', name: clipped } : { kind: 'text' })
  );
}

/** Code or lines of text, one of which may be a command or an address. */
function readBlock(block: string): Pasted | undefined {
  const text = block.trim();
  if (isConfiguration(text)) return readConfiguration(text);
  const lines = text.split(/(?<![\\^`\r])\r?\n/u);
  return pick(lines.flatMap((line) => readLine(line, lines.length === 1) ?? []));
}

/** The first that leads to a server, otherwise the first that would start a program. */
function pick(read: readonly Pasted[]): Pasted | undefined {
  return read.find(({ kind }) => kind !== 'local') ?? read[0];
}

/** `alone`: it is the only line, so a dotted name means an address. */
function readLine(line: string, isOnlyLine: boolean): Pasted | undefined {
  const text = unwrap(line.trim());
  const read = readInstallLink(text) ?? readCommand(text);
  if (read) return read;
  const address = withoutEnd(text);
  const url = isOnlyLine || /^https?:/iu.test(address) ? completeAddress(address) : undefined;
  return url === undefined ? undefined : { kind: 'address', url };
}

/** Buttons of documentation pages: `cursor://…/mcp/install?name=N&config=BASE64`, `vscode:mcp/install?JSON`. */
function readInstallLink(text: string): Pasted | undefined {
  if (!/^(?:cursor|vscode|vscode-insiders):\S+$/iu.test(text)) return undefined;
  try {
    const query = text.slice(text.indexOf('?') + 1);
    if (query.startsWith('%7B') || query.startsWith('{')) return { kind: 'list', text: decodeURIComponent(query) };
    const parameters = new URLSearchParams(query);
    const config = parameters.get('config');
    if (config === null) return undefined;
    return { kind: 'list', text: `{${JSON.stringify(parameters.get('name') ?? 'server')}: ${atob(config)}}` };
  } catch {
    return undefined;
  }
}

/** JSON, or a fragment of a file: `"linear": { "url": "…" },` */
function isConfiguration(text: string): boolean {
  return /^(?:\/\/[^\n]*\n\s*)*\{[\s"/}]/u.test(text) || /^"[^"\n]{1,200}"\s*:\s*[{"]/u.test(text);
}

function readConfiguration(text: string): Pasted {
  if (!text.startsWith('"')) return { kind: 'list', text };
  let end = endWithout(text, text.length, /[,\s]/u);
  // A surplus closing brace belongs to the surrounding text.
  for (let surplus = count(text, '}') - count(text, '{'); surplus > 0 && text[end - 1] === '}'; surplus -= 1) {
    end = endWithout(text, end - 1, /\s/u);
  }
  return { kind: 'list', text: `{${text.slice(0, end)}}` };
}

/** The end of the text without those trailing letters. A loop, because `[…]+$` is quadratic if more text follows. */
function endWithout(text: string, end: number, letter: RegExp): number {
  let last = end;
  while (last > 0 && letter.test(text[last - 1] ?? '')) last -= 1;
  return last;
}

const count = (text: string, letter: string): number => text.split(letter).length - 1;

/** Finds an address in other text; of several, those that look like an MCP server's. */
function findAddresses(text: string): Pasted | undefined {
  // Including placeholders: without them, Postern would contact another address.
  const all = [
    ...text.matchAll(/https?:\/\/(?:[^\s<>"'`\\|^{}]|(?<=[=/])<[^<>\s/]{3,100}>|\{{1,2}[^\s<>"'{}]{1,100}\}{1,2})+/giu),
  ].map(([url]) => withoutEnd(url));
  const different = [...new Set(all)].filter((url) => URL.parse(url));
  const likely = different.filter(looksLikeMcp);
  const urls = (likely.length > 0 ? likely : different).slice(0, maxAddresses);
  const [url] = urls;
  if (url === undefined) return undefined;
  return urls.length === 1 ? { kind: 'address', url } : { kind: 'several', urls };
}

function looksLikeMcp(url: string): boolean {
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {};
  return /(?:^|[.-])mcp[.-]/u.test(hostname) || /\/(?:mcp|sse)(?:\/|$)/u.test(pathname);
}

/** Quotes, backticks and brackets around the whole. */
function unwrap(text: string): string {
  const [first = '', last = ''] = [text[0], text.at(-1)];
  const inner = text.slice(1, -1);
  const isWrapped =
    text.length > 2 && quotePairs.includes(first + last) && !inner.includes(first) && !inner.includes(last);
  return isWrapped ? unwrap(inner.trim()) : text;
}

/** Removes trailing punctuation; a closing bracket stays if the address contains the opening one. */
function withoutEnd(text: string): string {
  const surplus = new Set(trailingPunctuation);
  if (!text.includes('(')) surplus.add(')');
  if (!text.includes('[')) surplus.add(']');
  if (!text.includes('<')) surplus.add('>');
  let end = text.length;
  while (end > 0 && surplus.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}
