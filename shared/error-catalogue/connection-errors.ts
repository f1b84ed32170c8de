import type { ErrorCode } from '../error-codes.ts';
import { hostOr, timeOfDay } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';

const signInAgain = 'Sign in again: repeat the command with --sign-in browser.';

const nameOf = (detail: CatalogueDetail, otherwise: string): string =>
  detail['name'] === undefined ? otherwise : `"${detail['name']}"`;

export const connectionErrors = {
  SIGN_IN_REQUIRED: {
    message: (detail) => `${hostOr(detail, 'This server')} wants you to sign in.`,
    nextStep: signInAgain,
    retryable: false,
  },
  NO_SIGN_IN: {
    message: (detail) => `${hostOr(detail, 'This server')} needs no sign-in, so there is no token for it.`,
    nextStep: 'Use it as it is: postern tools NAME, postern call NAME TOOL.',
    retryable: false,
  },
  SCOPE_REQUIRED: {
    message: (detail) => `${hostOr(detail, 'This server')} wants more rights for this than you have granted.`,
    nextStep: 'Grant them: repeat the command with --sign-in browser.',
    retryable: false,
  },
  TOKEN_REJECTED: {
    message: (detail) => `${hostOr(detail, 'The server')} refuses this sign-in, although it has not expired.`,
    nextStep:
      'Sign in again with --sign-in browser, perhaps with another account, or remove the server and connect it anew.',
    retryable: false,
  },
  MCP_FAILED: {
    message: (detail) => `${hostOr(detail, 'The server')} does not answer as an MCP server should.`,
    nextStep: 'Check that the address is the one of its MCP endpoint (often it ends in /mcp), then try again.',
    retryable: true,
  },
  TOOL_NOT_FOUND: {
    message: (detail) => `This server has no tool ${nameOf(detail, 'of that name')}.`,
    nextStep: 'List its tools with `postern tools`.',
    retryable: false,
  },
  REFRESH_TRANSIENT: {
    message: 'Your sign-in could not be renewed just now. It is kept.',
    nextStep: (detail) =>
      detail['retryAt'] === undefined
        ? 'Check your internet connection and try again.'
        : `The sign-in service needs a rest. Try again after ${timeOfDay(detail['retryAt'])}.`,
    retryable: true,
  },
  REFRESH_REVOKED: {
    message: 'Your sign-in has ended: it expired, or it was withdrawn at the service.',
    nextStep: signInAgain,
    retryable: false,
  },
  REFRESH_UNCERTAIN: {
    message: 'The connection broke while your sign-in was renewed, so it is not known whether it worked.',
    nextStep: 'Try again; if that does not help, sign in again with --sign-in browser.',
    retryable: true,
  },
  REFRESH_ISSUER_CHANGED: {
    message: 'This server now uses another sign-in service. Your old sign-in was not sent there.',
    nextStep: signInAgain,
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
