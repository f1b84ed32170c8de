import type { OAuthError } from '../oauth.ts';
import type { NetworkRemedy, Remedy } from '../remedy.ts';
import { advise, answered, errorEntry, hostOr, httpStatus, namedError, sayOf, waitAsTold } from './catalogue-entry.ts';
import type { Detail } from './catalogue-entry.ts';

/** `detail.seconds` in words and parentheses; nothing where it is not known. */
const waited = ({ seconds }: Detail<'seconds'>): string => {
  if (seconds === undefined) return '';
  const minutes = seconds / 60;
  const [count, unit] = Number.isInteger(minutes) ? [minutes, 'minute'] : [seconds, 'second'];
  return ` (${count} ${unit}${count === 1 ? '' : 's'})`;
};

/** Refusals that pass, or end with the user at the page; any other would be the same again. */
const passingRefusals: ReadonlySet<OAuthError | 'unknown'> = new Set([
  ...(['server_error', 'temporarily_unavailable', 'slow_down', 'unknown'] as const),
  ...(['login_required', 'account_selection_required'] as const),
]);

interface AfterRefusal {
  readonly remedy: Remedy;
  readonly retryable: boolean;
}

/**
 * After `error` in an authorization response (RFC 6749 section 4.1.2.1). `isAboutResource`: its description is;
 * `undefined`: it has none.
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
      return waitAsTold();
    default:
      return { kind: 'try-other-options' };
  }
}

export const signInErrors = {
  STATE_UNKNOWN: errorEntry({
    blame: 'answer',
    message: 'This answer does not belong to the sign-in that is waiting. It was ignored.',
    remedy: advise('try-again', 'finishInOpenedPage'),
    retryable: false,
  }),
  STATE_REUSED: errorEntry({
    blame: 'nobody',
    message: 'This answer to the sign-in has been used before. It was ignored.',
    remedy: advise('try-again', 'startAgainIfNotSignedIn'),
    retryable: false,
  }),
  STATE_EXPIRED: errorEntry<'seconds'>({
    blame: 'nobody',
    about: ['page-left-open'],
    message: (detail) => `The sign-in took longer than it may${waited(detail)}, so it was ended.`,
    remedy: { kind: 'start-again', tooShort: false },
    retryable: true,
  }),
  LINK_REUSED: errorEntry({
    blame: 'computer',
    about: ['page-left-open'],
    message:
      'The link that your browser was given was opened twice: by somebody else on this computer, or by a program that looks at links beforehand. The sign-in was stopped, and nothing was saved.',
    remedy: { kind: 'open-link', startAgain: true },
    retryable: true,
  }),
  CALLBACK_INVALID: errorEntry({
    blame: 'answer',
    message: 'The sign-in service sent you back with an answer that cannot be used.',
    remedy: advise('try-again', 'startSignInAgain'),
    retryable: false,
  }),
  ISS_MISMATCH: errorEntry({
    blame: 'answer',
    message:
      'The answer to the sign-in came from another service than the one you were sent to. It was thrown away to protect your account.',
    remedy: advise('tell-owner', 'doNotSignInAgain'),
    retryable: false,
  }),
  ISS_MISSING: errorEntry({
    blame: 'answer',
    message:
      'The sign-in service promised to name itself in its answer and did not. The answer was thrown away to protect your account.',
    remedy: advise('try-again', 'tryAgainTellServiceIfAgain'),
    retryable: false,
  }),
  USER_DENIED: errorEntry<'host'>({
    blame: 'nobody',
    about: ['own-choice'],
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} says that the access was refused. Nothing was saved.`,
    remedy: advise('try-again', 'allowAccess'),
    retryable: false,
  }),
  USER_CANCELLED: errorEntry<'work' | 'count' | 'total'>({
    blame: 'nobody',
    about: ['page-left-open', 'cancelled', 'interrupted', 'own-choice', 'operation'],
    message: ({ work, count, total }) =>
      work === 'import'
        ? `Stopped after ${count} of ${total} entries. What was imported by then is saved.`
        : `Cancelled. Nothing was ${work === 'deletion' ? 'deleted' : 'saved'}.`,
    remedy: advise('try-again', 'startAgainWheneverYou'),
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
    about: ['page-left-open'],
    message: 'A newer sign-in was started for this integration.',
    remedy: advise('try-again', 'finishNewerSignIn'),
    retryable: false,
  }),
  TICKET_INVALID: errorEntry({
    blame: 'nobody',
    message: 'The sign-in was not finished in time, or was finished already.',
    remedy: { kind: 'start-again', tooShort: false },
    retryable: true,
  }),
  PORT_UNAVAILABLE: errorEntry<'port'>({
    blame: 'computer',
    message: (detail) =>
      `${detail.port === undefined ? 'The port for the sign-in' : `Port ${detail.port}`} is in use by another program or another sign-in in Postern, so your browser could not return here.`,
    remedy: advise('free-port', 'finishOtherSignIn'),
    retryable: true,
  }),
  BROWSER_OPEN_FAILED: errorEntry({
    blame: 'computer',
    about: ['browser-unopened'],
    message: 'The browser could not be opened.',
    remedy: { kind: 'open-link', startAgain: false },
    retryable: true,
  }),
  DEVICE_UNSUPPORTED: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} does not offer to sign in with a code on another device.`,
    remedy: advise('try-again', 'signInWithBrowser'),
    retryable: false,
  }),
  DEVICE_RESPONSE_INVALID: errorEntry<'host'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} gave no usable code for a sign-in on another device.`,
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

/** Nobody has typed a client that the service registered itself, so nobody can check it. */
export function tellOfRegistration(host: string): Remedy {
  return advise('tell-owner', 'tellOwnerRegistrationRefused', {
    host,
  });
}

