import { adviceText } from '../../error-catalog/catalog-entry.ts';
import { timeOfDay } from '../../error-catalog/catalog-entry.ts';
import { certificateSteps } from '../../error-catalog/network-errors.ts';
import type { ErrorCode, PlainError, Stage } from '../../error-codes.ts';
import type { Remedy } from '../../remedy.ts';

type Of<Kind extends Remedy['kind']> = Extract<Remedy, { kind: Kind }>;

const createOAuthApp = 'Create an OAuth app at the service and enter its client ID here.';
const tryOtherOptions = 'Try again. If it keeps happening, try other permissions, PKCE always, or another client ID.';
const certificateShown = 'The sign-in details show the certificate.';
const memoryOnly = 'Until then, sign-ins last only while Postern runs.';

/** The remedy in the window's words: no commands or flags, and its buttons are next to it. */
function describeRemedy(remedy: Remedy): string {
  // The same on every surface.
  if ('advice' in remedy) return adviceText(remedy);
  switch (remedy.kind) {
    case 'trust-certificate':
      return `${certificateSteps[remedy.whose]} add its certificate to this computer, or choose its file in Settings, under Advanced.`;
    case 'check-certificate':
      return `${certificateSteps[remedy.problem]} ${certificateShown}`;
    case 'allow-local':
      return describeLocal(remedy);
    case 'allow-http':
      return 'Use https. Continue without it only if you accept that others on your network can read everything.';
    case 'allow-host':
      return `Allow ${remedy.host ?? 'it'} only if you know it, for example as your company’s sign-in.`;
    case 'agree-to-hosts':
      return 'Start again, and allow these hosts only if you expected them.';
    case 'give-address':
      return 'Enter the web address of one server. You can also paste or drop a whole mcp.json here.';
    case 'connect-otherwise':
      return 'For an older server, try the standard addresses. For a server with an API key, connect with the key. You can also enter its sign-in addresses.';
    case 'type-endpoints':
      return 'Contact the server’s owner. If you know its sign-in addresses, enter them.';
    case 'relax-pkce':
      return 'If you trust the server, connect without requiring it.';
    case 'ask-other-scopes':
      return 'Request other permissions, or fewer.';
    case 'without-resource':
      return remedy.because === 'unknown'
        ? 'Try without sending the server’s address. The service may not recognize it.'
        : tryOtherOptions;
    case 'try-other-options':
      return tryOtherOptions;
    case 'type-credentials':
      return describeCredentials(remedy);
    case 'type-undemanding-credentials':
      return 'Ask the service’s owner to let apps like Postern sign in without it.';
    case 'correct-credentials':
      return 'Check both. The callback URL registered there must exactly match the one shown here.';
    case 'replace-credentials':
      return 'Sign in again. If you entered a client ID, use one from this service.';
    case 'check-client':
      return remedy.what === 'grant' || remedy.what === 'secret-and-grant'
        ? 'Check the client ID, and that its OAuth app allows this kind of sign-in.'
        : 'Start again. If you entered a client ID, check it, its secret and its callback URL.';
    case 'check-document':
      return createOAuthApp;
    case 'start-again':
      return remedy.callbackUrl === undefined
        ? 'Start the sign-in again.'
        : `Start the sign-in again. If the page rejected the callback URL, register exactly this one for your OAuth app: ${remedy.callbackUrl}`;
    case 'open-link':
      return remedy.startAgain
        ? 'Start again. If it keeps happening, copy the link and open it yourself.'
        : 'Copy the link and open it yourself.';
    case 'compare-scopes':
      return 'Compare the requested and granted permissions under “Overview”. If some are missing, sign in again.';
    case 'sign-in':
      return 'Sign in again.';
    case 'sign-in-or-remove':
      return remedy.because === 'refused'
        ? 'Sign in again. If that does not help, remove the server and connect it again.'
        : 'If you know and want the new address, sign in again. If not, remove the server and connect the right address.';
    case 'grant-scopes':
      return remedy.answered
        ? 'Ask the service’s administrator for them, or sign in with an account that has them.'
        : 'Sign in again to grant them. You keep your current permissions.';
    case 'await-renewal':
      return describeRenewal(remedy);
    case 'use-as-it-is':
      return remedy.with === 'key'
        ? 'Nothing to do. Its tools use the key automatically.'
        : 'Nothing to do. Use it as it is.';
    case 'list-tools':
      return 'Reload its list of tools.';
    case 'list-resources':
      return 'Reload its list of resources.';
    case 'list-prompts':
      return 'Reload its list of prompts.';
    case 'fit-arguments':
      return 'Change the input. If you are sure that the tool accepts it, send it anyway.';
    case 'replace-key':
      return describeKey(remedy);
    case 'choose-name':
      return 'Choose another name.';
    case 'find-name':
      return 'Choose another one from the list. It may have been removed in another window or on the command line.';
    case 'allow-command':
      return 'Review the command under “Settings” and allow it.';
    case 'connect-command':
      return 'Connect it again under the same name, with its command and variables.';
    case 'start-server':
      return 'Start it again.';
    case 'name-folder':
      return 'Restore the folder, or choose one that exists.';
    case 'see-output':
      return 'Check its output under “Settings”.';
    case 'find-app':
      return 'Install it and start it once.';
    case 'allow-app':
      return 'Allow it under “AI apps”.';
    case 'review-tools':
      return 'Review the changes under “AI apps”.';
    case 'resume-apps':
      return 'Choose “Resume” at the top of the window.';
    case 'resume-app':
      return 'Choose “Resume” on its page under “AI apps”.';
    case 'choose-entry-name':
      return 'Choose another name for the entry.';
    case 'set-up-keychain':
      if (remedy.missing === 'module' || remedy.missing === 'build') return `Reinstall Postern. ${memoryOnly}`;
      if (remedy.missing === 'libsecret')
        return `Install libsecret with your package manager (Debian, Ubuntu: libsecret-1-0), then restart Postern. ${memoryOnly}`;
      return `Set up a keychain (on Linux: gnome-keyring or KWallet in a desktop session). ${memoryOnly}`;
    case 'test-storage':
      return 'Check the disk and your keychain, run the storage test, then sign in again.';
    case 'fix-settings':
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
      return 'If you trust the server, confirm that it runs on your computer or internal network.';
    case 'not-encrypted':
      return 'Use the https:// address. If the server runs on this computer, confirm that below.';
    case 'rebound':
      return 'Use this server only if you trust it and it is inside your own network.';
  }
}

