import { logLevels } from '../../../shared/choices.ts';
import type { CallbackHost, Grant, PkcePolicy, SecretMethod } from '../../../shared/choices.ts';
import type { ChangedToolRule, ToolPreset } from '../../../shared/tool-permissions.ts';

/** Repeated here so that parsing a command line loads no zod schema. */
export const pkceChoices = ['when-listed', 'always', 'required'] as const satisfies readonly PkcePolicy[];
export const callbackHostChoices = ['127.0.0.1', 'localhost'] as const satisfies readonly CallbackHost[];
/** `--client-auth` names of the client authentication methods. */
export const secretMethodNames = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
} as const satisfies Record<string, SecretMethod>;
/** Other grants are implied by their own options. */
export const grantChoices = ['client-credentials'] as const satisfies readonly Grant[];
const lifetimes = ['session', 'shared'] as const;
const vaultKinds = ['passphrase', 'file'] as const;
export const signInModes = ['browser', 'print', 'device'] as const;
export type SignInMode = (typeof signInModes)[number];

const presetChoices = [
  'everything',
  'ask-changes',
  'read-only',
  'only-allowed',
] as const satisfies readonly ToolPreset[];
/** Rule for a tool; `default` removes it. */
export const ruleChoices = ['allow', 'ask', 'deny', 'default'] as const;
/** Rule for changed tools; `default` follows the settings. */
export const changedToolChoices = ['show', 'hold', 'default'] as const satisfies readonly (
  ChangedToolRule | 'default'
)[];
/** For resources and prompts. */
const onOffChoices = ['on', 'off'] as const;

export interface OptionSpec {
  readonly name: string;
  /** Placeholder for the value in help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  /** Help in the commands where it means something more specific. */
  readonly helpFor?: Readonly<Record<string, string>>;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
}

