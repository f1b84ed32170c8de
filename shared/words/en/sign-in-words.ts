import type { Translated } from '../../language.ts';
import type { LoadFailure, SignInNeed } from '../../sign-in-notice.ts';

export const signInWords = {
  title: (host: string) => `Sign in at ${host}`,
  inPopup: 'A window with the sign-in page is open. Its bar shows where you are.',
  inBrowser: 'The sign-in page is open in your browser. Come back here when it says that you are done.',
  notOpened: 'No browser could be opened. Copy the link, and open it where you like.',
  openAgain: 'Open again',
  showAgain: 'Show the window',
  useBrowser: 'Use my browser instead',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  linkEnds: (time: string) => `Open the copied link within ${time} minutes: the service forgets it then.`,
  linkEnded: 'The service has forgotten the copied link. Copy it again.',
  cancel: 'Cancel sign-in',
  timeLeft: 'left',
  timeLeftLabel: (time: string) => `${time} minutes left`,
  pasteTitle: 'Did the browser end on a page that does not load?',
  pasteText:
    'That happens when the browser runs on another computer. Copy the whole address of that page, and paste it here.',
  pasteLabel: 'Address that you landed on',
  pasteButton: 'Use this address',
  pasteVerdict: {
    done: 'That is it. Finishing.',
    refused: 'The sign-in page says that the access was refused.',
    failed: 'That is the answer, but the sign-in failed at the service.',
    expired: 'That address is too old. Start the sign-in again.',
    used: 'That answer has come before.',
    'opened-twice': 'The link of this sign-in was opened twice, so it was stopped. Start again.',
    superseded: 'A newer sign-in was started for this integration. Finish that one.',
    'not-valid': 'That is not the answer to this sign-in. Copy the whole address from the page that did not load.',
  },
  deviceText: 'Or get a code that you enter on any device. Nothing has to come back to this computer.',
  useDevice: 'Sign in with a code',
  device: {
    text: 'On any device, open this page and enter the code. Postern goes on by itself when you are done.',
    page: 'Page',
    code: 'Code',
    open: 'Open the page here',
    copyLink: 'Copy link with the code',
    back: 'Use a browser here instead',
    compare: 'With the link, compare the code with the one that the page shows. Give the code to nobody else.',
    nobody: 'Give the code to nobody else.',
  },
  leaves: 'You can go on with something else; the sign-in waits here.',
};

export const credentialWords = {
  title: (host: string) => `An app of your own at ${host}`,
  again: (host: string) => `Check the app at ${host}`,
  description: 'You create an “OAuth app” at the service once, and bring its ID here.',
  withoutPerson:
    'No sign-in page opens: the service gives the access to an app that it knows, by its ID and secret or key.',
  stepCallback: 'Enter this address there, as redirect or callback URL',
  callbackLabel: 'Callback URL',
  callbackHint: 'It must be the same to the letter. It is reserved for Postern on this computer.',
  stepScopes: 'Allow these permissions there',
  scopesHint: 'Tools fail when a permission that they need is missing. Click to choose what is asked for.',
  noScopes: 'The service lists no permissions. Choose there what you want to use.',
  stepCredentials: 'Bring back what it gives you',
  server: 'MCP server',
  clientId: 'Client ID',
  clientIdMissing: 'The client ID is needed.',
  clientSecret: 'Client secret',
  secretHint: 'Leave it empty if the service gave you none. A private key (PEM or JWK) goes here too.',
  secretKept: 'kept',
  secretKeptText: 'The secret that you entered is kept.',
  secretOfOther: 'The secret that you entered before was for the earlier ID. Enter the one for this ID.',
  unknownClient: {
    pair: 'The service does not know this ID with this secret.',
    idAlone: 'The service does not know this ID, or wants a secret with it.',
  },
  unknownClientHint: 'Compare both with what the service shows for your app; a secret may have been replaced there.',
  replace: 'Replace',
  keep: 'Keep the old one',
  looksLikeSecret: 'This looks like a client secret, not like the ID.',
  looksLikeAddress: 'This is an address, not a client ID.',
  move: 'Move it to the secret',
  useAnyway: 'It is the ID',
  later: 'Not now',
  submit: 'Save and sign in',
  submitAgain: 'Try this',
  tryAgain: 'Try again without an app',
  tryAgainHint: 'It may have been a passing fault: try again, or enter an app of your own.',
  tryAgainAfter: (time: string | undefined) =>
    `It is a passing fault: try again ${time === undefined ? 'a little later' : `after ${time}`}. If it stays so, enter an app of your own.`,
  advanced: 'Advanced',
  scopes: 'Permissions to ask for',
  scopesFieldHint: 'Separated by spaces, in place of the chips above.',
  secretEnds: 'The secret ends on',
  secretEndsHint: 'If the service says so. Postern reminds you seven days before.',
  clientAuthentication: 'How the secret is sent',
  authentication: {
    auto: 'As the service says',
    client_secret_basic: 'In the header (client_secret_basic)',
    client_secret_post: 'In the form (client_secret_post)',
    none: 'No secret (none)',
  },
  resource: 'Name the server in the request (resource)',
  resourceHint: 'Some services refuse a parameter that they do not know.',
  pkce: 'PKCE',
  pkcePolicy: {
    'when-listed': 'Where the service lists it',
    always: 'Always',
    required: 'Required: refuse services without it',
  },
};

