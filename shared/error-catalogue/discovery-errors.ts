import type { Demand } from '../oauth.ts';
import type { Remedy } from '../remedy.ts';
import { advise, answered, errorEntry, fixDocument, hostOr, namedError, sayOf, waitAsTold } from './catalogue-entry.ts';
import type { Detail } from './catalogue-entry.ts';
import { faultSentence } from './network-errors.ts';
import type { Fault, FaultFact } from './network-errors.ts';

/** Whether it is said to be so "just now". */
const isPassing = ({ passing = false }: Detail<'passing'>): boolean => passing;

const typeCredentials: Remedy = { kind: 'type-credentials', documents: false };

/** Against a wrong issuer: of the sign-in service that the server names, or in what the server publishes itself. */
export const wrongIssuer = {
  ofService: advise('tell-owner', 'doNotSignInServiceIssuer'),
  ofServer: advise('tell-owner', 'doNotSignInInformationIssuer'),
};

const demandWords: Readonly<Record<Demand, string>> = {
  'pushed-request': 'the sign-in sent ahead to an address that it does not name (pushed authorization requests)',
  'signed-request': 'the sign-in signed by the program (signed request objects, JAR)',
  dpop: 'access that is bound to a key of another kind than Postern has (DPoP without ES256)',
  certificate: 'access that is bound to a certificate of the program (mutual TLS)',
  'client-key': 'programs that prove who they are with a certificate, or with a signature of a kind that is not usual',
  'secret-signature': 'programs that prove who they are by signing with their secret (client_secret_jwt)',
  'response-type': 'another kind of sign-in than by code (response_types_supported)',
  'grant-type': 'another kind of sign-in than by code (grant_types_supported)',
  'client-grant': 'a person to sign in, and gives programs no access of their own (grant_types_supported)',
  'assertion-grant': 'something else than an assertion in place of a sign-in (grant_types_supported)',
  'response-mode': 'to answer a sign-in otherwise than in the address, as with JARM (response_modes_supported)',
};

const keyFaults = {
  unreadable: 'it cannot be read',
  public: 'it is the public half',
  locked: 'it has a passphrase',
  weak: 'it is too short',
  kind: 'it is of another kind',
};

export type ClientKeyFault = keyof typeof keyFaults;

