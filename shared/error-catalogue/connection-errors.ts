import type { NetworkRemedy, Remedy } from '../remedy.ts';
import {
  advise,
  answered,
  fixDocument,
  hostOr,
  httpStatus,
  namedError,
  namedScopes,
  sayOf,
  timeOfDay,
  errorEntry,
} from './catalogue-entry.ts';
import type { Detail } from './catalogue-entry.ts';
import { faultSentence } from './network-errors.ts';
import type { Fault, FaultFact } from './network-errors.ts';

const signInAgain: Remedy = { kind: 'sign-in', access: 'gone' };

const checkEndpoint = advise('check-address', 'checkMcpEndpoint');

/** The network may put a page of its own in the place of an answer. */
export const signInToNetwork: NetworkRemedy = advise('check-connection', 'signInToNetwork');

/**
 * After an answer with `status` that is not MCP. `retryAt`: when the server wants to be asked again, in milliseconds
 * since 1970. `undefined`: it depends on whose mistake it is.
 */
export function afterNoMcp(status: number, retryAt?: number, kind?: AnswerKind | WrongAnswerKind): Remedy | undefined {
  if (status === 511) return signInToNetwork;
  if (status === 429 || isOutage({ status })) {
    return retryAt === undefined
      ? advise('wait', 'tryAgainLaterTellOwner')
      : advise('wait', 'tryAgainAfterTellOwner', {
          time: timeOfDay(retryAt),
        });
  }
  // The server is there, and does not want this user (RFC 9110 sections 15.5.3 and 15.5.4, RFC 4918, RFC 7725).
  if ([402, 403, 423, 451].includes(status)) return advise('tell-owner', 'askOwnerWhetherAllowed');
  if (status === 413) return advise('go-on', 'sendLess');
  return kind !== undefined && Object.hasOwn(wrongAnswers, kind) ? fixDocument : undefined;
}

/** `newer`: where servers that speak both transports have the newer one. */
export function useNewTransport(newer?: string): Remedy {
  return newer === undefined
    ? advise('check-connection', 'tryAnotherAddress')
    : advise('check-connection', 'tryNamedAddress', { address: newer });
}

/** The server itself is broken or overloaded (RFC 9110 15.6): no wrong address. */
const isOutage = ({ status = 0 }: Detail<'status'>): boolean => status >= 500;

/** An MCP server refuses with a message. A web page comes from a firewall or proxy in front of it. */
const isBlocked = ({ status, kind }: Detail<'status', Kind>): boolean => status === 403 && kind === 'web-page';

/** An answer to a renewal that is neither a fault of the server nor the end of the sign-in. */
const isOtherRefusal = ({ error, status }: Detail<'error' | 'status'>): boolean =>
  error !== undefined && status !== undefined;

const refusalCode = ({ error }: Detail<'error'>): string =>
  error === 'unknown' ? ' without a reason that Postern knows' : `, code ${error}`;

const answerKinds = {
  'web-page': ' with a web page',
  'broken-json': ' with JSON that cannot be read',
  json: ' with data that is no answer of MCP',
  empty: ' with nothing in it',
};

/** Answers of an MCP server that only its owner can correct. */
const wrongAnswers = {
  'no-revision': 'began a session without naming its protocol version',
  'other-revision': 'began a session with a protocol version that Postern cannot use',
  'several-texts': 'answered with several JSON texts where one belongs',
  'revision-refused': 'refuses the protocol version that Postern names',
};

/**
 * What kind of thing answered: `mcp` is a JSON-RPC answer or an event stream, `old-transport` the stream of HTTP+SSE
 * (MCP 2024-11-05). `unread`: it came too slowly or was too long to say.
 */
export type AnswerKind = 'mcp' | 'old-transport' | 'other' | 'unread' | SpokenKind;
export type SpokenKind = keyof typeof answerKinds;

/** What is wrong with an answer of an MCP server. */
export type WrongAnswerKind = keyof typeof wrongAnswers;
export type Kind = { readonly kind: AnswerKind | WrongAnswerKind };

/** Of an MCP server, what its owner has to correct, and the revision that it names; `undefined`: it is none of these. */
export function wrongAnswer({ kind, revision }: Detail<'revision', Kind>): string | undefined {
  const wrong = sayOf(wrongAnswers, kind, undefined);
  return wrong === undefined || revision === undefined ? wrong : `${wrong}: ${revision}`;
}

