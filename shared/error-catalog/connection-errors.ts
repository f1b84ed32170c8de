import type { NetworkRemedy, Remedy } from '../remedy.ts';
import {
  advise,
  statusSuffix,
  fixDocument,
  hostOr,
  httpStatus,
  namedError,
  namedScopes,
  textFor,
  errorEntry,
} from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';
import { faultSentence } from './network-errors.ts';
import type { Fault, FaultFact } from './network-errors.ts';

const signInAgain: Remedy = { kind: 'sign-in', access: 'gone' };

const checkEndpoint = advise('check-address', 'checkMcpEndpoint');

/** A captive portal may replace the response with its own page. */
export const signInToNetwork: NetworkRemedy = advise('check-connection', 'signInToNetwork');

/**
 * The remedy for a response with `status` that is not MCP; `undefined` if it depends on whose mistake it is. `retryAt`:
 * when the server asked to retry, in milliseconds since 1970.
 */
export function remedyForNonMcp(
  status: number,
  retryAt?: number,
  kind?: ResponseKind | WrongResponseKind,
): Remedy | undefined {
  if (status === 511) return signInToNetwork;
  if (status === 429 || isOutage({ status })) {
    return retryAt === undefined
      ? advise('wait', 'tryAgainLaterContactOwner')
      : advise('wait', 'tryAgainAfterContactOwner', { time: retryAt });
  }
  // The server works but refuses this user (RFC 9110 sections 15.5.3 and 15.5.4, RFC 4918, RFC 7725).
  if ([402, 403, 423, 451].includes(status)) return advise('contact-owner', 'askOwnerWhetherAllowed');
  if (status === 413) return advise('go-on', 'sendLess');
  return kind !== undefined && Object.hasOwn(wrongResponses, kind) ? fixDocument : undefined;
}

/** `newer`: the address where servers with both transports have the newer one. */
export function suggestNewTransport(newer?: string): Remedy {
  return newer === undefined
    ? advise('check-connection', 'tryAnotherAddress')
    : advise('check-connection', 'tryNamedAddress', { address: newer });
}

/** The server itself is broken or overloaded (RFC 9110 15.6), so the address is right. */
const isOutage = ({ status = 0 }: Detail<'status'>): boolean => status >= 500;

/** An MCP server refuses with a message; a web page comes from a firewall or proxy in front of it. */
const isBlocked = ({ status, kind }: Detail<'status', Kind>): boolean => status === 403 && kind === 'web-page';

/** A refused renewal that is neither an outage nor the end of the sign-in. */
const isOtherRefusal = ({ error, status }: Detail<'error' | 'status'>): boolean =>
  error !== undefined && status !== undefined;

const refusalCode = ({ error }: Detail<'error'>): string => (error === 'unknown' ? ', unknown reason' : `, ${error}`);

const responseKinds = {
  'web-page': ', a web page',
  'broken-json': ', invalid JSON',
  json: ', data that is not an MCP response',
  empty: ', an empty response',
};

/** Wrong responses that only the server's owner can fix. */
const wrongResponses = {
  'no-revision': 'started a session without a protocol version',
  'other-revision': 'started a session with a protocol version that Postern does not support',
  'several-texts': 'sent several JSON texts in one response',
  'revision-refused': 'rejects the protocol version that Postern uses',
};

/**
 * What the response was: `mcp` is a JSON-RPC response or an event stream, `old-transport` the HTTP+SSE stream of
 * MCP 2024-11-05. `incomplete`: too slow or too long to tell.
 */
export type ResponseKind = 'mcp' | 'old-transport' | 'other' | 'incomplete' | DescribedKind;
export type DescribedKind = keyof typeof responseKinds;

/** What is wrong with a response of an MCP server. */
export type WrongResponseKind = keyof typeof wrongResponses;
export type Kind = { readonly kind: ResponseKind | WrongResponseKind };

