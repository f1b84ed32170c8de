import { type CommandSpec, theId } from './command-spec.ts';

/** Commands about the AI programs on this computer. */
export const programCommandSpecs = {
  programs: {
    summary: 'List the AI programs on this computer, or what stands in the configuration of one',
    positionals: ['[PROGRAM]'],
    options: ['resume', 'json', 'help'],
    about: [
      'Without PROGRAM it only looks which of them are there, and reads none of their files. With one it reads its file',
      'and shows the entries: no value of a header or variable.',
      'With --resume it lets PROGRAM go on, and leaves others paused.',
    ],
    examples: ['postern programs', 'postern programs cursor', 'postern programs cursor --resume'],
  },
  use: {
    summary: 'Let AI programs use a server, with the sign-in that is here',
    positionals: ['ID', '[PROGRAM…]'],
    options: ['other', 'as', 'project', 'editor-profile', 'http', 'dry-run', 'yes', 'json', 'help'],
    about: [
      theId,
      'Adds an entry to the configuration of each PROGRAM (`postern programs` lists them). It shows what it will write',
      'and asks; a copy of the file is kept, nothing else in it moves, and `postern undo` takes it back.',
      'With --other NAME it adds a program that is not in that list, and shows the lines that you put into its',
      'configuration; other commands then take NAME as a PROGRAM.',
      'With --http the entry holds an address instead of a command. It cannot start Postern: keep the window open, or',
      'let `postern serve` run.',
    ],
    examples: [
      'postern use Notes cursor',
      'postern use Notes claude-code codex --yes',
      'postern use Notes --other "My agent"',
    ],
  },
  unuse: {
    summary: 'Take the entries of a server out of AI programs again',
    positionals: ['ID', 'PROGRAM…'],
    options: ['project', 'editor-profile', 'dry-run', 'yes', 'json', 'help'],
    about: ['ID may also be the alias of a server that is not connected any more.'],
    examples: ['postern unuse Notes cursor'],
  },
  undo: {
    summary: 'List the changes of programs’ configurations, or take one back',
    positionals: ['[CHANGE]'],
    options: ['dry-run', 'yes', 'json', 'help'],
    about: [
      'The file becomes what it was, to the byte, while nobody else has changed it; else the entry alone is taken out.',
    ],
    examples: ['postern undo', 'postern undo 5f0c2a9e41d7 --yes'],
  },
  import: {
    summary: 'Connect the servers that an AI program has in its configuration',
    positionals: ['PROGRAM|FILE'],
    options: ['only', 'take-over', 'local', 'yes', 'json', 'help'],
    about: [
      'Entries with an address become servers of Postern, `npx mcp-remote URL` too; the value of a header goes behind',
      'the keychain. One that wants a sign-in is listed, and the exit code is 3. A command is listed too, with the values',
      'of its variables sealed, and runs only once you have seen and allowed it: `postern start ID`, whatever --yes says.',
      'FILE is a list of any program, such as an mcp.json, or - for one on standard input. It may also be one of',
      '`postern export`: its servers are added, and wait for their sign-in.',
      'It asks before headers go to a connection that is there already and has no credential.',
      'With --take-over the entries then lead to Postern, under the same names; `postern undo` takes that back.',
    ],
    examples: ['postern import cursor', 'postern import cursor --only notes --take-over', 'postern import ./mcp.json'],
  },
  activity: {
    summary: 'Show which program called what, when and how that ended',
    positionals: ['[ID]'],
    options: ['program', 'since', 'follow', 'json', 'help'],
    about: [
      'ID is an id from `postern list`, a name, or the name of a server that is not connected any more.',
      'Nothing that was said is kept: no argument, no result. `postern settings activity off` ends the noting.',
      'Without --since a person sees the newest 50 calls; --json has all that are kept, 5000 at most.',
    ],
    examples: ['postern activity', 'postern activity Notes --program cursor --since 1h', 'postern activity --follow'],
  },
  permit: {
    summary: 'Show or set which tools of a server programs may call',
    positionals: ['ID', '[TOOL]', '[RULE]'],
    options: ['program', 'preset', 'changed-tools', 'json', 'help'],
    about: [
      theId,
      'RULE is allow, ask, deny, or default, which takes it back. What is denied is not listed; what asks waits for an',
      'answer in the window, 45 seconds at most. --preset holds for tools without a rule of their own, by what the',
      'server says of each: a hint that nobody checks. It ends rules that are looser.',
      'With --program it is for that program alone: there it can be stricter than for all, and a tool that asks can be',
      'allowed; what is denied for all stays denied.',
      '--changed-tools hold keeps tools that are new or say something else of themselves from every program until you',
      'have looked at them (`postern review`); show, the default, only shows them.',
    ],
    examples: [
      'postern permit Notes',
      'postern permit Notes --preset read-only',
      'postern permit Notes delete_note deny',
      'postern permit Notes add_note allow --program cursor',
      'postern permit Notes --changed-tools hold',
    ],
  },
  review: {
    summary: 'Show what tools of a server say otherwise than when you looked at them last',
    positionals: ['ID'],
    options: ['accept', 'sign-in', 'json', 'help'],
    about: [
      theId,
      'What its tools said when it was connected, or when Postern listed them first, is remembered: name, title,',
      'description, schemas and hints. This asks the server again, and shows tools that are new, that say something',
      'else, and that are gone, word by word: [-gone-] and {+new+}. --accept takes them as they are shown.',
      '`postern permit ID --changed-tools hold` keeps such tools from programs, and from `postern call`, until then.',
    ],
    examples: ['postern review Notes', 'postern review Notes --accept'],
  },
  revoke: {
    summary: 'Let an AI program use nothing of Postern any more',
    positionals: ['PROGRAM'],
    options: ['yes', 'json', 'help'],
    about: ['What it has open ends, and its entries are refused from then on. `postern use` makes new ones.'],
    examples: ['postern revoke cursor'],
  },
} as const satisfies Record<string, CommandSpec>;
