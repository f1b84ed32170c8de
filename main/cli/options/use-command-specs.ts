import { type CommandSpec, theId } from './command-spec.ts';

/** Commands that use what a server offers. */
export const useCommandSpecs = {
  tools: {
    summary: 'List the tools of a server',
    positionals: ['ID'],
    options: ['sign-in', 'json', 'help'],
    about: [theId, 'Without --sign-in, a server that wants you to sign in again ends the command with exit code 3.'],
    examples: ['postern tools Notes', 'postern tools Notes --sign-in browser'],
  },
  call: {
    summary: 'Call a tool',
    positionals: ['ID', 'TOOL', '[JSON]'],
    options: ['timeout', 'log-level', 'sign-in', 'json', 'help'],
    about: [
      theId,
      'JSON holds the arguments of the tool as one object; - reads it from standard input.',
      'How far it is shows on the terminal, and with --json as lines with "event". A tool that says nothing for a',
      'minute is given up, one that goes on telling may take six hours. With --timeout it gets exactly that long.',
      'Ctrl-C tells the server that nobody waits any more; the tool may have done its work all the same.',
      'What the server writes into its log meanwhile shows too; --log-level says how much of it.',
      'A tool that reports an error of its own was called all the same: the exit code is 0. With --json see "isError".',
    ],
    examples: [
      'postern call Notes list_notes',
      `postern call Notes add_note '{"text":"Buy milk"}'`,
      'postern call Notes add_note - < note.json',
      'postern call Notes export_all --timeout 3600',
    ],
  },
  resources: {
    summary: 'List what a server has to read',
    positionals: ['ID'],
    options: ['sign-in', 'json', 'help'],
    about: [theId, 'An address with {gaps} is a template: fill them in yourself to read one.'],
    examples: ['postern resources Notes'],
  },
  read: {
    summary: 'Read a resource of a server',
    positionals: ['ID', 'URI'],
    options: ['sign-in', 'json', 'help'],
    about: [theId, 'URI is as the server lists it. What is no text is shown with --json alone, as base64.'],
    examples: ['postern read Notes notes://today'],
  },
  prompts: {
    summary: 'List the prompts of a server',
    positionals: ['ID'],
    options: ['sign-in', 'json', 'help'],
    about: [theId],
    examples: ['postern prompts Notes'],
  },
  prompt: {
    summary: 'Show a prompt, filled in',
    positionals: ['ID', 'NAME', '[KEY=VALUE…]'],
    options: ['sign-in', 'json', 'help'],
    about: [theId, 'Each argument is its name and its value.'],
    examples: ['postern prompt Notes summarize day=monday'],
  },
} as const satisfies Record<string, CommandSpec>;
