import type { ErrorCode } from '../error-codes.ts';
import type { Remedy } from '../remedy.ts';
import {
  advise,
  answered,
  fixDocument,
  hostOr,
  httpStatus,
  namedError,
  namedScopes,
  timeOfDay,
} from './catalogue-entry.ts';
import { changedAddress } from './changed-address.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { faultSentence } from './network-faults.ts';

const signInAgain: Remedy = { kind: 'sign-in', access: 'gone' };

const checkEndpoint = advise(
  'check-address',
  'Check that the address is the one of its MCP endpoint (often it ends in /mcp), then try again.',
);

/**
 * After an answer with `status` that is not MCP. `retryAt`: when the server wants to be asked again, in milliseconds
 * since 1970. `undefined`: it depends on whose mistake it is.
 */
export function afterNoMcp(status: number, retryAt?: number): Remedy | undefined {
  if (status === 429 || isOutage({ status })) {
    return retryAt === undefined
      ? advise('wait', 'Try again later. If it stays so, tell the owner of the server.')
      : advise('wait', 'Try again after {time}. If it stays so, tell the owner of the server.', {
          time: timeOfDay(retryAt),
        });
  }
  return status === 403
    ? advise('tell-owner', 'Ask the owner of the server whether you may use it, and from where.')
    : undefined;
}

/** `newer`: where servers that speak both transports have the newer one. */
export function useNewTransport(newer?: string): Remedy {
  return newer === undefined
    ? advise(
        'check-connection',
        'Try another address of the same server (often it ends in /mcp). If there is nothing, ask its provider for the address with streamable HTTP.',
      )
    : advise(
        'check-connection',
        'Try {address}. If there is nothing, ask its provider for the address with streamable HTTP.',
        { address: newer },
      );
}

/** The server itself is broken or overloaded (RFC 9110 15.6): no wrong address. */
const isOutage = ({ status }: CatalogueDetail): boolean => Number(status ?? 0) >= 500;

/** An answer to a renewal that is neither a fault of the server nor the end of the sign-in. */
const isOtherRefusal = ({ error, status }: CatalogueDetail): boolean => error !== undefined && status !== undefined;

const refusalCode = ({ error }: CatalogueDetail): string =>
  error === 'unknown' ? ' without a reason that Postern knows' : `, code ${error}`;

const answerKinds: Readonly<Record<string, string>> = {
  'web-page': ' with a web page',
  'broken-json': ' with JSON that cannot be read',
  json: ' with data that is no answer of MCP',
  empty: ' with nothing in it',
};

/** What came instead of an answer of MCP, as far as it is known. */
const describeAnswer = ({ status, kind }: CatalogueDetail): string =>
  status === undefined ? '' : ` (it answered ${status}${answerKinds[String(kind)] ?? ''})`;

export const connectionErrors = {
  SIGN_IN_REQUIRED: {
    message: (detail) =>
      detail['access'] === 'lives'
        ? 'This sign-in came with no refresh token, so it cannot be renewed without you. Its access is kept until it ends.'
        : `${hostOr(detail, 'This server')} wants you to sign in.`,
    remedy: signInAgain,
    retryable: false,
  },
  NO_SIGN_IN: {
    message: (detail) => `${hostOr(detail, 'This server')} needs no sign-in, so there is no token for it.`,
    remedy: { kind: 'use-as-it-is', with: 'nothing' },
    retryable: false,
  },
  SCOPE_REQUIRED: {
    message: (detail) => {
      const host = hostOr(detail, 'This server');
      if (detail['scopeAnswer'] === 'refused')
        return `${host} wants permissions for this that the sign-in service did not grant${namedScopes(detail, ': ')}.`;
      if (detail['scopeAnswer'] === 'granted')
        return `${host} refuses this because it lacks permissions that the sign-in service says it granted${namedScopes(detail, ': ')}.`;
      return `${host} wants more permissions for this than you have granted${namedScopes(detail, ': ')}.`;
    },
    remedy: { kind: 'grant-scopes', answered: false },
    retryable: false,
  },
  TOKEN_REJECTED: {
    message: (detail) => `${hostOr(detail, 'The server')} refuses this sign-in, although it has not expired.`,
    remedy: { kind: 'sign-in-or-remove', because: 'refused' },
    retryable: false,
  },
  MCP_FAILED: {
    message: (detail) => {
      const host = hostOr(detail, 'The server');
      if (detail['status'] === 429) return `${host} has had too many requests and asks to wait (it answered 429).`;
      if (isOutage(detail)) return `${host} is having problems${httpStatus(detail)}.`;
      return `${host} does not answer as an MCP server should${describeAnswer(detail)}.`;
    },
    remedy: advise('tell-owner', 'Try again. If it keeps happening, contact the server’s owner.'),
    otherwise: checkEndpoint,
    retryable: true,
  },
  SESSION_ENDED: {
    message: (detail) =>
      `${hostOr(detail, 'The server')} forgot its session with Postern twice in a row${answered(detail)}.`,
    remedy: advise('wait', 'Try again. If it stays so, tell the owner of the server.'),
    retryable: true,
  },
  OLD_TRANSPORT: {
    message: (detail) =>
      `${hostOr(detail, 'This server')} has spoken the newer transport of MCP and shows only the old one now (HTTP+SSE of 2024). Postern does not follow it back.`,
    remedy: useNewTransport(),
    retryable: false,
  },
  ENDPOINT_REFUSED: {
    message: (detail) =>
      `${hostOr(detail, 'This server')} wants its messages at an address that is not its own. Nothing was sent there.`,
    remedy: fixDocument,
    retryable: false,
  },
  REFRESH_TRANSIENT: {
    message: (detail) => {
      const service = hostOr(detail, 'The sign-in service');
      if (isOutage(detail))
        return `${service} has a fault of its own just now (it answered ${detail['status']}), so your sign-in could not be renewed. It is kept.`;
      if (isOtherRefusal(detail))
        return `${service} did not renew your sign-in and did not say that it has ended (it answered ${detail['status']}${refusalCode(detail)}). It is kept.`;
      return `Your sign-in could not be renewed at ${hostOr(detail, 'the sign-in service')} just now${answered(detail)}. It is kept.${faultSentence(detail)}`;
    },
    remedy: { kind: 'await-renewal', mayLast: false },
    retryable: true,
  },
  REFRESH_REVOKED: {
    message: (detail) =>
      `Your sign-in at ${hostOr(detail, 'the service')} has ended: it expired, or it was withdrawn there.`,
    remedy: signInAgain,
    retryable: false,
  },
  REFRESH_REFUSED: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} refused to renew your sign-in${answered(detail)}${namedError(detail)}. It has most likely ended.`,
    remedy: signInAgain,
    retryable: false,
  },
  ADDRESS_CHANGED: {
    message: (detail) => changedAddress('sign-in', detail),
    remedy: { kind: 'sign-in-or-remove', because: 'address-changed' },
    retryable: false,
  },
  REFRESH_ISSUER_CHANGED: {
    message: 'This server now uses another sign-in service. Your old sign-in was not sent there.',
    remedy: signInAgain,
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
