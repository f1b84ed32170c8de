import { adviceText, timeOfDay } from '../../../shared/error-catalogue/catalogue-entry.ts';
import { certificateSteps, networkFaults } from '../../../shared/error-catalogue/network-errors.ts';
import type { NetworkFault } from '../../../shared/error-catalogue/network-errors.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import { oauthErrors } from '../../../shared/oauth.ts';
import type { OAuthError } from '../../../shared/oauth.ts';
import type { PasteLines, Remedy } from '../../../shared/remedy.ts';
import { AmbiguousReference } from '../../closest-word.ts';
import { PosternError, readDetail, toPlainError } from '../../errors/postern-error.ts';
import { vaultOptions } from '../options/option-specs.ts';
import type { OptionName } from '../options/option-specs.ts';
import { writeConnect, writeSignIn, writeSignOut, writeStart, writeUse } from './write-command.ts';
import type { Situation } from './write-command.ts';

/** What a script may want of an error, beside the sentences. */
interface ErrorFacts {
  /** What stood in the way of the connection, where that is known. */
  readonly fault?: NetworkFault;
  /** What the authorization server called it, where that is a name of an RFC that we know. */
  readonly oauthError?: OAuthError;
  /** Names of the scopes that the server wants and that are not there, made fit to be shown. */
  readonly missingScopes?: readonly string[];
  /** They were asked for already: what the sign-in service did with that. */
  readonly scopeAnswer?: 'refused' | 'granted';
}

/** An error as the command line tells it: in `--json` output too the next step is a sentence. */
export type CommandError = Omit<PlainError, 'remedy' | 'detail' | 'about'> &
  ErrorFacts & {
    readonly nextStep: string;
    /** The redirect address to register, where a client id has to be had by hand (spec 2.11). */
    readonly callbackUrl?: string;
    /** What the next step speaks of. */
    readonly paste?: Pick<PasteLines, 'path' | 'lines' | 'secret'>;
    /** The servers that one reference means. */
    readonly candidates?: readonly Readonly<Record<'id' | 'name', string>>[];
  };

/** What is thrown, for a person at a command line. Of an error that is not ours nothing is shown. */
export function toCommandError(error: unknown, at: Situation): CommandError {
  // What fills the gaps of the sentence is in the sentence, and scripts have the code.
  const { remedy, detail: _detail, about: _about, ...told } = toPlainError(error);
  const paste = remedy.kind === 'paste-lines' && { path: remedy.path, lines: remedy.lines, secret: remedy.secret };
  return {
    ...told,
    ...(error instanceof PosternError && factsOf(error)),
    ...('callbackUrl' in remedy && remedy.callbackUrl !== undefined && { callbackUrl: remedy.callbackUrl }),
    nextStep: describeRemedy(remedy, at),
    ...(paste && { paste }),
    ...(error instanceof AmbiguousReference && { candidates: error.candidates.map(({ id, name }) => ({ id, name })) }),
  };
}

/** Names from our own lists alone, and of scopes what `nameScopes` has made of them. */
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

type Of<Kind extends Remedy['kind']> = Extract<Remedy, { kind: Kind }>;

const fromInput = ['client-secret-stdin', 'client-key-stdin', 'registration-token-stdin'] as const;
const ofClient: readonly OptionName[] = ['client-id', 'client-secret-ends', ...fromInput];
const certificateShown = '`postern discover URL --trace` shows the certificate.';
const otherwiseRemove = 'If not, remove the server and connect the right one.';

