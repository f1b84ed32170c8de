import { type CommandSpec, theId } from './command-spec.ts';
import { execSpec } from './exec-spec.ts';
import { watchSpec, withSpec } from './unattended-specs.ts';
import { addressOptions, connectSpec } from './connect-spec.ts';
import { localCommandSpecs } from './local-command-specs.ts';
import { listCommandSpecs } from './list-command-specs.ts';
import { programCommandSpecs } from './program-command-specs.ts';
import { useCommandSpecs } from './use-command-specs.ts';

export const commandSpecs = {
  discover: {
    summary: 'Find out how a server wants to be signed in to',
    positionals: ['URL'],
    options: [...addressOptions, 'trace', 'json', 'help'],
    about: ['Asks the server and its sign-in service, opens nothing and keeps nothing.'],
    examples: ['postern discover https://mcp.example.com/mcp', 'postern discover http://localhost:3000/mcp --local'],
  },
  connect: connectSpec,
  list: {
    summary: 'List the servers you have connected',
    positionals: [],
    options: ['json', 'help'],
    about: [],
    examples: ['postern list'],
  },
  show: {
    summary: 'Show what is known about one of them',
    positionals: ['ID'],
    options: ['json', 'help'],
    about: [theId],
    examples: ['postern show Notes'],
  },
  ...useCommandSpecs,
  token: {
    summary: 'Print an access token, refreshed when it has expired',
    positionals: ['ID'],
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
  },
  exec: execSpec,
  with: withSpec,
  watch: watchSpec,
  refresh: {
    summary: 'Fetch a new access token now',
    positionals: ['ID'],
    insteadOfPositionals: 'all',
    options: ['all', 'sign-in', 'json', 'help'],
    about: [
      theId,
      'With --all each server whose access can be renewed gets a new one, one after the other. Where that fails for',
      'some, the others are renewed all the same, and the exit code is that of the first failure.',
    ],
    examples: ['postern refresh Notes', 'postern refresh --all'],
  },
  'sign-out': {
    summary: 'Forget the access, keep the entry',
    positionals: ['ID'],
    options: ['json', 'help'],
    about: [theId],
    examples: ['postern sign-out Notes'],
  },
  remove: {
    summary: 'Forget a server and everything kept for it, or all of them',
    positionals: ['ID'],
    insteadOfPositionals: 'all',
    options: ['all', 'yes', 'json', 'help'],
    about: [
      theId,
      'With --all every server, every sign-in, the keychain entry, the settings and the logs are deleted from this',
      'computer, and the services are told that the access ends. What you have at the services stays.',
    ],
    examples: ['postern remove Notes', 'postern remove --all'],
  },
  ...listCommandSpecs,
  ...localCommandSpecs,
  serve: {
    summary: 'Serve the programs that use your servers through Postern',
    positionals: [],
    options: ['http', 'port', 'idle-exit', 'allow-unknown', 'json', 'help'],
    about: [
      'Runs until it is ended. The window does the same while it is open, and programs start it by themselves where',
      'nobody serves them; so it is for computers without a display, and for looking at what happens.',
    ],
    examples: ['postern serve', 'postern serve --idle-exit 600'],
  },
  headers: {
    summary: 'Print the header with which a program uses Postern over HTTP',
    positionals: ['PROGRAM'],
    options: ['profile-folder', 'json', 'help'],
    about: [
      'For programs that run a command for the headers of their requests, so that no secret stands in their files.',
      'PROGRAM is its id or the id of its entry. What is printed is a secret. Mind where it goes.',
    ],
    examples: ['postern headers codex'],
  },
  ...programCommandSpecs,
  settings: {
    summary: 'Show the settings, or change one',
    positionals: ['[NAME]', '[VALUE]'],
    insteadOfPositionals: 'restore',
    options: ['default', 'restore', 'yes', 'json', 'help'],
    about: [
      'Without words it shows every setting, its value and what it means; with NAME that one and what it may be.',
      'With --restore the settings and the list of servers that Postern wrote last come back in the place of a file',
      'that cannot be read; what stood in it is kept beside it.',
      'Where gatewayPort changes, the entries of programs that hold it are shown and renewed; --yes does not ask.',
    ],
    examples: [
      'postern settings',
      'postern settings theme dark',
      'postern settings certificateFile ./company.pem',
      'postern settings theme --default',
      'postern settings --restore',
    ],
  },
  proxy: {
    summary: 'Give a program a server that you connected, over standard input and output',
    positionals: ['ID'],
    options: ['program', 'profile-folder', 'help'],
    about: [
      'For the configuration of AI programs, which start it themselves. ID may be the address of the server too.',
      'Postern serves it in the background and signs each request; it is started where it does not run yet.',
    ],
    examples: ['postern proxy Notes', 'postern proxy https://mcp.example.com/mcp --program 0123456789abcdef'],
  },
  completion: {
    summary: 'Print what completes these commands in a shell',
    positionals: ['SHELL', '[WORD…]'],
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
  },
  doctor: {
    summary: 'Check the keychain, the files, the callback port, the network and your programs',
    positionals: [],
    options: ['json', 'help'],
    about: ['A finding is an answer: the exit code is 0. With --json, "healthy" says whether every check went well.'],
    examples: ['postern doctor'],
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof commandSpecs;

export const commandNames = Object.keys(commandSpecs) as CommandName[];

/** Shorter words for some of them, as other programs have them. */
export const shortNames = {
  ls: 'list',
  rm: 'remove',
  login: 'connect',
  logout: 'sign-out',
} as const satisfies Record<string, CommandName>;

export type ShortName = keyof typeof shortNames;

/** The command that a word names, by its name or by the short one. */
export function commandNamed(word: string): CommandName | undefined {
  const short: Readonly<Record<string, CommandName>> = shortNames;
  if (Object.hasOwn(short, word)) return short[word];
  return commandNames.find((name) => name === word);
}
