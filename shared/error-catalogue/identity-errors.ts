import type { ErrorCode } from '../error-codes.ts';
import { advise, hostOr, namedError, textOf } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';

/** What is wrong with what a provider said of the person. */
const faults: Readonly<Record<string, string>> = {
  missing: 'did not say who you are: its answer holds no ID token of this sign-in',
  format: 'gave something that is no signed assertion',
  type: 'gave a token of another kind than was asked for',
  issuer: 'gave an assertion in the name of somebody else',
  ended: 'gave an assertion that has ended',
  audience: 'gave an assertion for another service',
  client: 'gave an assertion for another program',
  resource: 'gave an assertion for another server',
};

function faultOf({ fault }: CatalogueDetail): string {
  return faults[String(fault)] ?? 'gave an assertion that cannot be used';
}

/** Access by what the company's identity provider says of a person. */
export const identityErrors = {
  IDENTITY_REFUSED: {
    message: (detail) =>
      `${hostOr(detail, 'The identity provider')} does not vouch for you at this server${namedError(detail)}.`,
    remedy: advise('tell-owner', 'Ask whoever runs the identity provider to allow you and Postern this server.'),
    retryable: false,
  },
  IDENTITY_INVALID: {
    message: (detail) => `${hostOr(detail, 'The identity provider')} ${faultOf(detail)}. Nothing of it was passed on.`,
    remedy: advise('tell-owner', 'Tell whoever runs the identity provider what it answers.'),
    retryable: false,
  },
  PROVIDER_SIGN_IN: {
    message: (detail) => {
      const name = textOf(detail, 'name');
      return name === undefined
        ? 'The identity provider of this server is not connected any more.'
        : `You are not signed in to your identity provider “${name}” any more.`;
    },
    remedy: advise(
      'renew-assertion',
      'Sign in to the identity provider again; it then signs in for its servers by itself.',
    ),
    retryable: false,
  },
  PROVIDER_ONLY: {
    message: (detail) =>
      `${hostOr(detail, 'This')} is an identity provider: it signs in for other servers and has no tools itself.`,
    remedy: advise('check-address', 'Use one of the servers that it signs in for.'),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
