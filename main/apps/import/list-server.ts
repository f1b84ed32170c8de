import { findRemoteOf } from '../../../shared/known-servers.ts';
import type { RemoteOf } from '../../../shared/local-command.ts';
import type { ImportNote } from '../../../shared/pasted/read-pasted.ts';
import { displayText } from '../../address/display-text.ts';
import { isToFillIn as isValueToFillIn, partToFillIn } from '../../address/typed-address.ts';
import { decoded } from '../../secret.ts';
import { hasRules } from '../entry/entry-decisions.ts';
import type { EntryDecisions } from '../entry/entry-decisions.ts';
import type { EntryHeader, ReadEntry } from '../entry/read-entry.ts';
import { hasGap, isPlaceholder, listedCommand, unwrapMcpRemote } from './listed-command.ts';
import type { ListedCommand, McpRemote } from './listed-command.ts';

/** One server of a list. Nothing of it runs before a person has allowed exactly that. */
export interface ListedServer {
  readonly name: string;
  readonly kind: 'remote' | 'local';
  readonly url?: string;
  /** Fixed headers that come with it, each name once. */
  readonly headers?: readonly EntryHeader[];
  /** What the app signs in with, where the user has created an app at the service. */
  readonly clientId?: string;
  /** Of a local one; absent: it cannot be started. */
  readonly command?: ListedCommand;
  readonly notes: readonly ImportNote[];
  /** Folder of the project that an app has it for, in a list of its user. */
  readonly project?: string;
  /** Left out: the app holds nothing but how it is reached. */
  readonly decisions?: EntryDecisions;
}

/**
 * What an entry leads to: its address, or that of `mcp-remote`. `${NAME}` in a header is what the entry's own variables
 * say, as mcp-remote reads it; the environment of Postern is nobody's to read from a file. `project`: the folder that
 * the list is of.
 */
export function listServer(name: string, entry: ReadEntry, project?: string): ListedServer {
  const wrapped = entry.url === undefined ? unwrapMcpRemote(entry.words) : undefined;
  const unread = [...entry.decisions.unread, ...entry.signIn, ...(wrapped?.unread ?? [])];
  const decisions = { ...entry.decisions, unread };
  const server = reachServer(name, entry, wrapped, project);
  if (!decisions.isOff && !hasRules(decisions) && unread.length === 0) return server;
  const notes: ImportNote[] = [
    ...(decisions.isOff ? (['switched-off'] as const) : []),
    ...(unread.length > 0 ? (['members-unread'] as const) : []),
  ];
  return { ...server, decisions, notes: [...server.notes, ...notes] };
}

function reachServer(
  name: string,
  entry: ReadEntry,
  wrapped: McpRemote | undefined,
  project: string | undefined,
): ListedServer {
  if (entry.url !== undefined)
    return describeRemote(
      name,
      { url: entry.url, headers: entry.headers, isIncomplete: entry.hasUnknownHeaders },
      entry,
    );
  if (!wrapped) return describeLocal(name, entry, project);
  const { url, headers, hasHeaderFile, clientId = entry.clientId } = wrapped;
  const bridged = { ...entry, ...(clientId !== undefined && { clientId }) };
  const server = describeRemote(name, { url, headers, isIncomplete: hasHeaderFile }, bridged);
  return { ...server, notes: ['unwrapped-mcp-remote', ...server.notes] };
}

function describeLocal(name: string, entry: ReadEntry, project: string | undefined): ListedServer {
  const isEmpty = (entry.words[0] ?? '').trim() === '';
  if (isEmpty) return { name, kind: 'local', notes: ['local-command', 'command-empty'] };
  const command = listedCommand(entry, project);
  if (!command) return { name, kind: 'local', notes: ['local-command', 'command-unusable'] };
  const isToFillIn = hasGap(command) || entry.hasEnvFile || command.variables.some(({ value }) => value === undefined);
  const notes: ImportNote[] = [
    'local-command',
    ...(isToFillIn ? (['command-to-fill-in'] as const) : []),
    ...(entry.isInSandbox ? (['in-sandbox'] as const) : []),
  ];
  return { name, kind: 'local', command, notes };
}

interface Remote {
  readonly url: string;
  readonly headers: readonly EntryHeader[];
  /** Some of its header values are kept elsewhere. */
  readonly isIncomplete: boolean;
}

function describeRemote(
  name: string,
  { url: listed, headers: given, isIncomplete }: Remote,
  { env, clientId }: ReadEntry,
): ListedServer {
  const { url, headers } = withoutUserInfo(listed, given);
  const variables = new Map(env.map((variable) => [variable.name, variable.value]));
  const filled = headers.map((header) => ({ name: header.name, value: fillIn(header.value, variables) }));
  const isGap = ({ value }: EntryHeader): boolean => isPlaceholder(value) || isValueToFillIn(value);
  const known = lastOfEach(filled).filter((header) => !isGap(header));
  const isToFillIn = isIncomplete || filled.some(isGap);
  return {
    name,
    kind: 'remote',
    url: displayText(url, 2_048),
    ...(known.length > 0 && { headers: known }),
    ...(clientId !== undefined && { clientId }),
    notes: [
      ...(isToFillIn ? (['header-to-fill-in'] as const) : []),
      ...(isPlaceholder(url) || partToFillIn(url) !== undefined ? (['url-to-fill-in'] as const) : []),
    ],
  };
}

/** A name and password before the host are what a client sends as Basic (RFC 7617, RFC 3986 section 3.2.1). */
function withoutUserInfo(address: string, headers: readonly EntryHeader[]): Pick<Remote, 'url' | 'headers'> {
  const url = URL.parse(address);
  if (!url || isPlaceholder(address) || (url.username === '' && url.password === '')) return { url: address, headers };
  const [name, password] = [decoded(url.username), decoded(url.password)];
  url.username = '';
  url.password = '';
  const value = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const isThere = headers.some((header) => header.name.toLowerCase() === 'authorization');
  return { url: url.href, headers: isThere ? headers : [...headers, { name: 'Authorization', value }] };
}

/** `${NAME}`, and Cursor's `${env:NAME}`; what the entry does not say stays. */
function fillIn(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{(?:env:)?([^${}]{1,200})\}/gu, (whole, name: string) => variables.get(name) ?? whole);
}

/** HTTP does not tell `X-Key` from `x-key`; the last one counts. */
function lastOfEach(headers: readonly EntryHeader[]): readonly EntryHeader[] {
  return [...new Map(headers.map((header) => [header.name.toLowerCase(), header])).values()];
}

/** Of the words of a command. */
export function remoteOf(words: readonly string[]): RemoteOf | undefined {
  const address = unwrapMcpRemote(words)?.url;
  const host = URL.parse(address ?? '')?.host;
  if (address !== undefined && host !== undefined) return { name: host, address, isBridged: true };
  const known = findRemoteOf(words);
  return known && { name: known.name, address: known.address, isBridged: false };
}
