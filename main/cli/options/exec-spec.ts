import { type CommandSpec, theId } from './command-spec.ts';

/** The command that hands a token to another one. */
export const execSpec = {
  summary: 'Run a command that gets a fresh access token',
  positionals: ['ID', 'COMMAND…'],
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
} as const satisfies CommandSpec;
