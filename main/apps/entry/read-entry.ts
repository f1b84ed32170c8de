import { membersOf } from '../../../shared/json-object.ts';
import { isPlaceholderValue } from '../../address/typed-address.ts';
import { isSecretName } from '../../secret.ts';
import { type EntrySettings, readEntrySettings } from './entry-settings.ts';

/** One entry, in whichever app's format. */
export interface ParsedEntry {
  readonly url?: string;
  /** The command and its arguments. */
  readonly words: readonly string[];
  readonly headers: readonly EntryHeader[];
  /** Some header values are in the app's environment (Codex) or printed by a command. */
  readonly hasUnknownHeaders: boolean;
  /** A command line that prints headers. */
  readonly helper?: string;
  readonly env: readonly EntryHeader[];
  /** Names of variables whose values are in the app's environment (Codex) or its keychain (Goose). */
  readonly envElsewhere: readonly string[];
  /** More variables are in a file (VS Code, Cursor). */
  readonly hasEnvFile: boolean;
  /** Client ID of the user's own OAuth app. */
  readonly clientId?: string;
  /** The command runs in a sandbox (VS Code). */
  readonly isInSandbox: boolean;
  /** The working directory, as written. */
  readonly folder?: string;
  /** Sign-in members of a remote entry that Postern does not carry over. */
  readonly signIn: readonly string[];
  readonly settings: EntrySettings;
}

/** A header or a variable. */
export interface EntryHeader {
  readonly name: string;
  readonly value: string;
}

/** Apps use different names. If both are set, Gemini CLI uses `httpUrl`. */
const urlKeys = ['httpUrl', 'url', 'serverUrl', 'uri'];
const commandKeys = ['command', 'cmd'];
const headerKeys = ['headers', 'http_headers'];
/** Continue and Copilot for JetBrains nest the headers. */
const headerHolders = ['requestOptions', 'requestInit'];
const helperKeys = ['http_headers_helper', 'headersHelper'];
const headerVariableKeys = ['bearer_token_env_var', 'env_http_headers', ...helperKeys];
const environmentKeys = ['env', 'environment', 'envs'];
const externalVariableKeys = ['env_vars', 'env_keys'];
const folderKeys = ['cwd', 'workingDirectory'];
/** Objects with the OAuth client: Gemini CLI, OpenCode and Claude Code, then Cursor. Copilot CLI has only its ID. */
const clientHolders = ['oauth', 'auth'];
const clientIdKeys = ['clientId', 'client_id', 'CLIENT_ID'];
const plainClientIdKeys = ['oauthClientId', 'oauth_client_id'];
/** Decide how to reach a server whose entry has both a URL and a command. */
const kindKeys = ['type', 'transport', 'transportType'];
const localKinds: readonly unknown[] = ['stdio', 'local'];

export function readEntry(value: unknown): ParsedEntry {
  const entry = membersOf(value);
  const first = (keys: readonly string[]): unknown => keys.map((key) => entry[key]).find((each) => each !== undefined);
  const command = first(commandKeys);
  // Older versions of Zed put the whole command into one object.
  const commandObject = membersOf(command);
  const folder = first(folderKeys);
  const helper = first(helperKeys);
  const nested = headerHolders.map((key) => membersOf(entry[key])['headers']).find((each) => each !== undefined);
  const headers = membersOf(first(headerKeys) ?? nested);
  const client = membersOf(first(clientHolders));
  const clientId =
    clientIdKeys.map((key) => client[key]).find((each) => each !== undefined) ?? first(plainClientIdKeys);
  const words = [command, commandObject['path'], commandObject['args'], entry['args']].flatMap(textsOf);
  const isLocal = words.length > 0 && localKinds.includes(textsOf(first(kindKeys))[0]?.toLowerCase());
  const url = isLocal ? undefined : urlKeys.map((key) => entry[key]).find((each) => isFilled(each));
  return {
    ...(url !== undefined && { url }),
    words,
    headers: textsIn(headers),
    hasUnknownHeaders: first(headerVariableKeys) !== undefined,
    ...(typeof helper === 'string' && { helper }),
    env: textsIn(withoutNulls(membersOf(first(environmentKeys) ?? commandObject['env']))),
    envElsewhere: textsOf(first(externalVariableKeys)),
    hasEnvFile: typeof entry['envFile'] === 'string',
    isInSandbox: entry['sandboxEnabled'] === true,
    ...(typeof clientId === 'string' && clientId !== '' && !isPlaceholderValue(clientId) && { clientId }),
    ...(typeof folder === 'string' && folder !== '' && { folder }),
    signIn: url === undefined ? [] : signInMembers(entry),
    settings: readEntrySettings(value),
  };
}

