/**
 * How a server handles sign-in, as decided by discovery (spec 2.1). `OAuthWithCIMD` is ours: MCP 2026-07-28 client ID
 * metadata documents.
 */
export const authenticationMethods = ['NoAuth', 'OAuth', 'OAuthWithDCR', 'OAuthWithCIMD'] as const;

export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** Requirements of sign-in services that Postern does not support. */
export const demands = [
  'pushed-request',
  'signed-request',
  'dpop',
  'certificate',
  'client-key',
  'secret-signature',
  'response-type',
  'grant-type',
  'client-grant',
  'assertion-grant',
  'response-mode',
] as const;

export type Demand = (typeof demands)[number];

/** Error codes of authorization servers that may be shown; any other server text is not. */
export const oauthErrors = [
  // RFC 6749 sections 4.1.2.1 and 5.2
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  // OpenID Connect Core 1.0 section 3.1.2.6
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  // RFC 8707 section 2
  'invalid_target',
  // RFC 7591 section 3.2.2
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
  // RFC 7009 section 2.2.1, RFC 8628 section 3.5
  'unsupported_token_type',
  'slow_down',
  // RFC 6750 section 3.1, of a gate in front of the service
  'invalid_token',
  // RFC 9449 sections 5 and 8
  'invalid_dpop_proof',
  'use_dpop_nonce',
] as const;

export type OAuthError = (typeof oauthErrors)[number];
