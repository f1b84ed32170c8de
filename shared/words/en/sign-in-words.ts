import type { Translated } from '../../language.ts';
import type { LoadFailure, SignInNeed } from '../../sign-in-notice.ts';

export const signInWords = {
  inPopup: {
    title: 'Continue in the window that opened',
    text: 'The bar of that window shows which site you are on.',
  },
  inBrowser: {
    title: 'Continue in your browser',
    text: 'Postern continues on its own when you are done.',
  },
  notOpened: {
    title: 'Open the sign-in page yourself',
    text: 'Postern could not open a browser. Copy the address and open it in one.',
  },
  openAgain: 'Open again',
  showWindow: 'Show window',
  useBrowser: 'Use my browser instead',
  copyLink: 'Copy the address',
  linkCopied: 'Address copied',
  linkExpires: (time: string) => `Open the copied address within ${time} minutes. After that, it expires.`,
  linkExpired: 'The copied address has expired. Copy it again.',
  timeLeftLabel: (time: string) => `${time} minutes left`,
  waits: 'You can leave this page while it waits. If time runs out, start again: nothing you entered is lost.',
  trouble: 'Trouble signing in?',
  pasteText:
    'A browser on another computer cannot come back to Postern. Copy the full address of that page and paste it here.',
  pasteLabel: 'Address of the page that does not load',
  pasteButton: 'Use this address',
  pasteVerdict: {
    done: 'That worked. Finishing the sign-in.',
    refused: 'The sign-in page says that access was denied.',
    failed: 'The address is right, but the sign-in failed at the service.',
    expired: 'That address has expired. Start the sign-in again.',
    used: 'That address was already used.',
    'opened-twice': 'The sign-in link was opened twice, so Postern stopped the sign-in. Start again.',
    superseded: 'You started a newer sign-in for this server. Finish that one.',
    'not-valid': 'That address does not belong to this sign-in. Copy the full address of the page that did not load.',
  },
  deviceText: 'Or sign in with a code on any device. It does not have to be this computer.',
  useDevice: 'Sign in with a code',
  device: {
    title: 'Enter this code',
    text: 'Open that page on any device and enter the code. Postern continues on its own.',
    code: 'Code',
    open: 'Open the page here',
    copyLink: 'Copy link with code',
    back: 'Use a browser instead',
    compare: 'If you use the link, check that the page shows the same code. Don’t share the code with anyone.',
    doNotShare: 'Don’t share the code with anyone.',
  },
};

export const credentialWords = {
  again: (host: string) => `Check your OAuth app at ${host}`,
  description: 'This service needs an OAuth app of your own. You set it up once.',
  nonInteractive: 'No sign-in page opens. The service recognizes the OAuth app by its ID and secret or key.',
  stepCreate: (service: string) => `Create an OAuth app at ${service}`,
  stepPaste: 'Paste what it gives you',
  callback: 'Enter this as the callback or redirect URL:',
  callbackLabel: 'Callback URL',
  callbackHint: 'It must match exactly. It is reserved for Postern on this computer.',
  permissions: 'Allow these permissions there:',
  scopesHint: 'Tools fail if a permission they need is missing. Click a permission to request it.',
  noScopes: 'The service lists no permissions. Choose the ones you want to use there.',
  clientId: 'Client ID',
  clientIdMissing: 'Enter the client ID.',
  clientSecret: 'Client secret',
  secretHint: 'Leave it empty if you got none. You can also paste a private key (PEM or JWK).',
  secretStored: 'saved',
  secretStoredText: 'Postern has the secret you entered.',
  secretOfOther: 'The secret you entered earlier belongs to another ID. Enter the secret for this ID.',
  unknownClient: {
    pair: 'The service does not recognize this ID with this secret.',
    idAlone: 'The service does not recognize this ID, or it needs a secret.',
  },
  unknownClientHint: 'Compare both with your OAuth app at the service. The secret may have been replaced there.',
  replace: 'Replace',
  keep: 'Keep the current one',
  looksLikeSecret: 'This looks like a client secret, not like the ID.',
  looksLikeAddress: 'This is an address, not a client ID.',
  useAsSecret: 'Use it as the secret',
  useAsId: 'Use it as the ID',
  tryAgain: 'Try again without an OAuth app',
  tryAgainHint: 'The problem may be temporary. Try again, or enter your own OAuth app.',
  tryAgainAfter: (time: string | undefined) =>
    `The problem is temporary. Try again ${time === undefined ? 'later' : `after ${time}`}. If it keeps happening, enter your own OAuth app.`,
  advanced: 'Advanced',
  scopes: 'Permissions to request',
  scopesFieldHint: 'Separated by spaces. Replaces the selection above.',
  secretExpires: 'Secret expires on',
  secretExpiresHint: 'If the service shows a date. Postern reminds you seven days before.',
  clientAuthentication: 'How the secret is sent',
  authentication: {
    auto: 'Automatic',
    client_secret_basic: 'In the header (client_secret_basic)',
    client_secret_post: 'In the form (client_secret_post)',
    none: 'No secret (none)',
  },
  resource: 'Send the server’s address with the sign-in request (resource)',
  resourceHint: 'Some services reject parameters they don’t know.',
  pkce: 'PKCE',
  pkcePolicy: {
    'when-listed': 'If the service lists it',
    always: 'Always',
    required: 'Required: refuse services without it',
  },
};

