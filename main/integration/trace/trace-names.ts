/**
 * What a trace may show, by name: everything else keeps its name and loses its value. None of these can hold a
 * secret by its definition; where a server puts one there all the same, `TraceRedactor` finds it again.
 */

export const openParameters: ReadonlySet<string> = new Set([
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'resource', 'code_challenge_method', 'prompt'],
  ...['access_type', 'response_mode', 'iss', 'error'],
]);

export const openHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'content-length', 'allow', 'cache-control', 'retry-after', 'server'],
  ...['mcp-protocol-version', 'mcp-method', 'mcp-name', 'access-control-allow-origin'],
]);

/** Members of forms and JSON documents; a member of a member as `outer.inner`. */
export const openMembers: ReadonlySet<string> = new Set([
  // RFC 6749, 7009, 7636, 8707: requests and answers
  ...['grant_type', 'client_id', 'redirect_uri', 'scope', 'resource', 'token_type_hint', 'token_type', 'expires_in'],
  ...['error', 'error_description', 'error_uri'],
  // RFC 8693
  ...['audience', 'subject_token_type', 'requested_token_type', 'issued_token_type'],
  // RFC 7591
  ...['client_name', 'redirect_uris', 'grant_types', 'response_types', 'application_type'],
  ...['token_endpoint_auth_method', 'client_id_issued_at', 'client_secret_expires_at'],
  // RFC 9728
  ...['authorization_servers', 'scopes_supported', 'bearer_methods_supported', 'resource_name'],
  // RFC 9449
  ...['dpop_signing_alg_values_supported', 'dpop_bound_access_tokens', 'dpop_bound_access_tokens_required'],
  // RFC 8628
  ...['device_authorization_endpoint', 'verification_uri', 'interval'],
  // RFC 8414, 9207, OpenID Connect Discovery, client id metadata documents
  ...['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'],
  ...['pushed_authorization_request_endpoint', 'require_pushed_authorization_requests'],
  ...['jwks_uri', 'userinfo_endpoint', 'introspection_endpoint', 'response_types_supported'],
  ...['response_modes_supported', 'grant_types_supported', 'token_endpoint_auth_methods_supported'],
  ...['revocation_endpoint_auth_methods_supported', 'code_challenge_methods_supported', 'prompt_values_supported'],
  ...['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'],
  // JSON-RPC and MCP
  ...['jsonrpc', 'method', 'error.code', 'params.protocolVersion', 'params.name'],
  ...['result.protocolVersion', 'result.resultType'],
]);

/** Their values are called secret; of all other values that are not shown only the length is told. */
export const secretNames: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'dpop', 'cookie', 'set-cookie', 'mcp-session-id'],
  ...[
    'code',
    'device_code',
    'user_code',
    'verification_uri_complete',
    'state',
    'nonce',
    'code_verifier',
    'client_secret',
    'token',
    'access_token',
    'refresh_token',
  ],
  ...[
    'request_uri',
    'id_token',
    'assertion',
    'subject_token',
    'client_assertion',
    'registration_access_token',
    'registration_client_uri',
  ],
]);
