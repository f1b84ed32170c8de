import { genericTokenEndpointRequest } from 'oauth4webapi';
import { isObject } from '../../../shared/json-object.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { applyClientAuthentication, chooseClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { isSuccess } from '../http/send-request.ts';
import { readJson } from '../http/json-document.ts';
import { errorMember } from '../http/oauth-error.ts';
import { findIdentityFault } from './jwt-claims.ts';
import type { IdentityFault, IdentityUse } from './jwt-claims.ts';
import { exchangeAtTokenEndpoint } from './token-endpoint.ts';
import { readTokenFailure } from './token-failure.ts';
import type { Identity, TokenSet } from './token-set.ts';

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';
const idJag = 'urn:ietf:params:oauth:token-type:id-jag';

interface IdentityExchange {
  /** Tokens of the sign-in at the identity provider. */
  readonly tokens: Pick<TokenSet, 'issuerKey' | 'tokenEndpoint'>;
  readonly identity: Identity;
  readonly credentials: ClientCredentials;
  readonly policy: AddressPolicy;
  readonly use: IdentityUse;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests an identity assertion for another service from an identity provider (RFC 8693 section 2.1,
 * draft-ietf-oauth-identity-assertion-authz-grant section 4). The assertion is checked before it is returned.
 * Errors: those of `Http.exchange`, IDENTITY_REFUSED, IDENTITY_INVALID, TOKEN_RATE_LIMITED, TOKEN_SERVER_ERROR,
 * TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, REG_ISSUER_MISMATCH, PROOF_REFUSED.
 */
export async function exchangeIdentity(
  ports: { readonly http: Http; readonly clock: Clock },
  { tokens, identity, credentials, policy, use, signal }: IdentityExchange,
): Promise<Secret> {
  const { issuerKey, tokenEndpoint } = tokens;
  // Credentials for the provider go only to the provider.
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' });
  const { audience, resource } = use;
  const parameters = {
    subject_token: identity.idToken.reveal(),
    subject_token_type: idToken,
    requested_token_type: idJag,
    audience,
    ...(resource !== undefined && { resource }),
  };
  const clientAuth = applyClientAuthentication(chooseClientAuthentication(credentials), credentials);
  const response = await exchangeAtTokenEndpoint(
    ports,
    { tokenEndpoint, issuerKey, policy, key: undefined, signal },
    'token',
    (endpoint, options) =>
      genericTokenEndpointRequest(
        { issuer: identity.issuer, token_endpoint: endpoint },
        { client_id: credentials.clientId },
        clientAuth,
        tokenExchange,
        parameters,
        options,
      ),
  );
  const text = readAssertion(response, ports.clock);
  const fault = findIdentityFault(text, { ...use, issuer: identity.issuer, now: ports.clock.now() });
  if (fault) throw invalid(response, fault);
  return new Secret(text);
}

/** The result is an assertion, not an access token, as `issued_token_type` says (RFC 8693 section 2.2.1). */
function readAssertion(response: HttpResponse, clock: Clock): string {
  if (!isSuccess(response.status)) {
    const refused = readTokenFailure(response, clock, 'token');
    if (refused.kind !== 'refused') throw refused.error;
    const { detail } = refused.error;
    throw new PosternError('IDENTITY_REFUSED', { stage: 'token', cause: refused.error, ...(detail && { detail }) });
  }
  let document: unknown;
  try {
    document = readJson(response.body, { stage: 'token' });
  } catch {
    throw invalid(response, 'format');
  }
  if (!isObject(document)) throw invalid(response, 'format');
  if (errorMember(document) !== undefined) {
    throw new PosternError('IDENTITY_REFUSED', { stage: 'token', detail: { host: hostOf(response) } });
  }
  const { access_token: text, issued_token_type: type } = document;
  if (type !== idJag) throw invalid(response, 'type');
  if (typeof text !== 'string') throw invalid(response, 'format');
  return text;
}

function invalid(response: HttpResponse, fault: IdentityFault): PosternError {
  return new PosternError('IDENTITY_INVALID', { stage: 'token', detail: { host: hostOf(response), fault } });
}

function hostOf({ url }: HttpResponse): string {
  return displayHostAndPort(new URL(url));
}