/** An empty string counts as absent. */
function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

const readKeys: ReadonlySet<string> = new Set([
  ...[...urlKeys, ...commandKeys, ...headerKeys, ...headerVariableKeys, ...environmentKeys, ...externalVariableKeys],
]);

/** Sign-in members besides the OAuth client: Codex, Copilot CLI, Gemini CLI. */
const signInKeys: ReadonlySet<string> = new Set([
  ...[...clientHolders, ...plainClientIdKeys, 'scope', 'scopes', 'oauth_scopes', 'oauthScopes', 'oauth_resource'],
  ...['oauthResource', 'oauthGrantType', 'authProviderType', 'targetAudience', 'targetServiceAccount'],
]);
/** Members of a client that Postern carries over, or that matter only to the app. */
const clientMemberKeys: ReadonlySet<string> = new Set([
  ...[...kindKeys, ...clientIdKeys, ...plainClientIdKeys, 'enabled', 'redirectUri', 'redirect_uri', 'callbackPort'],
]);
/** Values that match what Postern does anyway. */
const defaultSignIn = /^(?:oauth2?|none|auto|dynamic_discovery|authorization_code)$/iu;

/**
 * Names of members with a credential or a sign-in setting, such as `auth.token` and `oauth.scopes`; not those read as
 * headers or variables. `isClient`: the members belong to an OAuth client.
 */
function signInMembers(
  members: Readonly<Record<string, unknown>>,
  { depth = 0, isClient = false }: { readonly depth?: number; readonly isClient?: boolean } = {},
): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (readKeys.has(name)) return [];
    if (depth < 2 && typeof value === 'object' && !Array.isArray(value)) {
      const nested = { depth: depth + 1, isClient: isClient || clientHolders.includes(name) };
      return signInMembers(membersOf(value), nested).map((inner) => `${name}.${inner}`);
    }
    const isSignInMember =
      (isClient || signInKeys.has(name)) && (!clientMemberKeys.has(name) || isPlaceholderValue(String(value)));
    const [text] = typeof value === 'boolean' ? [] : textsOf(value).filter(isFilled);
    if (text === undefined) return [];
    return (isSignInMember && !defaultSignIn.test(text)) || (typeof value === 'string' && isSecretName(name))
      ? [name]
      : [];
  });
}

/** False for entries that are not servers, such as a flag for a server defined elsewhere. */
export function isServer({ url, words }: ParsedEntry): boolean {
  return url !== undefined || words.length > 0;
}

/** Why an entry cannot be read. */
export interface EntryFault {
  /** Such as `args.1`; absent if the value is not an entry at all, or has neither a URL nor a command. */
  readonly member?: string;
}

/** Settings, besides booleans, for an entry that is defined elsewhere. */
const settingKeys = ['source', 'settings'];
/** Kinds that are part of the app, not MCP servers (Goose). */
const builtInKinds: readonly unknown[] = ['builtin', 'platform', 'frontend', 'inline_python'];

/**
 * The first member of an unexpected type. It must not be skipped: the entry would become another server, or lose its
 * key. `undefined` if the entry can be read, or only holds settings for one defined elsewhere.
 */