/** What a person can do next, with the commands and options that do it. Only our own words, and hosts. */
export function describeRemedy(remedy: Remedy, at: Situation): string {
  // What all surfaces say alike.
  if ('advice' in remedy) return adviceText(remedy);
  switch (remedy.kind) {
    case 'trust-certificate':
      return `${certificateSteps[remedy.whose]} name the file of its certificate: \`postern settings certificateFile FILE\`. \`postern doctor\` shows which authorities are used.`;
    case 'check-certificate':
      return `${certificateSteps[remedy.problem]} ${certificateShown}`;
    case 'allow-local':
      return describeLocal(remedy);
    case 'allow-http':
      return 'Use https. If you accept an unencrypted connection inside your own network, connect it with --allow-http.';
    case 'allow-host':
      return `If you know and trust that host, connect the server with --allow-host ${remedy.host ?? 'HOST'}.`;
    case 'agree-to-hosts': {
      const hosts = remedy.hosts.length > 0 ? remedy.hosts : ['HOST'];
      return `If you expected that: ${writeConnect(at, hosts.map((host) => `--allow-host ${host}`).join(' '))}.`;
    }
    case 'give-address':
      if (remedy.starts)
        return 'Give the web address of the same service if it has one, or connect the command: `postern local add NAME -- COMMAND`.';
      return remedy.address === undefined
        ? 'Give the address of one server alone. The window takes a whole mcp.json.'
        : `Give that address alone: \`postern connect ${remedy.address}${remedy.local ? ' --local' : ''}\`.`;
    case 'connect-otherwise':
      return 'Connect an older server with --legacy-endpoints, and one with an API key with --header NAME --header-value-stdin.';
    case 'type-endpoints':
      return 'Tell the owner of the server. If you know the addresses of its sign-in, connect with --authorization-endpoint URL --token-endpoint URL.';
    case 'relax-pkce':
      return 'If you trust the server, connect without requiring it: --pkce when-listed.';
    case 'ask-other-scopes':
      return `Ask for other permissions, or for fewer: ${writeConnect(at, '--scope SCOPES', ['scope'])}.`;
    case 'without-resource':
      return remedy.because === 'unknown'
        ? 'Connect with --no-resource: this service may not know the server by its address.'
        : 'Connect with --no-resource. If that does not help, contact the owner of the service.';
    case 'try-other-options':
      return 'Try again. If it happens again, ask the owner of the service.';
    case 'type-credentials':
      return describeCredentials(remedy, at);
    case 'type-undemanding-credentials':
      return `Create an OAuth app at the service that needs none of it, with ${writeCallback(remedy)} as its redirect address, then ${writeConnect(at, '--client-id ID', ofClient)}.`;
    case 'correct-credentials':
      return describeCorrection(remedy, at);
    case 'replace-credentials':
      return `Sign in again. Where you gave a client ID, give the one that this service knows: ${writeConnect(at, '--client-id ID', ofClient)}.`;
    case 'check-client':
      return describeClientCheck(remedy);
    case 'check-document':
      return `Check that the service can read it at the address that you gave, or connect without --client-metadata-url: ${writeConnect(at, '', ['client-metadata-url'])}.`;
    case 'start-again': {
      const again = remedy.tooShort
        ? 'Start the sign-in again: `postern connect` with a longer --timeout, or without one, waits up to 10 minutes.'
        : 'Start the sign-in again.';
      if (remedy.callbackUrl === undefined) return again;
      return `${again} If the page refused the callback URL, your OAuth app has to have exactly this one: ${remedy.callbackUrl}.`;
    }
    case 'open-link':
      return remedy.startAgain
        ? 'Start again. If it happens again, use --sign-in print, and open the link yourself.'
        : 'Open the link that is shown yourself, or use --sign-in print.';
    case 'compare-scopes':
      return 'Compare granted and requested permissions with `postern show`, and sign in again if some are missing.';
    case 'sign-in':
      return remedy.access === 'lives'
        ? `Go on using it. For new access now, sign in again: ${writeSignIn(at)}.`
        : `Sign in again: ${writeSignIn(at)}.`;
    case 'sign-in-or-remove':
      return remedy.because === 'refused'
        ? `Sign in again, perhaps with another account: ${writeSignIn(at, 'tools')}. If that does not help, remove the server and connect it again.`
        : `If you want the new address, sign in again: ${writeSignIn(at)}. ${otherwiseRemove}`;
    case 'grant-scopes':
      return remedy.answered
        ? `Ask the administrator of the service for them, then ${writeSignIn(at, 'tools')}. With another account: ${writeSignOut(at)} first.`
        : `Grant them: ${writeSignIn(at, 'tools')}.`;
    case 'await-renewal':
      return describeRenewal(remedy, at);
    case 'use-as-it-is':
      return remedy.with === 'key'
        ? 'Use `postern tools` and `postern call`: they send the key by themselves.'
        : `Use it as it is: \`${writeUse('tools', at.name)}\`, \`${writeUse('call', at.name, 'TOOL')}\`.`;
    case 'fit-arguments':
      return 'Change it. If you are sure that the tool takes it, send it with --any-field.';
    case 'list-tools':
      return 'List its tools with `postern tools`.';
    case 'list-resources':
      return 'List its resources with `postern resources`.';
    case 'list-prompts':
      return 'List its prompts with `postern prompts`.';
    case 'replace-key':
      return describeKey(remedy, at);
    case 'choose-name':
      if (at.command === 'rename') return 'Choose another name; `postern list` shows those that are taken.';
      return `Connect it with another --name. Or let it take this one, and remove the other connection: ${writeConnect(at, '--replace', ['replace'])}.`;
    case 'find-name':
      return 'See `postern list` for the names, and `postern list --json` for the ids.';
    case 'allow-command':
    case 'connect-command':
    case 'start-server':
    case 'name-folder':
    case 'see-output':
      return describeLocalRemedy(remedy.kind, at);
    case 'find-program':
      return 'See `postern programs`.';
    case 'allow-program':
      return `Let it use a server: \`postern use ID ${remedy.program ?? 'PROGRAM'}${at.command === 'headers' ? ' --http' : ''}\`. \`postern list\` shows the names.`;
    case 'review-tools':
      return `Look at what has changed: \`${writeUse('permit', at.name, '--review')}\`.`;
    case 'resume-programs':
      return 'Let programs go on: `postern settings programsPaused false`.';
    case 'resume-program':
      return `Let it go on: \`postern programs ${remedy.program ?? 'PROGRAM'} --resume\`.`;
    case 'choose-entry-name':
      return `Add --as ${remedy.free ?? 'NAME'}.`;
    case 'set-up-keychain':
      return [
        `${describeKeychainSetUp(remedy.missing)}.`,
        `Without one, as on a server, seal sign-ins with a passphrase: ${writeConnect(at, '--vault passphrase', vaultOptions)}; or with a key file: ${writeConnect(at, '--vault file --key-file FILE', vaultOptions)}.`,
        `To try it once without saving anything: ${writeConnect(at, '--memory', ['memory'])}.`,
      ].join(' ');
    case 'test-storage':
      return 'Check the disk and your keychain with `postern doctor`, then sign in again.';
    case 'mend-settings': {
      const mend = remedy.missing ? 'Put it back' : 'Fix it there';
      return remedy.copy
        ? `${mend}, or bring back what Postern itself wrote last: \`postern settings --restore\`.`
        : `${mend}, or move the file out of the profile folder and connect your servers again.`;
    }
    case 'correct-input':
      return `See \`postern ${at.command === undefined ? '' : `${at.command} `}--help\`.`;
  }
}

