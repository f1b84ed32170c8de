import { isToFillIn } from '../../address/typed-address.ts';
import { isSecretName } from '../../secret.ts';
import { type EntryDecisions, entryDecisions } from './entry-decisions.ts';

/** One entry of a program, whichever program wrote it. */
export interface ReadEntry {
  readonly url?: string;
  /** The command and its arguments. */
  readonly words: readonly string[];
  readonly headers: readonly EntryHeader[];
  /** Headers whose values stand in the environment of the program (Codex). */
  readonly hasUnknownHeaders: boolean;
  /** A command line that prints headers. */
  readonly helper?: string;
  readonly env: readonly EntryHeader[];
  /** Variables of its command whose values are elsewhere: in the environment of the program (Codex), or its keychain (Goose). */
  readonly envElsewhere: readonly string[];
  /** A file with more of them (VS Code, Cursor). */
  readonly hasEnvFile: boolean;
  /** Of an app that the user has created at the service. */
  readonly clientId?: string;
  /** Its command runs in a sandbox (VS Code). */
  readonly isInSandbox: boolean;
  /** The folder that its command runs in, as it is written. */
  readonly folder?: string;
  /** Members beside an address that say how the app signs in, and that Postern does not take. */
  readonly signIn: readonly string[];
  readonly decisions: EntryDecisions;
}

/** A header or a variable. */
export interface EntryHeader {
  readonly name: string;
  readonly value: string;
}

/** Programs disagree on the names. Of two, Gemini CLI goes by `httpUrl`. */
const urlKeys = ['httpUrl', 'url', 'serverUrl', 'uri'];
const commandKeys = ['command', 'cmd'];
const headerKeys = ['headers', 'http_headers'];
/** Continue and Copilot for JetBrains have them within. */
const headerHolders = ['requestOptions', 'requestInit'];
const helperKeys = ['http_headers_helper', 'headersHelper'];
const headerVariableKeys = ['bearer_token_env_var', 'env_http_headers', ...helperKeys];
const environmentKeys = ['env', 'environment', 'envs'];
const elsewhereKeys = ['env_vars', 'env_keys'];
const folderKeys = ['cwd', 'workingDirectory'];
/** What holds the client: of Gemini CLI, OpenCode and Claude Code, then of Cursor. Copilot CLI has its id alone. */
const clientHolders = ['oauth', 'auth'];
const clientIdKeys = ['clientId', 'client_id', 'CLIENT_ID'];
const plainClientIdKeys = ['oauthClientId', 'oauth_client_id'];
/** What says how an entry is reached, where it has both an address and a command. */
const kindKeys = ['type', 'transport', 'transportType'];
const localKinds: readonly unknown[] = ['stdio', 'local'];

export function readEntry(value: unknown): ReadEntry {
  const entry = recordOf(value);
  const first = (keys: readonly string[]): unknown => keys.map((key) => entry[key]).find((each) => each !== undefined);
  const command = first(commandKeys);
  // Zed had all of the command in one object.
  const whole = recordOf(command);
  const folder = first(folderKeys);
  const helper = first(helperKeys);
  const within = headerHolders.map((key) => recordOf(entry[key])['headers']).find((each) => each !== undefined);
  const headers = recordOf(first(headerKeys) ?? within);
  const client = recordOf(first(clientHolders));
  const clientId =
    clientIdKeys.map((key) => client[key]).find((each) => each !== undefined) ?? first(plainClientIdKeys);
  const words = [command, whole['path'], whole['args'], entry['args']].flatMap(textsOf);
  const isLocal = words.length > 0 && localKinds.includes(textsOf(first(kindKeys))[0]?.toLowerCase());
  const url = isLocal ? undefined : urlKeys.map((key) => entry[key]).find((each) => isFilled(each));
  return {
    ...(url !== undefined && { url }),
    words,
    headers: textsIn(headers),
    hasUnknownHeaders: first(headerVariableKeys) !== undefined,
    ...(typeof helper === 'string' && { helper }),
    env: textsIn(withoutNulls(recordOf(first(environmentKeys) ?? whole['env']))),
    envElsewhere: textsOf(first(elsewhereKeys)),
    hasEnvFile: typeof entry['envFile'] === 'string',
    isInSandbox: entry['sandboxEnabled'] === true,
    ...(typeof clientId === 'string' && clientId !== '' && !isToFillIn(clientId) && { clientId }),
    ...(typeof folder === 'string' && folder !== '' && { folder }),
    signIn: url === undefined ? [] : signInMembers(entry),
    decisions: entryDecisions(value),
  };
}