/** What came instead of an answer of MCP, as far as it is known. */
const describeAnswer = ({ status, kind }: Detail<'status', Kind>): string =>
  status === undefined ? '' : ` (it answered ${status}${sayOf(answerKinds, kind, '')})`;

export const connectionErrors = {
  SIGN_IN_REQUIRED: errorEntry<'access' | 'host'>({
    blame: 'nobody',
    about: ['refused-sign-in', 'sign-in-required'],
    message: (detail) =>
      detail.access === 'lives'
        ? 'This sign-in came with no refresh token, so it cannot be renewed without you. Its access is kept until it ends.'
        : `${hostOr(detail, 'This server')} wants you to sign in.`,
    remedy: signInAgain,
    retryable: false,
  }),
  NO_SIGN_IN: errorEntry<'host'>({
    blame: 'nobody',
    message: (detail) => `${hostOr(detail, 'This server')} needs no sign-in, so there is no token for it.`,
    remedy: { kind: 'use-as-it-is', with: 'nothing' },
    retryable: false,
  }),
  SCOPE_REQUIRED: errorEntry<'scopeAnswer' | 'host' | 'scopes'>({
    blame: 'nobody',
    message: (detail) => {
      const host = hostOr(detail, 'This server');
      if (detail.scopeAnswer === 'refused')
        return `${host} wants permissions for this that the sign-in service did not grant${namedScopes(detail, ': ')}.`;
      if (detail.scopeAnswer === 'granted')
        return `${host} refuses this because it lacks permissions that the sign-in service says it granted${namedScopes(detail, ': ')}.`;
      return `${host} wants more permissions for this than you have granted${namedScopes(detail, ': ')}.`;
    },
    remedy: { kind: 'grant-scopes', answered: false },
    retryable: false,
  }),
  TOKEN_REJECTED: errorEntry<'host'>({
    blame: 'answer',
    about: ['refused-sign-in'],
    message: (detail) => `${hostOr(detail, 'The server')} refuses this sign-in, although it has not expired.`,
    remedy: { kind: 'sign-in-or-remove', because: 'refused' },
    retryable: false,
  }),
  ACCESS_REFUSED: errorEntry<'host'>({
    blame: 'answer',
    about: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not allow your account to do this.`,
    remedy: advise('tell-owner', 'askOwnerWhetherAllowed'),
    retryable: false,
  }),
  MCP_FAILED: errorEntry<'status' | 'host' | 'revision', Kind>({
    blame: 'answer',
    about: ['not-mcp'],
    message: (detail) => {
      const host = hostOr(detail, 'The server');
      if (detail.status === 429) return `${host} has had too many requests and asks to wait (it answered 429).`;
      if (detail.status === 511) return `Your network wants you to sign in before ${host} can be reached (HTTP 511).`;
      if (isOutage(detail)) return `${host} is having problems${httpStatus(detail)}.`;
      // RFC 9110 section 15.5.14.
      if (detail.status === 413) return `${host} takes no request as large as this (it answered 413).`;
      if (isBlocked(detail)) return `${host} answered 403 with a web page. A firewall seems to block Postern.`;
      const wrong = wrongAnswer(detail);
      if (wrong !== undefined) return `${host} ${wrong}${httpStatus(detail)}.`;
      return `${host} does not answer as an MCP server should${describeAnswer(detail)}.`;
    },
    remedy: advise('tell-owner', 'tryAgainContactOwner'),
    otherwise: checkEndpoint,
    retryable: true,
  }),
  SESSION_ENDED: errorEntry<'host' | 'status'>({
    blame: 'answer',
    message: (detail) =>
      `${hostOr(detail, 'The server')} forgot its session with Postern twice in a row${answered(detail)}.`,
    remedy: advise('wait', 'tryAgainTellOwner'),
    retryable: true,
  }),
  OLD_TRANSPORT: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'This server')} has spoken the newer transport of MCP and shows only the old one now (HTTP+SSE of 2024). Postern does not follow it back.`,
    remedy: useNewTransport(),
    retryable: false,
  }),
  ENDPOINT_REFUSED: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'This server')} wants its messages at an address that is not its own. Nothing was sent there.`,
    remedy: fixDocument,
    retryable: false,
  }),
  REFRESH_TRANSIENT: errorEntry<'status' | 'error' | FaultFact, Fault>({
    blame: 'answer',
    about: ['passing', 'renewal'],
    message: (detail) => {
      const service = hostOr(detail, 'The sign-in service');
      if (isOutage(detail))
        return `${service} has a fault of its own just now (it answered ${detail.status}), so your sign-in could not be renewed. It is kept.`;
      if (isOtherRefusal(detail))
        return `${service} did not renew your sign-in and did not say that it has ended (it answered ${detail.status}${refusalCode(detail)}). It is kept.`;
      return `Your sign-in could not be renewed at ${hostOr(detail, 'the sign-in service')} just now${answered(detail)}. It is kept.${faultSentence(detail)}`;
    },
    remedy: { kind: 'await-renewal', mayLast: false },
    retryable: true,
  }),
  REFRESH_REVOKED: errorEntry<'host'>({
    blame: 'nobody',
    about: ['renewal'],
    message: (detail) =>
      `Your sign-in at ${hostOr(detail, 'the service')} has ended: it expired, or it was withdrawn there.`,
    remedy: signInAgain,
    retryable: false,
  }),
  REFRESH_REFUSED: errorEntry<'host' | 'error' | 'status'>({
    blame: 'nobody',
    about: ['renewal', 'renewal-refused'],
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} refused to renew your sign-in${answered(detail)}${namedError(detail)}. It has most likely ended.`,
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
    about: ['renewal'],
    message: 'This server now uses another sign-in service. Your old sign-in was not sent there.',
    remedy: signInAgain,
    retryable: false,
  }),
};

