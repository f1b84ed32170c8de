import { theId } from '../command-context.ts';
import type { LoadableCommand } from '../command-context.ts';
import type { OptionName } from '../options/option-specs.ts';

/** What may be said of an address that is asked. */
export const addressOptions = ['local', 'allow-host', 'allow-http', 'legacy-endpoints', 'client-metadata-url'] as const;

/** The command with the most to choose. */
export const connectSpec: LoadableCommand = {
  group: 'servers',
  load: async () => (await import('../commands/connect.ts')).connect,
  summary: 'Sign in to a server and keep the connection',
  positionals: ['URL'],
  secrets: 'at-once',
  options: [
    'name',
    'replace',
    ...addressOptions,
    'client-id',
    'client-secret-stdin',
    'client-key-stdin',
    'client-auth',
    'client-secret-ends',
    'registration-token-stdin',
    'scope',
    'sign-in',
    'grant',
    'assertion-file',
    'identity-provider',
    'as-provider',
    'pkce',
    'authorization-server',
    'authorization-endpoint',
    'token-endpoint',
    'callback-host',
    'no-resource',
    'pushed-request',
    'header',
    'header-value-stdin',
    'timeout',
    'trace',
    'vault',
    'passphrase-fd',
    'passphrase-file',
    'key-file',
    'memory',
    'yes',
    'json',
    'help',
  ],
  about: [
    'Give the address of an MCP server. Postern finds out how to sign in, opens the sign-in page in your browser',
    'and waits for you. When you are back it keeps the access behind the keychain of this computer.',
    '',
    'In its place, as one word in quotes: what the documentation of a server says to paste, such as a command that',
    'adds it to an app (claude mcp add …), one that starts it (npx …, docker run …), a link that installs it, or',
    'a piece of JSON. A command is shown first, and runs once you have said yes (--yes where nobody can be asked).',
    '',
    'Most servers need nothing else. Some want you to create an app at the service first; Postern then shows the',
    "callback URL to enter there and asks for the app's client id and secret.",
    '',
    'Signing in on another computer? Use --sign-in print (on Linux without a display it is the default), open the',
    'link there, and paste the address that the browser ends on here, even if that page does not load.',
    'With --sign-in device you enter a code on any device, where the service offers that; nothing has to come back.',
    'A --name that this server has already signs it in again; the name of another server needs --replace. What it was',
    'reached by stays then (--local, --allow-http, --allow-host); give all other options again.',
    'On a server without a keychain, --vault says what sign-ins are sealed with from the first connection on: a',
    'passphrase, or a key file in another place. Every command takes it by the same options; docs/cli.md says more.',
    'Where your company signs in for you, connect its identity provider once, and each server with that provider.',
    'With --client-id a client secret is asked for on a terminal; Enter says that there is none.',
  ],
  examples: [
    'postern connect https://mcp.example.com/mcp',
    'postern connect http://localhost:3000/mcp --local --name Notes',
    'postern connect https://mcp.example.com/mcp --client-id abc --client-secret-stdin < secret.txt',
    'postern connect https://mcp.example.com/mcp --client-id abc --client-key-stdin < key.pem',
    'postern connect https://mcp.example.com/mcp --vault file --key-file /etc/postern/key --sign-in print',
    'postern connect https://mcp.example.com/mcp --client-id job --assertion-file token.jwt',
    'postern connect https://login.example.com --as-provider --client-id abc --name Company',
    'postern connect https://mcp.example.com/mcp --identity-provider Company --client-id abc',
    'postern connect https://mcp.example.com/mcp --header X-API-Key --header-value-stdin < key.txt',
  ],
  answers: ({ z, failure, integration, list }) => [
    z.looseObject({
      integration,
      tools: z.array(z.string()),
      warnings: z.array(failure),
      replaced: z.optional(z.looseObject({ integration })),
      /** Ids of others with the same address. */
      beside: z.optional(z.array(z.string())),
    }),
    /** Of a command that was pasted, and of entries. */
    z.looseObject({ integration, tools: z.number() }),
    z.looseObject({ imports: list, changes: list }),
  ],
  events: ({ signingIn }) => [...signingIn, 'preview', 'import', 'imported'],
};

/** What only something that is kept has. */
const aboutKeeping: ReadonlySet<OptionName> = new Set([
  'name',
  'replace',
  'as-provider',
  'identity-provider',
  'vault',
  'passphrase-fd',
  'passphrase-file',
  'key-file',
  'client-secret-ends',
]);

/** A connection for one command. */
export const withSpec: LoadableCommand = {
  group: 'use',
  load: async () => (await import('../commands/connect.ts')).withServer,
  summary: 'Connect, run one command on the connection, and keep nothing',
  positionals: ['URL', 'COMMAND…'],
  usesSignIn: true,
  runsCommand: true,
  options: connectSpec.options.filter((name) => !aboutKeeping.has(name)),
  about: [
    'COMMAND stands after --, as one of this program without its ID: tools, call, resources, read, prompts, prompt or',
    'token. Options before -- are those of connect, options after it those of COMMAND; --json and --sign-in hold for',
    'both. Nothing is written, and no keychain or vault is opened.',
  ],
  examples: [
    'postern with https://mcp.example.com/mcp -- tools',
    'postern with https://mcp.example.com/mcp --header X-API-Key --header-value-stdin -- call search query=tea < key.txt',
  ],
  answers: ({ z }) => z.looseObject({}),
};

/** The command that a service manager runs. */
export const watchSpec: LoadableCommand = {
  group: 'scripts',
  load: async () => (await import('../commands/watch.ts')).watch,
  summary: 'Renew every access before it ends, until this is ended',
  positionals: [],
  secrets: 'at-once',
  options: ['json', 'help'],
  about: [
    'For computers without a display; the window does the same while it is open. It opens no page: what wants a person',
    'is said, and waits. Under systemd it tells when it is up and how it does: the Linux package brings a unit for the',
    'services of a user, postern-watch.service.',
  ],
  examples: ['postern watch', 'postern watch --json'],
  answers: ({ z }) => z.looseObject({}),
};

/** The command that hands a token to another one. */
export const execSpec: LoadableCommand = {
  group: 'scripts',
  load: async () => (await import('../commands/exec.ts')).exec,
  summary: 'Run a command that gets a fresh access token',
  positionals: ['ID', 'COMMAND…'],
  secrets: 'at-once',
  usesSignIn: true,
  options: ['min-ttl', 'env', 'header-file', 'json', 'help'],
  about: [
    theId,
    'COMMAND stands after --. It finds the token in the variable POSTERN_TOKEN of its environment. What runs as you, or',
    'as the administrator, can read that while the command runs, and so can every program that it starts.',
    'With --header-file the variable POSTERN_HEADER_FILE names a file with the line `Authorization: Bearer TOKEN`. Only',
    'you can read it, and it is deleted when the command ends. The exit code is that of the command; 126 or 127 where it',
    'cannot be started. What it prints is its own; with --json the last line says how it ended.',
  ],
  examples: [
    'postern exec Notes -- ./sync.sh',
    `postern exec Notes --header-file -- sh -c 'curl -H @"$POSTERN_HEADER_FILE" https://mcp.example.com/mcp'`,
  ],
  /** Behind what the command itself has printed. */
  answers: ({ z }) => z.looseObject({ exitCode: z.number() }),
};