/** Empty is absent. */
function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

const readKeys: ReadonlySet<string> = new Set([
  ...[...urlKeys, ...commandKeys, ...headerKeys, ...headerVariableKeys, ...environmentKeys, ...elsewhereKeys],
]);

/** What an app asks a service for, or as whom, beside the holders of a client: Codex, Copilot CLI, Gemini CLI. */
const signInKeys: ReadonlySet<string> = new Set([
  ...[...clientHolders, ...plainClientIdKeys, 'scope', 'scopes', 'oauth_scopes', 'oauthScopes', 'oauth_resource'],
  ...['oauthResource', 'oauthGrantType', 'authProviderType', 'targetAudience', 'targetServiceAccount'],
]);
/** Of a client: what is taken, and what only the app itself has a use for. */
const ownKeys: ReadonlySet<string> = new Set([
  ...[...kindKeys, ...clientIdKeys, ...plainClientIdKeys, 'enabled', 'redirectUri', 'redirect_uri', 'callbackPort'],
]);
/** What Postern does without being told. */
const usual = /^(?:oauth2?|none|auto|dynamic_discovery|authorization_code)$/iu;

/**
 * Names of members that hold a credential, or what the app signs in with, such as `auth.token` and `oauth.scopes`. What
 * is read as headers or variables is none of them. `isClient`: they are of a client.
 */
function signInMembers(
  members: Readonly<Record<string, unknown>>,
  { depth = 0, isClient = false }: { readonly depth?: number; readonly isClient?: boolean } = {},
): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (readKeys.has(name)) return [];
    if (depth < 2 && typeof value === 'object' && !Array.isArray(value)) {
      const within = { depth: depth + 1, isClient: isClient || clientHolders.includes(name) };
      return signInMembers(recordOf(value), within).map((inner) => `${name}.${inner}`);
    }
    const isOfSignIn = (isClient || signInKeys.has(name)) && (!ownKeys.has(name) || isToFillIn(String(value)));
    const [text] = typeof value === 'boolean' ? [] : textsOf(value).filter(isFilled);
    if (text === undefined) return [];
    return (isOfSignIn && !usual.test(text)) || (typeof value === 'string' && isSecretName(name)) ? [name] : [];
  });
}

/** Something that a program reaches: others of its entries (a flag of one that stands elsewhere) are none. */
export function isServer({ url, words }: ReadEntry): boolean {
  return url !== undefined || words.length > 0;
}

/** Why an entry cannot be taken as it is written. */
export interface EntryFault {
  /** Such as `args.1`; absent: it is no entry at all, or has neither address nor command. */
  readonly member?: string;
}

/** What programs set for an entry that stands elsewhere, beside switches. */
const settingKeys = ['source', 'settings'];
/** Kinds of what is a part of its app, and no server (Goose). */
const ownKinds: readonly unknown[] = ['builtin', 'platform', 'frontend', 'inline_python'];

/**
 * A member that is not of the kind that every program gives it: left out, the entry would be another server, or the same
 * one without its key. `undefined`: the entry can be read, or only has settings of one that stands elsewhere.
 */