/** That `secret` was not sent; with `detail.was`, the place that it is for. */
function changedAddress(secret: 'sign-in' | 'API key', detail: Detail<'host' | 'was'>): string {
  const { was } = detail;
  const host = hostOr(detail, 'this server');
  if (was === undefined)
    return `The ${secret} that is kept is not known to be for ${host} at its present address, so it was not sent there.`;
  return was === host
    ? `This ${secret} is for another address at ${host}: the settings file was changed outside Postern. It was not sent.`
    : `This ${secret} is for ${was}, and the settings file, changed outside Postern, now says ${host}. It was not sent there.`;
}

export const apiKeyErrors = {
  API_KEY_REFUSED: errorEntry<'host' | 'header'>({
    blame: 'input',
    message: (detail) =>
      detail.header === undefined
        ? `${hostOr(detail, 'The server')} refuses this API key, or what you want to do with it.`
        : `${hostOr(detail, 'The server')} wants a sign-in, and does not take the header ${detail.header} in its place.`,
    remedy: { kind: 'replace-key', because: 'refused' },
    retryable: false,
  }),
  API_KEY_MISSING: errorEntry<'host'>({
    blame: 'computer',
    message: (detail) => `The API key for ${hostOr(detail, 'this server')} is not kept here any more.`,
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
    message: (detail) => `${hostOr(detail, 'This server')} is used with an API key, so there is no token.`,
    remedy: { kind: 'use-as-it-is', with: 'key' },
    retryable: false,
  }),
  API_KEY_INVALID: errorEntry<'toFillIn'>({
    blame: 'input',
    message: (detail) =>
      detail.toFillIn === undefined
        ? 'That cannot be the name or the value of a header for an API key.'
        : `The value of ${detail.toFillIn} is one to fill in: put your own key in its place.`,
    remedy: advise('correct-key', 'useHeaderName'),
    retryable: false,
  }),
};

export const registryErrors = {
  REGISTRY_OFF: errorEntry({
    blame: 'nobody',
    message: 'The search of the MCP registry is off, so nothing was asked.',
    remedy: advise('try-again', 'turnOnRegistry'),
    retryable: false,
  }),
  REGISTRY_BUSY: errorEntry<'host' | 'status'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The registry')} cannot answer at the moment${answered(detail)}.`,
    remedy: advise('wait', 'tryAgainLater'),
    retryable: true,
  }),
  REGISTRY_UNUSABLE: errorEntry<'host' | 'status'>({
    blame: 'input',
    message: (detail) => `${hostOr(detail, 'This')} does not answer as an MCP registry does${answered(detail)}.`,
    remedy: advise('check-address', 'checkRegistryAddress'),
    retryable: false,
  }),
};