export function faultOf(value: unknown): EntryFault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const entry = membersOf(value);
  const present = (keys: readonly string[]): readonly string[] => keys.filter((key) => (entry[key] ?? null) !== null);
  const [address] = present(urlKeys).filter((key) => typeof entry[key] !== 'string');
  if (address !== undefined) return { member: address };
  for (const key of present(commandKeys)) {
    const command = entry[key];
    const isObject = typeof command === 'object' && !Array.isArray(command);
    const fault = isObject ? faultOfTexts(membersOf(command)['args'], `${key}.args`) : faultOfTexts(command, key);
    if (fault) return fault;
  }
  const faults = [
    faultOfTexts(entry['args'], 'args'),
    ...present([...headerKeys, ...environmentKeys]).map((key) => faultOfRecord(entry[key], key)),
    ...headerHolders.map((key) => {
      const { headers } = membersOf(entry[key]);
      return (headers ?? null) === null ? undefined : faultOfRecord(headers, `${key}.headers`);
    }),
    ...present(folderKeys).map((key) => (typeof entry[key] === 'string' ? undefined : { member: key })),
  ];
  const fault = faults.find((each) => each !== undefined);
  if (fault || isServer(readEntry(value))) return fault;
  if (builtInKinds.includes(entry['type'])) return undefined;
  const isSetting = Object.entries(entry).every(
    ([key, each]) => typeof each === 'boolean' || settingKeys.includes(key),
  );
  return isSetting && Object.keys(entry).length > 0 ? undefined : {};
}

function faultOfTexts(value: unknown, member: string): EntryFault | undefined {
  if (!Array.isArray(value)) return value === undefined || value === null || isText(value) ? undefined : { member };
  const index = value.findIndex((each) => !isText(each));
  return index < 0 ? undefined : { member: `${member}.${index}` };
}

/** A null value is allowed: the app gets it from elsewhere. */
function faultOfRecord(value: unknown, member: string): EntryFault | undefined {
  if (typeof value !== 'object' || Array.isArray(value)) return { member };
  const [name] = Object.entries(membersOf(value)).find(([, each]) => typeof each === 'object' && each !== null) ?? [];
  return name === undefined ? undefined : { member: `${member}.${name}` };
}

function isText(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** The arguments of our stdio pipe. */
interface PipeArguments {
  readonly profileFolder: string;
  /** Alias or ID. */
  readonly server: string;
  /** ID of the record. */
  readonly record: string;
}

export function readPipeArguments({ words }: ParsedEntry): PipeArguments | undefined {
  const at = words.indexOf('--profile-folder');
  const [profileFolder, server] = [words[at + 1], words[at + 2]];
  const record = words[words.indexOf('--app') + 1];
  if (at < 1 || !words.includes('--app') || !profileFolder || !server || !record) return undefined;
  return { profileFolder, server, record };
}

/** A URL that a Postern gateway on this computer could have. */
interface LocalAddress {
  readonly port: number;
  /** Alias or ID. */
  readonly server: string;
}

export function readLocalAddress({ url = '' }: ParsedEntry): LocalAddress | undefined {
  const [, port, server] = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d{1,5})\/mcp\/(\+?[a-z0-9-]{1,64})$/.exec(url) ?? [];
  return port === undefined || server === undefined ? undefined : { port: Number(port), server };
}

/** The bearer secret of an entry (RFC 6750 section 2.1). */
export function readBearer({ headers }: ParsedEntry): string | undefined {
  const authorization = headers.find(({ name }) => name.toLowerCase() === 'authorization');
  return /^Bearer (\S+)$/i.exec(authorization?.value ?? '')?.[1];
}

function textsIn(record: Readonly<Record<string, unknown>>): readonly EntryHeader[] {
  return Object.entries(record).map(([name, text]) => ({ name, value: textsOf(text)[0] ?? '' }));
}

/** A null variable counts as unset. */
function withoutNulls(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isText(value) ? [String(value)] : [];
}
