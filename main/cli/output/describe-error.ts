import { adviceText, timeOfDay } from '../../../shared/error-catalog/catalog-entry.ts';
import { certificateSteps, networkFaults } from '../../../shared/error-catalog/network-errors.ts';
import type { NetworkFault } from '../../../shared/error-catalog/network-errors.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import { oauthErrors } from '../../../shared/oauth.ts';
import type { OAuthError } from '../../../shared/oauth.ts';
import type { PasteLines, Remedy } from '../../../shared/remedy.ts';
import { AmbiguousReference } from '../../closest-word.ts';
import { PosternError, readDetail, toPlainError } from '../../errors/postern-error.ts';
import { vaultOptions } from '../options/option-specs.ts';
import type { OptionName } from '../options/option-specs.ts';
import { writeConnect, writeSignIn, writeSignOut, writeLocalStart, writeServerCommand } from './write-command.ts';
import type { AdviceContext } from './write-command.ts';

/** Error details for scripts. */
interface ErrorFacts {
  /** Why the connection failed, if known. */
  readonly fault?: NetworkFault;
  /** The authorization server's error, if it is a known RFC error code. */
  readonly oauthError?: OAuthError;
  /** Scopes that the server wants and the token lacks, safe to display. */
  readonly missingScopes?: readonly string[];
  /** Set if these scopes were requested before: what the authorization server did. */
  readonly scopeAnswer?: 'refused' | 'granted';
}

/** An error for the command line. The next step is a sentence, in `--json` too. */
export type CommandError = Omit<PlainError, 'remedy' | 'detail' | 'traits'> &
  ErrorFacts & {
    readonly nextStep: string;
    /** The redirect URI to register, if the user must create an OAuth app (spec 2.11). */
    readonly callbackUrl?: string;
    /** Lines that the next step tells the user to paste. */
    readonly paste?: Pick<PasteLines, 'path' | 'lines' | 'secret'>;
    /** The servers that an ambiguous reference matches. */
    readonly candidates?: readonly Readonly<Record<'id' | 'name', string>>[];
  };

/** Any thrown error for the command line. Details of errors that are not ours stay hidden. */
export function toCommandError(error: unknown, at: AdviceContext): CommandError {
  // The detail is already in the message, and scripts use the code.
  const { remedy, detail: _detail, traits: _traits, ...shown } = toPlainError(error);
  const paste = remedy.kind === 'paste-lines' && { path: remedy.path, lines: remedy.lines, secret: remedy.secret };
  return {
    ...shown,
    ...(error instanceof PosternError && factsOf(error)),
    ...('callbackUrl' in remedy && remedy.callbackUrl !== undefined && { callbackUrl: remedy.callbackUrl }),
    nextStep: describeRemedy(remedy, at),
    ...(paste && { paste }),
    ...(error instanceof AmbiguousReference && { candidates: error.candidates.map(({ id, name }) => ({ id, name })) }),
  };
}

/** Only names from our own lists, and scopes cleaned by `withMissingScopes`. */
function factsOf(error: PosternError): ErrorFacts {
  const { fault, error: refusal, scopes, scopeAnswer } = readDetail(error);
  const knownFault = networkFaults.find((known) => known === fault);
  const oauthError = oauthErrors.find((known) => known === refusal);
  return {
    ...(knownFault && { fault: knownFault }),
    ...(oauthError && { oauthError }),
    ...(scopes && { missingScopes: scopes }),
    ...(scopeAnswer && { scopeAnswer }),
  };
}

type RemedyOf<Kind extends Remedy['kind']> = Extract<Remedy, { kind: Kind }>;

const stdinOptions = ['client-secret-stdin', 'client-key-stdin', 'registration-token-stdin'] as const;
const clientOptions: readonly OptionName[] = ['client-id', 'client-secret-ends', ...stdinOptions];
const certificateShown = '`postern discover URL --trace` shows the certificate.';
const otherwiseRemove = 'If not, remove the server and connect the right one.';

