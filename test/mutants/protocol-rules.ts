import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** Removes checks that OAuth and MCP require, each with one edit. Tried by `npm test`. */
export const protocolRules: readonly Mutant[] = [
  removedCheck(
    'duplicate-members',
    ['findJsonFault', "if ($seen?.has($key)) return 'JSON_DUPLICATE_KEY';", ''],
    ['unit', 'unit/main/oauth/http/json-document.test.ts', 'refuses a name'],
  ),
  removedCheck(
    'resource-by-characters',
    [
      'matchesResource',
      'const $server = $segments($serverUrl); return $segments($resource).every(($segment, $index) => $segment === $server[$index]);',
      'return $serverUrl.pathname.startsWith($resource.pathname);',
    ],
    ['unit', 'unit/main/oauth/discovery/resource.test.ts', ''],
  ),
  removedCheck(
    'issuer-with-a-query',
    ['fetchAuthorizationServerMetadata', "if (!$text.includes('?')) return $issuer;", 'return $issuer;'],
    ['unit', 'unit/main/oauth/discovery/authorization-server-metadata.test.ts', 'sends no request for the issuer'],
  ),
  removedCheck(
    'issuer-not-compared',
    ['compareIssuer', "if ($asked === $published) return 'identical';", "if ($asked !== '') return 'identical';"],
    ['unit', 'unit/main/oauth/discovery/issuer.test.ts', 'RFC 8414 section 3.3'],
  ),
  removedCheck(
    'endpoints-of-a-fallback-issuer',
    ['compareIssuer', '!$endpointsStay || !isTrustworthy($one)', '!isTrustworthy($one)'],
    ['unit', 'unit/main/oauth/discovery/issuer.test.ts', 'endpoints at'],
  ),
  removedCheck(
    'pkce-policy-required',
    ['applyPkce', "$policy === 'required'", "$policy === ('never' as string)"],
    ['unit', 'unit/main/oauth/authorization/pkce.test.ts', 'if the policy is required'],
  ),
  removedCheck(
    'another-resource',
    ['AuthorizationRequest', '$discovery.resource', 'new URL($discovery.url).origin'],
    ['unit', 'unit/main/oauth/authorization/authorization-request.test.ts', 'has exactly the parameters'],
  ),
  removedCheck(
    'request-with-foreign-credentials',
    ['AuthorizationRequest', '$credentials.issuerKey !== $issuerKey', "$credentials.issuerKey === ''"],
    ['unit', 'unit/main/oauth/authorization/authorization-request.test.ts', 'refuses credentials of another issuer'],
  ),
  removedCheck(
    'doubled-parameters',
    [
      'validateAuthorizationResponse',
      "if (new Set($names).size !== $names.length) throw $fail('CALLBACK_INVALID');",
      '',
    ],
    ['unit', 'unit/main/oauth/authorization/authorization-response.test.ts', 'refuses the callback'],
  ),
  removedCheck(
    'any-state',
    ['validateAuthorizationResponse', "if (!isSameText($state, $request.state)) throw $fail('STATE_UNKNOWN');", ''],
    ['unit', 'unit/main/oauth/authorization/authorization-response.test.ts', 'rejects any state but its own'],
  ),
  removedCheck(
    'state-never-expires',
    ['validateAuthorizationResponse', "if ($isExpired($request, $clock)) throw new SignInEnd('expired', $);", ''],
    ['unit', 'unit/main/oauth/authorization/authorization-response.test.ts', 'expires after ten minutes'],
  ),
  removedCheck(
    'foreign-iss',
    [
      'validateAuthorizationResponse',
      "if ($iss !== null && $iss !== $request.expectedIss) throw $fail('ISS_MISMATCH');",
      '',
    ],
    ['unit', 'unit/main/oauth/authorization/authorization-response.test.ts', 'iss'],
  ),
  removedCheck(
    'missing-iss',
    ['validateAuthorizationResponse', "if ($iss === null && $request.issExpected) throw $fail('ISS_MISSING');", ''],
    ['unit', 'unit/main/oauth/authorization/authorization-response.test.ts', 'RFC 9207'],
  ),
  removedCheck(
    'code-and-error',
    ['validateAuthorizationResponse', "if ($error !== null && $code !== null) throw $fail('CALLBACK_INVALID');", ''],
    ['unit', 'unit/main/oauth/authorization/authorization-response.test.ts', 'refuses the callback'],
  ),
  removedCheck(
    'tokens-in-the-front-channel',
    ['validateAuthorizationResponse', '($name) => $parameters.has($name)', "($name) => $name === ''"],
    ['unit', 'unit/main/oauth/authorization/authorization-response.test.ts', 'refuses the callback'],
  ),
  removedCheck(
    'state-twice',
    ['AuthorizationSession', "this.$end = 'used';", ''],
    ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts', 'accepts the right state once'],
  ),
  removedCheck(
    'state-used-again',
    ['AuthorizationSession', 'if (this.#end) return this.#end;', ''],
    ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts', 'accepts the right state once'],
  ),
  removedCheck(
    'ticket-twice',
    [
      'AuthTickets',
      'const $ticket = this.$tickets.get($id); this.$tickets.delete($id);',
      'const $ticket = this.$tickets.get($id);',
    ],
    ['unit', 'unit/main/engine/sign-in/redeem-ticket.test.ts', 'returns the contents once'],
  ),
  removedCheck(
    'client-id-with-controls',
    [
      'readRegistrationResponse',
      '$isOther || $clientId.length > clientIdLength || !$visible.test($clientId)',
      "$isOther || $clientId === ''",
    ],
    ['unit', 'unit/main/oauth/client/client-registration.test.ts', 'refuses'],
  ),
  removedCheck(
    'method-without-its-secret',
    ['readRegistrationResponse', "$method !== 'none' && $secret === undefined", 'false'],
    ['unit', 'unit/main/oauth/client/client-registration.test.ts', 'refuses'],
  ),
  removedCheck(
    'foreign-redirect-uri',
    ['readRegistrationResponse', "$requireOurRedirectUri($document['redirect_uris'], $redirectUri);", ''],
    ['unit', 'unit/main/oauth/client/client-registration.test.ts', 'refuses the redirect URIs'],
  ),
  removedCheck(
    'expired-secret',
    [
      'readRegistrationResponse',
      "if ($milliseconds <= $now) throw new ExpiredSecret('DCR_SECRET_EXPIRED', { stage: 'registration' });",
      '',
    ],
    ['unit', 'unit/main/oauth/client/client-registration.test.ts', 'refuses a secret that expired'],
  ),
  removedCheck(
    'code-with-credentials-of-another-issuer',
    ['exchangeAuthorizationCode', '$credentials.issuerKey !== $request.issuerKey || $a', '$a'],
    ['unit', 'unit/main/oauth/token/code-exchange.test.ts', 'sends nothing for credentials'],
  ),
  removedCheck(
    'code-sent-a-third-time',
    ['otherMethod', '$others.filter($isOther).slice(0, 1)', '[...$others]'],
    ['unit', 'unit/main/oauth/token/code-exchange.test.ts', 'never sends the code a third time'],
  ),
  removedCheck(
    'token-with-line-breaks',
    ['normalizeTokenResponse', "if (!$headerSafe.test($accessToken)) throw $fail('TOKEN_CHARSET');", ''],
    ['unit', 'unit/main/oauth/token/token-response.test.ts', 'before anything can store it'],
  ),
  removedCheck(
    'token-type',
    [
      'normalizeTokenResponse',
      "return $type === 'bearer' || $type === 'dpop' ? $type : undefined;",
      "return 'bearer';",
    ],
    ['unit', 'unit/main/oauth/token/token-response.test.ts', 'refuses the token type'],
  ),
  removedCheck(
    'lifetime-of-anything',
    [
      'normalizeTokenResponse',
      'return $seconds >= 1 ? Math.min($seconds, longestLifetime) : undefined;',
      'return $seconds;',
    ],
    ['unit', 'unit/main/oauth/token/token-response.test.ts', 'treats expires_in'],
  ),
  removedCheck(
    'error-under-200',
    [
      'readTokenResponse',
      'if ($error !== undefined) return $refusal($answer, $clock, $a, $stage);',
      "if ($error === '') return $refusal($answer, $clock, $a, $stage);",
    ],
    ['unit', 'unit/main/oauth/token/token-response.test.ts', 'lets an error win over the status 200'],
  ),
  removedCheck(
    'token-endpoint-at-use',
    ['checkTokenEndpoint', 'checkPublishedAddress($$all)', 'parseAddress(endpoint, stage).href'],
    ['unit', 'unit/main/oauth/token/token-endpoint.test.ts', 'at the moment of use'],
  ),
  removedCheck(
    'secret-over-plain-http',
    [
      'checkTokenEndpoint',
      "return checkPublishedAddress($endpoint, { member: 'token_endpoint', publisher: $issuer }, $policy, $stage);",
      'return checkAddress(parseAddress($endpoint, $stage), $policy, $stage);',
    ],
    ['unit', 'unit/main/oauth/token/token-endpoint.test.ts', 'at the moment of use'],
  ),
  removedCheck(
    'refresh-with-foreign-credentials',
    ['Refresh', '$credentials.issuerKey !== $issuerKey', "$credentials.issuer === ''"],
    ['unit', 'unit/main/oauth/token/refresh.test.ts', 'RF-18'],
  ),
  removedCheck(
    'refresh-used-before-stored',
    [
      'refreshStoredTokens',
      'await saveRenewedTokens($ports, $vault, $integration, $stored, $tokens)',
      'void saveRenewedTokens($ports, $vault, $integration, $stored, $tokens)',
    ],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'RF-01'],
  ),
  removedCheck(
    'refresh-token-lost',
    ['Refresh', 'const $newest = $refreshToken ?? $tokens.refreshToken;', 'const $newest = $refreshToken;'],
    ['unit', 'unit/main/oauth/token/refresh.test.ts', 'keeps the old refresh token'],
  ),
  removedCheck(
    'renewal-of-another-holder',
    ['refreshTokens', '!tokens.asClient && isOtherHolder($stored, $named)', 'false'],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', ' is not used: keeps the tokens'],
  ),
  removedCheck(
    'revocation-with-foreign-credentials',
    [
      'Revocation',
      '$credentials.issuerKey !== $tokens.issuerKey',
      '($credentials.issuer && $tokens.issuer) !== $tokens.issuer',
    ],
    ['unit', 'unit/main/oauth/token/revocation.test.ts', 'sends no credentials of another issuer'],
  ),
  removedCheck(
    'token-for-anyone',
    ['attachCredential', '!matchesResource(new URL($credential.resource), $url)', "$credential.resource === ''"],
    ['unit', 'unit/main/mcp/http/credential-gate.test.ts', 'attachCredential'],
  ),
  removedCheck(
    'key-outside-of-its-resource',
    [
      'attachCredential',
      'if ($namedBy.origin !== $url.origin || !matchesResource(new URL($credential.resource), $namedBy)) return $url;',
      '',
    ],
    ['unit', 'unit/main/mcp/http/credential-gate.test.ts', 'never attaches'],
    ['unit', 'unit/fuzz/every-target.test.ts', 'a credential goes to its resource'],
  ),
  removedCheck(
    'proof-without-a-token',
    [
      'attachProof',
      "if ($credential.kind !== 'dpop' || !$headers.has('authorization')) return;",
      "if ($credential.kind !== 'dpop') return;",
    ],
    ['unit', 'unit/main/mcp/http/credential-gate.test.ts', 'is sent only with a bound token'],
  ),
  removedCheck(
    'tokens-without-their-key',
    ['readTokenSet', 'if ($binding && !$key) return undefined;', ''],
    ['unit', 'unit/main/oauth/token/token-set.test.ts', 'none of them without it'],
  ),
  removedCheck(
    'repeated-events-count-as-new',
    ['followStream', '$hasMessage && $position.lastEventId !== $before', '$hasMessage'],
    ['unit', 'unit/main/mcp/http/follow-stream.test.ts', 'and not for what it repeats'],
  ),
];