/** What the browser shows at the end of a sign-in, by its outcome. */
export const callbackWords = {
  done: {
    title: 'Back to Postern',
    sentence: 'The sign-in page has answered. You can close this tab; Postern does the rest.',
  },
  refused: {
    title: 'Not signed in',
    sentence: 'Access was not granted on the sign-in page. You can close this tab; Postern shows what to do next.',
  },
  expired: {
    title: 'This sign-in is over',
    sentence: 'It took too long, was cancelled, or was used already. Close this tab and start again in Postern.',
  },
  failed: {
    title: 'Not signed in',
    sentence:
      'The answer of the sign-in page could not be used, so Postern stopped. Close this tab; Postern shows what to do next.',
  },
  used: {
    title: 'Answered already',
    sentence: 'The sign-in page has answered before. You can close this tab; Postern shows how it went.',
  },
  superseded: {
    title: 'This sign-in is over',
    sentence: 'A newer sign-in was started for this integration. Close this tab, and finish the newer one.',
  },
  'opened-twice': {
    title: 'This sign-in was stopped',
    sentence:
      'Its link was opened twice: by somebody else on this computer, or by a program that looks at links beforehand. Close this tab and start again in Postern.',
  },
  'not-valid': {
    title: 'Nothing happened',
    sentence:
      'This link does not belong to the sign-in that Postern waits for; perhaps a newer one was started. You can close this tab.',
  },
  unknown: {
    title: 'Nothing here',
    sentence: 'Postern only answers its own sign-in callback at this address. You can close this tab.',
  },
};

export type CallbackWords = Translated<typeof callbackWords>;

/** The bar above a sign-in page in a window of Postern. */
export const signInBarWords = {
  notEncrypted: 'Not encrypted',
  useBrowser: 'Use my browser instead',
  tryAgain: 'Try again',
  needs: {
    'second-window': 'That opens a second window, and this one cannot open any. Your browser can.',
    passkey: 'Passkeys and security keys often do not work in this window. They do in your browser.',
  } satisfies Record<SignInNeed, string>,
  notLoaded: 'The sign-in page could not be loaded',
  failed: {
    offline: () => 'This computer is not connected to the internet. Try again once it is.',
    'no-such-host': (host) =>
      `Nothing was found at ${host}. Check your connection, or the address with the service. Your browser may get there.`,
    refused: (host) => `${host} does not take connections just now. Your browser may get there.`,
    closed: (host) => `${host} closed the connection before the page had come. Your browser may get there.`,
    'too-slow': (host) => `${host} took too long to answer. Your browser may get there.`,
    unreachable: (host) => `${host} cannot be reached from this computer. Your browser may get there.`,
    certificate: (host) =>
      `The certificate of ${host} is not valid, so whoever answers may not be ${host}. Go on in your browser only if it shows the page without a warning.`,
    encryption: (host) => `No encrypted connection to ${host} could be made. Your browser may get there.`,
    proxy: (host) =>
      `The proxy of your network did not let the connection to ${host} through. Your browser may get there.`,
    redirects: (host) =>
      `${host} sent this window from one address to the next without an end. Your browser may get there.`,
    'empty-error': (host) => `${host} answered with an error, and with no page. Your browser may get there.`,
    other: (host) => `The page of ${host} did not come. Your browser may get there.`,
  } satisfies Record<LoadFailure, (host: string) => string>,
};
