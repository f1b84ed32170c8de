import { logLevels } from '../../../shared/choices.ts';
import type { CallbackHost, Grant, PkcePolicy, SecretMethod } from '../../../shared/choices.ts';
import type { ChangedToolRule, ToolPreset } from '../../../shared/tool-permissions.ts';

/** Written out here, so that reading a command line loads no schema. */
export const pkceChoices = ['when-listed', 'always', 'required'] as const satisfies readonly PkcePolicy[];
export const callbackHostChoices = ['127.0.0.1', 'localhost'] as const satisfies readonly CallbackHost[];
/** What `--client-auth` calls the ways to send a client secret. */
export const secretMethodNames = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
} as const satisfies Record<string, SecretMethod>;
/** Other grants come with what they need. */
export const grantChoices = ['client-credentials'] as const satisfies readonly Grant[];
const lifetimes = ['session', 'shared'] as const;
const vaultKinds = ['passphrase', 'file'] as const;
export const signInWays = ['browser', 'print', 'device'] as const;
export type SignInWay = (typeof signInWays)[number];

const presetChoices = [
  'everything',
  'ask-changes',
  'read-only',
  'only-allowed',
] as const satisfies readonly ToolPreset[];
/** What becomes of a tool; `default` takes a rule back. */
export const ruleChoices = ['allow', 'ask', 'deny', 'default'] as const;
/** What becomes of tools that have changed; `default` is what the settings say. */
export const changedToolChoices = ['show', 'hold', 'default'] as const satisfies readonly (
  ChangedToolRule | 'default'
)[];
/** Of resources and prompts. */
const offerChoices = ['on', 'off'] as const;

