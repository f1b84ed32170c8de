import { type CommandSpec, theId } from './command-spec.ts';

/** Commands about the list of servers. */
export const listCommandSpecs = {
  rename: {
    summary: 'Give a server or a collection another name',
    positionals: ['ID', 'NAME'],
    options: ['json', 'help'],
    about: [
      theId,
      'Or +NAME of a collection.',
      'What programs have in their configuration stays as it is, and goes on working.',
    ],
    examples: ['postern rename Notes Work'],
  },
  switch: {
    summary: 'Sign in to a server with another account',
    positionals: ['ID'],
    options: ['sign-in', 'json', 'help'],
    about: [theId, 'Asks the service for a new login. Until that has worked, the access that is there stays.'],
    examples: ['postern switch Notes', 'postern switch Notes --sign-in print'],
  },
  export: {
    summary: 'Print the list of servers, with its collections, for another computer',
    positionals: [],
    options: ['json', 'help'],
    about: [
      'Addresses, names and choices: no sign-in, no key, no query of an address. `postern import FILE` reads it.',
      'Servers that run on this computer are left out: their commands are of this computer.',
    ],
    examples: ['postern export > servers.json'],
  },
} as const satisfies Record<string, CommandSpec>;