function describeCredentials({ after, documents, ...remedy }: Of<'type-credentials'>, at: Situation): string {
  const first = after === undefined ? '' : `${describeRemedy(after.first, at)} If it stays so: `;
  const create = `Create an OAuth app at the service, with ${writeCallback(remedy)} as its redirect address, then ${writeConnect(at, '--client-id ID', ofClient)} and, if it has a secret, --client-secret-stdin.`;
  const document = `It reads published client documents too: if you have one, ${writeConnect(at, '--client-metadata-url URL', ofClient)}.`;
  const token = `If it gave you a token to register programs with, ${writeConnect(at, '--registration-token-stdin', ofClient)}.`;
  return `${first}${create}${documents ? ` ${document}` : ''}${remedy.registrationToken ? ` ${token}` : ''}`;
}

/** Of a connection that is there, its own command asks for them. */
function describeCorrection(remedy: Of<'correct-credentials'>, at: Situation): string {
  if (at.name === undefined)
    return `Check both, and that the redirect address registered there is exactly ${writeCallback(remedy)}.`;
  const options = `${at.server ? '' : '--name NAME '}--client-id ID --client-secret-stdin`;
  return `Check them at the service. Then, in a terminal, which asks for them: ${writeSignIn(at)}. Without one: ${writeConnect(at, options, ofClient)}.`;
}

function describeClientCheck({ what }: Of<'check-client'>): string {
  switch (what) {
    case 'secret':
    case 'secret-and-grant':
      return 'Check the client ID and the client secret, then sign in again.';
    case 'grant':
      return 'Check the client ID, and that its app is allowed to use this kind of sign-in.';
    case 'client':
    case 'request':
    case 'all':
      return 'Start again. With a client ID of your own, check it, its secret and its redirect address.';
  }
}

