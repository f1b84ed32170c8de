import type { ClientCredentials } from '../../oauth/client-credentials.ts';
import { learnedAuthentication } from '../../oauth/token-request.ts';
import { PosternError } from '../../postern-error.ts';
import type { Client } from './obtain-credentials.ts';

export type Recovery =
  | { readonly kind: 'register-again' | 'ask'; readonly error: PosternError }
  | { readonly kind: 'authorize-again'; readonly credentials: ClientCredentials }
  | { readonly kind: 'give-up' };

/** Errors that speak of the client itself (RFC 6749 4.1.2.1 and 5.2, RFC 7591 3.2.2 for a document). */
const clientErrors: ReadonlySet<unknown> = new Set([
  'unauthorized_client',
  'invalid_client',
  'invalid_client_metadata',
]);

/**
 * What may follow a failed attempt (spec 3.2): a forgotten registration is made anew once; a code that was lost to
 * finding the right client authentication is asked for again once; any other failure of the exchange leads back to
 * the dialog. A code is never sent again by itself.
 */
export function recoveryFrom(
  error: unknown,
  client: Client,
  used: { readonly registerAgain: boolean; readonly authorizeAgain: boolean },
): Recovery {
  if (!(error instanceof PosternError) || error.code === 'USER_CANCELLED') return { kind: 'give-up' };
  const refused =
    error.code === 'CLIENT_REJECTED' || (error.code === 'AS_ERROR' && clientErrors.has(error.detail['error']));
  const forgotten = refused && client.reused && client.credentials.source === 'registered';
  if (forgotten && !used.registerAgain) return { kind: 'register-again', error };
  const learned = learnedAuthentication(error, client.credentials);
  if (learned && !used.authorizeAgain) return { kind: 'authorize-again', credentials: learned };
  const leadsToDialog = refused || error.stage === 'token' || error.code === 'REG_ISSUER_MISMATCH';
  return leadsToDialog ? { kind: 'ask', error: documentRefused(error, client) ?? error } : { kind: 'give-up' };
}

/** Nobody has typed this client: what was refused is the document at its address. */
function documentRefused(error: PosternError, { credentials }: Client): PosternError | undefined {
  const { stage, detail } = error;
  if (credentials.source !== 'metadata-document' || !clientErrors.has(detail['error'])) return undefined;
  return new PosternError('CLIENT_DOCUMENT_REFUSED', { stage, cause: error, detail });
}
