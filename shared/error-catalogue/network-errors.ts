import type { ErrorCode } from '../error-codes.ts';
import type { Remedy } from '../remedy.ts';
import { advise, hostOr } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { describeFault, proxySettings } from './network-faults.ts';

export const tellOwner = advise('tell-owner', 'Try again later. If it keeps happening, contact the server’s owner.');
const checkAddress = advise(
  'check-address',
  'Check the address. If it is right, the owner of the server needs to fix this.',
);
export const checkConnection = advise('check-connection', 'Check your internet connection, then try again.');

/** The sentence of the fault where one is known, else that of the code. */
function withFault(words: CatalogueEntry & { message: (detail: CatalogueDetail) => string }): CatalogueEntry {
  return { ...words, message: (detail) => describeFault(detail) ?? words.message(detail) };
}

/** Where the address that helps is known. */
export function useAddress(address: string): Remedy {
  return advise('check-address', 'Use this address: {address}', { address });
}

/** Where a redirect leads; within a host, or where none is named, its name would say nothing. */
const placeOf = ({ host, target }: CatalogueDetail): string =>
  target === undefined || target === host ? 'another place' : String(target);

export const networkErrors = {
  DNS_FAIL: withFault({
    message: (detail) => `${hostOr(detail, 'The server')} could not be found on the network.`,
    remedy: checkConnection,
    otherwise: advise('check-address', 'Check the spelling of the address and your internet connection.'),
    retryable: true,
  }),
  DNS_REBIND: {
    message: (detail) =>
      `${hostOr(detail, 'The server')} suddenly pointed to a protected address. It was not contacted.`,
    remedy: { kind: 'allow-local', because: 'rebound' },
    retryable: false,
  },
  TLS_FAIL: withFault({
    message: (detail) => `No encrypted connection to ${hostOr(detail, 'the server')} could be made.`,
    remedy: tellOwner,
    otherwise: advise('check-address', 'Check the address, then try again.'),
    retryable: false,
  }),
  CONNECT_FAIL: withFault({
    message: (detail) => `The connection to ${hostOr(detail, 'the server')} failed.`,
    remedy: checkConnection,
    otherwise: advise('check-address', 'Check the address and your internet connection, then try again.'),
    retryable: true,
  }),
  PROXY_FAIL: withFault({
    message: (detail) =>
      `The proxy ${detail['proxy'] === undefined ? '' : `${detail['proxy']} `}did not open the way to ${hostOr(detail, 'the server')}.`,
    remedy: proxySettings,
    retryable: true,
  }),
  DEADLINE: withFault({
    message: (detail) => `${hostOr(detail, 'The server')} took too long to answer.`,
    remedy: advise('check-connection', 'Try again later.'),
    retryable: true,
  }),
  REDIRECT_REFUSED: {
    message: (detail) =>
      detail['address'] === undefined
        ? `${hostOr(detail, 'The server')} sends Postern on to ${placeOf(detail)}. Postern stopped there.`
        : `${hostOr(detail, 'The server')} is to be used with https.`,
    remedy: advise('tell-owner', 'The server may have moved: ask its owner for the new address.'),
    otherwise: advise(
      'check-address',
      'Check the address; the server may have moved. Use its new address if its owner names one.',
    ),
    retryable: false,
  },
  REDIRECT_LOOP: {
    message: (detail) => `${hostOr(detail, 'The server')} sent Postern from page to page without end.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
  HEADERS_TOO_LARGE: {
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent an answer that Postern cannot accept (its headers are too large).`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
  BODY_TOO_LARGE: {
    message: (detail) => `${hostOr(detail, 'The server')} sent far more data than belongs in such an answer.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
  BODY_ENCODING: {
    message: (detail) => `${hostOr(detail, 'The server')} sent compressed data although Postern asked for plain data.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
  CONTENT_TYPE: {
    message: (detail) => `${hostOr(detail, 'This address')} answered with a web page instead of connection data.`,
    remedy: advise(
      'check-connection',
      'If your network has a sign-in page, sign in there first. If it keeps happening, contact the server’s owner.',
    ),
    otherwise: advise(
      'check-address',
      'Check the address, or sign in to your network first if it shows a sign-in page.',
    ),
    retryable: false,
  },
  JSON_INVALID: {
    message: (detail) => `${hostOr(detail, 'The server')} sent data that cannot be read.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
  JSON_DEPTH: {
    message: (detail) => `${hostOr(detail, 'The server')} sent data that is nested too deeply to be accepted.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
  JSON_DUPLICATE_KEY: {
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent data that says the same thing twice, so it cannot be trusted.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
  SCHEMA_INVALID: {
    message: (detail) =>
      `${hostOr(detail, 'The server')} sent sign-in data that is incomplete or wrong${detail['field'] === undefined ? '' : ` (${detail['field']})`}.`,
    remedy: tellOwner,
    otherwise: checkAddress,
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
