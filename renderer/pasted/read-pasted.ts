import { completeAddress } from './complete-address.ts';
import type { Pasted } from './pasted.ts';
import { readCommand } from './read-command.ts';

/** Of a text that is looked at for commands and addresses; a configuration may be longer. */
const longestText = 65_536;
const mostAddresses = 6;
const pairs = ['``', '""', "''", '<>', '()', '[]', '“”', '‘’', '«»'];

/**
 * What a person typed or pasted where a server is asked for: its address, a piece of its documentation, a command that
 * would add it to an AI program, or a configuration. Nothing is run and nobody is asked.
 */
export function readPasted(whole: string): Pasted {
  const text = unwrap(whole.trim());
  if (text === '') return { kind: 'nothing' };
  if (isConfiguration(text)) return readConfiguration(text);
  const clipped = text.slice(0, longestText);
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

/** Code, or lines of text, of which one may be a command or an address. */
function readBlock(block: string): Pasted | undefined {
  const text = block.trim();
  if (isConfiguration(text)) return readConfiguration(text);
  const lines = text.split(/(?<![\\^`\r])\r?\n/u);
  return pick(lines.flatMap((line) => readLine(line, lines.length === 1) ?? []));
}

/** The first that leads to a server; where none does, the first that would start a program. */
function pick(read: readonly Pasted[]): Pasted | undefined {
  return read.find(({ kind }) => kind !== 'local') ?? read[0];
}

/** `alone`: it is all that there is, so that a name with a dot is meant as an address. */
function readLine(line: string, alone: boolean): Pasted | undefined {
  const text = unwrap(line.trim());
  const read = readInstallLink(text) ?? readCommand(text);
  if (read) return read;
  const address = withoutEnd(text);
  const url = alone || /^https?:/iu.test(address) ? completeAddress(address) : undefined;
  return url === undefined ? undefined : { kind: 'address', url };
}

/** Buttons of documentation pages: `cursor://…/mcp/install?name=N&config=BASE64`, `vscode:mcp/install?JSON`. */
function readInstallLink(text: string): Pasted | undefined {
  if (!/^(?:cursor|vscode|vscode-insiders):\S+$/iu.test(text)) return undefined;
  try {
    const query = text.slice(text.indexOf('?') + 1);
    if (query.startsWith('%7B') || query.startsWith('{')) return { kind: 'list', text: decodeURIComponent(query) };
    const given = new URLSearchParams(query);
    const config = given.get('config');
    if (config === null) return undefined;
    return { kind: 'list', text: `{${JSON.stringify(given.get('name') ?? 'server')}: ${atob(config)}}` };
  } catch {
    return undefined;
  }
}

/** JSON, or a piece of it that was cut out of a file: `"linear": { "url": "…" },` */
function isConfiguration(text: string): boolean {
  return /^(?:\/\/[^\n]*\n\s*)*\{[\s"/}]/u.test(text) || /^"[^"\n]{1,200}"\s*:\s*[{"]/u.test(text);
}

function readConfiguration(text: string): Pasted {
  if (!text.startsWith('"')) return { kind: 'list', text };
  const piece = text.replace(/[,\s]+$/u, '');
  // A brace that was copied along belongs to what stood around.
  const surplus = count(piece, '}') - count(piece, '{');
  return {
    kind: 'list',
    text: `{${surplus > 0 ? piece.replace(new RegExp(`(?:\\s*\\}){${surplus}}$`, 'u'), '') : piece}}`,
  };
}

const count = (text: string, letter: string): number => text.split(letter).length - 1;

/** An address within other text; of several those that look like one of an MCP server. */
function findAddresses(text: string): Pasted | undefined {
  const all = [...text.matchAll(/https?:\/\/[^\s<>"'`\\|^{}]+/giu)].map(([url]) => withoutEnd(url));
  const different = [...new Set(all)].filter((url) => URL.canParse(url));
  const likely = different.filter(looksLikeMcp);
  const urls = (likely.length > 0 ? likely : different).slice(0, mostAddresses);
  const [url] = urls;
  if (url === undefined) return undefined;
  return urls.length === 1 ? { kind: 'address', url } : { kind: 'several', urls };
}

function looksLikeMcp(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return /(?:^|[.-])mcp[.-]/u.test(hostname) || /\/(?:mcp|sse)(?:\/|$)/u.test(pathname);
}

/** Quotes, backticks and brackets around the whole. */
function unwrap(text: string): string {
  const [first = '', last = ''] = [text[0], text.at(-1)];
  const inner = text.slice(1, -1);
  const isWrapped = text.length > 2 && pairs.includes(first + last) && !inner.includes(first) && !inner.includes(last);
  return isWrapped ? unwrap(inner.trim()) : text;
}

/** What ends a sentence rather than an address. */
function withoutEnd(text: string): string {
  const end = text.replace(/[.,;:!?'"”’»*>]+$/u, '');
  const isUnopened = (end.endsWith(')') && !end.includes('(')) || (end.endsWith(']') && !end.includes('['));
  return isUnopened ? withoutEnd(end.slice(0, -1)) : end;
}