function describeCredentials({ after }: Of<'type-credentials'>): string {
  if (after === undefined) return createOAuthApp;
  const when = after.until === undefined ? 'later' : `after ${timeOfDay(after.until)}`;
  return `Try again ${when}. If it keeps happening: ${createOAuthApp}`;
}

function describeRenewal({ first, until }: Of<'await-renewal'>): string {
  if (until !== undefined)
    return `Postern tries again after ${timeOfDay(until)}. If it keeps happening, sign in again.`;
  switch (first?.kind) {
    // Waiting does not help here.
    case 'trust-certificate':
    case 'check-clock':
    case 'check-proxy':
      return describeRemedy(first);
    default:
      return 'Check your internet connection. Postern tries again automatically.';
  }
}

function describeKey({ because }: Of<'replace-key'>): string {
  switch (because) {
    case 'refused':
      return 'Check the key at the service. It may have been revoked. Then enter it again, or a new one.';
    case 'no-key':
      return 'Connect the server without the header and sign in. Postern does not send this header with a sign-in.';
    case 'missing':
      return 'Enter it again with “Replace key…” under “Overview”.';
    case 'address-changed':
      return 'If you want the new address, enter its key with “Replace key…” under “Overview”. If not, remove the server and connect the right one.';
  }
}

/** Where it stopped, and what that means for what the user saw (spec 7, last row). */
const stageWords: Readonly<Record<Stage, string>> = {
  address: 'Postern was checking the address and contacted nothing.',
  probe: 'Postern was contacting the server. It opened no sign-in page.',
  discovery: 'Postern was finding out how to sign in. It opened no sign-in page.',
  registration: 'Postern was registering at the service. It opened no sign-in page.',
  credentials: 'Postern needed a client ID. It opened no sign-in page.',
  authorization: 'You had not signed in yet.',
  callback: 'You were returning from the sign-in page. Postern did not get access.',
  token: 'You had signed in. Postern was getting the access token.',
  install: 'You had signed in. Postern was saving your sign-in.',
  connection: 'Postern was communicating with the server.',
  refresh: 'Postern was renewing your sign-in.',
  gateway: 'Postern was connecting an AI app to the server.',
  local: 'Postern was using the server on this computer.',
  storage: 'Postern was using the storage of this computer.',
  settings: 'Postern was using its settings.',
  apps: 'Postern was using the configuration of an AI app.',
  postern: 'The problem is inside Postern.',
};

export const errorWords = {
  message: ({ message }: Pick<PlainError, 'code' | 'message' | 'detail'>) => message,
  /** The message of a code without details, if this language differs from main's. */
  ofCode: (_code: ErrorCode): string | undefined => undefined,
  stages: stageWords,
  nextStep: describeRemedy,
  code: (code: string) => `Code ${code}`,
  /** Introduces the server's own message. */
  serverWords: 'The server says:',
  actions: {
    retry: 'Try again',
    local: 'Allow my computer or internal network',
    allowHost: (host: string | undefined) => `Allow ${host ?? 'this host'}`,
    allowHttp: 'Continue without encryption',
    legacy: 'Try the standard addresses',
    apiKey: 'Use an API key instead',
    addresses: 'Enter the addresses myself',
    scopes: 'Request other permissions',
    pkceWhenListed: 'Connect without requiring PKCE',
    editAddress: 'Change address',
    port: 'Change port',
    storage: 'Show storage details',
    logs: 'Open logs',
    diagnosis: 'Show sign-in details',
    signIn: 'Sign in again',
    grant: 'Grant access',
    remove: 'Remove this server',
    settings: 'Open server settings',
    review: 'Review changes',
    sendAnyway: 'Send anyway',
    withoutResource: 'Try without the server’s address',
    dismiss: 'Dismiss',
  },
};
