import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { listsPkce } from '../../oauth/authorization/pkce.ts';
import type { AuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import type { OAuthErrorName } from '../../oauth/wire/oauth-error.ts';
import type { CodeAnswer } from '../../oauth/token/token-request.ts';
import { PosternError } from '../../postern-error.ts';
import type { Client } from './find-or-register.ts';
import type { OtherIssuer } from './obtain-credentials.ts';

export type Recovery =
  | { readonly kind: 'register-again' | 'register-instead' | 'with-pkce' }
  | { readonly kind: 'ask'; readonly error: PosternError }
  | { readonly kind: 'authorize-again'; readonly credentials: ClientCredentials }
  | { readonly kind: 'give-up' };

/** What the failed attempt went with. */
export interface Attempted {
  readonly client: Client;
  readonly discovery: Pick<Discovery, 'metadata'>;
  readonly options: Pick<IntegrationOptions, 'pkce'>;
}

/** Why an attempt brought no tokens. */
export type Failure =
  | Exclude<AuthorizationResponse, { readonly kind: 'code' }>
  | Exclude<CodeAnswer, { readonly kind: 'tokens' }>
  | OtherIssuer
  | { readonly kind: 'error'; readonly error: unknown };

/** Errors that speak of the client itself (RFC 6749 4.1.2.1 and 5.2, RFC 7591 3.2.2 for a document). */
export const clientErrors: ReadonlySet<OAuthErrorName> = new Set([
  'unauthorized_client',
  'invalid_client',
  'invalid_client_metadata',
]);

/**
 * What may follow a failed attempt (spec 3.2): a forgotten registration is made again once; a refused metadata document
 * gives way to a registration, where there is one; a service that wants PKCE and does not list it gets it; a code that
 * was lost to finding the right client authentication is asked for again once; any other failure of the exchange
 * leads back to the dialog. A code is never sent again by itself.
 */
export function recoveryFrom(
  failure: Failure,
  { client, discovery, options }: Attempted,
  used: { readonly registerAgain: boolean; readonly authorizeAgain: boolean },
): Recovery {
  if (failure.kind === 'error' || failure.kind === 'proof-refused') return { kind: 'give-up' };
  const { error } = failure;
  if (failure.kind === 'exchange-failed' || failure.kind === 'other-issuer') return { kind: 'ask', error };
  if (failure.kind === 'code-lost') {
    return used.authorizeAgain ? { kind: 'ask', error } : { kind: 'authorize-again', credentials: failure.credentials };
  }
  const { source } = client.credentials;
  const ofClient = clientErrors.has(failure.name);
  if (ofClient && client.reused && source === 'registered' && !used.registerAgain) return { kind: 'register-again' };
  const ofDocument = ofClient && source === 'metadata-document';
  if (ofDocument && discovery.metadata?.registration_endpoint !== undefined) return { kind: 'register-instead' };
  const atPage = failure.kind === 'authorization-refused';
  // How a server refuses a request without a code challenge (RFC 7636 section 4.4.1).
  const mayLackPkce = atPage && failure.name === 'invalid_request' && options.pkce === 'when-listed';
  if (mayLackPkce && !listsPkce(discovery.metadata)) return { kind: 'with-pkce' };
  if (atPage && !ofClient) return { kind: 'give-up' };
  return { kind: 'ask', error: ofDocument ? documentRefused(error) : error };
}

/** Nobody has typed this client: what was refused is the document at its address. */
function documentRefused(cause: PosternError): PosternError {
  const { stage, detail } = cause;
  return new PosternError('CLIENT_DOCUMENT_REFUSED', { stage, cause, detail });
}