/** What the user can do next, with commands and options. Only our own text, and host names. */
export function describeRemedy(remedy: Remedy, at: AdviceContext): string {
  // The same sentence on all surfaces.
  if ('advice' in remedy) return adviceText(remedy);
  switch (remedy.kind) {
    case 'trust-certificate':
      return `${certificateSteps[remedy.whose]} name its certificate file: \`postern settings certificateFile FILE\`. \`postern doctor\` shows which authorities are used.`;
    case 'check-certificate':
      return `${certificateSteps[remedy.problem]} ${certificateShown}`;
    case 'allow-local':
      return describeLocal(remedy);
    case 'allow-http':
      return 'Use https. To allow an unencrypted connection in your own network, connect with --allow-http.';
    case 'allow-host':
      return `If you trust that host, connect the server with --allow-host ${remedy.host ?? 'HOST'}.`;
    case 'agree-to-hosts': {
      const hosts = remedy.hosts.length > 0 ? remedy.hosts : ['HOST'];
      return `If you expected that: ${writeConnect(at, hosts.map((host) => `--allow-host ${host}`).join(' '))}.`;
    }
    case 'give-address':
      if (remedy.starts)
        return 'Use the web address of the service if it has one. Or add the command: `postern local add NAME -- COMMAND`.';
      return remedy.address === undefined
        ? 'Give the address of one server. To import a whole mcp.json, use `postern import FILE`.'
        : `Give only the address: \`postern connect ${remedy.address}${remedy.local ? ' --local' : ''}\`.`;
    case 'connect-otherwise':
      return 'For an older server, add --legacy-endpoints. For an API key, add --header NAME --header-value-stdin.';
    case 'type-endpoints':
      return 'Contact the owner of the server. If you know its endpoints, connect with --authorization-endpoint URL --token-endpoint URL.';
    case 'relax-pkce':
      return 'If you trust the server, do not require PKCE: --pkce when-listed.';
    case 'ask-other-scopes':
      return `Request other or fewer scopes: ${writeConnect(at, '--scope SCOPES', ['scope'])}.`;
    case 'without-resource':
      return remedy.because === 'unknown'
        ? 'Connect with --no-resource. The service may not know the server by its address.'
        : 'Connect with --no-resource. If that does not help, contact the owner of the service.';
    case 'try-other-options':
      return 'Try again. If it keeps happening, contact the owner of the service.';
    case 'type-credentials':
      return describeCredentials(remedy, at);
    case 'type-undemanding-credentials':
      return `Create an OAuth app at the service that does not require this, with ${writeCallback(remedy)} as its redirect URI. Then ${writeConnect(at, '--client-id ID', clientOptions)}.`;
    case 'correct-credentials':
      return describeCorrection(remedy, at);
    case 'replace-credentials':
      return `Sign in again. If you use your own client ID, give the one that this service knows: ${writeConnect(at, '--client-id ID', clientOptions)}.`;
    case 'check-client':
      return describeClientCheck(remedy);
    case 'check-document':
      return `Check that the service can read the document at that address. Or connect without --client-metadata-url: ${writeConnect(at, '', ['client-metadata-url'])}.`;
    case 'start-again': {
      const again = remedy.tooShort
        ? 'Start the sign-in again with a longer --timeout. Without one, it waits 10 minutes.'
        : 'Start the sign-in again.';
      if (remedy.callbackUrl === undefined) return again;
      return `${again} If the page rejected the callback URL, register exactly this one in your OAuth app: ${remedy.callbackUrl}.`;
    }
    case 'open-link':
      return remedy.startAgain
        ? 'Start again. If it happens again, use --sign-in print and open the link yourself.'
        : 'Open the link yourself, or use --sign-in print.';
    case 'compare-scopes':
      return 'Compare the granted and requested scopes with `postern show`. Sign in again if some are missing.';
    case 'sign-in':
      return remedy.access === 'lives'
        ? `You can keep using it. To get a new access token now, sign in again: ${writeSignIn(at)}.`
        : `Sign in again: ${writeSignIn(at)}.`;
    case 'sign-in-or-remove':
      return remedy.because === 'refused'
        ? `Sign in again, or with another account: ${writeSignIn(at, 'tools')}. If that does not help, remove the server and connect it again.`
        : `If the new address is right, sign in again: ${writeSignIn(at)}. ${otherwiseRemove}`;
    case 'grant-scopes':
      return remedy.answered
        ? `Ask an administrator of the service for them, then ${writeSignIn(at, 'tools')}. To use another account, first ${writeSignOut(at)}.`
        : `Grant them: ${writeSignIn(at, 'tools')}.`;
    case 'await-renewal':
      return describeRenewal(remedy, at);
    case 'use-as-it-is':
      return remedy.with === 'key'
        ? 'Use `postern tools` and `postern call`. They send the key automatically.'
        : `You can use it now: \`${writeServerCommand('tools', at.name)}\`, \`${writeServerCommand('call', at.name, 'TOOL')}\`.`;
    case 'fit-arguments':
      return 'Correct the arguments. To send them anyway, use --any-field.';
    case 'list-tools':
      return 'List its tools with `postern tools`.';
    case 'list-resources':
      return 'List its resources with `postern resources`.';
    case 'list-prompts':
      return 'List its prompts with `postern prompts`.';
    case 'replace-key':
      return describeKey(remedy, at);
    case 'choose-name':
      if (at.command === 'rename') return 'Choose another name. `postern list` shows the names in use.';
      return `Choose another --name. Or remove the server that has this name: ${writeConnect(at, '--replace', ['replace'])}.`;
    case 'find-name':
      return '`postern list` shows the names of your servers, `postern list --json` their IDs, and `postern collection` your collections.';
    case 'allow-command':
    case 'connect-command':
    case 'start-server':
    case 'name-folder':
    case 'see-output':
      return describeLocalRemedy(remedy.kind, at);
    case 'find-app':
      return '`postern apps` lists the AI apps that Postern knows. For any other app: `postern use ID --other NAME`.';
    case 'allow-app':
      return `Let it use a server: \`postern use ID ${remedy.app ?? 'APP'}${remedy.http || at.command === 'headers' ? ' --http' : ''}\`. \`postern list\` shows the names.`;
    case 'review-tools':
      return `Review the changes: \`${writeServerCommand('permit', at.name, '--review')}\`.`;
    case 'resume-apps':
      return 'Resume your AI apps: `postern settings appsPaused false`.';
    case 'resume-app':
      return `Resume it: \`postern apps ${remedy.app ?? 'APP'} --resume\`.`;
    case 'choose-entry-name':
      return `Choose another name for the entry: add --as ${remedy.free ?? 'NAME'}.`;
    case 'set-up-keychain':
      return [
        `${describeKeychainAdvice(remedy.missing)}.`,
        `Without a keychain, encrypt sign-ins with a passphrase: ${writeConnect(at, '--vault passphrase', vaultOptions)}. Or with a key file: ${writeConnect(at, '--vault file --key-file FILE', vaultOptions)}.`,
        `To try it once without saving: ${writeConnect(at, '--memory', ['memory'])}.`,
      ].join(' ');
    case 'test-storage':
      return 'Check the disk and your keychain with `postern doctor`, then sign in again.';
    case 'fix-settings': {
      const fix = remedy.missing ? 'Put the file back' : 'Fix the file';
      return remedy.copy
        ? `${fix}, or restore the last saved settings: \`postern settings --restore\`.`
        : `${fix}, or move it out of the profile folder and connect your servers again.`;
    }
    case 'correct-input':
      return `See \`postern ${at.command === undefined ? '' : `${at.command} `}--help\`.`;
  }
}

