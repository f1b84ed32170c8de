import type { Demand } from '../demand.ts';
import type { ErrorCode } from '../error-codes.ts';
import { answered, hostOr, laterStep, namedError } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { connectStep } from './connect-step.ts';
import { describeFault, faultSentence } from './network-faults.ts';
import { signInStep } from './sign-in-step.ts';

const atCallback = (detail: CatalogueDetail): string =>
  detail['callbackUrl'] === undefined
    ? 'the callback address that `postern doctor` shows'
    : String(detail['callbackUrl']);

const credentialsStep = (detail: CatalogueDetail): string =>
  `Create an OAuth app at the service, with ${atCallback(detail)} as its redirect address, then ${connectStep(detail, '--client-id ID')} and, if it has a secret, --client-secret-stdin.`;

/** A fault of the service that passes: whoever put it into `detail` has seen its cause. */
const isPassing = (detail: CatalogueDetail): boolean => detail['passing'] === 1;

const withoutSignIn =
  'Check the address. Connect an older server with --legacy-endpoints, and one with an API key with --header NAME --header-value-stdin.';

/** The server names a sign-in service, so what stands in for none (MCP 2025-03-26) is not used. */
const withTypedEndpoints =
  'Tell the owner of the server. If you know the addresses of its sign-in, connect with --authorization-endpoint URL --token-endpoint URL.';

const demandWords: Readonly<Record<string, string>> = {
  'pushed-request': 'the sign-in sent ahead by the program (pushed authorization requests)',
  'signed-request': 'the sign-in signed by the program (signed request objects)',
  dpop: 'access that is bound to a key of the program (DPoP)',
  certificate: 'access that is bound to a certificate of the program (mutual TLS)',
  'client-key': 'programs that prove who they are with a key or certificate of their own',
  'response-type': 'another kind of sign-in than by code (response_types_supported)',
  'grant-type': 'another kind of sign-in than by code (grant_types_supported)',
  'response-mode': 'to answer a sign-in otherwise than in the address (response_modes_supported)',
} satisfies Readonly<Record<Demand, string>>;

export const discoveryErrors = {
  PRM_MISSING: {
    message: (detail) => `${hostOr(detail, 'The server')} publishes no sign-in information.`,
    nextStep: withoutSignIn,
    retryable: false,
  },
  ASM_MISSING: {
    message: (detail) => `${hostOr(detail, 'The server')} asks for a sign-in, but does not say how it works.`,
    nextStep: (detail) => (detail['named'] === 1 ? withTypedEndpoints : withoutSignIn),
    retryable: false,
  },
  ASM_UNAVAILABLE: {
    message: (detail) =>
      `The sign-in service${detail['host'] ? ` ${detail['host']}` : ''} of this server has a fault of its own just now.`,
    nextStep: 'Try again later. If it stays so, tell the owner of the service.',
    retryable: true,
  },
  RESOURCE_MISMATCH: {
    message: (detail) =>
      `The sign-in information belongs to a different server than the one you entered${detail['host'] ? ` (${detail['host']})` : ''}. Nothing was sent there.`,
    nextStep: 'Check the address. If it is right, do not sign in, and tell the owner of the server.',
    retryable: false,
  },
  ISSUER_MISMATCH: {
    message: (detail) =>
      detail['named'] === 1
        ? `${hostOr(detail, 'The sign-in service')} does not prove that it is the sign-in service that this server named. Postern stopped to protect your account.`
        : `The sign-in information that ${hostOr(detail, 'this server')} publishes is that of another service. Postern stopped to protect your account.`,
    nextStep: (detail) =>
      `Do not sign in. Tell the owner of the server that the issuer ${detail['named'] === 1 ? 'of its sign-in service' : 'in its sign-in information'} is wrong.`,
    retryable: false,
  },
  DEMAND_UNMET: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} wants ${demandWords[String(detail['demand'])] ?? 'something'}, which Postern cannot do.`,
    nextStep: (detail) =>
      detail['client'] === 1
        ? `Create an OAuth app at the service that needs none of it, with ${atCallback(detail)} as its redirect address, then ${connectStep(detail, '--client-id ID')}.`
        : 'Ask the owner of the service to let programs such as Postern sign in without it.',
    retryable: false,
  },
  PKCE_UNSUPPORTED: {
    message: 'The sign-in of this server lacks a protection that you require (PKCE with S256).',
    nextStep: 'If you trust the server, connect without requiring it: --pkce when-listed.',
    retryable: false,
  },
  DCR_UNSUPPORTED: {
    message: (detail) =>
      `Postern could not register itself with ${hostOr(detail, 'the sign-in service')}${isPassing(detail) ? ' just now' : ''}${answered(detail)}.${faultSentence(detail)}`,
    nextStep: (detail) =>
      isPassing(detail)
        ? `${describeFault(detail)?.nextStep ?? laterStep(detail)} If it stays so: ${credentialsStep(detail)}`
        : credentialsStep(detail),
    retryable: isPassing,
  },
  DCR_REJECTED: {
    message: (detail) => `The sign-in service refused to register Postern${namedError(detail)}.`,
    nextStep: credentialsStep,
    retryable: false,
  },
  DCR_RESPONSE_INVALID: {
    message: 'The sign-in service answered the registration with something unusable.',
    nextStep: credentialsStep,
    retryable: false,
  },
  DCR_REDIRECT_CHANGED: {
    message: 'The sign-in service changed the address to return to. The registration was thrown away.',
    nextStep: credentialsStep,
    retryable: false,
  },
  DCR_SECRET_EXPIRED: {
    message: 'The sign-in service registered Postern with a secret that has already expired.',
    nextStep: 'Try again later, or tell the owner of the service.',
    retryable: true,
  },
  REG_UNAVAILABLE: {
    message: 'The sign-in service cannot register Postern now.',
    nextStep: laterStep,
    retryable: true,
  },
  REG_ISSUER_MISMATCH: {
    message:
      'What is kept for this server is not known to belong to the sign-in service that it uses now, so it was not sent there.',
    nextStep: (detail) =>
      `Sign in again. Where you gave a client ID, give the one that this service knows: ${connectStep(detail, '--client-id ID')}.`,
    retryable: false,
  },
  CREDENTIALS_REQUIRED: {
    message: (detail) =>
      `${hostOr(detail, 'The sign-in service')} needs a client ID from you: it does not let programs register by themselves.`,
    nextStep: (detail) =>
      detail['documents'] === 1
        ? `${credentialsStep(detail)} It reads published client documents too: if you have one, ${connectStep(detail, '--client-metadata-url URL')}.`
        : credentialsStep(detail),
    retryable: false,
  },
  CLIENT_DOCUMENT_REFUSED: {
    message: (detail) =>
      `The sign-in service does not accept the published document that says who Postern is${namedError(detail)}.`,
    nextStep: (detail) =>
      `Check that the service can read it at the address that you gave, or connect without --client-metadata-url: ${connectStep(detail)}.`,
    retryable: false,
  },
  CLIENT_REJECTED: {
    message: 'The sign-in service does not accept this client ID or client secret.',
    nextStep: (detail) =>
      detail['signIn'] === undefined
        ? `Check both, and that the redirect address registered there is exactly ${atCallback(detail)}.`
        : `Check them at the service. Then, in a terminal, which asks for them: ${signInStep(detail)}. Without one: ${connectStep(detail, `${detail['connect'] === undefined ? '--name NAME ' : ''}--client-id ID --client-secret-stdin`)}.`,
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
