import type { Demand } from '../oauth.ts';
import type { Remedy } from '../remedy.ts';
import {
  advise,
  statusSuffix,
  errorEntry,
  fixDocument,
  hostOr,
  namedError,
  textFor,
  waitRetryAfter,
} from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';
import { faultSentence } from './network-errors.ts';
import type { Fault, FaultFact } from './network-errors.ts';

/** Whether the problem is temporary. */
const isTemporary = ({ passing = false }: Detail<'passing'>): boolean => passing;

const typeCredentials: Remedy = { kind: 'type-credentials', documents: false };

/** Remedies for a wrong issuer: of the named sign-in service, or in what the server publishes itself. */
export const wrongIssuer = {
  ofService: advise('contact-owner', 'doNotSignInServiceIssuer'),
  ofServer: advise('contact-owner', 'doNotSignInInformationIssuer'),
};

const demandWords: Readonly<Record<Demand, string>> = {
  'pushed-request': 'pushed authorization requests, but names no address for them',
  'signed-request': 'signed sign-in requests (JAR)',
  dpop: 'tokens bound to a kind of key that Postern does not have (DPoP without ES256)',
  certificate: 'tokens bound to a client certificate (mutual TLS)',
  'client-key': 'clients to prove their identity with a certificate or an unusual kind of signature',
  'secret-signature': 'clients to sign with their secret (client_secret_jwt)',
  'response-type': 'a sign-in without an authorization code (response_types_supported)',
  'grant-type': 'a sign-in without an authorization code (grant_types_supported)',
  'client-grant': 'a user to sign in, not an OAuth app on its own (grant_types_supported)',
  'assertion-grant': 'something other than an assertion (grant_types_supported)',
  'response-mode': 'a response outside the callback address, such as JARM (response_modes_supported)',
};

const keyFaults = {
  unreadable: 'it can’t be read',
  public: 'it is the public half of the pair',
  locked: 'it has a passphrase',
  weak: 'it is too short',
  kind: 'it is of an unsupported kind',
};

export type ClientKeyFault = keyof typeof keyFaults;

