import type { OAuthError } from '../oauth.ts';
import type { NetworkRemedy, Remedy } from '../remedy.ts';
import {
  advise,
  statusSuffix,
  errorEntry,
  hostOr,
  httpStatus,
  namedError,
  textFor,
  waitRetryAfter,
} from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';

/** How long Postern waited: ` after 10 minutes`; empty if unknown. */
const afterSeconds = ({ seconds }: Detail<'seconds'>): string => {
  if (seconds === undefined) return '';
  const minutes = seconds / 60;
  const [count, unit] = Number.isInteger(minutes) ? [minutes, 'minute'] : [seconds, 'second'];
  return ` after ${count} ${unit}${count === 1 ? '' : 's'}`;
};

/** Temporary refusals, or ones that the user can resolve on the page. Any other would happen again. */
const passingRefusals: ReadonlySet<OAuthError | 'unknown'> = new Set([
  ...(['server_error', 'temporarily_unavailable', 'slow_down', 'unknown'] as const),
  ...(['login_required', 'account_selection_required'] as const),
]);

interface AfterRefusal {
  readonly remedy: Remedy;
  readonly retryable: boolean;
}

/**
 * After `error` in an authorization response (RFC 6749 section 4.1.2.1). `isAboutResource`: whether its description
 * mentions the resource; `undefined` without a description.
 */
export function afterAuthorizationRefusal(error: OAuthError | 'unknown', isAboutResource?: boolean): AfterRefusal {
  return { remedy: authorizationRemedy(error, isAboutResource), retryable: passingRefusals.has(error) };
}

function authorizationRemedy(error: OAuthError | 'unknown', isAboutResource: boolean | undefined): Remedy {
  switch (error) {
    case 'invalid_scope':
      return { kind: 'ask-other-scopes' };
    case 'invalid_request':
      return isAboutResource === false
        ? { kind: 'try-other-options' }
        : { kind: 'without-resource', because: 'perhaps' };
    case 'invalid_target':
      return { kind: 'without-resource', because: 'unknown' };
    case 'unauthorized_client':
      return { kind: 'check-client', what: 'grant' };
    case 'invalid_client':
      return { kind: 'check-client', what: 'client' };
    case 'server_error':
    case 'temporarily_unavailable':
      return waitRetryAfter();
    default:
      return { kind: 'try-other-options' };
  }
}

