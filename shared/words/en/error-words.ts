import { adviceText } from '../../error-catalogue/catalogue-entry.ts';
import { timeOfDay } from '../../error-catalogue/catalogue-entry.ts';
import { certificateSteps } from '../../error-catalogue/network-errors.ts';
import type { ErrorCode, PlainError, Stage } from '../../error-codes.ts';
import type { Remedy } from '../../remedy.ts';

type Of<Kind extends Remedy['kind']> = Extract<Remedy, { kind: Kind }>;

const createApp = 'Create an OAuth app at the service by hand, and enter its client ID here.';
const lookAtOptions =
  'Try again. If it stays so, look at the options: other permissions, PKCE always, or another client ID.';
const certificateShown = 'The diagnosis of the sign-in shows the certificate.';

/** What a person can do next, in words of the window: it has no command and no flag, and its buttons stand beside. */
function describeRemedy(remedy: Remedy): string {
  // What all surfaces say alike.
  if ('advice' in remedy) return adviceText(remedy);
  switch (remedy.kind) {
    case 'trust-certificate':
      return `${certificateSteps[remedy.whose]} put its certificate into the store of this computer, or choose its file in Settings, under Certificates.`;
    case 'check-certificate':
      return `${certificateSteps[remedy.problem]} ${certificateShown}`;
    case 'allow-local':
      return describeLocal(remedy);
    case 'allow-http':
      return 'Use https. Only if you accept that others in your network could read everything, go on without.';
    case 'allow-host':
      return `Allow ${remedy.host ?? 'it'} for this server only if you know it, e.g. as the sign-in of your company.`;
    case 'agree-to-hosts':
      return 'Start again, and say that you expected these hosts only if you did.';
    case 'give-address':
      return 'Enter the web address of a server alone. A whole mcp.json can be pasted or dropped here.';
    case 'connect-otherwise':
      return 'If it is an older server, try the usual addresses. If it wants a key, connect it again with one. If you know its sign-in addresses, enter them.';
    case 'type-endpoints':
      return 'Tell the owner of the server. If you know its sign-in addresses, enter them.';
    case 'relax-pkce':
      return 'If you trust the server, connect without requiring it.';
    case 'ask-other-scopes':
      return 'Ask for other permissions, or for fewer.';
    case 'without-resource':
      return remedy.because === 'unknown'
        ? 'Try without naming the server in the request: this service may not know it by its address.'
        : lookAtOptions;
    case 'try-other-options':
      return lookAtOptions;
    case 'type-credentials':
      return describeCredentials(remedy);
    case 'type-undemanding-credentials':
      return 'Ask the owner of the service to let programs such as Postern sign in without it.';
    case 'correct-credentials':
      return 'Check both, and that the callback URL registered there is the one shown here, to the letter.';
    case 'replace-credentials':
      return 'Sign in again. Where you gave a client ID, give the one that this service knows.';
    case 'check-client':
      return remedy.what === 'grant' || remedy.what === 'secret-and-grant'
        ? 'Check the client ID, and that its app may use this kind of sign-in.'
        : 'Start again. With a client ID of your own, check it, its secret and its callback URL.';
    case 'check-document':
      return createApp;
    case 'start-again':
      return remedy.callbackUrl === undefined
        ? 'Start the sign-in again.'
        : `Start the sign-in again. If the page refused the callback URL, your OAuth app has to have exactly this one: ${remedy.callbackUrl}`;
    case 'open-link':
      return remedy.startAgain
        ? 'Start again. If it happens again, copy the link, and open it yourself.'
        : 'Copy the link, and open it where you like.';
    case 'compare-scopes':
      return 'Compare asked and granted permissions on the page “Overview”, and sign in again if some are missing.';
    case 'sign-in':
      return 'Sign in again.';
    case 'sign-in-or-remove':
      return remedy.because === 'refused'
        ? 'Sign in again. If that does not help, remove the server and connect it again.'
        : 'Only if you know the new address and want it: sign in again. If not, remove the server, and connect the right address.';
    case 'grant-scopes':
      return remedy.answered
        ? 'Ask the administrator of the service for them, or sign in with another account that has them.'
        : 'Grant them by signing in once more; you keep the permissions that you have.';
    case 'await-renewal':
      return describeRenewal(remedy);
    case 'use-as-it-is':
      return remedy.with === 'key'
        ? 'There is nothing to sign in to; its tools use the key by themselves.'
        : 'Use it as it is.';
    case 'list-tools':
      return 'Read the list of its tools again.';
    case 'list-resources':
      return 'Read the list of its resources again.';
    case 'list-prompts':
      return 'Read the list of its prompts again.';
    case 'fit-arguments':
      return 'Change it. If you are sure that the tool takes it, send it anyway.';
    case 'replace-key':
      return describeKey(remedy);
    case 'choose-name':
      return 'Choose another name.';
    case 'find-name':
      return 'It may have been removed in another window or on the command line.';
    case 'allow-command':
      return 'Look at what it runs on the page “Process”, and allow it.';
    case 'connect-command':
      return 'Connect it again under the same name, with its command and its variables.';
    case 'start-server':
      return 'Start it again.';
    case 'name-folder':
      return 'Put the folder back, or name one that is there.';
    case 'see-output':
      return 'See what it has written on the page “Process”.';
    case 'find-program':
      return 'Install it, and start it once.';
    case 'allow-program':
      return 'Allow it under “Programs”.';
    case 'review-tools':
      return 'Look at what has changed on the page “Permissions”.';
    case 'resume-programs':
      return 'Choose “Resume” at the top of the window.';
    case 'resume-program':
      return 'Choose “Resume” on its page under “Programs”.';
    case 'choose-entry-name':
      return 'Choose another name for the entry.';
    case 'set-up-keychain':
      if (remedy.missing === 'module' || remedy.missing === 'build')
        return 'Install Postern again. Until then sign-ins last as long as Postern runs.';
      if (remedy.missing === 'libsecret')
        return 'Install libsecret with the package manager of this computer (Debian, Ubuntu: libsecret-1-0), then start Postern again. Until then sign-ins last as long as Postern runs.';
      return 'Set up a keychain (on Linux: gnome-keyring or KWallet in a desktop session). Until then sign-ins last as long as Postern runs.';
    case 'test-storage':
      return 'Check the disk and your keychain, run the storage test, then sign in again.';
    case 'mend-settings':
      return remedy.copy
        ? 'Open the file and fix it, or restore the last good copy.'
        : 'Open the file and fix it, or move it out of the profile folder and connect your servers again.';
    case 'correct-input':
      return 'Check what you entered.';
  }
}