export const discoveryErrors = {
  PRM_MISSING: errorEntry<'host' | 'status'>({
    blame: 'document',
    traits: ['nothing-published'],
    message: (detail) => `${hostOr(detail, 'The server')} publishes no sign-in information.`,
    remedy: { kind: 'connect-otherwise' },
    retryable: false,
  }),
  ASM_MISSING: errorEntry<'host'>({
    blame: 'document',
    traits: ['nothing-published'],
    message: (detail) => `${hostOr(detail, 'The server')} requires a sign-in but does not say how.`,
    remedy: { kind: 'connect-otherwise' },
    retryable: false,
  }),
  ASM_UNAVAILABLE: errorEntry<'host' | 'status'>({
    blame: 'answer',
    traits: ['service-down'],
    message: (detail) =>
      `The sign-in service${detail.host ? ` ${detail.host}` : ''} of this server is ${detail.status === 429 ? 'busy' : 'having problems'}${statusSuffix(detail)}.`,
    remedy: advise('wait', 'tryAgainLaterContactService'),
    retryable: true,
  }),
  RESOURCE_MISMATCH: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `The sign-in information belongs to a different server than the one you entered${detail.host ? ` (${detail.host})` : ''}. Postern sent nothing there.`,
    remedy: advise('contact-owner', 'doNotSignInContactOwner'),
    retryable: false,
  }),
  ISSUER_MISMATCH: errorEntry<'named' | 'host'>({
    blame: 'document',
    message: (detail) =>
      detail.named === true
        ? `${hostOr(detail, 'The sign-in service')} does not confirm that it is the sign-in service this server named. Postern stopped to protect your account.`
        : `${hostOr(detail, 'This server')} publishes the sign-in information of another service. Postern stopped to protect your account.`,
    remedy: wrongIssuer.ofServer,
    retryable: false,
  }),
  DEMAND_UNMET: errorEntry<'demand' | 'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} requires ${detail.demand === undefined ? 'another kind of sign-in' : demandWords[detail.demand]}. Postern does not support that.`,
    remedy: advise('contact-owner', 'askServiceWithoutIt'),
    retryable: false,
  }),
  PKCE_UNSUPPORTED: errorEntry({
    blame: 'document',
    message: 'This server’s sign-in lacks a protection that you require (PKCE with S256).',
    remedy: { kind: 'relax-pkce' },
    retryable: false,
  }),
  DCR_UNSUPPORTED: errorEntry<'status' | 'passing' | FaultFact, Fault>({
    blame: 'document',
    message: (detail) =>
      `Postern could not register at ${hostOr(detail, 'the sign-in service')}${isTemporary(detail) ? ' right now' : ''}${statusSuffix(detail)}.${faultSentence(detail)}`,
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
    message: 'The sign-in service sent an unusable response to the registration.',
    remedy: typeCredentials,
    retryable: false,
  }),
  DCR_REDIRECT_CHANGED: errorEntry({
    blame: 'answer',
    message: 'The sign-in service changed the callback address. Postern discarded the registration.',
    remedy: typeCredentials,
    retryable: false,
  }),
  DCR_SECRET_EXPIRED: errorEntry({
    blame: 'answer',
    message: 'The sign-in service registered Postern with a secret that has already expired.',
    remedy: advise('wait', 'tryAgainLaterOrContactService'),
    retryable: true,
  }),
  REG_UNAVAILABLE: errorEntry({
    blame: 'answer',
    message: 'The sign-in service can’t register Postern right now.',
    remedy: waitRetryAfter(),
    retryable: true,
  }),
  REG_ISSUER_MISMATCH: errorEntry<'host'>({
    blame: 'computer',
    message: (detail) =>
      `The saved sign-in of this server may not belong to ${hostOr(detail, 'the sign-in service that it uses now')}. Postern did not send it there.`,
    remedy: { kind: 'replace-credentials' },
    retryable: false,
  }),
  CREDENTIALS_REQUIRED: errorEntry<'host'>({
    blame: 'document',
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} needs a client ID from you, because apps can’t register themselves there.`,
    remedy: typeCredentials,
    retryable: false,
  }),
  CLIENT_DOCUMENT_REFUSED: errorEntry<'error'>({
    blame: 'input',
    message: (detail) =>
      `The sign-in service rejected the published document that identifies Postern${namedError(detail)}.`,
    remedy: { kind: 'check-document' },
    otherwise: fixDocument,
    retryable: false,
  }),
  CLIENT_KEY_INVALID: errorEntry<never, { readonly fault: ClientKeyFault }>({
    blame: 'input',
    message: (detail) => `Postern can’t use this private key: ${textFor(keyFaults, detail.fault, 'it can’t be read')}.`,
    remedy: advise('correct-client-key', 'usePrivateKey'),
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
    traits: ['renewal'],
    message: 'The sign-in service rejected this client ID with this client secret or key.',
    remedy: { kind: 'correct-credentials' },
    otherwise: { kind: 'sign-in', access: 'gone' },
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const discoveryErrorCauses: Causes<typeof discoveryErrors> = {
  PRM_MISSING: 'The server is older than MCP’s current sign-in, or it uses API keys only.',
  ASM_MISSING: 'The server is older than MCP’s current sign-in, or it uses API keys only.',
  ASM_UNAVAILABLE: 'An outage or maintenance of the sign-in service, or too many requests from your network.',
  RESOURCE_MISMATCH: 'A misconfigured server, often behind a proxy, or an attack.',
  ISSUER_MISMATCH: 'A misconfigured server, often a copied document or a proxy, or an attack.',
  DEMAND_UNMET: 'The service is configured for a kind of client or token that Postern does not support.',
  PKCE_UNSUPPORTED: 'You connected with `--pkce required`, and the service does not list S256.',
  DCR_UNSUPPORTED: 'The service turned registration off or requires a token for it, or it can’t be reached.',
  DCR_REJECTED: 'The service allows only apps or callback addresses on its own list.',
  DCR_RESPONSE_INVALID: 'The service does not implement registration (RFC 7591) correctly.',
  DCR_REDIRECT_CHANGED: 'The service has a fault, or it allows only callback addresses on its own list.',
  DCR_SECRET_EXPIRED: 'The service or this computer has a wrong clock.',
  REG_UNAVAILABLE: 'Too many registrations within a short time, or an outage.',
  REG_ISSUER_MISMATCH: 'The server changed to another sign-in service, or `config.json` was edited.',
  CREDENTIALS_REQUIRED: 'The service accepts only OAuth apps that you create there yourself.',
  CLIENT_DOCUMENT_REFUSED: 'The service can’t reach the document, or its address or content does not match.',
  CLIENT_KEY_INVALID: 'A public key, a key with a passphrase, a short RSA key, or a format other than PEM and JWK.',
  CLIENT_TO_FILL_IN: 'An example from the documentation was pasted unchanged, such as `YOUR_CLIENT_ID`.',
  CLIENT_REJECTED: 'The client ID or secret was mistyped, or the secret was replaced or has expired at the service.',
};
