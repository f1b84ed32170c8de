import { timeOfDay } from '../../shared/error-catalogue/catalogue-entry.ts';
import type { ErrorCode, PlainError, Stage } from '../../shared/error-codes.ts';
import type { NetworkFault } from '../../shared/network-fault.ts';

type NextStep = string | ((error: PlainError) => string);

const noMetadata =
  'If it is an older server, try the usual addresses. If it wants a key, connect it anew with one. If you know its sign-in addresses, enter them.';
const createApp = 'Create an OAuth app at the service by hand, and enter its client ID here.';
const signIn = 'Sign in again.';

/** What was asked for is more, or other, than the service gives. */
function askedTooMuch({ oauthError }: PlainError): string | undefined {
  switch (oauthError) {
    case 'invalid_scope':
      return 'Ask for other rights, or for fewer.';
    case 'invalid_target':
      return 'Try without naming the server in the request: this service may not know it by its address.';
    case 'unauthorized_client':
      return 'Check the client ID, and that its app may use this kind of sign-in.';
    default:
      return undefined;
  }
}

/** Where it stopped, and what that means for what the person saw or did not see (spec 7, last row). */
const stageWords: Readonly<Record<Stage, string>> = {
  address: 'It stopped at the address; nothing was contacted.',
  probe: 'It stopped at the first question to the server, so no sign-in page was opened.',
  discovery: 'It stopped while finding out how to sign in, so no sign-in page was opened.',
  registration: 'It stopped while Postern registered itself, so no sign-in page was opened.',
  credentials: 'It stopped at the client ID, so no sign-in page was opened.',
  authorization: 'It stopped at the sign-in page.',
  callback: 'It stopped on the way back from the sign-in page. No access was given.',
  token: 'You had signed in; it stopped while Postern fetched the access.',
  install: 'You had signed in; it stopped while the access was put away.',
  connection: 'It stopped while talking to the server.',
  refresh: 'It stopped while your sign-in was renewed.',
  storage: 'It stopped at the storage of this computer.',
  settings: 'It stopped at the settings of Postern.',
  app: 'It stopped inside Postern.',
};

const ownAuthority =
  'put its certificate into the store of this computer, or name its file as certificateFile in config.json.';
const certificateDetails = 'The diagnosis of the sign-in shows the certificate.';

/** The same for what stood in the way of a connection. */
const faultNextSteps: Readonly<Partial<Record<NetworkFault, string>>> = {
  'certificate-unknown-authority': `If it is the authority of your company, ${ownAuthority}`,
  'certificate-self-signed': `If it is yours, ${ownAuthority}`,
  'certificate-wrong-name': `Check the address: it has to have the name that the certificate is for. ${certificateDetails}`,
  'certificate-refused': `The owner of the server has to replace it. ${certificateDetails}`,
};

