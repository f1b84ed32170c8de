import { commandRows, theId } from '../command-context.ts';
import type { LoadableCommand } from '../command-context.ts';
import { createCommandTable } from '../options/command-spec.ts';
import { programCommandSpecs, useCommandSpecs } from './app-command-specs.ts';
import { addressOptions, connectSpec, execSpec, watchSpec, withSpec } from './connect-spec.ts';

/** Commands about the list of servers. */
const listCommandSpecs = commandRows({
  rename: {
    group: 'servers',
    load: async () => (await import('../commands/servers.ts')).rename,
    summary: 'Give a server or a collection another name',
    positionals: ['ID', 'NAME'],
    secrets: 'none',
    completes: { ID: 'used' },
    options: ['json', 'help'],
    about: [
      theId,
      'Or +NAME of a collection.',
      'What programs have in their configuration stays as it is, and goes on working.',
    ],
    examples: ['postern rename Notes Work'],
    answers: ({ z, integration }) => [
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
    about: [theId, 'Asks the service for a new login. Until that has worked, the access that is there stays.'],
    examples: ['postern switch Notes', 'postern switch Notes --sign-in print'],
    answers: ({ z, integration }) => z.looseObject({ integration }),
  },
  export: {
    group: 'scripts',
    load: async () => (await import('../commands/list.ts')).exportToOutput,
    summary: 'Print the list of servers, with its collections, for another computer',
    positionals: [],
    secrets: 'none',
    options: ['json', 'help'],
    about: [
      'Addresses, names and choices: no sign-in, no key, no query of an address. `postern import FILE` reads it.',
      'Servers that run on this computer are left out: their commands are of this computer.',
    ],
    examples: ['postern export > servers.json'],
    answers: ({ z }) => z.looseObject({ list: z.looseObject({}) }),
  },
});

/** Commands about servers that run on this computer. */
const localCommandSpecs = commandRows({
  'local add': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).local,
    summary: 'Connect a server that runs on this computer',
    positionals: ['NAME', 'COMMAND…'],
    secrets: 'at-once',
    options: ['cwd', 'env', 'env-stdin', 'lifetime', 'yes', 'json', 'help'],
    about: [
      'COMMAND stands after --. It is shown as it will run, and runs once you have said yes, without a shell. It finds',
      'the usual variables and those that --env names, whose values are taken from here and kept sealed; nothing else.',
      'Whoever writes that program can do on this computer what you can: connect only what you trust.',
      'Another command under the same name takes the place of the one before. Each session of a program has a process of',
      'its own; with --lifetime shared all programs that Postern serves use one.',
    ],
    examples: [
      'postern local add Files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents',
      'postern local add Tickets --env TICKETS_TOKEN -- uvx tickets-mcp',
    ],
    answers: ({ z, integration }) => z.looseObject({ integration, tools: z.number() }),
    events: ({ opening }) => [...opening, 'preview'],
  },
  'local start': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).start,
    summary: 'Let a server on this computer run again',
    positionals: ['ID'],
    completes: { ID: 'local' },
    secrets: 'at-once',
    options: ['lifetime', 'yes', 'json', 'help'],
    about: [
      theId,
      'After `postern local stop`, and where it ended five times by itself. What has not been allowed yet is shown first.',
      'It runs as soon as something uses it. --lifetime sets whether sessions share one process, for those that start then.',
    ],
    examples: ['postern local start Files'],
    answers: ({ z, localState }) => z.looseObject({ state: localState }),
    events: ({ opening }) => [...opening, 'preview'],
  },
  'local stop': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).stop,
    summary: 'End the processes of a server on this computer',
    positionals: ['ID'],
    completes: { ID: 'local' },
    options: ['json', 'help'],
    about: [theId, 'They do not start again until `postern local start`, or until Postern itself starts again.'],
    examples: ['postern local stop Files'],
    answers: ({ z, localState }) => z.looseObject({ state: localState }),
    events: ({ opening }) => opening,
  },
  'local logs': {
    group: 'local',
    load: async () => (await import('../commands/local.ts')).logs,
    summary: 'Show what a server on this computer has written',
    positionals: ['ID'],
    completes: { ID: 'local' },
    options: ['follow', 'json', 'help'],
    about: [theId, 'Its standard error, and what was no message, since Postern serves programs; it is kept nowhere.'],
    examples: ['postern local logs Files', 'postern local logs Files --follow'],
    /** Both are left out with --follow, which tells the event `output` instead. */
    answers: ({ z, localState }) => z.looseObject({ state: z.optional(localState), output: z.optional(z.string()) }),
    events: ({ opening }) => opening,
  },
});