export function faultOf(value: unknown): EntryFault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const entry = recordOf(value);
  const present = (keys: readonly string[]): readonly string[] => keys.filter((key) => (entry[key] ?? null) !== null);
  const [address] = present(urlKeys).filter((key) => typeof entry[key] !== 'string');
  if (address !== undefined) return { member: address };
  for (const key of present(commandKeys)) {
    const whole = entry[key];
    const isWhole = typeof whole === 'object' && !Array.isArray(whole);
    const fault = isWhole ? faultOfTexts(recordOf(whole)['args'], `${key}.args`) : faultOfTexts(whole, key);
    if (fault) return fault;
  }
  const faults = [
    faultOfTexts(entry['args'], 'args'),
    ...present([...headerKeys, ...environmentKeys]).map((key) => faultOfRecord(entry[key], key)),
    ...headerHolders.map((key) => {
      const { headers } = recordOf(entry[key]);
      return (headers ?? null) === null ? undefined : faultOfRecord(headers, `${key}.headers`);
    }),
    ...present(folderKeys).map((key) => (typeof entry[key] === 'string' ? undefined : { member: key })),
  ];
  const fault = faults.find((each) => each !== undefined);
  if (fault || isServer(readEntry(value))) return fault;
  if (ownKinds.includes(entry['type'])) return undefined;
  const isSetting = Object.entries(entry).every(
    ([key, each]) => typeof each === 'boolean' || settingKeys.includes(key),
  );
  return isSetting && Object.keys(entry).length > 0 ? undefined : {};
}

function faultOfTexts(value: unknown, member: string): EntryFault | undefined {
  if (!Array.isArray(value)) return value === undefined || value === null || isText(value) ? undefined : { member };
  const place = value.findIndex((each) => !isText(each));
  return place < 0 ? undefined : { member: `${member}.${place}` };
}

/** An empty value is one that the program knows from elsewhere. */
function faultOfRecord(value: unknown, member: string): EntryFault | undefined {
  if (typeof value !== 'object' || Array.isArray(value)) return { member };
  const [name] = Object.entries(recordOf(value)).find(([, each]) => typeof each === 'object' && each !== null) ?? [];
  return name === undefined ? undefined : { member: `${member}.${name}` };
}

function isText(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** What a pipe of Postern is told by its arguments; `undefined`: it is none. */
export interface PipeWords {
  readonly profileFolder: string;
  /** Alias or id. */
  readonly server: string;
  /** Id of the record. */
  readonly record: string;
}

export function readPipeWords({ words }: ReadEntry): PipeWords | undefined {
  const place = words.indexOf('--profile-folder');
  const [profileFolder, server] = [words[place + 1], words[place + 2]];
  const record = words[words.indexOf('--program') + 1];
  if (place < 1 || !words.includes('--program') || !profileFolder || !server || !record) return undefined;
  return { profileFolder, server, record };
}

/** An address that a Postern of this computer could have. */
export interface LocalAddress {
  readonly port: number;
  /** Alias or id. */
  readonly server: string;
}

export function readLocalAddress({ url = '' }: ReadEntry): LocalAddress | undefined {
  const [, port, server] = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d{1,5})\/mcp\/(\+?[a-z0-9-]{1,64})$/.exec(url) ?? [];
  return port === undefined || server === undefined ? undefined : { port: Number(port), server };
}

/** The secret that an entry shows (RFC 6750 section 2.1). */
export function readBearer({ headers }: ReadEntry): string | undefined {
  const authorization = headers.find(({ name }) => name.toLowerCase() === 'authorization');
  return /^Bearer (\S+)$/i.exec(authorization?.value ?? '')?.[1];
}

function textsIn(record: Readonly<Record<string, unknown>>): readonly EntryHeader[] {
  return Object.entries(record).map(([name, text]) => ({ name, value: textsOf(text)[0] ?? '' }));
}

/** A variable that is null is not set. */
function withoutNulls(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isText(value) ? [String(value)] : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