function describeCredentials({ after, documents, ...remedy }: RemedyOf<'type-credentials'>, at: AdviceContext): string {
  const first = after === undefined ? '' : `${describeRemedy(after.first, at)} If that does not help: `;
  const create = `Create an OAuth app at the service, with ${writeCallback(remedy)} as its redirect URI. Then ${writeConnect(at, '--client-id ID', clientOptions)}, with --client-secret-stdin if it has a secret.`;
  const document = `If you have a published client metadata document: ${writeConnect(at, '--client-metadata-url URL', clientOptions)}.`;
  const token = `If the service gave you a registration token: ${writeConnect(at, '--registration-token-stdin', clientOptions)}.`;
  return `${first}${create}${documents ? ` ${document}` : ''}${remedy.registrationToken ? ` ${token}` : ''}`;
}

/** For an existing server, the sign-in command asks for the credentials. */
function describeCorrection(remedy: RemedyOf<'correct-credentials'>, at: AdviceContext): string {
  if (at.name === undefined)
    return `Check both, and that the registered redirect URI is exactly ${writeCallback(remedy)}.`;
  const options = `${at.server ? '' : '--name NAME '}--client-id ID --client-secret-stdin`;
  return `Check them at the service. Then, in a terminal, which asks for them: ${writeSignIn(at)}. Without one: ${writeConnect(at, options, clientOptions)}.`;
}

function describeClientCheck({ what }: RemedyOf<'check-client'>): string {
  switch (what) {
    case 'secret':
    case 'secret-and-grant':
      return 'Check the client ID and the client secret, then sign in again.';
    case 'grant':
      return 'Check the client ID, and that the OAuth app allows this grant type.';
    case 'client':
    case 'request':
    case 'all':
      return 'Start again. If you use your own client ID, check it, its secret and its redirect URI.';
  }
}