const specs = [
  {
    name: 'name',
    value: 'NAME',
    help: 'Name for this server, which other commands accept as its ID',
  },
  {
    name: 'replace',
    help: 'With --name: sign out of and remove the server that has this name now',
  },
  { name: 'local', help: 'The server is on this computer or your internal network' },
  {
    name: 'allow-host',
    value: 'HOST',
    repeatable: true,
    help: 'Let this server use an internal host, or a sign-in host with another owner',
  },
  { name: 'allow-http', help: 'Allow unencrypted HTTP to internal hosts (not needed for this computer)' },
  { name: 'client-id', value: 'ID', help: 'Client ID of an OAuth app that you created at the service' },
  { name: 'client-secret-stdin', help: 'Read the client secret from the first line of standard input' },
  { name: 'client-key-stdin', help: 'Read a private key (PEM or JWK) from standard input instead of a client secret' },
  {
    name: 'client-auth',
    value: 'basic|post',
    choices: Object.keys(secretMethodNames),
    help: 'Send the client secret in the header (basic) or in the form (post)',
  },
  {
    name: 'registration-token-stdin',
    help: 'Read an initial access token for client registration from standard input',
  },
  {
    name: 'client-secret-ends',
    value: 'DATE',
    help: 'Date on which the client secret expires, such as 2027-05-31; Postern reminds you',
  },
  { name: 'scope', value: 'SCOPES', help: 'Scopes to request, separated by spaces, instead of the default ones' },
  {
    name: 'sign-in',
    value: 'MODE',
    choices: signInModes,
    help: 'Open the sign-in page (browser, or $BROWSER), show its link (print) or a code (device)',
  },
  {
    name: 'pkce',
    value: 'POLICY',
    choices: pkceChoices,
    help: 'PKCE: when-listed (default), always, or required (refuse services that do not list it)',
  },
  {
    name: 'authorization-server',
    value: 'ISSUER',
    help: 'Issuer to sign in at if the server names several (discover lists them)',
  },
  {
    name: 'authorization-endpoint',
    value: 'URL',
    help: 'Authorization endpoint, if the service does not publish it; needs --token-endpoint',
  },
  { name: 'token-endpoint', value: 'URL', help: 'Token endpoint of the same service; needs --authorization-endpoint' },
  {
    name: 'callback-host',
    value: 'HOST',
    choices: callbackHostChoices,
    help: '127.0.0.1 or localhost in the callback URL, if the service accepts only one',
  },
  {
    name: 'no-resource',
    help: 'Leave out the resource parameter, for services that refuse it (invalid_target)',
  },
  {
    name: 'grant',
    value: 'GRANT',
    choices: grantChoices,
    help: 'client-credentials: sign in without a user, by client ID and client secret or key',
  },
  {
    name: 'assertion-file',
    value: 'FILE',
    help: 'Use the JWT in this file instead of signing in; the file is read again each time',
  },
  {
    name: 'identity-provider',
    value: 'NAME',
    help: 'Sign in through this provider, connected earlier with --as-provider',
  },
  {
    name: 'as-provider',
    help: 'URL is the issuer of an identity provider that signs you in to other servers',
  },
  {
    name: 'pushed-request',
    help: 'Use a pushed authorization request (PAR) if the service supports it',
  },
  {
    name: 'legacy-endpoints',
    help: 'Try /authorize, /token and /register if the server publishes nothing (MCP 2025-03-26)',
  },
  { name: 'client-metadata-url', value: 'URL', help: 'Address of a client metadata document to use as the client ID' },
  { name: 'header', value: 'NAME', help: 'Send an API key in this header instead of signing in' },
  { name: 'header-value-stdin', help: 'Read the API key from the first line of standard input' },
  {
    name: 'timeout',
    value: 'SECONDS',
    help: 'Time limit: 1 to 600 for a sign-in (default 600), 1 to 21600 for a call',
    helpFor: {
      connect: 'Time limit for the sign-in: 1 to 600 (default 600)',
      call: 'Time limit for the call: 1 to 21600',
    },
  },
  {
    name: 'log-level',
    value: 'LEVEL',
    choices: logLevels,
    help: 'Lowest level of server log messages: debug, info, notice, warning, error or higher',
  },
  {
    name: 'output',
    value: 'FILE|DIR',
    help: 'Save the result to this file, or each part of it to a file in this folder',
  },
  { name: 'allow-tool-error', help: 'Exit with code 0 even if the tool reports an error' },
  { name: 'any-field', help: 'Skip argument validation' },
  { name: 'min-ttl', value: 'SECONDS', help: 'Refresh a token that expires sooner: 1 to 86400' },
  {
    name: 'env',
    value: 'NAME',
    repeatable: true,
    help: 'With exec: the variable for the token; with local: a variable to pass to the server',
    helpFor: {
      exec: 'Variable for the token, instead of POSTERN_TOKEN',
      'local add': 'Variable to pass to the server (repeat it for more)',
    },
  },
  { name: 'env-stdin', help: 'Read variables for the server from standard input, as lines NAME=VALUE' },
  { name: 'cwd', value: 'DIR', help: 'Folder to run it in, instead of your home folder' },
  { name: 'header-file', help: 'Pass the token in a file with the header line instead of the environment' },
  { name: 'idle-exit', value: 'SECONDS', help: 'Exit when no app has used Postern for that long: 1 to 86400' },
  { name: 'other', value: 'NAME', help: 'Add an app that Postern does not know, under a name of your choice' },
  {
    name: 'http',
    help: 'With serve: also serve over HTTP on this computer; with use: put an address in the entry',
    helpFor: {
      serve: 'Also serve over HTTP on this computer',
      use: 'Put an address in the entry instead of a command',
    },
  },
  { name: 'port', value: 'PORT', help: 'With --http: the port to use, now and later; app entries contain it' },
  { name: 'allow-unknown', help: 'Also serve apps that you have not added' },
  {
    name: 'app',
    value: 'APP',
    help: 'Only for this AI app; with proxy: the app that runs it',
    helpFor: {
      activity: 'Only calls by this AI app',
      permit: 'Only for this AI app',
      proxy: 'The app that runs it',
    },
  },
  { name: 'since', value: 'TIME', help: 'Only calls in the last 30s, 10m, 1h or 2d' },
  { name: 'follow', help: 'Keep showing new output until you press Ctrl-C' },
  { name: 'profile-folder', value: 'DIR', help: 'Folder with the settings and encrypted secrets' },
  { name: 'trace', help: 'Show every request with its purpose, response and outcome (without secrets)' },
  { name: 'as', value: 'NAME', help: 'Name of the entry in the app, instead of the alias' },
  {
    name: 'editor-profile',
    value: 'NAME',
    help: 'Use the configuration of this VS Code profile instead of the default one',
  },
  { name: 'project', value: 'DIR', help: 'Use the configuration of the project in this folder instead of your own' },
  { name: 'only', value: 'NAME', repeatable: true, help: 'Import only the entry with this name' },
  { name: 'take-over', help: 'Replace the entries in the app with entries for Postern' },
  { name: 'dry-run', help: 'Show what would be done, without doing it' },
  { name: 'preset', value: 'PRESET', choices: presetChoices, help: 'Default for tools without a rule' },
  { name: 'resources', value: 'on|off', choices: onOffChoices, help: 'Whether AI apps get resources' },
  { name: 'prompts', value: 'on|off', choices: onOffChoices, help: 'Whether AI apps get prompts' },
  { name: 'changed-tools', value: 'RULE', choices: changedToolChoices, help: 'What to do with new and changed tools' },
  { name: 'review', help: 'Show which tools have changed since your last review' },
  { name: 'accept', help: 'With --review: accept the changes shown' },
  {
    name: 'lifetime',
    value: 'KIND',
    choices: lifetimes,
    help: 'session: one process per session; shared: one for all sessions, tools only',
  },
  {
    name: 'all',
    help: 'All servers; with remove: all Postern data; with unuse: everything the app may use',
    helpFor: {
      refresh: 'Refresh all servers',
      remove: 'Delete all Postern data from this computer',
      unuse: 'Revoke all access of the app',
    },
  },
  { name: 'remove', help: 'Remove the collection; its servers stay' },
  { name: 'yes', help: 'Do not ask for confirmation' },
  { name: 'default', help: 'Reset to the default' },
  { name: 'restore', help: 'Restore the last saved settings if the settings file cannot be read' },
  { name: 'resume', help: 'Resume this app after you paused it' },
  {
    name: 'vault',
    value: 'KIND',
    choices: vaultKinds,
    help: 'Encrypt sign-ins with a passphrase or a key file, on a computer without a keychain',
  },
  { name: 'passphrase-fd', value: 'N', help: 'Read the passphrase from this file descriptor (0 is standard input)' },
  { name: 'passphrase-file', value: 'FILE', help: 'Read the passphrase from this file (mode 0600)' },
  {
    name: 'key-file',
    value: 'FILE',
    help: 'Key file (mode 0600) outside the profile folder; created if needed',
  },
  { name: 'memory', help: 'Try it once: save nothing and do not use the keychain' },
  { name: 'json', help: 'Write one JSON object per line to standard output' },
  { name: 'help', help: 'Show this help' },
  { name: 'version', help: 'Show the version' },
] as const satisfies readonly OptionSpec[];

export type OptionName = (typeof specs)[number]['name'];

export const optionSpecs: Readonly<Record<OptionName, OptionSpec>> = Object.fromEntries(
  specs.map((spec) => [spec.name, spec]),
) as unknown as Record<OptionName, OptionSpec>;

/** Accepted by every command that may need a secret. */
export const vaultOptions = ['vault', 'passphrase-fd', 'passphrase-file', 'key-file'] as const;

/** The help of an option in `command`. */
export function optionHelp(name: OptionName, command: string): string {
  const { help, helpFor } = optionSpecs[name];
  return helpFor?.[command] ?? help;
}

export const optionNames: readonly OptionName[] = specs.map(({ name }) => name);
