// One entry of a pasted or imported list: a command or an address, with its headers and variables.

import { findRemoteAlternative } from '../../../shared/known-servers.ts';
import type { RemoteAlternative } from '../../../shared/local-command.ts';
import type { ImportNote } from '../../../shared/pasted/read-pasted.ts';
import { displayText } from '../../address/display-text.ts';
import { isPlaceholderValue as isValueToFillIn, findPlaceholder } from '../../address/typed-address.ts';
import { percentDecode } from '../../secret.ts';
import { restrictsTools } from '../entry/entry-settings.ts';
import type { EntrySettings } from '../entry/entry-settings.ts';
import type { EntryHeader, ParsedEntry } from '../entry/read-entry.ts';
import { needsInput, isPlaceholder, toListedCommand, unwrapMcpRemote } from './listed-command.ts';
import type { ListedCommand, McpRemote } from './listed-command.ts';

/** One server of a list. Nothing runs before the user has allowed exactly that command. */
export interface ListedServer {
  readonly name: string;
  readonly kind: 'remote' | 'local';
  readonly url?: string;
  /** Its fixed headers, without duplicate names. */
  readonly headers?: readonly EntryHeader[];
  /** Client ID of the user's own OAuth app. */
  readonly clientId?: string;
  /** For a local server; absent if it cannot be started. */
  readonly command?: ListedCommand;
  readonly notes: readonly ImportNote[];
  /** Project folder, if a user list scopes the server to a project. */
  readonly project?: string;
  /** Absent if the entry only says how to reach the server. */
  readonly settings?: EntrySettings;
}

/**
 * Unwraps `mcp-remote`. `${NAME}` in a header is replaced from the entry's own variables, as mcp-remote does, but never
 * from Postern's environment: a file must not read that. `project`: the project folder of the list.
 */
export function toListedServer(name: string, entry: ParsedEntry, project?: string): ListedServer {
  const wrapped = entry.url === undefined ? unwrapMcpRemote(entry.words) : undefined;
  const unsupported = [...entry.settings.unsupported, ...entry.signIn, ...(wrapped?.unsupported ?? [])];
  const settings = { ...entry.settings, unsupported };
  const server = describeServer(name, entry, wrapped, project);
  if (!settings.isDisabled && !restrictsTools(settings) && unsupported.length === 0) return server;
  const notes: ImportNote[] = [
    ...(settings.isDisabled ? (['switched-off'] as const) : []),
    ...(unsupported.length > 0 ? (['members-unsupported'] as const) : []),
  ];
  return { ...server, settings, notes: [...server.notes, ...notes] };
}

function describeServer(
  name: string,
  entry: ParsedEntry,
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

function describeLocal(name: string, entry: ParsedEntry, project: string | undefined): ListedServer {
  const isEmpty = (entry.words[0] ?? '').trim() === '';
  if (isEmpty) return { name, kind: 'local', notes: ['local-command', 'command-empty'] };
  const command = toListedCommand(entry, project);
  if (!command) return { name, kind: 'local', notes: ['local-command', 'command-unusable'] };
  const needsInputFromUser =
    needsInput(command) || entry.hasEnvFile || command.variables.some(({ value }) => value === undefined);
  const notes: ImportNote[] = [
    'local-command',
    ...(needsInputFromUser ? (['command-to-fill-in'] as const) : []),
    ...(entry.isInSandbox ? (['in-sandbox'] as const) : []),
  ];
  return { name, kind: 'local', command, notes };
}

interface Remote {
  readonly url: string;
  readonly headers: readonly EntryHeader[];
  /** Some of its header values are stored elsewhere. */
  readonly isIncomplete: boolean;
}

function describeRemote(
  name: string,
  { url: listed, headers: given, isIncomplete }: Remote,
  { env, clientId }: ParsedEntry,
): ListedServer {
  const { url, headers } = withoutUserInfo(listed, given);
  const variables = new Map(env.map((variable) => [variable.name, variable.value]));
  const filled = headers.map((header) => ({ name: header.name, value: substituteVariables(header.value, variables) }));
  const hasPlaceholder = ({ value }: EntryHeader): boolean => isPlaceholder(value) || isValueToFillIn(value);
  const known = lastByName(filled).filter((header) => !hasPlaceholder(header));
  const needsInputFromUser = isIncomplete || filled.some(hasPlaceholder);
  return {
    name,
    kind: 'remote',
    url: displayText(url, 2_048),
    ...(known.length > 0 && { headers: known }),
    ...(clientId !== undefined && { clientId }),
    notes: [
      ...(needsInputFromUser ? (['header-to-fill-in'] as const) : []),
      ...(isPlaceholder(url) || findPlaceholder(url) !== undefined ? (['url-to-fill-in'] as const) : []),
    ],
  };
}

/** Turns user info in the URL into a Basic header, as clients do (RFC 7617, RFC 3986 section 3.2.1). */
function withoutUserInfo(address: string, headers: readonly EntryHeader[]): Pick<Remote, 'url' | 'headers'> {
  const url = URL.parse(address);
  if (!url || isPlaceholder(address) || (url.username === '' && url.password === '')) return { url: address, headers };
  const [name, password] = [percentDecode(url.username), percentDecode(url.password)];
  url.username = '';
  url.password = '';
  const value = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const hasAuthorization = headers.some((header) => header.name.toLowerCase() === 'authorization');
  return { url: url.href, headers: hasAuthorization ? headers : [...headers, { name: 'Authorization', value }] };
}

/** `${NAME}`, and Cursor's `${env:NAME}`; unknown ones stay. */
function substituteVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{(?:env:)?([^${}]{1,200})\}/gu, (whole, name: string) => variables.get(name) ?? whole);
}

/** Header names are case-insensitive; the last one wins. */
function lastByName(headers: readonly EntryHeader[]): readonly EntryHeader[] {
  return [...new Map(headers.map((header) => [header.name.toLowerCase(), header])).values()];
}

/** The remote server that a command line connects to. */
export function remoteOf(words: readonly string[]): RemoteAlternative | undefined {
  const address = unwrapMcpRemote(words)?.url;
  const host = URL.parse(address ?? '')?.host;
  if (address !== undefined && host !== undefined) return { name: host, address, isBridged: true };
  const known = findRemoteAlternative(words);
  return known && { name: known.name, address: known.address, isBridged: false };
}