function describeRenewal({ first, until, resting, mayLast }: RemedyOf<'await-renewal'>, at: AdviceContext): string {
  if (until === undefined) return first ? describeRemedy(first, at) : 'Check your internet connection and try again.';
  return [
    ...(resting === undefined ? [] : [`${resting} is busy or having problems.`]),
    `Try again after ${timeOfDay(until)}.`,
    ...(mayLast ? [`If it keeps happening, sign in again: ${writeSignIn(at)}.`] : []),
  ].join(' ');
}

/** `connect` with the same name replaces the key of a server. */
function describeKey({ because }: RemedyOf<'replace-key'>, at: AdviceContext): string {
  const give = writeConnect(at, at.server ? '' : '--name NAME --header HEADER --header-value-stdin');
  switch (because) {
    case 'refused':
      return `Check the key and the header name, then give the key again: ${give}.`;
    case 'no-key':
      return `Connect without the header and sign in: ${writeConnect(at, '', ['header', 'header-value-stdin'])}.`;
    case 'missing':
      return `Give the key again, with the same address and name: ${give}.`;
    case 'address-changed':
      return `If the new address is right, give its key: ${give}. ${otherwiseRemove}`;
  }
}

function writeCallback({ callbackUrl }: Pick<RemedyOf<'correct-credentials'>, 'callbackUrl'>): string {
  return callbackUrl ?? 'the callback URL from `postern doctor`';
}

type Missing = Extract<Remedy, { kind: 'set-up-keychain' }>['missing'];

function describeKeychainAdvice(missing: Missing): string {
  return keychainAdvice[missing ?? 'nothing'];
}

/** By what is missing; `nothing`: the keychain itself. */
const keychainAdvice = {
  module: reinstallLibrary('install', 'Install it with'),
  build: reinstallLibrary('rebuild', 'Run'),
  libsecret: 'Install it with your package manager (Debian, Ubuntu: libsecret-1-0)',
  nothing: 'Set up a keychain (on Linux gnome-keyring or KWallet; see docs/install.md for setups without a desktop)',
} as const;

function reinstallLibrary(what: 'install' | 'rebuild', verb: string): string {
  const command = npmCommand(what);
  return command === undefined ? 'Install Postern again' : `${verb} \`${command}\`, which reports what is missing`;
}

/**
 * The npm command that installs or rebuilds the keychain library for this installation. It names the prefix, because
 * npm would otherwise use its configured one. `undefined` in the desktop app, which bundles the library.
 */
export function npmCommand(what: 'install' | 'rebuild', folder = import.meta.dirname): string | undefined {
  if (/[\\/]app\.asar[\\/]/u.test(folder)) return undefined;
  const [, prefix] = /^(.+?)(?:[\\/]lib)?[\\/]node_modules[\\/]postern[\\/]/u.exec(folder) ?? [];
  if (prefix === undefined) return what === 'install' ? 'npm install' : 'npm rebuild keytar';
  const quotedPrefix = /[^\w@%+=:,./\\~-]/u.test(prefix) ? `"${prefix}"` : prefix;
  return `npm ${what} --global --prefix ${quotedPrefix} keytar`;
}

type LocalRemedyKind = Extract<
  Remedy['kind'],
  'allow-command' | 'connect-command' | 'start-server' | 'see-output' | 'name-folder'
>;

/** What helps if a local server does not respond. */
export function describeLocalRemedy(kind: LocalRemedyKind, at: AdviceContext): string {
  switch (kind) {
    case 'allow-command':
      return `Review and allow its command: ${writeLocalStart(at)}.`;
    case 'connect-command':
      return 'Add its command and variables again: `postern local add NAME --env NAME -- COMMAND`.';
    case 'start-server':
      return `Start it again: ${writeLocalStart(at)}.`;
    case 'name-folder':
      return at.command === 'local add'
        ? 'Name an existing folder with --cwd.'
        : 'Put the folder back, or add the command with another one: `postern local add NAME --cwd DIR -- COMMAND`.';
    case 'see-output':
      return 'Run the command in a terminal to see the error.';
  }
}

/** How to allow an address in the user's network. */
function describeLocal({ because }: Extract<Remedy, { kind: 'allow-local' }>): string {
  switch (because) {
    case 'blocked':
      return 'If you trust this server and it is on your computer or internal network, connect with --local.';
    case 'not-encrypted':
      return 'Use https://. If the server runs on this computer, connect with --local.';
    case 'rebound':
      return 'Use this server only if you trust it. If it is in your own network, connect with --local.';
  }
}
