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
    positionals: ['ID', 'TOOL', '[ARGUMENT…]'],
    options: ['output', 'timeout', 'allow-tool-error', 'any-field', 'log-level', 'sign-in', 'json', 'help'],
    about: [
      theId,
      'An ARGUMENT is name=text, name:=JSON, name=@FILE (its text) or name:=@FILE (its JSON); @- is standard input.',
      'Or all of them are one JSON object, and - reads that from standard input.',
      '`postern call ID TOOL --help` shows what the tool takes. What it does not name is refused before it is sent.',
      'What the tool answers comes out byte for byte where standard output is no terminal. An answer that is one image,',
      'sound or other file is that file; --output puts it, or each piece of the answer, where you say.',
      'A tool that reports an error ends with exit code 1 and its text on standard error.',
      'How far it is shows on the terminal, and with --json as lines with "event". A tool that says nothing for a',
      'minute is given up, one that goes on telling may take six hours. With --timeout it gets exactly that long.',
      'Ctrl-C tells the server that nobody waits any more; the tool may have done its work all the same.',
      'What the server writes into its log meanwhile shows too; --log-level says how much of it.',
    ],
    examples: [
      'postern call Notes list_notes',
      `postern call Notes add_note text='Buy milk' pinned:=true`,
      `postern call Notes add_note '{"text":"Buy milk"}'`,
      'postern call Notes add_note text=@note.txt',
      'postern call Notes add_note - < note.json',
      'postern call Notes draw --output picture.png',
      'postern call Notes export_all --timeout 3600',
    ],
  },
  resources: {
    summary: 'List what a server has to read',
    positionals: ['ID'],
    options: ['sign-in', 'json', 'help'],
    about: [theId, 'An address with {gaps} is a template: `postern read` fills them with KEY=VALUE.'],
    examples: ['postern resources Notes'],
  },
  read: {
    summary: 'Read a resource of a server',
    positionals: ['ID', 'URI', '[KEY=VALUE…]'],
    options: ['output', 'follow', 'sign-in', 'json', 'help'],
    about: [
      theId,
      'URI is as the server lists it; the {gaps} of a template are filled with KEY=VALUE. It comes out byte for byte',
      'where standard output is no terminal; --output puts it into a file.',
      'With --follow it is shown anew each time the server says that it was updated, at most once a second.',
    ],
    examples: [
      'postern read Notes notes://today',
      'postern read Notes notes://{day} day=monday',
      'postern read Notes notes://photo --output photo.png',
      'postern read Notes notes://today --follow',
    ],
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
    options: ['output', 'sign-in', 'json', 'help'],
    about: [theId, 'Each argument is its name and its value; KEY=@FILE takes the text of a file.'],
    examples: ['postern prompt Notes summarize day=monday'],
  },
} as const satisfies Record<string, CommandSpec>;
