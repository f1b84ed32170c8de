import { genericTokenEndpointRequest } from 'oauth4webapi';
import type { AddressPolicy } from '../../address/check-address.ts';
import { displayPlace } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { applyClientAuthentication, chooseClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { isSuccess } from '../wire/http-fetch.ts';
import { readJson } from '../wire/json-document.ts';
import { errorMember, isJsonObject } from '../wire/oauth-error.ts';
import { judgeIdentityAssertion } from './jwt-claims.ts';
import type { IdentityFault, IdentityUse } from './jwt-claims.ts';
import { exchangeAtTokenEndpoint } from './token-endpoint.ts';
import { readRefusal } from './token-refusal.ts';
import type { Identity, TokenSet } from './token-set.ts';

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';
const idJag = 'urn:ietf:params:oauth:token-type:id-jag';

export interface IdentityExchange {
  /** Of the sign-in at the provider. */
  readonly tokens: Pick<TokenSet, 'issuerKey' | 'tokenEndpoint'>;
  readonly identity: Identity;
  readonly credentials: ClientCredentials;
  readonly policy: AddressPolicy;
  readonly use: IdentityUse;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks an identity provider to say to another service who is signed in at it (RFC 8693 section 2.1,
 * draft-ietf-oauth-identity-assertion-authz-grant section 4). The answer is judged before anybody gets it.
 * Errors: those of `Http.exchange`, IDENTITY_REFUSED, IDENTITY_INVALID, TOKEN_RATE_LIMITED, TOKEN_SERVER_ERROR,
 * TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, REG_ISSUER_MISMATCH, PROOF_REFUSED.
 */
export async function exchangeIdentity(
  ports: { readonly http: Http; readonly clock: Clock },
  { tokens, identity, credentials, policy, use, signal }: IdentityExchange,
): Promise<Secret> {
  const { issuerKey, tokenEndpoint } = tokens;
  // Its credentials at the provider go to the provider alone.
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' });
  const { audience, resource } = use;
  const asked = {
    subject_token: identity.idToken.reveal(),
    subject_token_type: idToken,
    requested_token_type: idJag,
    audience,
    ...(resource !== undefined && { resource }),
  };
  const proof = applyClientAuthentication(chooseClientAuthentication(credentials), credentials);
  const answer = await exchangeAtTokenEndpoint(
    ports,
    { tokenEndpoint, issuerKey, policy, key: undefined, signal },
    'token',
    (endpoint, options) =>
      genericTokenEndpointRequest(
        { issuer: identity.issuer, token_endpoint: endpoint },
        { client_id: credentials.clientId },
        proof,
        tokenExchange,
        asked,
        options,
      ),
  );
  const text = readAnswer(answer, ports.clock);
  const fault = judgeIdentityAssertion(text, { ...use, issuer: identity.issuer, now: ports.clock.now() });
  if (fault) throw invalid(answer, fault);
  return new Secret(text);
}

/** What it grants is an assertion and no access, which `issued_token_type` says (RFC 8693 section 2.2.1). */
function readAnswer(answer: HttpResponse, clock: Clock): string {
  if (!isSuccess(answer.status)) {
    const refused = readRefusal(answer, clock, 'token');
    if (refused.kind !== 'refused') throw refused.error;
    const { detail } = refused.error;
    throw new PosternError('IDENTITY_REFUSED', { stage: 'token', cause: refused.error, ...(detail && { detail }) });
  }
  let document: unknown;
  try {
    document = readJson(answer.body, { stage: 'token' });
  } catch {
    throw invalid(answer, 'format');
  }
  if (!isJsonObject(document)) throw invalid(answer, 'format');
  if (errorMember(document) !== undefined) {
    throw new PosternError('IDENTITY_REFUSED', { stage: 'token', detail: { host: hostOf(answer) } });
  }
  const { access_token: text, issued_token_type: type } = document;
  if (type !== idJag) throw invalid(answer, 'type');
  if (typeof text !== 'string') throw invalid(answer, 'format');
  return text;
}

function invalid(answer: HttpResponse, fault: IdentityFault): PosternError {
  return new PosternError('IDENTITY_INVALID', { stage: 'token', detail: { host: hostOf(answer), fault } });
}

function hostOf({ url }: HttpResponse): string {
  return displayPlace(new URL(url));
}