/** In place of the next steps that name a command or a flag, which a window does not have. */
const nextSteps: Readonly<Partial<Record<ErrorCode, NextStep>>> = {
  URL_SCHEME: ({ remedy }) =>
    remedy === 'allow-http'
      ? 'Use https. Only if you accept that others in your network could read everything, go on without.'
      : remedy === 'local'
        ? 'Use the address with https://. If the server runs on this computer, say so below.'
        : 'Use the address with https:// in front.',
  URL_COMMAND: 'Enter the web address of a server alone. A whole mcp.json can be pasted or dropped here.',
  HOST_BLOCKED: ({ remedy, host }) =>
    remedy === 'local'
      ? 'If it is yours, or of people you trust, say that it runs on your computer or internal network.'
      : remedy === 'allow-host'
        ? `Allow ${host ?? 'it'} for this server only if you know it, e.g. as the sign-in of your company.`
        : 'Check the address. This kind of address is never allowed.',
  HOST_NOT_AGREED: 'Start again, and say that you expected these hosts only if you did.',
  DNS_REBIND: 'Do not use this server unless you trust it and it is inside your own network.',
  PRM_MISSING: noMetadata,
  ASM_MISSING: noMetadata,
  PKCE_UNSUPPORTED: 'If you trust the server, connect without requiring it.',
  DEMAND_UNMET: 'Ask the owner of the service to let programs such as Postern sign in without it.',
  DCR_UNSUPPORTED: ({ retryable, retryAt }) =>
    retryable
      ? `Try again ${retryAt === undefined ? 'later' : `after ${timeOfDay(retryAt)}`}. If it stays so: ${createApp}`
      : createApp,
  DCR_REJECTED: createApp,
  DCR_RESPONSE_INVALID: createApp,
  DCR_REDIRECT_CHANGED: createApp,
  CREDENTIALS_REQUIRED: createApp,
  CLIENT_DOCUMENT_REFUSED: createApp,
  REG_ISSUER_MISMATCH: 'Sign in again. Where you gave a client ID, give the one that this service knows.',
  CLIENT_REJECTED: 'Check both, and that the callback URL registered there is the one shown here, to the letter.',
  STATE_EXPIRED: 'Start the sign-in again.',
  AS_ERROR: (error) =>
    askedTooMuch(error) ??
    'Try again. If it stays so, look at the options: other rights, PKCE always, or another client ID.',
  LINK_REUSED: 'Start again. If it happens again, copy the link, and open it yourself.',
  BROWSER_OPEN_FAILED: 'Copy the link, and open it where you like.',
  TOKEN_ERROR: (error) =>
    askedTooMuch(error) ?? 'Start again. With a client ID of your own, check it, its secret and its callback URL.',
  SCOPE_REDUCED: 'Compare asked and granted rights on the page “Account”, and sign in again if some are missing.',
  SIGN_IN_REQUIRED: signIn,
  SCOPE_REQUIRED: ({ scopeAnswer }) =>
    scopeAnswer
      ? 'Ask the administrator of the service for them, or sign in with another account that has them.'
      : 'Grant them by signing in once more; the rights that you have stay.',
  TOKEN_REJECTED: 'Sign in again. If that does not help, remove the server and connect it anew.',
  TOOL_NOT_FOUND: 'Read the list of its tools again.',
  REFRESH_TRANSIENT: ({ retryAt }) =>
    retryAt === undefined
      ? 'Check your internet connection. Postern tries again by itself.'
      : `Postern tries again by itself after ${timeOfDay(retryAt)}. Should it stay so for hours, sign in again on the page “Account”.`,
  REFRESH_REVOKED: signIn,
  REFRESH_UNCERTAIN: 'Try again; if that does not help, sign in again.',
  REFRESH_ISSUER_CHANGED: signIn,
  ADDRESS_CHANGED:
    'Only if you know the new address and want it: sign in again. If not, remove the server, and connect the right address.',
  NO_SIGN_IN: 'Use it as it is.',
  CFG_CORRUPT: 'Open the file and mend it, or restore the last good copy.',
  API_KEY_REFUSED:
    'Check the key at the service; it may have been withdrawn. A server that is connected takes another with “Replace key…” on its page “Account”.',
  API_KEY_MISSING: 'Give it again with “Replace key…” on the page “Account”.',
  API_KEY_ADDRESS_CHANGED:
    'If you want the new address, give its key with “Replace key…” on the page “Account”. If not, remove the server and connect the right one.',
  API_KEY_INSTEAD: 'There is nothing to sign in to; its tools use the key by themselves.',
  KC_UNAVAILABLE:
    'Set up a keychain (on Linux: gnome-keyring or KWallet in a desktop session). Until then sign-ins last as long as Postern runs.',
  KC_WRITE_UNVERIFIED: 'Check the disk and your keychain, run the storage test, then sign in again.',
  NAME_TAKEN: 'Choose another name.',
  NOT_FOUND: 'It may have been removed in another window or on the command line.',
  USAGE: 'Check what you entered.',
};

export const errorWords = {
  stages: stageWords,
  nextSteps,
  faultNextSteps,
  code: (code: string) => `Code ${code}`,
  actions: {
    retry: 'Try again',
    local: 'It runs on my computer or internal network',
    allowHost: (host: string | undefined) => `Allow ${host ?? 'this host'}`,
    allowHttp: 'Go on without encryption',
    legacy: 'Try the usual addresses',
    apiKey: 'Use an API key',
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
    withoutResource: 'Try without naming the server',
    dismiss: 'Dismiss',
  },
};