export const signInErrors = {
  STATE_UNKNOWN: errorEntry({
    blame: 'answer',
    message: 'This response does not belong to the current sign-in. Postern ignored it.',
    remedy: advise('try-again', 'finishInOpenedPage'),
    retryable: false,
  }),
  STATE_REUSED: errorEntry({
    blame: 'nobody',
    message: 'This sign-in response was already used. Postern ignored it.',
    remedy: advise('try-again', 'startAgainIfNotSignedIn'),
    retryable: false,
  }),
  STATE_EXPIRED: errorEntry<'seconds'>({
    blame: 'nobody',
    traits: ['page-left-open'],
    message: (detail) => `The sign-in timed out${afterSeconds(detail)}.`,
    remedy: { kind: 'start-again', tooShort: false },
    retryable: true,
  }),
  LINK_REUSED: errorEntry({
    blame: 'computer',
    traits: ['page-left-open'],
    message:
      'The sign-in link was opened twice, by someone else on this computer or by software that previews links. Postern stopped the sign-in and saved nothing.',
    remedy: { kind: 'open-link', startAgain: true },
    retryable: true,
  }),
  CALLBACK_INVALID: errorEntry({
    blame: 'answer',
    message: 'The sign-in service returned a response that Postern can’t use.',
    remedy: advise('try-again', 'startSignInAgain'),
    retryable: false,
  }),
  ISS_MISMATCH: errorEntry({
    blame: 'answer',
    message:
      'The response came from a different sign-in service than the one you used. Postern discarded it to protect your account.',
    remedy: advise('contact-owner', 'doNotSignInAgain'),
    retryable: false,
  }),
  ISS_MISSING: errorEntry({
    blame: 'answer',
    message:
      'The sign-in service did not name itself in its response, although it announced that it would. Postern discarded the response to protect your account.',
    remedy: advise('try-again', 'tryAgainContactService'),
    retryable: false,
  }),
  USER_DENIED: errorEntry<'host'>({
    blame: 'nobody',
    traits: ['own-choice'],
    message: (detail) => `${hostOr(detail, 'The sign-in service')} says that access was denied.`,
    remedy: advise('try-again', 'allowAccess'),
    retryable: false,
  }),
  USER_CANCELLED: errorEntry<'work' | 'count' | 'total'>({
    blame: 'nobody',
    traits: ['page-left-open', 'cancelled', 'interrupted', 'own-choice', 'operation'],
    message: ({ work, count, total }) =>
      work === 'import'
        ? `Stopped after ${count} of ${total} entries. The entries imported so far are saved.`
        : work === 'oauthApp'
          ? 'Canceled. Postern still has the OAuth app that you entered.'
          : `Canceled. Nothing was ${work === 'deletion' ? 'deleted' : 'saved'}.`,
    remedy: advise('try-again', 'startAgainAnytime'),
    retryable: false,
  }),
  AS_ERROR: errorEntry<'host' | 'error'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The sign-in service')} reported a problem${namedError(detail)}.`,
    remedy: { kind: 'try-other-options' },
    retryable: true,
  }),
  FLOW_SUPERSEDED: errorEntry({
    blame: 'nobody',
    traits: ['page-left-open'],
    message: 'You started a newer sign-in for this server.',
    remedy: advise('try-again', 'finishNewerSignIn'),
    retryable: false,
  }),
  TICKET_INVALID: errorEntry({
    blame: 'nobody',
    message: 'The sign-in timed out or was already finished.',
    remedy: { kind: 'start-again', tooShort: false },
    retryable: true,
  }),
  PORT_UNAVAILABLE: errorEntry<'port'>({
    blame: 'computer',
    message: (detail) =>
      `${detail.port === undefined ? 'The sign-in port' : `Port ${detail.port}`} is in use by another program or another Postern sign-in, so your browser can’t return to Postern.`,
    remedy: advise('free-port', 'finishOtherSignIn'),
    retryable: true,
  }),
  BROWSER_OPEN_FAILED: errorEntry({
    blame: 'computer',
    traits: ['browser-unopened'],
    message: 'Postern could not open the browser.',
    remedy: { kind: 'open-link', startAgain: false },
    retryable: true,
  }),
  DEVICE_UNSUPPORTED: errorEntry<'host'>({
    blame: 'document',
    message: (detail) => `${hostOr(detail, 'The sign-in service')} does not support signing in with a code.`,
    remedy: advise('try-again', 'signInWithBrowser'),
    retryable: false,
  }),
  DEVICE_RESPONSE_INVALID: errorEntry<'host'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The sign-in service')} did not send a usable sign-in code.`,
    remedy: advise('try-again', 'signInWithBrowserAndTell'),
    retryable: false,
  }),
};

const startAgain = advise('try-again', 'startSignInAgain');

/** After `error` of a token endpoint (RFC 6749 section 5.2). */
export function afterTokenRefusal(error: OAuthError | 'unknown'): Remedy {
  switch (error) {
    case 'invalid_client':
      return { kind: 'check-client', what: 'secret' };
    case 'unauthorized_client':
      return { kind: 'check-client', what: 'secret-and-grant' };
    case 'invalid_scope':
      return { kind: 'ask-other-scopes' };
    case 'invalid_target':
      return { kind: 'without-resource', because: 'unknown' };
    case 'invalid_request':
      return { kind: 'check-client', what: 'request' };
    default:
      return { kind: 'check-client', what: 'all' };
  }
}

/** The service registered this client itself, so the user has nothing to check. */
export function reportRejectedRegistration(host: string): Remedy {
  return advise('contact-owner', 'tellOwnerRegistrationRefused', {
    host,
  });
}

/** A DPoP proof contains its creation time (RFC 9449), so a wrong clock makes it invalid. */
export function setClock(host: string): NetworkRemedy {
  return advise('check-clock', 'setClockOfComputer', {
    host,
  });
}

/** The service asked for one DPoP nonce after another. */
export function reportNonceLoop(host: string): Remedy {
  return advise('contact-owner', 'tryAgainContactOwnerOfHost', { host });
}

export const askForBinding = advise('contact-owner', 'tellServiceTokenUnbound');

