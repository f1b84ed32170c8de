import { idHelp } from '../command-context.ts';
import type { LoadableCommand } from '../command-context.ts';
import type { OptionName } from '../options/option-specs.ts';

/** Options about the server's address. */
export const addressOptions = ['local', 'allow-host', 'allow-http', 'legacy-endpoints', 'client-metadata-url'] as const;

/** The command with the most options. */
export const connectSpec: LoadableCommand = {
  group: 'servers',
  load: async () => (await import('../commands/connect.ts')).connect,
  summary: 'Connect a server and sign in to it',
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
  description: [
    'Give the address of an MCP server. Postern finds out how to sign in, opens the sign-in page in your browser, and',
    'waits for you. It then stores the sign-in, encrypted with a key in the keychain of this computer.',
    '',
    "Instead of an address, you can paste what the server's documentation tells you to use, as one quoted argument:",
    'a command that adds it to an app (claude mcp add …), one that starts it (npx …, docker run …), an install link, or',
    'JSON. Postern shows a command first and asks before it runs. Without a terminal, use --yes.',
    '',
    'Most servers need nothing else. For some, you first create an OAuth app at the service. Postern shows the callback',
    'URL to register there and asks for the client ID and client secret.',
    '',
    'Is your browser on another computer? Use --sign-in print, the default on Linux without a display. Open the link',
    'there. Then copy the address where the browser ends up and paste it here, even if that page does not load.',
    'With --sign-in device, you enter a code on any device, if the service supports that.',
    '',
    'With --client-id, Postern asks for the client secret on a terminal. Press Enter if there is none.',
    '',
    'If a server with that --name and address exists, you sign in to it again. Postern keeps its --local, --allow-http and',
    '--allow-host. Repeat all other options. To take the name of another server, add --replace.',
    '',
    'If this computer has no keychain, choose a passphrase or a key file with --vault when you connect your first server.',
    'Other commands then take the same options. See docs/cli.md.',
    '',
    'If your company manages sign-in, connect its identity provider once with --as-provider. Then connect each server with',
    '--identity-provider.',
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
  results: ({ z, failure, integration, list }) => [
    z.looseObject({
      integration,
      tools: z.array(z.string()),
      warnings: z.array(failure),
      replaced: z.optional(z.looseObject({ integration })),
      /** IDs of other servers with the same address. */
      beside: z.optional(z.array(z.string())),
    }),
    /** For a pasted command, and for pasted entries. */
    z.looseObject({ integration, tools: z.number() }),
    z.looseObject({ imports: list, changes: list }),
  ],
  events: ({ signInEvents }) => [...signInEvents, 'preview', 'import', 'imported'],
};

/** Options that only make sense for a stored connection. */
const storageOptions: ReadonlySet<OptionName> = new Set([
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

/** Runs one command on a temporary connection. */
export const withSpec: LoadableCommand = {
  group: 'use',
  load: async () => (await import('../commands/connect.ts')).withServer,
  summary: 'Run one command on a temporary connection',
  positionals: ['URL', 'COMMAND…'],
  usesSignIn: true,
  runsCommand: true,
  options: connectSpec.options.filter((name) => !storageOptions.has(name)),
  description: [
    'COMMAND comes after --. It is tools, call, resources, read, prompts, prompt or token, without the ID. Options before',
    '-- are those of connect, and options after it those of COMMAND. --json and --sign-in apply to both.',
    'Nothing is saved, and no keychain or vault is opened.',
  ],
  examples: [
    'postern with https://mcp.example.com/mcp -- tools',
    'postern with https://mcp.example.com/mcp --header X-API-Key --header-value-stdin -- call search query=tea < key.txt',
  ],
  results: ({ z }) => z.looseObject({}),
};

/** Meant to be run by a service manager. */
export const watchSpec: LoadableCommand = {
  group: 'scripts',
  load: async () => (await import('../commands/watch.ts')).watch,
  summary: 'Keep all sign-ins fresh in the background',
  positionals: [],
  secrets: 'at-once',
  options: ['json', 'help'],
  description: [
    'Refreshes access tokens before they expire, until you stop it. The window does the same while it is open, so this is',
    'for computers without a display. It opens no sign-in page: it reports which servers need you to sign in.',
    'Under systemd, it reports its status and when it is ready. The Linux package has a user unit, postern-watch.service.',
  ],
  examples: ['postern watch', 'postern watch --json'],
  results: ({ z }) => z.looseObject({}),
};

/** Passes an access token to another program. */
export const execSpec: LoadableCommand = {
  group: 'scripts',
  load: async () => (await import('../commands/exec.ts')).exec,
  summary: 'Run a command with a fresh access token',
  positionals: ['ID', 'COMMAND…'],
  secrets: 'at-once',
  usesSignIn: true,
  options: ['min-ttl', 'env', 'header-file', 'json', 'help'],
  description: [
    idHelp,
    'COMMAND comes after --. It gets the token in the environment variable POSTERN_TOKEN. While it runs, programs it',
    'starts can read the variable, and so can programs that run as you or as the administrator.',
    'With --header-file, POSTERN_HEADER_FILE instead names a file with the line `Authorization: Bearer TOKEN`. Only you',
    'can read that file. It is deleted when the command ends. The exit code is that of the command, or 126 or 127 if it',
    'cannot be started. With --json, a last line with the exit code follows its output.',
  ],
  examples: [
    'postern exec Notes -- ./sync.sh',
    `postern exec Notes --header-file -- sh -c 'curl -H @"$POSTERN_HEADER_FILE" https://mcp.example.com/mcp'`,
  ],
  /** Follows what the command itself printed. */
  results: ({ z }) => z.looseObject({ exitCode: z.number() }),
};
