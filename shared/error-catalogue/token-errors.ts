import type { ErrorCode } from '../error-codes.ts';
import { answered, hostOr, laterStep, namedError } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { connectStep } from './connect-step.ts';

const startAgain = 'Start the sign-in again. If it happens again, tell the owner of the service.';

const refusalStep = (detail: CatalogueDetail): string => {
  switch (detail['error']) {
    case 'invalid_client':
    case 'unauthorized_client':
      if (detail['registered'] === 1)
        return `Tell the owner of ${hostOr(detail, 'the sign-in service')}: it refuses the registration that it gave Postern itself.`;
      return 'Check the client ID and the client secret, then sign in again.';
    case 'invalid_scope':
      return `Ask for other rights, or for fewer: ${connectStep(detail, '--scope SCOPES')}.`;
    case 'invalid_target':
      return 'Connect with --no-resource: this service may not know the server by its address.';
    default:
      return 'Start again. With a client ID of your own, check it, its secret and its redirect address.';
  }
};

export const tokenErrors = {
  TOKEN_RESPONSE_INVALID: {
    message: 'The sign-in service sent an answer that cannot be used. Nothing was saved.',
    nextStep: startAgain,
    retryable: false,
  },
  TOKEN_CHARSET: {
    message: 'The sign-in service sent an access token with characters that are not allowed. Nothing was saved.',
    nextStep: startAgain,
    retryable: false,
  },
  TOKEN_TYPE: {
    message: 'The sign-in service sent a kind of access token that Postern cannot use. Nothing was saved.',
    nextStep: 'Ask the owner of the service for bearer tokens.',
    retryable: false,
  },
  TOKEN_ERROR: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} did not accept the sign-in${answered(detail)}${namedError(detail)}.`,
    nextStep: refusalStep,
    retryable: false,
  },
  TOKEN_RATE_LIMITED: {
    message: (detail) => `${hostOr(detail, 'The sign-in service')} is busy and asks to wait${answered(detail)}.`,
    nextStep: laterStep,
    retryable: true,
  },
  TOKEN_SERVER_ERROR: {
    message: (detail) => `${hostOr(detail, 'The sign-in service')} has a fault of its own${answered(detail)}.`,
    nextStep: laterStep,
    retryable: true,
  },
  TOKEN_ENDPOINT_INSECURE: {
    message: (detail) =>
      `The sign-in service wants the sign-in sent unencrypted to ${hostOr(detail, 'another address')}. Nothing was sent.`,
    nextStep: 'Tell the owner of the service; the address has to start with https://.',
    retryable: false,
  },
  SCOPE_REDUCED: {
    message: 'The sign-in service granted fewer rights than were asked for, so some tools may fail.',
    nextStep: 'Compare granted and requested rights with `postern show`, and sign in again if some are missing.',
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