export const tokenErrors = {
  TOKEN_RESPONSE_INVALID: errorEntry({
    blame: 'answer',
    message: 'The sign-in service sent an unusable response. Nothing was saved.',
    remedy: startAgain,
    retryable: false,
  }),
  TOKEN_CHARSET: errorEntry({
    blame: 'answer',
    message: 'The sign-in service sent an access token with invalid characters. Nothing was saved.',
    remedy: startAgain,
    retryable: false,
  }),
  TOKEN_TYPE: errorEntry<'unbound'>({
    blame: 'answer',
    message: ({ unbound }) =>
      unbound === true
        ? 'The sign-in service issued an access token that is not bound to this computer, although it must be. Nothing was saved.'
        : 'The sign-in service issued a type of access token that Postern does not support. Nothing was saved.',
    remedy: advise('contact-owner', 'askForBearerTokens'),
    retryable: false,
  }),
  TOKEN_ERROR: errorEntry<'host' | 'error' | 'status'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} rejected the sign-in${statusSuffix(detail)}${namedError(detail)}.`,
    remedy: { kind: 'check-client', what: 'all' },
    otherwise: advise('contact-owner', 'tryAgainContactService'),
    retryable: false,
  }),
  TOKEN_RATE_LIMITED: errorEntry<'host' | 'status'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The sign-in service')} is busy${statusSuffix(detail)}.`,
    remedy: waitRetryAfter(),
    retryable: true,
  }),
  TOKEN_SERVER_ERROR: errorEntry<'host' | 'status' | 'error'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} is having problems${httpStatus(detail) || namedError(detail)}.`,
    remedy: waitRetryAfter(),
    retryable: true,
  }),
  TOKEN_ENDPOINT_INSECURE: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `The sign-in service asked Postern to send the sign-in unencrypted to ${hostOr(detail, 'another address')}. Postern sent nothing.`,
    remedy: advise('contact-owner', 'tellServiceNeedsHttps'),
    retryable: false,
  }),
  PROOF_REFUSED: errorEntry<'again' | 'host'>({
    blame: 'answer',
    message: (detail) =>
      detail.again === true
        ? `${hostOr(detail, 'The service')} kept asking for a new proof that the token is used on this computer (DPoP).`
        : `${hostOr(detail, 'The service')} rejected the proof that the token is used on this computer (DPoP).`,
    remedy: advise('contact-owner', 'tryAgainContactService'),
    retryable: true,
  }),
  SCOPE_REDUCED: errorEntry({
    blame: 'answer',
    message: 'The sign-in service granted fewer permissions than requested, so some tools may fail.',
    remedy: { kind: 'compare-scopes' },
    retryable: false,
  }),
};

/** What is wrong with a file or its content. */
const fileFaults = {
  missing: 'does not exist',
  denied: 'can’t be read',
  'not-a-file': 'is not a file',
  large: 'is too large for an assertion',
  foreign: 'can be changed by other users',
  format: 'contains no signed JWT with an expiry time',
  ended: 'contains an expired assertion',
};

export type AssertionFault = 'audience' | keyof typeof fileFaults;

function assertionFault({ fault, host }: Detail<'host', { fault: AssertionFault }>): string {
  if (fault === 'audience') return `contains an assertion that is not for ${host ?? 'this sign-in service'}`;
  return textFor(fileFaults, fault, 'can’t be used');
}

/** Sign-in with an assertion from a file (RFC 7523), without a sign-in page. */
export const assertionErrors = {
  ASSERTION_INVALID: errorEntry<'file' | 'host', { readonly fault: AssertionFault }>({
    blame: 'input',
    message: (detail) =>
      `The file ${detail.file ?? 'with the assertion'} ${assertionFault(detail)}. Postern sent nothing from it.`,
    remedy: advise('renew-assertion', 'renewAssertionFile'),
    retryable: false,
  }),
};

/** What is wrong with the identity provider's assertion. */
const identityFaults = {
  missing: 'did not say who you are: its response contains no ID token of this sign-in',
  format: 'returned something that is not a signed assertion',
  type: 'returned a different type of token than requested',
  issuer: 'returned an assertion issued by someone else',
  ended: 'returned an expired assertion',
  audience: 'returned an assertion for another service',
  client: 'returned an assertion for another OAuth app',
  resource: 'returned an assertion for another server',
};

export type IdentityFault = keyof typeof identityFaults;

/** The remedy for PROVIDER_SIGN_IN if the provider was removed. */
export const connectProvider = advise('renew-assertion', 'connectIdentityProvider');

/** Sign-in through the company's identity provider. */
export const identityErrors = {
  IDENTITY_REFUSED: errorEntry<'host' | 'error'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The identity provider')} does not confirm your identity to this server${namedError(detail)}.`,
    remedy: advise('contact-owner', 'askIdentityProvider'),
    retryable: false,
  }),
  IDENTITY_INVALID: errorEntry<'host', { readonly fault: IdentityFault }>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The identity provider')} ${textFor(identityFaults, detail.fault, 'returned an unusable assertion')}. Postern did not pass it on.`,
    remedy: advise('contact-owner', 'tellIdentityProvider'),
    retryable: false,
  }),
  PROVIDER_SIGN_IN: errorEntry<'name'>({
    blame: 'nobody',
    message: (detail) => {
      const { name } = detail;
      return name === undefined
        ? 'This server’s identity provider is no longer connected.'
        : `You are no longer signed in to your identity provider “${name}”.`;
    },
    remedy: advise('renew-assertion', 'signInToIdentityProvider'),
    retryable: false,
  }),
  PROVIDER_ONLY: errorEntry<'host'>({
    blame: 'input',
    message: (detail) =>
      `${hostOr(detail, 'This address')} is an identity provider. It signs you in to other servers and has no tools of its own.`,
    remedy: advise('check-address', 'useServerOfIdentityProvider'),
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const signInErrorCauses: Causes<
  typeof signInErrors & typeof tokenErrors & typeof assertionErrors & typeof identityErrors
> = {
  STATE_UNKNOWN: 'An old tab, a sign-in that you started again, or another site that tried to interfere.',
  STATE_REUSED: 'The page was reloaded, or you went back in the browser.',
  STATE_EXPIRED: 'The sign-in page stayed open for too long.',
  LINK_REUSED: 'Software that previews links, a browser that reloads its tabs, or another user of this computer.',
  CALLBACK_INVALID: 'The service has a fault, or something changed the address on its way back.',
  ISS_MISMATCH: 'A misconfigured service, or an attack that mixes up two services.',
  ISS_MISSING: 'A misconfigured service, or an attack that mixes up two services.',
  USER_DENIED: 'You chose Deny or Cancel on the sign-in page, or your account may not use the app.',
  USER_CANCELLED: 'You pressed Ctrl-C or Cancel.',
  AS_ERROR: 'The OAuth app at the service is set up wrong, or the service does not accept a scope or parameter.',
  FLOW_SUPERSEDED: 'You started the sign-in again, in another window or on the command line.',
  TICKET_INVALID: 'You waited too long before the last step, or finished it in another window.',
  PORT_UNAVAILABLE: 'Another sign-in is waiting, or another program uses the callback port.',
  BROWSER_OPEN_FAILED: 'No default browser, no display, or a wrong `BROWSER` variable.',
  DEVICE_UNSUPPORTED: 'Many services support signing in only with a browser.',
  DEVICE_RESPONSE_INVALID: 'The service does not implement sign-in with a code (RFC 8628) correctly.',
  TOKEN_RESPONSE_INVALID: 'A fault of the service, or a proxy that changed its response.',
  TOKEN_CHARSET: 'A fault of the service.',
  TOKEN_TYPE: 'The service is configured for another kind of client.',
  TOKEN_ERROR: 'The sign-in was already used or has expired, or the OAuth app is set up wrong.',
  TOKEN_RATE_LIMITED: 'Too many sign-ins within a short time.',
  TOKEN_SERVER_ERROR: 'An outage of the service.',
  TOKEN_ENDPOINT_INSECURE: 'A misconfigured service.',
  PROOF_REFUSED: 'This computer’s clock is wrong, or the service has a fault.',
  SCOPE_REDUCED: 'You deselected permissions on the sign-in page, or your account does not have them.',
  ASSERTION_INVALID:
    'Whatever writes the file has stopped, so its JWT has expired; the JWT is for another audience; or others can write the file.',
  IDENTITY_REFUSED: 'Your administrator has not allowed you, or Postern, to use this server.',
  IDENTITY_INVALID: 'The identity provider is configured for another server, client or service.',
  PROVIDER_SIGN_IN: 'The sign-in to your company expired, or the identity provider was removed from Postern.',
  PROVIDER_ONLY: 'A tool was called on an identity provider instead of a server.',
};
