import type { CommandSpec } from './command-spec.ts';
import { connectSpec } from './connect-spec.ts';
import type { OptionName } from './option-specs.ts';

/** What only something that is kept has. */
const aboutKeeping: ReadonlySet<OptionName> = new Set([
  'name',
  'replace',
  'memory',
  'as-provider',
  'identity-provider',
  'vault',
  'passphrase-fd',
  'passphrase-file',
  'key-file',
  'client-secret-ends',
]);

/** Commands that use one connection. */
export const usableWith = ['tools', 'call', 'resources', 'read', 'prompts', 'prompt', 'token'] as const;

/** A connection for one command. */
export const withSpec: CommandSpec = {
  summary: 'Connect, run one command on the connection, and keep nothing',
  positionals: ['URL', 'COMMAND…'],
  options: connectSpec.options.filter((name) => !aboutKeeping.has(name)),
  about: [
    'COMMAND stands after --, as one of this program without its ID: tools, call, resources, read, prompts, prompt or',
    'token. Options before -- are those of connect. Nothing is written, and no keychain is asked.',
  ],
  examples: [
    'postern with https://mcp.example.com/mcp -- tools',
    'postern with https://mcp.example.com/mcp --header X-API-Key --header-value-stdin -- call search query=tea < key.txt',
  ],
};

/** The command that a service manager runs. */
export const watchSpec = {
  summary: 'Renew every access before it ends, until this is ended',
  positionals: [],
  options: ['json', 'help'],
  about: [
    'For computers without a display; the window does the same while it is open. It opens no page: what wants a person',
    'is said, and waits. Under systemd it tells when it is up and how it does: the Linux package brings a unit for the',
    'services of a user, postern-watch.service.',
  ],
  examples: ['postern watch', 'postern watch --json'],
} as const satisfies CommandSpec;