function describeLocal({ because }: Of<'allow-local'>): string {
  switch (because) {
    case 'blocked':
      return 'If it is yours, or of people you trust, say that it runs on your computer or internal network.';
    case 'not-encrypted':
      return 'Use the address with https://. If the server runs on this computer, say so below.';
    case 'rebound':
      return 'Do not use this server unless you trust it and it is inside your own network.';
  }
}

function describeCredentials({ after }: Of<'type-credentials'>): string {
  if (after === undefined) return createApp;
  return `Try again ${after.until === undefined ? 'later' : `after ${timeOfDay(after.until)}`}. If it stays so: ${createApp}`;
}

function describeRenewal({ first, until }: Of<'await-renewal'>): string {
  if (until !== undefined)
    return `Postern tries again by itself after ${timeOfDay(until)}. If it keeps happening, sign in again.`;
  switch (first?.kind) {
    // Waiting does not help here.
    case 'trust-certificate':
    case 'check-clock':
    case 'check-proxy':
      return describeRemedy(first);
    default:
      return 'Check your internet connection. Postern tries again by itself.';
  }
}

function describeKey({ because }: Of<'replace-key'>): string {
  switch (because) {
    case 'refused':
      return 'Check it at the service; it may have been withdrawn. Then enter it again, or another one.';
    case 'no-key':
      return 'Connect the server by its address alone, and sign in. Postern sends no such header with a sign-in.';
    case 'missing':
      return 'Give it again with “Replace key…” on the page “Overview”.';
    case 'address-changed':
      return 'If you want the new address, give its key with “Replace key…” on the page “Overview”. If not, remove the server and connect the right one.';
  }
}

/** Where it stopped, and what that means for what the person saw or did not see (spec 7, last row). */
const stageWords: Readonly<Record<Stage, string>> = {
  address: 'It stopped at the address; nothing was contacted.',
  probe: 'Postern got no further than the server’s address. No sign-in page was opened.',
  discovery: 'Postern was finding out how to sign in. No sign-in page was opened.',
  registration: 'Postern was registering at the service. No sign-in page was opened.',
  credentials: 'It stopped at the client ID. No sign-in page was opened.',
  authorization: 'It stopped before you had signed in.',
  callback: 'It stopped on the way back from the sign-in page. No access was given.',
  token: 'You had signed in; it stopped just before the access arrived.',
  install: 'You had signed in; it stopped while your sign-in was being stored.',
  connection: 'It stopped while talking to the server.',
  refresh: 'It stopped while your sign-in was renewed.',
  gateway: 'It stopped between a program and the server.',
  local: 'It stopped at the server, which runs on this computer.',
  storage: 'It stopped at the storage of this computer.',
  settings: 'It stopped at the settings of Postern.',
  programs: 'It stopped at the configuration of a program.',
  app: 'It stopped inside Postern.',
};

export const errorWords = {
  /** What happened. */
  message: ({ message }: Pick<PlainError, 'code' | 'message' | 'detail'>) => message,
  /** Of an error of which nothing more is known, where it is said in another way than main says it. */
  ofCode: (_code: ErrorCode): string | undefined => undefined,
  stages: stageWords,
  nextStep: describeRemedy,
  code: (code: string) => `Code ${code}`,
  /** Before what the server itself said. */
  serverWords: 'The server says:',
  actions: {
    retry: 'Try again',
    local: 'It runs on my computer or internal network',
    allowHost: (host: string | undefined) => `Allow ${host ?? 'this host'}`,
    allowHttp: 'Go on without encryption',
    legacy: 'Try the usual addresses',
    apiKey: 'Use an API key instead',
    addresses: 'Enter the addresses myself',
    scopes: 'Ask for other permissions',
    pkceWhenListed: 'Connect without requiring it',
    editAddress: 'Change the address',
    port: 'Change the port',
    storage: 'Storage details',
    logs: 'Open logs',
    diagnosis: 'See each request',
    signIn: 'Sign in again',
    grant: 'Grant access',
    remove: 'Remove this server',
    settings: 'Open its settings',
    review: 'See what has changed',
    sendAnyway: 'Send anyway',
    withoutResource: 'Try without naming the server',
    dismiss: 'Dismiss',
  },
};
