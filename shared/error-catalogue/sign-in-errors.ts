import type { ErrorCode } from '../error-codes.ts';
import { hostOr, namedError } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { connectStep } from './connect-step.ts';

const startAgain = 'Start the sign-in again.';

/** `detail.seconds` in words and parentheses; nothing where it is not known. */
const waited = ({ seconds }: CatalogueDetail): string => {
  if (seconds === undefined) return '';
  const minutes = Number(seconds) / 60;
  const [count, unit] = Number.isInteger(minutes) ? [minutes, 'minute'] : [Number(seconds), 'second'];
  return ` (${count} ${unit}${count === 1 ? '' : 's'})`;
};

export const signInErrors = {
  STATE_UNKNOWN: {
    message: 'This answer does not belong to the sign-in that is waiting. It was ignored.',
    nextStep: 'Finish the sign-in in the page that Postern opened, or start it again.',
    retryable: false,
  },
  STATE_REUSED: {
    message: 'This answer to the sign-in has been used before. It was ignored.',
    nextStep: 'If you are not signed in, start again.',
    retryable: false,
  },
  STATE_EXPIRED: {
    message: (detail) => `The sign-in took longer than it may${waited(detail)}, so it was ended.`,
    nextStep: ({ limit }) =>
      limit === 'chosen'
        ? 'Start the sign-in again: `postern connect` with a longer --timeout, or without one, waits up to 10 minutes.'
        : startAgain,
    retryable: true,
  },
  LINK_REUSED: {
    message:
      'The link that your browser was given was opened twice: by somebody else on this computer, or by a program that looks at links beforehand. The sign-in was stopped, and nothing was saved.',
    nextStep: 'Start again. If it happens again, use --sign-in print, and open the link yourself.',
    retryable: true,
  },
  CALLBACK_INVALID: {
    message: 'The sign-in service sent you back with an answer that cannot be used.',
    nextStep: 'Start the sign-in again. If it happens again, tell the owner of the service.',
    retryable: false,
  },
  ISS_MISMATCH: {
    message:
      'The answer to the sign-in came from another service than the one you were sent to. It was thrown away to protect your account.',
    nextStep: 'Do not sign in there again, and tell the owner of the server.',
    retryable: false,
  },
  ISS_MISSING: {
    message:
      'The sign-in service promised to name itself in its answer and did not. The answer was thrown away to protect your account.',
    nextStep: 'Try again. If it happens again, tell the owner of the service.',
    retryable: false,
  },
  USER_DENIED: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} says that the access was refused. Nothing was saved.`,
    nextStep: 'If that was a mistake, start again and allow the access.',
    retryable: false,
  },
  USER_CANCELLED: {
    message: (detail) => `Cancelled. Nothing was ${detail['work'] === 'deletion' ? 'deleted' : 'saved'}.`,
    nextStep: 'Start again whenever you like.',
    retryable: false,
  },
  AS_ERROR: {
    message: (detail) => `${hostOr(detail, 'The sign-in service')} reported a problem${namedError(detail)}.`,
    nextStep: (detail) => {
      switch (detail['error']) {
        case 'invalid_scope':
          return `Ask for other rights, or for fewer: ${connectStep(detail, '--scope SCOPES')}.`;
        case 'invalid_request':
          return 'Connect with --no-resource; if that does not help, check the client ID and its redirect address.';
        case 'invalid_target':
          return 'Connect with --no-resource: this service may not know the server by its address.';
        case 'unauthorized_client':
          return 'Check the client ID, and that its app is allowed to use this kind of sign-in.';
        case 'server_error':
        case 'temporarily_unavailable':
          return 'Try again later.';
        default:
          return 'Try again. If it happens again, ask the owner of the service.';
      }
    },
    retryable: true,
  },
  FLOW_SUPERSEDED: {
    message: 'A newer sign-in was started for this integration.',
    nextStep: 'Finish the newer one. This one has ended, and nothing of it was saved.',
    retryable: false,
  },
  TICKET_INVALID: {
    message: 'The sign-in was not finished in time, or was finished already.',
    nextStep: startAgain,
    retryable: true,
  },
  PORT_UNAVAILABLE: {
    message: (detail) =>
      `${detail['port'] === undefined ? 'The port for the sign-in' : `Port ${detail['port']}`} is in use by another program or another sign-in in Postern, so your browser could not return here.`,
    nextStep: 'Finish or cancel the other sign-in, or close the other program, then try again.',
    retryable: true,
  },
  BROWSER_OPEN_FAILED: {
    message: 'The browser could not be opened.',
    nextStep: 'Open the link that is shown yourself, or use --sign-in print.',
    retryable: true,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
