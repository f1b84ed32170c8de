/** One entry of a program, whichever program wrote it. */
export interface ReadEntry {
  readonly url?: string;
  /** The command and its arguments. */
  readonly words: readonly string[];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Names of variables. */
  readonly env: readonly string[];
}

/** Programs disagree on the names. */
const urlKeys = ['url', 'serverUrl', 'httpUrl', 'uri'];
const commandKeys = ['command', 'cmd'];
const headerKeys = ['headers', 'http_headers'];
const environmentKeys = ['env', 'environment', 'envs'];

export function readEntry(value: unknown): ReadEntry {
  const entry = recordOf(value);
  const first = (keys: readonly string[]): unknown => keys.map((key) => entry[key]).find((each) => each !== undefined);
  const url = first(urlKeys);
  const command = first(commandKeys);
  const headers = recordOf(first(headerKeys) ?? recordOf(entry['requestOptions'])['headers']);
  return {
    ...(typeof url === 'string' && { url }),
    words: [command, entry['args']].flatMap(textsOf),
    headers: Object.entries(headers).map(([name, text]) => ({ name, value: textsOf(text)[0] ?? '' })),
    env: Object.keys(recordOf(first(environmentKeys))),
  };
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

/** Alias or id that stands in an address of Postern. */
export function readGatewayAddress({ url }: ReadEntry, gatewayUrl: string | undefined): string | undefined {
  if (gatewayUrl === undefined || url?.startsWith(`${gatewayUrl}/`) !== true) return undefined;
  return /^[a-z0-9-]{1,64}$/.exec(url.slice(gatewayUrl.length + 1))?.[0];
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
