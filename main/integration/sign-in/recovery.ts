import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { ClientCredentials } from '../../oauth/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import { listsPkce } from '../../oauth/pkce.ts';
import { learnedAuthentication } from '../../oauth/token-request.ts';
import { PosternError } from '../../postern-error.ts';
import type { Client } from './obtain-credentials.ts';

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

/** Errors that speak of the client itself (RFC 6749 4.1.2.1 and 5.2, RFC 7591 3.2.2 for a document). */
const clientErrors: ReadonlySet<unknown> = new Set([
  'unauthorized_client',
  'invalid_client',
  'invalid_client_metadata',
]);

/**
 * What may follow a failed attempt (spec 3.2): a forgotten registration is made anew once; a refused metadata document
 * gives way to a registration, where there is one; a service that wants PKCE and does not list it gets it; a code that
 * was lost to finding the right client authentication is asked for again once; any other failure of the exchange
 * leads back to the dialog. A code is never sent again by itself.
 */
export function recoveryFrom(
  error: unknown,
  attempted: Attempted,
  used: { readonly registerAgain: boolean; readonly authorizeAgain: boolean },
): Recovery {
  const { client, discovery } = attempted;
  if (!(error instanceof PosternError) || error.code === 'USER_CANCELLED') return { kind: 'give-up' };
  const refused =
    error.code === 'CLIENT_REJECTED' || (error.code === 'AS_ERROR' && clientErrors.has(error.detail['error']));
  const forgotten = refused && client.reused && client.credentials.source === 'registered';
  if (forgotten && !used.registerAgain) return { kind: 'register-again' };
  const ofDocument = documentRefused(error, client);
  if (ofDocument && discovery.metadata?.registration_endpoint !== undefined) return { kind: 'register-instead' };
  if (mayLackPkce(error, attempted)) return { kind: 'with-pkce' };
  const learned = learnedAuthentication(error, client.credentials);
  if (learned && !used.authorizeAgain) return { kind: 'authorize-again', credentials: learned };
  const leadsToDialog = refused || error.stage === 'token' || error.code === 'REG_ISSUER_MISMATCH';
  return leadsToDialog ? { kind: 'ask', error: ofDocument ?? error } : { kind: 'give-up' };
}

/** `invalid_request` is how a server refuses a request without a code challenge (RFC 7636 section 4.4.1). */
function mayLackPkce({ code, detail }: PosternError, { discovery, options }: Attempted): boolean {
  if (code !== 'AS_ERROR' || detail['error'] !== 'invalid_request' || options.pkce !== 'when-listed') return false;
  return !listsPkce(discovery.metadata);
}

/** Nobody has typed this client: what was refused is the document at its address. */
function documentRefused(error: PosternError, { credentials }: Client): PosternError | undefined {
  const { stage, detail } = error;
  if (credentials.source !== 'metadata-document' || !clientErrors.has(detail['error'])) return undefined;
  return new PosternError('CLIENT_DOCUMENT_REFUSED', { stage, cause: error, detail });
}