export interface OptionSpec {
  readonly name: string;
  /** What stands for the value in help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
}

const specs = [
  {
    name: 'name',
    value: 'NAME',
    help: 'What you call this server; other commands take it instead of the id',
  },
  {
    name: 'replace',
    help: 'With --name: take the name of the server that has it, which is signed out and removed',
  },
  { name: 'local', help: 'The server runs on this computer or your internal network' },
  {
    name: 'allow-host',
    value: 'HOST',
    repeatable: true,
    help: 'This server may use that host: an internal one, or a sign-in host of another owner',
  },
  { name: 'allow-http', help: 'Allow unencrypted http to internal hosts (this computer never needs it)' },
  { name: 'client-id', value: 'ID', help: 'Client id of an app that you created at the service' },
  { name: 'client-secret-stdin', help: 'Read the client secret from the first line of standard input' },
  { name: 'client-key-stdin', help: 'Read a private key (PEM or JWK) from standard input, instead of a secret' },
  {
    name: 'client-auth',
    value: 'basic|post',
    choices: Object.keys(secretMethodNames),
    help: 'How the client secret is sent: in the header (basic) or in the form (post)',
  },
  { name: 'registration-token-stdin', help: 'Read a token of the service to register with from standard input' },
  {
    name: 'client-secret-ends',
    value: 'DATE',
    help: 'Day on which the service ends that secret, as 2027-05-31; Postern reminds you',
  },
  { name: 'scope', value: 'SCOPES', help: 'Permissions to ask for, separated by spaces, instead of the usual ones' },
  {
    name: 'sign-in',
    value: 'WAY',
    choices: signInWays,
    help: 'browser opens the sign-in page (or $BROWSER), print shows its link, device a code',
  },
  {
    name: 'pkce',
    value: 'POLICY',
    choices: pkceChoices,
    help: 'Proof key on the sign-in: when-listed (default), always, or required',
  },
  {
    name: 'authorization-server',
    value: 'ISSUER',
    help: 'Sign in at this one, where the server names several (discover lists the other issuers)',
  },
  { name: 'authorization-endpoint', value: 'URL', help: 'Sign-in page of a service that publishes none' },
  { name: 'token-endpoint', value: 'URL', help: 'Token address of that service; both go together' },
  {
    name: 'callback-host',
    value: 'HOST',
    choices: callbackHostChoices,
    help: '127.0.0.1 or localhost in the callback URL, where the service takes only one',
  },
  {
    name: 'no-resource',
    help: 'Do not name the server in the sign-in, for services that refuse that (invalid_target)',
  },
  {
    name: 'grant',
    value: 'GRANT',
    choices: grantChoices,
    help: 'client-credentials: access of the program itself, by its id and secret or key',
  },
  {
    name: 'assertion-file',
    value: 'FILE',
    help: 'Show the JWT in that file instead of signing in; it is read again at each use',
  },
  {
    name: 'identity-provider',
    value: 'NAME',
    help: 'Let that provider sign in, which was connected with --as-provider (enterprise-managed)',
  },
  {
    name: 'as-provider',
    help: 'URL is the issuer of an identity provider, which signs in for other servers',
  },
  {
    name: 'pushed-request',
    help: 'Hand the sign-in request to the service itself first, where it takes that (PAR)',
  },
  {
    name: 'legacy-endpoints',
    help: 'Try /authorize, /token and /register where a server publishes nothing (MCP 2025-03-26)',
  },
  { name: 'client-metadata-url', value: 'URL', help: 'Address of a client metadata document to use as client id' },
  { name: 'header', value: 'NAME', help: 'Header that this server wants an API key in, instead of a sign-in' },
  { name: 'header-value-stdin', help: 'Read the value of that header from the first line of standard input' },
  {
    name: 'timeout',
    value: 'SECONDS',
    help: 'Give up after that: a sign-in 1 to 600 (default 600), a call 1 to 21600',
  },
  {
    name: 'log-level',
    value: 'LEVEL',
    choices: logLevels,
    help: 'What the server writes down: debug, info, notice, warning, error or graver',
  },
  {
    name: 'output',
    value: 'FILE|DIR',
    help: 'Put the answer into that file, or each piece of it into a file in that folder',
  },
  { name: 'allow-tool-error', help: 'Take a tool’s report of an error as an answer (exit code 0)' },
  { name: 'any-field', help: 'Send fields that the tool does not name, and texts where it wants others' },
  { name: 'min-ttl', value: 'SECONDS', help: 'Renew access that lasts less than that: 1 to 86400' },
  {
    name: 'env',
    value: 'NAME',
    repeatable: true,
    help: 'With exec the variable to use, instead of the usual one; with local one that the server is given',
  },
  { name: 'env-stdin', help: 'Read lines NAME=VALUE from standard input: variables that the server is given' },
  { name: 'cwd', value: 'DIR', help: 'The folder that it runs in, instead of your home folder' },
  { name: 'header-file', help: 'Put the token into a file with the header line, not into the environment' },
  { name: 'idle-exit', value: 'SECONDS', help: 'End when no program has used Postern for that long: 1 to 86400' },
  { name: 'other', value: 'NAME', help: 'A program that Postern does not know, by a name of yours' },
  { name: 'http', help: 'Over HTTP on a port of this computer, too; with use: an address in the entry, not a command' },
  { name: 'port', value: 'PORT', help: 'With --http: this port, from now on; entries of programs hold it' },
  { name: 'allow-unknown', help: 'Serve programs that nobody has added, too' },
  {
    name: 'program',
    value: 'PROGRAM',
    help: 'Of this program alone; with proxy, which one this is, as its configuration says',
  },
  { name: 'since', value: 'TIME', help: 'Only what is not older than that: 30s, 10m, 1h or 2d' },
  { name: 'follow', help: 'Go on with what comes from now on; Ctrl-C ends it' },
  { name: 'profile-folder', value: 'DIR', help: 'The folder where settings and sealed secrets are kept' },
  { name: 'trace', help: 'Show every request: what for, what came back, and what was made of it (no secrets)' },
  { name: 'as', value: 'NAME', help: 'What the entry is called in the program, instead of the alias' },
  {
    name: 'editor-profile',
    value: 'NAME',
    help: 'The configuration of that profile of VS Code, instead of the default one',
  },
  { name: 'project', value: 'DIR', help: 'The configuration of the project in that folder, instead of your own' },
  { name: 'only', value: 'NAME', repeatable: true, help: 'Only the entry of that name' },
  { name: 'take-over', help: 'Put Postern into the places that these entries have in the program' },
  { name: 'dry-run', help: 'Only show what would be done' },
  { name: 'preset', value: 'PRESET', choices: presetChoices, help: 'What holds for tools without a rule of their own' },
  { name: 'resources', value: 'on|off', choices: offerChoices, help: 'Whether programs get resources' },
  { name: 'prompts', value: 'on|off', choices: offerChoices, help: 'Whether programs get prompts' },
  { name: 'changed-tools', value: 'RULE', choices: changedToolChoices, help: 'What becomes of changed tools' },
  { name: 'review', help: 'Show which tools have changed since you last reviewed them' },
  { name: 'accept', help: 'With --review: accept the changes that are shown' },
  {
    name: 'lifetime',
    value: 'WHICH',
    choices: lifetimes,
    help: 'session: a process for each session of a program; shared: one for all, with its tools alone',
  },
  {
    name: 'all',
    help: 'Every server instead of ID; with remove all data of Postern',
  },
  { name: 'remove', help: 'Remove the collection; its servers stay' },
  { name: 'yes', help: 'Do not ask, as where nobody can be asked' },
  { name: 'default', help: 'Go back to what holds while nothing is set' },
  { name: 'restore', help: 'Bring back what Postern wrote last, where the settings file cannot be read' },
  { name: 'resume', help: 'Let this program go on that you have paused' },
  {
    name: 'vault',
    value: 'KIND',
    choices: vaultKinds,
    help: 'Seal sign-ins here with a passphrase or a key file, on a computer without a keychain',
  },
  { name: 'passphrase-fd', value: 'N', help: 'Read the passphrase from that descriptor (0 is standard input)' },
  { name: 'passphrase-file', value: 'FILE', help: 'Read the passphrase from that file (mode 0600)' },
  {
    name: 'key-file',
    value: 'FILE',
    help: 'The key file (mode 0600), outside the profile; made where it is not there',
  },
  { name: 'memory', help: 'Keep nothing: one try, without the keychain' },
  { name: 'json', help: 'One JSON object a line on standard output, for programs' },
  { name: 'help', help: 'Show this help' },
  { name: 'version', help: 'Show the version' },
] as const satisfies readonly OptionSpec[];

export type OptionName = (typeof specs)[number]['name'];

export const optionSpecs: Readonly<Record<OptionName, OptionSpec>> = Object.fromEntries(
  specs.map((spec) => [spec.name, spec]),
) as unknown as Record<OptionName, OptionSpec>;

/** Taken by every command that may need a secret. */
export const vaultOptions = ['vault', 'passphrase-fd', 'passphrase-file', 'key-file'] as const;

export const optionNames: readonly OptionName[] = specs.map(({ name }) => name);