/** What the server's owner has to fix, with the revision that the server named; `undefined` for any other response. */
export function wrongResponse({ kind, revision }: Detail<'revision', Kind>): string | undefined {
  const wrong = textFor(wrongResponses, kind, undefined);
  return wrong === undefined || revision === undefined ? wrong : `${wrong}: ${revision}`;
}

/** Status and kind of a response that is not MCP, in parentheses; empty if unknown. */
const describeResponse = ({ status, kind }: Detail<'status', Kind>): string =>
  status === undefined ? '' : ` (HTTP ${status}${textFor(responseKinds, kind, '')})`;

export const connectionErrors = {
  SIGN_IN_REQUIRED: errorEntry<'access' | 'host'>({
    blame: 'nobody',
    traits: ['refused-sign-in', 'sign-in-required'],
    message: (detail) =>
      detail.access === 'lives'
        ? 'This sign-in has no refresh token, so Postern can’t renew it for you. It works until it expires.'
        : `${hostOr(detail, 'This server')} asks you to sign in.`,
    remedy: signInAgain,
    retryable: false,
  }),
  NO_SIGN_IN: errorEntry<'host'>({
    blame: 'nobody',
    message: (detail) => `${hostOr(detail, 'This server')} needs no sign-in, so it has no token.`,
    remedy: { kind: 'use-as-it-is', with: 'nothing' },
    retryable: false,
  }),
  SCOPE_REQUIRED: errorEntry<'scopeAnswer' | 'host' | 'scopes'>({
    blame: 'nobody',
    message: (detail) => {
      const host = hostOr(detail, 'This server');
      if (detail.scopeAnswer === 'refused')
        return `${host} needs permissions for this that the sign-in service did not grant${namedScopes(detail)}.`;
      if (detail.scopeAnswer === 'granted')
        return `${host} rejects permissions that the sign-in service says it granted${namedScopes(detail)}.`;
      return `${host} needs more permissions for this than you have granted${namedScopes(detail)}.`;
    },
    remedy: { kind: 'grant-scopes', answered: false },
    retryable: false,
  }),
  TOKEN_REJECTED: errorEntry<'host'>({
    blame: 'answer',
    traits: ['refused-sign-in'],
    message: (detail) => `${hostOr(detail, 'The server')} rejects your sign-in, although it has not expired.`,
    remedy: { kind: 'sign-in-or-remove', because: 'refused' },
    retryable: false,
  }),
  ACCESS_REFUSED: errorEntry<'host'>({
    blame: 'answer',
    traits: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not allow your account to do this.`,
    remedy: advise('contact-owner', 'askOwnerWhetherAllowed'),
    retryable: false,
  }),
  MCP_FAILED: errorEntry<'status' | 'host' | 'revision', Kind>({
    blame: 'answer',
    traits: ['not-mcp'],
    message: (detail) => {
      const host = hostOr(detail, 'The server');
      if (detail.status === 429) return `${host} got too many requests (HTTP 429).`;
      if (detail.status === 511) return `Your network requires a sign-in before you can reach ${host} (HTTP 511).`;
      if (isOutage(detail)) return `${host} is having problems${httpStatus(detail)}.`;
      // RFC 9110 section 15.5.14.
      if (detail.status === 413) return `${host} does not accept a request this large (HTTP 413).`;
      if (isBlocked(detail)) return `${host} returned a web page (HTTP 403). A firewall may be blocking Postern.`;
      if (detail.kind === 'web-page')
        return `${host} returned a web page${httpStatus(detail)}, not the response of an MCP server.`;
      const wrong = wrongResponse(detail);
      if (wrong !== undefined) return `${host} ${wrong}${httpStatus(detail)}.`;
      return `${host} does not respond as an MCP server should${describeResponse(detail)}.`;
    },
    remedy: advise('contact-owner', 'tryAgainContactOwner'),
    otherwise: checkEndpoint,
    retryable: true,
  }),
  SESSION_ENDED: errorEntry<'host' | 'status'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The server')} ended its session with Postern twice in a row${statusSuffix(detail)}.`,
    remedy: advise('wait', 'tryAgainContactOwner'),
    retryable: true,
  }),
  OLD_TRANSPORT: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'This server')} used the current MCP transport before and now offers only the old one (HTTP+SSE, 2024). Postern does not switch back.`,
    remedy: suggestNewTransport(),
    retryable: false,
  }),
  ENDPOINT_REFUSED: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'This server')} asked Postern to send messages to another site. Postern sent nothing there.`,
    remedy: fixDocument,
    retryable: false,
  }),
  REFRESH_TRANSIENT: errorEntry<'status' | 'error' | FaultFact, Fault>({
    blame: 'answer',
    traits: ['passing', 'renewal'],
    message: (detail) => {
      const service = hostOr(detail, 'The sign-in service');
      if (isOutage(detail))
        return `${service} is having problems${httpStatus(detail)}. Postern could not renew your sign-in, which is still saved.`;
      if (isOtherRefusal(detail))
        return `${service} did not renew your sign-in (HTTP ${detail.status}${refusalCode(detail)}). It is still saved.`;
      return `Postern could not renew your sign-in at ${hostOr(detail, 'the sign-in service')}${statusSuffix(detail)}. It is still saved.${faultSentence(detail)}`;
    },
    remedy: { kind: 'await-renewal', mayLast: false },
    retryable: true,
  }),
  REFRESH_REVOKED: errorEntry<'host'>({
    blame: 'nobody',
    traits: ['renewal'],
    message: (detail) => `Your sign-in at ${hostOr(detail, 'the service')} expired or was revoked there.`,
    remedy: signInAgain,
    retryable: false,
  }),
  REFRESH_REFUSED: errorEntry<'host' | 'error' | 'status'>({
    blame: 'nobody',
    traits: ['renewal', 'renewal-refused'],
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} refused to renew your sign-in${statusSuffix(detail)}${namedError(detail)}. It has probably expired.`,
    remedy: signInAgain,
    retryable: false,
  }),
  ADDRESS_CHANGED: errorEntry<'host' | 'was'>({
    blame: 'computer',
    message: (detail) => changedAddress('sign-in', detail),
    remedy: { kind: 'sign-in-or-remove', because: 'address-changed' },
    retryable: false,
  }),
  REFRESH_ISSUER_CHANGED: errorEntry({
    blame: 'document',
    traits: ['renewal'],
    message: 'This server now uses a different sign-in service. Postern did not send your old sign-in there.',
    remedy: signInAgain,
    retryable: false,
  }),
};

/** `detail.was`: the address that the secret belongs to. */
function changedAddress(secret: 'sign-in' | 'API key', detail: Detail<'host' | 'was'>): string {
  const { was } = detail;
  const host = hostOr(detail, 'this server');
  if (was === undefined)
    return `The saved ${secret} may not belong to the current address of ${host}. Postern did not send it there.`;
  return was === host
    ? `The settings file was changed outside Postern. This ${secret} belongs to another address at ${host}. Postern did not send it.`
    : `The settings file was changed outside Postern and now says ${host}. This ${secret} belongs to ${was}. Postern did not send it.`;
}

export const apiKeyErrors = {
  API_KEY_REFUSED: errorEntry<'host' | 'header'>({
    blame: 'input',
    message: (detail) =>
      detail.header === undefined
        ? `${hostOr(detail, 'The server')} rejected this API key, or does not allow it to do this.`
        : `${hostOr(detail, 'The server')} needs a sign-in and does not accept the header ${detail.header} instead.`,
    remedy: { kind: 'replace-key', because: 'refused' },
    retryable: false,
  }),
  API_KEY_MISSING: errorEntry<'host'>({
    blame: 'computer',
    message: (detail) => `Postern no longer has the API key for ${hostOr(detail, 'this server')}.`,
    remedy: { kind: 'replace-key', because: 'missing' },
    retryable: false,
  }),
  API_KEY_ADDRESS_CHANGED: errorEntry<'host' | 'was'>({
    blame: 'computer',
    message: (detail) => changedAddress('API key', detail),
    remedy: { kind: 'replace-key', because: 'address-changed' },
    retryable: false,
  }),
  API_KEY_INSTEAD: errorEntry<'host'>({
    blame: 'nobody',
    message: (detail) => `${hostOr(detail, 'This server')} uses an API key, so it has no token.`,
    remedy: { kind: 'use-as-it-is', with: 'key' },
    retryable: false,
  }),
  API_KEY_INVALID: errorEntry<'toFillIn'>({
    blame: 'input',
    message: (detail) =>
      detail.toFillIn === undefined
        ? 'This is not a valid name or value for an API key header.'
        : `The value of ${detail.toFillIn} is only a placeholder. Replace it with your own key.`,
    remedy: advise('correct-key', 'useHeaderName'),
    retryable: false,
  }),
};

export const registryErrors = {
  REGISTRY_OFF: errorEntry({
    blame: 'nobody',
    message: 'Search in the MCP registry is turned off.',
    remedy: advise('try-again', 'turnOnRegistry'),
    retryable: false,
  }),
  REGISTRY_BUSY: errorEntry<'host' | 'status'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The registry')} is having problems${statusSuffix(detail)}.`,
    remedy: advise('wait', 'tryAgainLater'),
    retryable: true,
  }),
  REGISTRY_UNUSABLE: errorEntry<'host' | 'status'>({
    blame: 'input',
    message: (detail) =>
      `${hostOr(detail, 'This address')} does not respond like an MCP registry${statusSuffix(detail)}.`,
    remedy: advise('check-address', 'checkRegistryAddress'),
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const connectionErrorCauses: Causes<typeof connectionErrors & typeof apiKeyErrors & typeof registryErrors> = {
  SIGN_IN_REQUIRED: 'You are not signed in, or the sign-in expired and the service gave Postern no way to renew it.',
  NO_SIGN_IN: '`token`, `exec` or `refresh` was used on a server that needs no sign-in.',
  SCOPE_REQUIRED: 'A tool needs more than you granted when you signed in.',
  TOKEN_REJECTED: 'The server expects another account or service, or it no longer trusts this sign-in.',
  ACCESS_REFUSED: 'Your account lacks a role or a plan that the server requires, or the server blocks your network.',
  MCP_FAILED: 'An outage, a firewall in front of the server, or an address that is not its MCP endpoint.',
  SESSION_ENDED: 'The server is restarting, or a load balancer sends requests to several of its instances.',
  OLD_TRANSPORT: 'The provider changed the server or moved it to another address.',
  ENDPOINT_REFUSED: 'An older server (HTTP+SSE) behind a proxy that names a wrong address, or an attack.',
  REFRESH_TRANSIENT: 'No internet connection, or an outage of the sign-in service.',
  REFRESH_REVOKED: 'You changed your password, revoked access there, or did not use the sign-in for a long time.',
  REFRESH_REFUSED: 'The sign-in expired, an administrator revoked it, or your OAuth app was changed.',
  ADDRESS_CHANGED:
    '`config.json` was edited outside Postern, so the server has another address than when you signed in.',
  REFRESH_ISSUER_CHANGED: 'The server’s owner changed to another sign-in service.',
  API_KEY_REFUSED:
    'The key was mistyped, revoked or has expired, or the server expects it in another header or after “Bearer”.',
  API_KEY_MISSING: 'You signed out, which deletes the key, or the vault was replaced.',
  API_KEY_ADDRESS_CHANGED: '`config.json` was edited outside Postern, so the server has another address than its key.',
  API_KEY_INSTEAD: '`token`, `exec` or `refresh` was used on a server that has an API key.',
  API_KEY_INVALID:
    'The header name contains a space or a colon, HTTP reserves it, or the value was copied with a line break.',
  REGISTRY_OFF: 'The search is turned off by default.',
  REGISTRY_BUSY: 'An outage, or too many searches within a short time.',
  REGISTRY_UNUSABLE: 'The registry’s address in the settings was mistyped.',
};
