import type { ErrorCode } from '../error-codes.ts';
import type { OAuthError } from '../oauth-errors.ts';
import type { Remedy } from '../remedy.ts';
import { advise, hostOr, namedError, waitAsTold } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';

/** `detail.seconds` in words and parentheses; nothing where it is not known. */
const waited = ({ seconds }: CatalogueDetail): string => {
  if (seconds === undefined) return '';
  const minutes = Number(seconds) / 60;
  const [count, unit] = Number.isInteger(minutes) ? [minutes, 'minute'] : [Number(seconds), 'second'];
  return ` (${count} ${unit}${count === 1 ? '' : 's'})`;
};

/** After `error` in an authorization response (RFC 6749 section 4.1.2.1). */
export function afterAuthorizationRefusal(error: OAuthError | 'unknown'): Remedy {
  switch (error) {
    case 'invalid_scope':
      return { kind: 'ask-other-scopes' };
    case 'invalid_request':
      return { kind: 'without-resource', because: 'perhaps' };
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
  STATE_UNKNOWN: {
    message: 'This answer does not belong to the sign-in that is waiting. It was ignored.',
    remedy: advise('try-again', 'Finish the sign-in in the page that Postern opened, or start it again.'),
    retryable: false,
  },
  STATE_REUSED: {
    message: 'This answer to the sign-in has been used before. It was ignored.',
    remedy: advise('try-again', 'If you are not signed in, start again.'),
    retryable: false,
  },
  STATE_EXPIRED: {
    message: (detail) => `The sign-in took longer than it may${waited(detail)}, so it was ended.`,
    remedy: { kind: 'start-again', tooShort: false },
    retryable: true,
  },
  LINK_REUSED: {
    message:
      'The link that your browser was given was opened twice: by somebody else on this computer, or by a program that looks at links beforehand. The sign-in was stopped, and nothing was saved.',
    remedy: { kind: 'open-link', startAgain: true },
    retryable: true,
  },
  CALLBACK_INVALID: {
    message: 'The sign-in service sent you back with an answer that cannot be used.',
    remedy: advise('try-again', 'Start the sign-in again. If it happens again, tell the owner of the service.'),
    retryable: false,
  },
  ISS_MISMATCH: {
    message:
      'The answer to the sign-in came from another service than the one you were sent to. It was thrown away to protect your account.',
    remedy: advise('tell-owner', 'Do not sign in there again, and tell the owner of the server.'),
    retryable: false,
  },
  ISS_MISSING: {
    message:
      'The sign-in service promised to name itself in its answer and did not. The answer was thrown away to protect your account.',
    remedy: advise('try-again', 'Try again. If it happens again, tell the owner of the service.'),
    retryable: false,
  },
  USER_DENIED: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} says that the access was refused. Nothing was saved.`,
    remedy: advise('try-again', 'If that was a mistake, start again and allow the access.'),
    retryable: false,
  },
  USER_CANCELLED: {
    message: (detail) => `Cancelled. Nothing was ${detail['work'] === 'deletion' ? 'deleted' : 'saved'}.`,
    remedy: advise('try-again', 'Start again whenever you like.'),
    retryable: false,
  },
  AS_ERROR: {
    message: (detail) => `${hostOr(detail, 'The sign-in service')} reported a problem${namedError(detail)}.`,
    remedy: { kind: 'try-other-options' },
    retryable: true,
  },
  FLOW_SUPERSEDED: {
    message: 'A newer sign-in was started for this integration.',
    remedy: advise('try-again', 'Finish the newer one. This one has ended, and nothing of it was saved.'),
    retryable: false,
  },
  TICKET_INVALID: {
    message: 'The sign-in was not finished in time, or was finished already.',
    remedy: { kind: 'start-again', tooShort: false },
    retryable: true,
  },
  PORT_UNAVAILABLE: {
    message: (detail) =>
      `${detail['port'] === undefined ? 'The port for the sign-in' : `Port ${detail['port']}`} is in use by another program or another sign-in in Postern, so your browser could not return here.`,
    remedy: advise('free-port', 'Finish or cancel the other sign-in, or close the other program, then try again.'),
    retryable: true,
  },
  BROWSER_OPEN_FAILED: {
    message: 'The browser could not be opened.',
    remedy: { kind: 'open-link', startAgain: false },
    retryable: true,
  },
  DEVICE_UNSUPPORTED: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} does not offer to sign in with a code on another device.`,
    remedy: advise('try-again', 'Sign in with a browser instead. It may be one on another computer.'),
    retryable: false,
  },
  DEVICE_RESPONSE_INVALID: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} gave no usable code for a sign-in on another device.`,
    remedy: advise('try-again', 'Sign in with a browser instead, and tell the owner of the service.'),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
