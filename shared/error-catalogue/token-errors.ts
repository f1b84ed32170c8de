import type { ErrorCode } from '../error-codes.ts';
import type { OAuthError } from '../oauth-errors.ts';
import type { NetworkRemedy, Remedy } from '../remedy.ts';
import { advise, answered, hostOr, httpStatus, namedError, waitAsTold } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';

const startAgain = advise('try-again', 'Start the sign-in again. If it happens again, tell the owner of the service.');

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
  return advise('tell-owner', 'Tell the owner of {host}: it refuses the registration that it gave Postern itself.', {
    host,
  });
}

/** The proof that a request comes from this computer (RFC 9449) says when it was made. */
export function setClock(host: string): NetworkRemedy {
  return advise('check-clock', 'Set date and time of this computer, best automatically: {host} has another time.', {
    host,
  });
}

/** Asked for one nonce after the other. */
export function tellOfNonces(host: string): Remedy {
  return advise('tell-owner', 'Try again. If it stays so, tell the owner of {host}.', { host });
}

export const askForBinding = advise(
  'tell-owner',
  'Tell the owner of the service that it bound the access to no key, although it has to be (DPoP).',
);

export const tokenErrors = {
  TOKEN_RESPONSE_INVALID: {
    message: 'The sign-in service sent an answer that cannot be used. Nothing was saved.',
    remedy: startAgain,
    retryable: false,
  },
  TOKEN_CHARSET: {
    message: 'The sign-in service sent an access token with characters that are not allowed. Nothing was saved.',
    remedy: startAgain,
    retryable: false,
  },
  TOKEN_TYPE: {
    message: ({ unbound }) =>
      unbound === 1
        ? 'The sign-in service gave access that works on any computer, although it has to be bound to this one. Nothing was saved.'
        : 'The sign-in service sent a kind of access token that Postern cannot use. Nothing was saved.',
    remedy: advise('tell-owner', 'Ask the owner of the service for bearer tokens.'),
    retryable: false,
  },
  TOKEN_ERROR: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} did not accept the sign-in${answered(detail)}${namedError(detail)}.`,
    remedy: { kind: 'check-client', what: 'all' },
    retryable: false,
  },
  TOKEN_RATE_LIMITED: {
    message: (detail) => `${hostOr(detail, 'The sign-in service')} is busy and asks to wait${answered(detail)}.`,
    remedy: waitAsTold(),
    retryable: true,
  },
  TOKEN_SERVER_ERROR: {
    message: (detail) => `${hostOr(detail, 'The sign-in service')} is having problems${httpStatus(detail)}.`,
    remedy: waitAsTold(),
    retryable: true,
  },
  TOKEN_ENDPOINT_INSECURE: {
    message: (detail) =>
      `The sign-in service wants the sign-in sent unencrypted to ${hostOr(detail, 'another address')}. Nothing was sent.`,
    remedy: advise('tell-owner', 'Tell the owner of the service; the address has to start with https://.'),
    retryable: false,
  },
  PROOF_REFUSED: {
    message: (detail) =>
      detail['again'] === 1
        ? `${hostOr(detail, 'The service')} asked again and again for a new proof that the access is used on this computer (DPoP).`
        : `${hostOr(detail, 'The service')} did not accept the proof that the access is used on this computer (DPoP).`,
    remedy: advise('tell-owner', 'Try again. If it stays so, tell the owner of the service.'),
    retryable: true,
  },
  SCOPE_REDUCED: {
    message: 'The sign-in service granted fewer permissions than were asked for, so some tools may fail.',
    remedy: { kind: 'compare-scopes' },
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
