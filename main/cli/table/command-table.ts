import { commandRows, idHelp } from '../command-context.ts';
import type { LoadableCommand } from '../command-context.ts';
import { createCommandTable } from '../options/command-spec.ts';
import { appCommandSpecs, useCommandSpecs } from './app-command-specs.ts';
import { addressOptions, connectSpec, execSpec, watchSpec, withSpec } from './connect-spec.ts';

/** Commands about the list of servers. */
const listCommandSpecs = commandRows({
  rename: {
    group: 'servers',
    load: async () => (await import('../commands/servers.ts')).rename,
    summary: 'Rename a server or a collection',
    positionals: ['ID', 'NAME'],
    secrets: 'none',
    completionKinds: { ID: 'used' },
    options: ['json', 'help'],
    description: [idHelp, 'Or +NAME of a collection.', 'The entries in your apps stay as they are and keep working.'],
    examples: ['postern rename Notes Work'],
    results: ({ z, integration }) => [
      z.looseObject({ integration, earlierName: z.string() }),
      z.looseObject({ collection: z.looseObject({ name: z.string(), title: z.string() }), earlierName: z.string() }),
    ],
  },
  switch: {
    group: 'servers',
    load: async () => (await import('../commands/connect.ts')).switchAccount,
    summary: 'Sign in to a server with another account',
    positionals: ['ID'],
    secrets: 'at-once',
    usesSignIn: true,
    options: ['sign-in', 'json', 'help'],
    description: [idHelp, 'Asks the service for a new login. If that fails, the current sign-in stays.'],
    examples: ['postern switch Notes', 'postern switch Notes --sign-in print'],
    results: ({ z, integration }) => z.looseObject({ integration }),
  },
  export: {
    group: 'scripts',
    load: async () => (await import('../commands/list.ts')).exportToOutput,
    summary: 'Export the list of servers and collections for another computer',
    positionals: [],
    secrets: 'none',
    options: ['json', 'help'],
    description: [
      'The list has addresses, names and settings, but no sign-ins, no keys and no query strings.',
      '`postern import FILE` reads it. Servers that run on this computer are left out.',
    ],
    examples: ['postern export > servers.json'],
    results: ({ z }) => z.looseObject({ list: z.looseObject({}) }),
  },
});

/** Commands about servers that run on this computer. */
const localCommandSpecs = commandRows({
  'local add': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).local,
    summary: 'Add a server that runs on this computer',
    positionals: ['NAME', 'COMMAND…'],
    secrets: 'at-once',
    options: ['cwd', 'env', 'env-stdin', 'lifetime', 'yes', 'json', 'help'],
    description: [
      'COMMAND comes after --. Postern shows exactly what will run, asks first, and runs it without a shell. The command',
      'gets the usual environment variables and those you name with --env. Postern stores their values encrypted.',
      'The command can do anything that you can do on this computer. Add only what you trust.',
      '',
      'If a server with this name exists, the new command replaces its command. Each session of an app gets its own process.',
      'With --lifetime shared, all apps use the same one.',
    ],
    examples: [
      'postern local add Files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents',
      'postern local add Tickets --env TICKETS_TOKEN -- uvx tickets-mcp',
    ],
    results: ({ z, integration }) => z.looseObject({ integration, tools: z.number() }),
    events: ({ profileEvents }) => [...profileEvents, 'preview'],
  },
  'local start': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).start,
    summary: 'Allow a local server to run again',
    positionals: ['ID'],
    completionKinds: { ID: 'local' },
    secrets: 'at-once',
    options: ['lifetime', 'yes', 'json', 'help'],
    description: [
      idHelp,
      'Use it after `postern local stop`, or if the server stopped on its own five times. If you have not allowed the',
      'command yet, Postern shows it first. It runs when something uses it. --lifetime applies to processes started later.',
    ],
    examples: ['postern local start Files'],
    results: ({ z, localState }) => z.looseObject({ state: localState }),
    events: ({ profileEvents }) => [...profileEvents, 'preview'],
  },
  'local stop': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).stop,
    summary: 'Stop a local server',
    positionals: ['ID'],
    completionKinds: { ID: 'local' },
    options: ['json', 'help'],
    description: [idHelp, 'It does not start again until `postern local start`, or until Postern restarts.'],
    examples: ['postern local stop Files'],
    results: ({ z, localState }) => z.looseObject({ state: localState }),
    events: ({ profileEvents }) => profileEvents,
  },
  'local logs': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).logs,
    summary: 'Show the log output of a local server',
    positionals: ['ID'],
    completionKinds: { ID: 'local' },
    options: ['follow', 'json', 'help'],
    description: [idHelp, 'Standard error and other log output since Postern started. Not saved to disk.'],
    examples: ['postern local logs Files', 'postern local logs Files --follow'],
    /** Both are absent with --follow, which sends `output` events instead. */
    results: ({ z, localState }) => z.looseObject({ state: z.optional(localState), output: z.optional(z.string()) }),
    events: ({ profileEvents }) => profileEvents,
  },
});