export const discoveryErrors = {
  PRM_MISSING: errorEntry<'host' | 'status'>({
    blame: 'document',
    about: ['nothing-published'],
    message: (detail) => `${hostOr(detail, 'The server')} publishes no sign-in information.`,
    remedy: { kind: 'connect-otherwise' },
    retryable: false,
  }),
  ASM_MISSING: errorEntry<'host'>({
    blame: 'document',
    about: ['nothing-published'],
    message: (detail) => `${hostOr(detail, 'The server')} asks for a sign-in, but does not say how it works.`,
    remedy: { kind: 'connect-otherwise' },
    retryable: false,
  }),
  ASM_UNAVAILABLE: errorEntry<'host' | 'status'>({
    blame: 'answer',
    about: ['service-down'],
    message: (detail) =>
      `The sign-in service${detail.host ? ` ${detail.host}` : ''} of this server ${detail.status === 429 ? `is busy and asks to wait${answered(detail)}` : 'has a fault of its own just now'}.`,
    remedy: advise('wait', 'tryAgainLaterTellService'),
    retryable: true,
  }),
  RESOURCE_MISMATCH: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `The sign-in information belongs to a different server than the one you entered${detail.host ? ` (${detail.host})` : ''}. Nothing was sent there.`,
    remedy: advise('tell-owner', 'doNotSignInContactOwner'),
    retryable: false,
  }),
  ISSUER_MISMATCH: errorEntry<'named' | 'host'>({
    blame: 'document',
    message: (detail) =>
      detail.named === true
        ? `${hostOr(detail, 'The sign-in service')} does not prove that it is the sign-in service that this server named. Postern stopped to protect your account.`
        : `The sign-in information that ${hostOr(detail, 'this server')} publishes is that of another service. Postern stopped to protect your account.`,
    remedy: wrongIssuer.ofServer,
    retryable: false,
  }),
  DEMAND_UNMET: errorEntry<'demand' | 'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} wants ${detail.demand === undefined ? 'something' : demandWords[detail.demand]}, which Postern cannot do.`,
    remedy: advise('tell-owner', 'askServiceWithoutIt'),
    retryable: false,
  }),
  PKCE_UNSUPPORTED: errorEntry({
    blame: 'document',
    message: 'The sign-in of this server lacks a protection that you require (PKCE with S256).',
    remedy: { kind: 'relax-pkce' },
    retryable: false,
  }),
  DCR_UNSUPPORTED: errorEntry<'status' | 'passing' | FaultFact, Fault>({
    blame: 'document',
    message: (detail) =>
      `Postern could not register itself with ${hostOr(detail, 'the sign-in service')}${isPassing(detail) ? ' just now' : ''}${answered(detail)}.${faultSentence(detail)}`,
    remedy: typeCredentials,
    retryable: false,
  }),
  DCR_REJECTED: errorEntry<'error' | 'status'>({
    blame: 'answer',
    message: (detail) => `The sign-in service refused to register Postern${namedError(detail)}.`,
    remedy: typeCredentials,
    retryable: false,
  }),
  DCR_RESPONSE_INVALID: errorEntry({
    blame: 'answer',
    message: 'The sign-in service answered the registration with something unusable.',
    remedy: typeCredentials,
    retryable: false,
  }),
  DCR_REDIRECT_CHANGED: errorEntry({
    blame: 'answer',
    message: 'The sign-in service changed the address to return to. The registration was thrown away.',
    remedy: typeCredentials,
    retryable: false,
  }),
  DCR_SECRET_EXPIRED: errorEntry({
    blame: 'answer',
    message: 'The sign-in service registered Postern with a secret that has already expired.',
    remedy: advise('wait', 'tryAgainLaterOrTellService'),
    retryable: true,
  }),
  REG_UNAVAILABLE: errorEntry({
    blame: 'answer',
    message: 'The sign-in service cannot register Postern now.',
    remedy: waitAsTold(),
    retryable: true,
  }),
  REG_ISSUER_MISMATCH: errorEntry<'host'>({
    blame: 'computer',
    message: (detail) =>
      `What is kept for this server is not known to belong to ${hostOr(detail, 'the sign-in service that it uses now')}, so it was not sent there.`,
    remedy: { kind: 'replace-credentials' },
    retryable: false,
  }),
  CREDENTIALS_REQUIRED: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} needs a client ID from you: it does not let programs register by themselves.`,
    remedy: typeCredentials,
    retryable: false,
  }),
  CLIENT_DOCUMENT_REFUSED: errorEntry<'error'>({
    blame: 'input',
    message: (detail) =>
      `The sign-in service does not accept the published document that says who Postern is${namedError(detail)}.`,
    remedy: { kind: 'check-document' },
    otherwise: fixDocument,
    retryable: false,
  }),
  CLIENT_KEY_INVALID: errorEntry<never, { readonly fault: ClientKeyFault }>({
    blame: 'input',
    message: (detail) => `This private key cannot be used: ${sayOf(keyFaults, detail.fault, 'it cannot be read')}.`,
    remedy: advise('correct-client-key', 'givePrivateKey'),
    retryable: false,
  }),
  CLIENT_TO_FILL_IN: errorEntry<never, { readonly part: 'clientId' | 'clientSecret' }>({
    blame: 'input',
    message: (detail) => `The client ${detail.part === 'clientId' ? 'ID' : 'secret'} is only a placeholder.`,
    remedy: advise('go-on', 'replaceWithOwnValue'),
    retryable: false,
  }),
  CLIENT_REJECTED: errorEntry<'host'>({
    blame: 'input',
    about: ['renewal'],
    message: 'The sign-in service does not accept this client ID with this client secret or key.',
    remedy: { kind: 'correct-credentials' },
    otherwise: { kind: 'sign-in', access: 'gone' },
    retryable: false,
  }),
};