/** The browser page at the end of a sign-in, by outcome. */
export const callbackWords = {
  done: {
    title: 'Back to Postern',
    sentence: 'You can close this tab. Postern finishes the sign-in.',
  },
  refused: {
    title: 'Not signed in',
    sentence: 'The sign-in page did not grant access. Close this tab. Postern shows what to do next.',
  },
  expired: {
    title: 'This sign-in has ended',
    sentence: 'It timed out, was canceled, or was already used. Close this tab and start again in Postern.',
  },
  failed: {
    title: 'Not signed in',
    sentence: 'Postern could not use the response of the sign-in page. Close this tab. Postern shows what to do next.',
  },
  used: {
    title: 'Already done',
    sentence: 'This sign-in page has already responded. You can close this tab. Postern shows the result.',
  },
  superseded: {
    title: 'This sign-in has ended',
    sentence: 'You started a newer sign-in for this server. Close this tab and finish the newer one.',
  },
  'opened-twice': {
    title: 'This sign-in was stopped',
    sentence:
      'Its link was opened twice, by someone else on this computer or by software that previews links. Close this tab and start again in Postern.',
  },
  'not-valid': {
    title: 'Nothing happened',
    sentence:
      'This link does not belong to the current sign-in. You may have started a newer one. You can close this tab.',
  },
  unknown: {
    title: 'Page not found',
    sentence: 'This address only handles Postern sign-ins. You can close this tab.',
  },
};

export type CallbackWords = Translated<typeof callbackWords>;

/** The bar above the sign-in page in a Postern window. */
export const signInBarWords = {
  notEncrypted: 'Not encrypted',
  useBrowser: 'Use my browser instead',
  tryAgain: 'Try again',
  needs: {
    'second-window': 'The page wants to open a second window, which this window can’t do. Your browser can.',
    passkey: 'Passkeys and security keys often don’t work in this window. They work in your browser.',
  } satisfies Record<SignInNeed, string>,
  notLoaded: 'The sign-in page did not load',
  failed: {
    offline: () => 'This computer is offline. Connect it, then try again.',
    'no-such-host': (host) => `${host} was not found. Check your connection, or try your browser.`,
    refused: (host) => `${host} refused the connection. Try your browser.`,
    closed: (host) => `${host} closed the connection before the page loaded. Try your browser.`,
    'too-slow': (host) => `${host} took too long to respond. Try your browser.`,
    unreachable: (host) => `${host} can’t be reached from this computer. Try your browser.`,
    certificate: (host) =>
      `The certificate of ${host} is not valid, so this may not be ${host}. Continue in your browser only if it shows no warning.`,
    encryption: (host) => `Postern could not make an encrypted connection to ${host}. Try your browser.`,
    proxy: (host) => `Your network’s proxy blocked the connection to ${host}. Try your browser.`,
    redirects: (host) => `${host} redirected this window too many times. Try your browser.`,
    'empty-error': (host) => `${host} returned an error and no page. Try your browser.`,
    other: (host) => `The page of ${host} did not load. Try your browser.`,
  } satisfies Record<LoadFailure, (host: string) => string>,
};