/** The proof that a request comes from this computer (RFC 9449) says when it was made. */
export function setClock(host: string): NetworkRemedy {
  return advise('check-clock', 'setClockOfComputer', {
    host,
  });
}

/** Asked for one nonce after the other. */
export function tellOfNonces(host: string): Remedy {
  return advise('tell-owner', 'tryAgainTellOwnerOfHost', { host });
}

export const askForBinding = advise('tell-owner', 'tellServiceBoundNoKey');

export const tokenErrors = {
  TOKEN_RESPONSE_INVALID: errorEntry({
    blame: 'answer',
    message: 'The sign-in service sent an answer that cannot be used. Nothing was saved.',
    remedy: startAgain,
    retryable: false,
  }),
  TOKEN_CHARSET: errorEntry({
    blame: 'answer',
    message: 'The sign-in service sent an access token with characters that are not allowed. Nothing was saved.',
    remedy: startAgain,
    retryable: false,
  }),
  TOKEN_TYPE: errorEntry<'unbound'>({
    blame: 'answer',
    message: ({ unbound }) =>
      unbound === true
        ? 'The sign-in service gave access that works on any computer, although it has to be bound to this one. Nothing was saved.'
        : 'The sign-in service sent a kind of access token that Postern cannot use. Nothing was saved.',
    remedy: advise('tell-owner', 'askForBearerTokens'),
    retryable: false,
  }),
  TOKEN_ERROR: errorEntry<'host' | 'error' | 'status'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} did not accept the sign-in${answered(detail)}${namedError(detail)}.`,
    remedy: { kind: 'check-client', what: 'all' },
    retryable: false,
  }),
  TOKEN_RATE_LIMITED: errorEntry<'host' | 'status'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The sign-in service')} is busy and asks to wait${answered(detail)}.`,
    remedy: waitAsTold(),
    retryable: true,
  }),
  TOKEN_SERVER_ERROR: errorEntry<'host' | 'status' | 'error'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} is having problems${httpStatus(detail) || namedError(detail)}.`,
    remedy: waitAsTold(),
    retryable: true,
  }),
  TOKEN_ENDPOINT_INSECURE: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `The sign-in service wants the sign-in sent unencrypted to ${hostOr(detail, 'another address')}. Nothing was sent.`,
    remedy: advise('tell-owner', 'tellServiceNeedsHttps'),
    retryable: false,
  }),
  PROOF_REFUSED: errorEntry<'again' | 'host'>({
    blame: 'answer',
    message: (detail) =>
      detail.again === true
        ? `${hostOr(detail, 'The service')} asked again and again for a new proof that the access is used on this computer (DPoP).`
        : `${hostOr(detail, 'The service')} did not accept the proof that the access is used on this computer (DPoP).`,
    remedy: advise('tell-owner', 'tryAgainTellService'),
    retryable: true,
  }),
  SCOPE_REDUCED: errorEntry({
    blame: 'answer',
    message: 'The sign-in service granted fewer permissions than were asked for, so some tools may fail.',
    remedy: { kind: 'compare-scopes' },
    retryable: false,
  }),
};

/** What is wrong with a file, or with what stands in it. */
const fileFaults = {
  missing: 'is not there',
  denied: 'may not be read',
  'not-a-file': 'is no file',
  large: 'is too large for an assertion',
  foreign: 'can be written by somebody else',
  format: 'holds no signed JWT with an end',
  ended: 'holds an assertion that has ended',
};

export type AssertionFault = 'audience' | keyof typeof fileFaults;

function assertionFault({ fault, host }: Detail<'host', { fault: AssertionFault }>): string {
  if (fault === 'audience') return `holds an assertion that is not for ${host ?? 'this sign-in service'}`;
  return sayOf(fileFaults, fault, 'cannot be used');
}

/** Access without a sign-in, by what somebody else says of who this is. */
export const assertionErrors = {
  ASSERTION_INVALID: errorEntry<'file' | 'host', { readonly fault: AssertionFault }>({
    blame: 'input',
    message: (detail) =>
      `The file ${detail.file ?? 'with the assertion'} ${assertionFault(detail)}. Nothing of it was sent.`,
    remedy: advise('renew-assertion', 'renewAssertionFile'),
    retryable: false,
  }),
};

/** What is wrong with what a provider said of the person. */
const identityFaults = {
  missing: 'did not say who you are: its answer holds no ID token of this sign-in',
  format: 'gave something that is no signed assertion',
  type: 'gave a token of another kind than was asked for',
  issuer: 'gave an assertion in the name of somebody else',
  ended: 'gave an assertion that has ended',
  audience: 'gave an assertion for another service',
  client: 'gave an assertion for another program',
  resource: 'gave an assertion for another server',
};

export type IdentityFault = keyof typeof identityFaults;

/** Access by what the company's identity provider says of a person. */
export const identityErrors = {
  IDENTITY_REFUSED: errorEntry<'host' | 'error'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The identity provider')} does not vouch for you at this server${namedError(detail)}.`,
    remedy: advise('tell-owner', 'askIdentityProvider'),
    retryable: false,
  }),
  IDENTITY_INVALID: errorEntry<'host', { readonly fault: IdentityFault }>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The identity provider')} ${sayOf(identityFaults, detail.fault, 'gave an assertion that cannot be used')}. Nothing of it was passed on.`,
    remedy: advise('tell-owner', 'tellIdentityProvider'),
    retryable: false,
  }),
  PROVIDER_SIGN_IN: errorEntry<'name'>({
    blame: 'nobody',
    message: (detail) => {
      const { name } = detail;
      return name === undefined
        ? 'The identity provider of this server is not connected any more.'
        : `You are not signed in to your identity provider “${name}” any more.`;
    },
    remedy: advise('renew-assertion', 'signInToIdentityProvider'),
    retryable: false,
  }),
  PROVIDER_ONLY: errorEntry<'host'>({
    blame: 'input',
    message: (detail) =>
      `${hostOr(detail, 'This')} is an identity provider: it signs in for other servers and has no tools itself.`,
    remedy: advise('check-address', 'useServerOfIdentityProvider'),
    retryable: false,
  }),
};