const commandSpecs = commandRows({
  connect: connectSpec,
  discover: {
    group: 'servers',
    load: async () => (await import('../commands/discover.ts')).discover,
    summary: 'Find out how a server wants to be signed in to',
    positionals: ['URL'],
    secrets: 'none',
    options: [...addressOptions, 'trace', 'json', 'help'],
    about: ['Asks the server and its sign-in service, opens nothing and keeps nothing.'],
    examples: ['postern discover https://mcp.example.com/mcp', 'postern discover http://localhost:3000/mcp --local'],
    answers: ({ z }) =>
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
    summary: 'List the servers you have connected',
    isServed: true,
    positionals: [],
    secrets: 'none',
    options: ['json', 'help'],
    about: [],
    examples: ['postern list'],
    answers: ({ z, integration }) =>
      z.looseObject({
        integrations: z.array(integration),
        vault: z.enum(['keychain', 'passphrase', 'file', 'unreadable']),
      }),
    events: ({ opening }) => opening,
  },
  show: {
    group: 'servers',
    load: async () => (await import('../commands/show.ts')).show,
    summary: 'Show what is known about one of them',
    isServed: true,
    positionals: ['ID'],
    secrets: 'none',
    options: ['json', 'help'],
    about: [theId],
    examples: ['postern show Notes'],
    answers: ({ z, integration }) => z.looseObject({ integration }),
  },
  ...useCommandSpecs,
  token: {
    group: 'scripts',
    load: async () => (await import('../commands/token.ts')).token,
    summary: 'Print an access token, refreshed when it has expired',
    positionals: ['ID'],
    secrets: 'at-once',
    usesSignIn: true,
    onConnection: true,
    options: ['min-ttl', 'json', 'help'],
    about: [
      theId,
      'The only command that prints a secret. Mind where it goes.',
      'With --min-ttl it is renewed where it would end before; where the service gives no longer one, that is said.',
    ],
    examples: [
      'curl -H "Authorization: Bearer $(postern token Notes)" https://mcp.example.com/mcp',
      'postern token Notes --min-ttl 600',
    ],
    answers: ({ z, moment }) =>
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
    summary: 'Fetch a new access token now',
    isServed: true,
    positionals: ['ID'],
    formWith: { all: { positionals: [] } },
    secrets: 'at-once',
    usesSignIn: true,
    options: ['all', 'sign-in', 'json', 'help'],
    about: [
      theId,
      'With --all each server whose access can be renewed gets a new one, one after the other. Where that fails for',
      'some, the others are renewed all the same, and the exit code is that of the first failure.',
    ],
    examples: ['postern refresh Notes', 'postern refresh --all'],
    answers: ({ z, integration }) =>
      z.looseObject({ integration: z.optional(integration), integrations: z.optional(z.array(integration)) }),
  },
  'sign-out': {
    group: 'servers',
    load: async () => (await import('../commands/servers.ts')).signOut,
    summary: 'Forget the access, keep the entry',
    positionals: ['ID'],
    options: ['json', 'help'],
    about: [theId],
    examples: ['postern sign-out Notes'],
    answers: ({ z, integration }) => z.looseObject({ integration, revocation: z.string() }),
  },
  remove: {
    group: 'servers',
    load: async () => (await import('../commands/servers.ts')).remove,
    summary: 'Forget a server and everything kept for it, or all of them',
    positionals: ['ID'],
    formWith: { all: { positionals: [] } },
    options: ['all', 'yes', 'json', 'help'],
    about: [
      theId,
      'With --all every server, every sign-in, the keychain entry, the settings and the logs are deleted from this',
      'computer, and the services are told that the access ends. What you have at the services stays.',
    ],
    examples: ['postern remove Notes', 'postern remove --all'],
    answers: ({ z, deleted, integration }) =>
      z.looseObject({ integration: z.optional(integration), removed: z.optional(deleted) }),
    events: ({ signingIn, leaving }) => [...signingIn, ...leaving, 'removed'],
  },
  ...listCommandSpecs,
  ...localCommandSpecs,
  serve: {
    group: 'postern',
    load: async () => (await import('../commands/serve.ts')).serve,
    summary: 'Serve the programs that use your servers through Postern',
    positionals: [],
    secrets: 'at-once',
    options: ['http', 'port', 'idle-exit', 'allow-unknown', 'json', 'help'],
    about: [
      'Runs until it is ended. The window does the same while it is open, and programs start it by themselves where',
      'nobody serves them; so it is for computers without a display, and for looking at what happens.',
    ],
    examples: ['postern serve', 'postern serve --idle-exit 600'],
    answers: ({ z }) => z.looseObject({}),
    events: ({ signingIn }) => [...signingIn, 'serving', 'session', 'http', 'entry-stays', 'entry-unread'],
  },
  headers: {
    group: 'machines',
    load: async () => (await import('../commands/machines.ts')).headers,
    summary: 'Print the header with which a program uses Postern over HTTP',
    positionals: ['PROGRAM'],
    secrets: 'at-once',
    options: ['profile-folder', 'json', 'help'],
    about: [
      'For programs that run a command for the headers of their requests, so that no secret stands in their files.',
      'PROGRAM is its id or the id of its entry. What is printed is a secret. Mind where it goes.',
    ],
    examples: ['postern headers codex'],
    answers: ({ z }) => z.looseObject({ Authorization: z.string() }),
    events: ({ opening }) => opening,
  },
  ...programCommandSpecs,
  settings: {
    group: 'postern',
    load: async () => (await import('../commands/settings.ts')).settings,
    summary: 'Show the settings, or change one',
    positionals: ['[NAME]', '[VALUE]'],
    formWith: { restore: { positionals: [] } },
    secrets: 'none',
    completes: { NAME: 'setting' },
    options: ['default', 'restore', 'yes', 'json', 'help'],
    about: [
      'Without words it shows every setting, its value and what it means; with NAME that one and what it may be.',
      'With --restore the settings and the list of servers that Postern wrote last come back in the place of a file',
      'that cannot be read; what stood in it is kept beside it.',
      'Where gatewayPort changes, the entries of programs that hold it are shown and renewed; --yes does not ask. With',
      '--default it gets a new port if such an entry is there.',
    ],
    examples: [
      'postern settings',
      'postern settings theme dark',
      'postern settings certificateFile ./company.pem',
      'postern settings theme --default',
      'postern settings --restore',
    ],
    answers: ({ z, change, setting }) => [
      z.looseObject({ settings: z.array(setting), file: z.string() }),
      z.looseObject({ setting, changes: z.optional(z.array(change)) }),
      z.looseObject({
        restored: z.nullable(
          z.looseObject({ servers: z.number(), writtenAt: z.string(), keptAs: z.nullable(z.string()) }),
        ),
      }),
    ],
    events: ({ opening }) => [...opening, 'preview', 'entry-unread'],
  },
  proxy: {
    group: 'machines',
    load: async () => (await import('../commands/machines.ts')).proxy,
    summary: 'Give a program a server that you connected, over standard input and output',
    positionals: ['ID'],
    completes: { ID: 'used' },
    options: ['program', 'profile-folder', 'help'],
    about: [
      'For the configuration of AI programs, which start it themselves. ID may be the address of the server too.',
      'Postern serves it in the background and signs each request; it is started where it does not run yet.',
    ],
    examples: ['postern proxy Notes', 'postern proxy https://mcp.example.com/mcp --program 0123456789abcdef'],
    answers: ({ z }) => z.looseObject({}),
  },
  completion: {
    group: 'postern',
    load: async () => (await import('../commands/completion.ts')).completion,
    summary: 'Print what completes these commands in a shell',
    positionals: ['SHELL', '[WORD…]'],
    secrets: 'none',
    options: ['json', 'help'],
    about: [
      'SHELL is bash, zsh or fish. It completes commands, options, servers, programs and settings, and by asking the',
      'server, which takes a sign-in that is there, its tools, resources and prompts and what they are given.',
    ],
    examples: [
      'source <(postern completion bash)',
      'source <(postern completion zsh)',
      'postern completion fish | source',
    ],
    answers: ({ z }) => [z.looseObject({ script: z.string() }), z.looseObject({ words: z.array(z.string()) })],
    events: ({ opening }) => opening,
  },
  doctor: {
    group: 'postern',
    load: async () => (await import('../commands/doctor.ts')).doctor,
    summary: 'Check the keychain, the files, the callback port, the network and your programs',
    positionals: [],
    options: ['json', 'help'],
    about: ['A finding is an answer: the exit code is 0. With --json, "healthy" says whether every check went well.'],
    examples: ['postern doctor'],
    answers: ({ z }) =>
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

/** Every command: what it is, what it takes, and where it is. */
export const commandTable = createCommandTable<LoadableCommand>(commandSpecs, {
  ls: 'list',
  rm: 'remove',
  login: 'connect',
  logout: 'sign-out',
});