const commandSpecs = commandRows({
  connect: connectSpec,
  discover: {
    group: 'servers',
    load: async () => (await import('../commands/discover.ts')).discover,
    summary: 'Show how a server handles sign-in',
    positionals: ['URL'],
    secrets: 'none',
    options: [...addressOptions, 'trace', 'json', 'help'],
    description: ['Asks the server and its sign-in service. Opens no page and saves nothing.'],
    examples: ['postern discover https://mcp.example.com/mcp', 'postern discover http://localhost:3000/mcp --local'],
    results: ({ z }) =>
      z.looseObject({
        verdict: z.string(),
        status: z.optional(z.number()),
        url: z.string(),
        method: z.optional(z.string()),
        issuer: z.optional(z.nullable(z.string())),
        resource: z.optional(z.nullable(z.string())),
        callbackUrl: z.optional(z.string()),
        nextStep: z.optional(z.string()),
      }),
  },
  list: {
    group: 'servers',
    load: async () => (await import('../commands/list.ts')).list,
    summary: 'List your servers',
    canDelegate: true,
    positionals: [],
    secrets: 'none',
    options: ['json', 'help'],
    description: [],
    examples: ['postern list'],
    results: ({ z, integration }) =>
      z.looseObject({
        integrations: z.array(integration),
        vault: z.enum(['keychain', 'passphrase', 'file', 'unreadable']),
      }),
    events: ({ profileEvents }) => profileEvents,
  },
  show: {
    group: 'servers',
    load: async () => (await import('../commands/show.ts')).show,
    summary: 'Show details of a server',
    canDelegate: true,
    positionals: ['ID'],
    secrets: 'none',
    options: ['json', 'help'],
    description: [idHelp],
    examples: ['postern show Notes'],
    results: ({ z, integration }) => z.looseObject({ integration }),
  },
  ...useCommandSpecs,
  token: {
    group: 'scripts',
    load: async () => (await import('../commands/token.ts')).token,
    summary: 'Print an access token, refreshed if it has expired',
    positionals: ['ID'],
    secrets: 'at-once',
    usesSignIn: true,
    runsOnConnection: true,
    options: ['min-ttl', 'json', 'help'],
    description: [
      idHelp,
      'This prints a secret. Be careful where it goes.',
      'With --min-ttl, a token that expires sooner is refreshed. If the new one also expires sooner, Postern warns you.',
    ],
    examples: [
      'curl -H "Authorization: Bearer $(postern token Notes)" https://mcp.example.com/mcp',
      'postern token Notes --min-ttl 600',
    ],
    results: ({ z, moment }) =>
      z.looseObject({
        accessToken: z.string(),
        tokenType: z.enum(['Bearer', 'DPoP']),
        expiresAt: z.nullable(moment),
      }),
  },
  exec: execSpec,
  with: withSpec,
  watch: watchSpec,
  refresh: {
    group: 'servers',
    load: async () => (await import('../commands/servers.ts')).refresh,
    summary: 'Get a new access token now',
    canDelegate: true,
    positionals: ['ID'],
    variants: { all: { positionals: [] } },
    secrets: 'at-once',
    usesSignIn: true,
    options: ['all', 'sign-in', 'json', 'help'],
    description: [
      idHelp,
      'With --all, Postern refreshes each server that has a refresh token, one after the other. If one fails, it still',
      'refreshes the others. The exit code is that of the first failure.',
    ],
    examples: ['postern refresh Notes', 'postern refresh --all'],
    results: ({ z, integration }) =>
      z.looseObject({ integration: z.optional(integration), integrations: z.optional(z.array(integration)) }),
  },
  'sign-out': {
    group: 'servers',
    load: async () => (await import('../commands/servers.ts')).signOut,
    summary: 'Sign out of a server',
    positionals: ['ID'],
    options: ['json', 'help'],
    description: [idHelp],
    examples: ['postern sign-out Notes'],
    results: ({ z, integration }) => z.looseObject({ integration, revocation: z.string() }),
  },
  remove: {
    group: 'servers',
    load: async () => (await import('../commands/servers.ts')).remove,
    summary: 'Remove a server and its data, or delete everything',
    positionals: ['ID'],
    variants: { all: { positionals: [] } },
    options: ['all', 'yes', 'json', 'help'],
    description: [
      idHelp,
      'With --all, Postern deletes all servers, sign-ins, settings and logs and its keychain entry from this computer. It',
      'also asks the services to revoke the sign-ins. Your data at the services stays.',
    ],
    examples: ['postern remove Notes', 'postern remove --all'],
    results: ({ z, deleted, integration }) =>
      z.looseObject({ integration: z.optional(integration), removed: z.optional(deleted) }),
    events: ({ signInEvents, entryEvents }) => [...signInEvents, ...entryEvents, 'removed'],
  },
  ...listCommandSpecs,
  ...localCommandSpecs,
  serve: {
    group: 'postern',
    load: async () => (await import('../commands/serve.ts')).serve,
    summary: 'Serve AI apps without the window',
    positionals: [],
    secrets: 'at-once',
    options: ['http', 'port', 'idle-exit', 'allow-unknown', 'json', 'help'],
    description: [
      'Runs until you stop it. The window does the same while it is open, and apps start Postern themselves if needed.',
      'Use it on a computer without a display, or to watch what happens.',
    ],
    examples: ['postern serve', 'postern serve --idle-exit 600'],
    results: ({ z }) => z.looseObject({}),
    events: ({ signInEvents }) => [...signInEvents, 'serving', 'session', 'http', 'entry-stays', 'entry-unreadable'],
  },
  headers: {
    group: 'machines',
    load: async () => (await import('../commands/machines.ts')).headers,
    summary: 'Print the header that an AI app needs to use Postern over HTTP',
    positionals: ['APP'],
    secrets: 'at-once',
    options: ['profile-folder', 'json', 'help'],
    description: [
      'For apps that can run a command to get their request headers, so that their files contain no secret.',
      'APP is the ID of the app or of its entry. This prints a secret. Be careful where it goes.',
    ],
    examples: ['postern headers codex'],
    results: ({ z }) => z.looseObject({ Authorization: z.string() }),
    events: ({ profileEvents }) => profileEvents,
  },
  ...appCommandSpecs,
  settings: {
    group: 'postern',
    load: async () => (await import('../commands/settings.ts')).settings,
    summary: 'Show or change settings',
    positionals: ['[NAME]', '[VALUE]'],
    variants: { restore: { positionals: [] } },
    secrets: 'none',
    completionKinds: { NAME: 'setting' },
    options: ['default', 'restore', 'yes', 'json', 'help'],
    description: [
      'Without NAME, it shows all settings with their values and meanings. With NAME, it shows one and its possible values.',
      '',
      'With --restore, it replaces an unreadable settings file with the settings and servers that Postern saved last. The',
      'unreadable file is saved next to it.',
      '',
      'If you change gatewayPort, Postern shows the app entries with the old port and asks before it updates them. --yes',
      'skips the question. With --default, it chooses a new port if there are such entries.',
    ],
    examples: [
      'postern settings',
      'postern settings theme dark',
      'postern settings certificateFile ./company.pem',
      'postern settings theme --default',
      'postern settings --restore',
    ],
    results: ({ z, change, setting }) => [
      z.looseObject({ settings: z.array(setting), file: z.string() }),
      z.looseObject({ setting, changes: z.optional(z.array(change)) }),
      z.looseObject({
        restored: z.nullable(
          z.looseObject({ servers: z.number(), writtenAt: z.string(), savedAs: z.nullable(z.string()) }),
        ),
      }),
    ],
    events: ({ profileEvents }) => [...profileEvents, 'preview', 'entry-unreadable'],
  },
  proxy: {
    group: 'machines',
    load: async () => (await import('../commands/machines.ts')).proxy,
    summary: 'Connect an AI app to a server over standard input and output',
    positionals: ['ID'],
    completionKinds: { ID: 'used' },
    options: ['app', 'profile-folder', 'help'],
    description: [
      'For the configuration of AI apps, which start it themselves. ID can also be the address of the server.',
      'Postern runs in the background, starts if needed, and adds the sign-in to each request.',
    ],
    examples: ['postern proxy Notes', 'postern proxy https://mcp.example.com/mcp --app 0123456789abcdef'],
    results: ({ z }) => z.looseObject({}),
  },
  completion: {
    group: 'postern',
    load: async () => (await import('../commands/completion.ts')).completion,
    summary: 'Print the completion script for a shell',
    positionals: ['SHELL', '[WORD…]'],
    secrets: 'none',
    options: ['json', 'help'],
    description: [
      'SHELL is bash, zsh or fish. The script completes commands, options, servers, apps and settings. For tools,',
      'resources, prompts and their arguments, it asks the server, which needs a current sign-in.',
    ],
    examples: [
      'source <(postern completion bash)',
      'source <(postern completion zsh)',
      'postern completion fish | source',
    ],
    results: ({ z }) => [z.looseObject({ script: z.string() }), z.looseObject({ words: z.array(z.string()) })],
    events: ({ profileEvents }) => profileEvents,
  },
  doctor: {
    group: 'postern',
    load: async () => (await import('../commands/doctor.ts')).doctor,
    summary: 'Check the keychain, files, callback port, network and your AI apps',
    positionals: [],
    options: ['json', 'help'],
    description: [
      'The exit code is 0 even if it finds problems. With --json, "healthy" is true if every check passed.',
    ],
    examples: ['postern doctor'],
    results: ({ z }) =>
      z.looseObject({
        callbackUrl: z.nullable(z.string()),
        healthy: z.boolean(),
        vault: z.enum(['keychain', 'passphrase', 'file', 'unreadable']),
        checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean(), message: z.string() })),
      }),
  },
});

declare module '../options/command-spec.ts' {
  interface CommandRows extends Readonly<Record<keyof typeof commandSpecs, LoadableCommand>> {}
}

/** All commands. */
export const commandTable = createCommandTable<LoadableCommand>(commandSpecs, {
  ls: 'list',
  rm: 'remove',
  login: 'connect',
  logout: 'sign-out',
});