function describeRenewal({ first, until, resting, mayLast }: Of<'await-renewal'>, at: Situation): string {
  if (until === undefined) return first ? describeRemedy(first, at) : 'Check your internet connection and try again.';
  return [
    ...(resting === undefined ? [] : [`${resting} needs a rest.`]),
    `Try again after ${timeOfDay(until)}.`,
    ...(mayLast ? [`If it keeps happening, sign in again: ${writeSignIn(at)}.`] : []),
  ].join(' ');
}

/** `connect` replaces the key of a server that is there, under the same name. */
function describeKey({ because }: Of<'replace-key'>, at: Situation): string {
  const give = writeConnect(at, at.server ? '' : '--name NAME --header HEADER --header-value-stdin');
  switch (because) {
    case 'refused':
      return `Check the key and the name of the header, then give it again: ${give}.`;
    case 'no-key':
      return `Connect it without the header, and sign in: ${writeConnect(at, '', ['header', 'header-value-stdin'])}. Postern sends no such header with a sign-in.`;
    case 'missing':
      return `Give it again, with the same address and name: ${give}.`;
    case 'address-changed':
      return `If you want the new address, give its key: ${give}. ${otherwiseRemove}`;
  }
}

function writeCallback({ callbackUrl }: Pick<Of<'correct-credentials'>, 'callbackUrl'>): string {
  return callbackUrl ?? 'the callback address that `postern doctor` shows';
}

type Missing = Extract<Remedy, { kind: 'set-up-keychain' }>['missing'];

function describeKeychainSetUp(missing: Missing): string {
  return setUps[missing ?? 'nothing'];
}

/** By what is missing: of nothing, a keychain itself. */
const setUps = {
  module: mendLibrary('install', 'Install it with'),
  build: mendLibrary('rebuild', 'Run'),
  libsecret: 'Install it with the package manager of this computer (Debian, Ubuntu: libsecret-1-0)',
  nothing: 'Set up a keychain (on Linux gnome-keyring or KWallet; the README says how without a desktop)',
} as const;

function mendLibrary(what: 'install' | 'rebuild', verb: string): string {
  const command = npmCommand(what);
  return command === undefined ? 'Install Postern again' : `${verb} \`${command}\`, which says what it lacks`;
}

/**
 * npm's command for the place that this program is in: `install` or `rebuild`, for the keychain library. npm puts what
 * it installs into the folder of its own settings, where a program in another one (`--prefix`) does not find it.
 * `undefined`: of an installed window, whose package holds the library.
 */
export function npmCommand(what: 'install' | 'rebuild', folder = import.meta.dirname): string | undefined {
  if (/[\\/]app\.asar[\\/]/u.test(folder)) return undefined;
  const [, prefix] = /^(.+?)(?:[\\/]lib)?[\\/]node_modules[\\/]postern[\\/]/u.exec(folder) ?? [];
  if (prefix === undefined) return what === 'install' ? 'npm install' : 'npm rebuild keytar';
  const place = /[^\w@%+=:,./\\~-]/u.test(prefix) ? `"${prefix}"` : prefix;
  return `npm ${what} --global --prefix ${place} keytar`;
}

type OfLocal = Extract<
  Remedy['kind'],
  'allow-command' | 'connect-command' | 'start-server' | 'see-output' | 'name-folder'
>;

/** What helps where a server that runs on this computer does not answer. */
export function describeLocalRemedy(kind: OfLocal, at: Situation): string {
  switch (kind) {
    case 'allow-command':
      return `Look at what it runs, and allow it: ${writeStart(at)}.`;
    case 'connect-command':
      return 'Give its command and its variables again: `postern local add NAME --env NAME -- COMMAND`.';
    case 'start-server':
      return `Start it again: ${writeStart(at)}.`;
    case 'name-folder':
      return at.command === 'local add'
        ? 'Name a folder that is there with --cwd.'
        : 'Put the folder back, or give the command again with another one: `postern local add NAME --cwd DIR -- COMMAND`.';
    case 'see-output':
      return 'Run the command in a terminal to see what goes wrong.';
  }
}

/** What opens an address inside of the person's network. */
function describeLocal({ because }: Extract<Remedy, { kind: 'allow-local' }>): string {
  switch (because) {
    case 'blocked':
      return 'If this server runs on your computer or internal network and you trust it, connect it with --local.';
    case 'not-encrypted':
      return 'Use the address with https://. If the server runs on this computer, connect it with --local.';
    case 'rebound':
      return 'Do not use this server unless you trust it. If it is inside your own network, connect it with --local.';
  }
}
