import { type CommandSpec, theId } from './command-spec.ts';

/** Commands about servers that run on this computer. */
export const localCommandSpecs = {
  local: {
    summary: 'Connect a server that runs on this computer',
    positionals: ['NAME', 'COMMAND…'],
    options: ['cwd', 'env', 'env-stdin', 'lifetime', 'yes', 'json', 'help'],
    about: [
      'COMMAND stands after --. It is shown as it will run, and runs once you have said yes, without a shell. It finds',
      'the usual variables and those that --env names, whose values are taken from here and kept sealed; nothing else.',
      'Whoever writes that program can do on this computer what you can: connect only what you trust.',
      'Another command under the same name takes the place of the one before. Each session of a program has a process of',
      'its own; with --lifetime shared all programs that Postern serves use one.',
    ],
    examples: [
      'postern local Files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents',
      'postern local Tickets --env TICKETS_TOKEN -- uvx tickets-mcp',
    ],
  },
  start: {
    summary: 'Let a server on this computer run again',
    positionals: ['ID'],
    options: ['lifetime', 'yes', 'json', 'help'],
    about: [
      theId,
      'After `postern stop`, and where it ended five times by itself. What has not been allowed yet is shown first.',
      'It runs as soon as something uses it. --lifetime sets whether sessions share one process, for those that start then.',
    ],
    examples: ['postern start Files'],
  },
  stop: {
    summary: 'End the processes of a server on this computer',
    positionals: ['ID'],
    options: ['json', 'help'],
    about: [theId, 'They do not start again until `postern start`, or until Postern itself starts again.'],
    examples: ['postern stop Files'],
  },
  logs: {
    summary: 'Show what a server on this computer has written',
    positionals: ['ID'],
    options: ['follow', 'json', 'help'],
    about: [theId, 'Its standard error, and what was no message, since Postern serves programs; it is kept nowhere.'],
    examples: ['postern logs Files', 'postern logs Files --follow'],
  },
} as const satisfies Record<string, CommandSpec>;
