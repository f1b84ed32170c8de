import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const oauth = 'unit/main/oauth';
const json = ['unit', `${oauth}/json-document.test.ts`] as const;
const response = ['unit', `${oauth}/authorization-response.test.ts`] as const;
const registration = ['unit', `${oauth}/client-registration.test.ts`] as const;
const token = ['unit', `${oauth}/token-response.test.ts`] as const;

/** Documents, callback, registration and tokens. */
export const removedProtocolChecks: readonly Mutant[] = [
  removedCheck(
    'demand-before-registration',
    ['integration/sign-in/refuse-demands.ts', 'refuseUnmetDemand(discovery);', ''],
    ['contract', 'contract/unmet-demands.test.ts', 'is the same when it comes up later'],
  ),
  removedCheck(
    'demand-at-registration',
    ['oauth/registration-response.ts', 'if (demand !== undefined)', 'if (false)'],
    ['contract', 'contract/unmet-demands.test.ts', 'in the answer to a registration is named'],
  ),
  removedCheck(
    'answer-of-mcp',
    [
      'oauth/require-mcp.ts',
      "if (initialized.kind === 'mcp' || initialized.kind === 'unread')",
      'if (initialized.kind)',
    ],
    ['contract', 'contract/not-an-mcp-server.test.ts', 'are told in the window too: a web page'],
  ),
  removedCheck(
    'stream-of-old-transport',
    ['mcp/tell-of-stream.ts', 'if (name !== endpointEvent) return;', 'return;'],
    ['contract', 'contract/not-an-mcp-server.test.ts', 'speaks only the old transport, opened to all'],
  ),
  removedCheck(
    'json-depth',
    ['oauth/json-fault.ts', "> bounds.depth) return 'JSON_DEPTH';", "< 0) return 'JSON_DEPTH';"],
    [...json, 'bounds the depth'],
  ),
  removedCheck(
    'json-names',
    ['oauth/json-fault.ts', 'if (names > bounds.keys)', 'if (names < 0)'],
    [...json, 'bounds the number of names'],
  ),
  removedCheck(
    'json-strings',
    ['oauth/json-fault.ts', 'if (length > scan.bounds.string)', 'if (length < 0)'],
    [...json, 'bounds a string'],
  ),
  removedCheck(
    'duplicate-members',
    ['oauth/json-fault.ts', "if (seen?.has(key)) return 'JSON_DUPLICATE_KEY';", ''],
    [...json, 'refuses a name that stands there'],
  ),
  removedCheck(
    'members-in-another-case',
    ['oauth/json-fault.ts', 'open.length === 1 ? name.toLowerCase() : name', 'name'],
    [...json, 'refuses a name that stands there'],
  ),
  removedCheck(
    'prototype-member',
    ['oauth/json-fault.ts', "if (name === '__proto__') return 'SCHEMA_INVALID';", ''],
    [...json, 'refuses'],
  ),
  removedCheck(
    'lone-surrogates',
    ['oauth/json-fault.ts', 'if (unit >= 0xdc00 && unit <= 0xdfff) return false;', ''],
    [...json, 'refuses'],
  ),
  removedCheck('invalid-utf-8', ['oauth/json-document.ts', 'fatal: true', 'fatal: false'], [...json, 'refuses']),
  removedCheck(
    'content-type',
    ['oauth/json-document.ts', "if (!isJson(response.headers.get('content-type'))) throw fail('CONTENT_TYPE');", ''],
    [...json, 'judges the content type'],
  ),
  removedCheck(
    'many-authorization-servers',
    ['oauth/messages.ts', '.max(authorizationServers)', ''],
    ['unit', `${oauth}/messages.test.ts`, 'bounds the authorization servers'],
  ),

  removedCheck(
    'resource-of-another-server',
    [
      'oauth/protected-resource-metadata.ts',
      'if (url !== undefined && matchesResource(url, serverUrl)) return;',
      'if (url !== undefined) return;',
    ],
    ['unit', `${oauth}/protected-resource-metadata.test.ts`, 'stops at once when the resource is'],
    ['hostile', 'hostile/metadata.test.ts', 'as resource: no sign-in service is asked'],
  ),
  removedCheck(
    'resource-by-characters',
    [
      'oauth/resource.ts',
      'segments(resource).every((segment, index) => segment === server[index])',
      'serverUrl.pathname.startsWith(resource.pathname) || server.length < 0',
    ],
    ['unit', `${oauth}/resource.test.ts`, ''],
  ),
  removedCheck(
    'endpoints-in-metadata',
    [
      'oauth/authorization-server-metadata.ts',
      'if (endpoint !== undefined) checkEndpoint(context, new URL(url), endpoint);',
      '',
    ],
    ['unit', `${oauth}/authorization-server-metadata.test.ts`, 'stops at'],
    ['hostile', 'hostile/metadata.test.ts', 'stops the sign-in'],
  ),
  removedCheck(
    'issuer-with-a-query',
    ['oauth/authorization-server-metadata.ts', "if (url.search !== '' || text.includes('?'))", "if (text === '')"],
    ['unit', `${oauth}/authorization-server-metadata.test.ts`, 'asks nobody for the issuer'],
  ),
  removedCheck(
    'endpoints-of-a-fallback-issuer',
    ['oauth/issuer.ts', '!endpointsStay || ', ''],
    ['unit', `${oauth}/issuer.test.ts`, 'endpoints at'],
  ),
  removedCheck(
    'pkce-policy-required',
    ['oauth/pkce.ts', "policy === 'required'", "policy === ('never' as string)"],
    ['unit', `${oauth}/pkce.test.ts`, 'under the policy required'],
  ),

  removedCheck(
    'doubled-parameters',
    [
      'oauth/authorization-response.ts',
      "if (new Set(names).size !== names.length) throw fail('CALLBACK_INVALID');",
      '',
    ],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'any-state',
    ['oauth/authorization-response.ts', "if (!isSameText(state, request.state)) throw fail('STATE_UNKNOWN');", ''],
    [...response, 'knows no state but its own'],
  ),
  removedCheck(
    'state-for-ever',
    ['oauth/authorization-response.ts', "if (isExpired(request, clock)) throw fail('STATE_EXPIRED');", ''],
    [...response, 'lives ten minutes'],
  ),
  removedCheck(
    'missing-iss',
    ['oauth/authorization-response.ts', "if (iss === null && request.issExpected) throw fail('ISS_MISSING');", ''],
    [...response, 'iss'],
    ['hostile', 'hostile/callback.test.ts', 'no issuer although it was promised'],
  ),
  removedCheck(
    'foreign-iss',
    [
      'oauth/authorization-response.ts',
      "if (iss !== null && iss !== request.expectedIss) throw fail('ISS_MISMATCH');",
      '',
    ],
    [...response, 'iss'],
  ),
  removedCheck(
    'code-and-error',
    ['oauth/authorization-response.ts', "if (error !== null && code !== null) throw fail('CALLBACK_INVALID');", ''],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'code-with-controls',
    ['oauth/authorization-response.ts', ' || !visible.test(code)', ''],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'tokens-in-the-front-channel',
    ['oauth/authorization-response.ts', '.some((name) => parameters.has(name))', ".some((name) => name === '')"],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'state-twice',
    ['integration/sign-in/authorization-session.ts', "    this.#end = 'used';\n", ''],
    ['unit', 'unit/main/integration/sign-in/authorization-session.test.ts', 'takes the right state once'],
  ),
  removedCheck(
    'ticket-twice',
    ['integration/sign-in/auth-tickets.ts', '    this.#tickets.delete(id);\n    const belongs', '    const belongs'],
    ['unit', 'unit/main/integration/sign-in/auth-tickets.test.ts', 'gives the contents once'],
  ),
  removedCheck(
    'ticket-of-another-window',
    [
      'integration/sign-in/auth-tickets.ts',
      'ticket?.holder.surface === holder.surface && ',
      'ticket !== undefined && ',
    ],
    ['unit', 'unit/main/integration/sign-in/auth-tickets.test.ts', 'is redeemed by nobody else'],
  ),
  removedCheck(
    'ticket-for-ever',
    [
      'integration/sign-in/auth-tickets.ts',
      'if (wallAge > stateLifetime || this.#clock.monotonic() - issuedAt.monotonic > stateLifetime)',
      'if (wallAge < 0)',
    ],
    ['unit', 'unit/main/integration/sign-in/auth-tickets.test.ts', 'ends'],
  ),

  removedCheck(
    'registration-after-registration',
    ['oauth/client-registration.ts', 'if (!refusesRequest(answer)) break;', ''],
    [...registration, 'ends with the first that is taken'],
  ),
  removedCheck(
    'registration-after-an-unclear-answer',
    ['oauth/client-registration.ts', 'if (!refusesRequest(answer)) return [];', ''],
    [...registration, 'the service may have obeyed'],
  ),
  removedCheck(
    'client-id-with-controls',
    [
      'oauth/registration-response.ts',
      'clientId.length > clientIdLength || !visible.test(clientId)',
      "clientId === ''",
    ],
    [...registration, 'refuses'],
  ),
  removedCheck(
    'method-without-its-secret',
    [
      'oauth/registration-response.ts',
      "else if (authentication !== 'none' && clientSecret === undefined) throw fail('DCR_RESPONSE_INVALID');",
      '',
    ],
    [...registration, 'refuses'],
  ),
  removedCheck(
    'foreign-redirect-uri',
    ['oauth/registration-response.ts', "requireOurRedirectUri(document['redirect_uris'], redirectUri);", ''],
    [...registration, 'refuses the redirect URIs'],
  ),
  removedCheck(
    'expired-secret',
    ['oauth/registration-response.ts', "if (milliseconds <= clock.now()) throw fail('DCR_SECRET_EXPIRED');", ''],
    [...registration, 'refuses a secret that ended'],
  ),

  removedCheck(
    'code-sent-a-third-time',
    ['oauth/token-request.ts', "if (refusal.of !== 'client') others = withOtherMethod(others, authentication);", ''],
    ['unit', `${oauth}/token-request.test.ts`, 'never sends the code a third time'],
  ),
  removedCheck(
    'code-sent-again-after-invalid-grant',
    ['oauth/token-request.ts', "    case 'invalid_grant':\n      return undefined;\n", ''],
    ['unit', `${oauth}/token-request.test.ts`, 'never sends the code again after'],
  ),
  removedCheck(
    'code-sent-again-after-any-failure',
    ['oauth/token-request.ts', " || error.code !== 'TOKEN_ERROR'", ''],
    ['unit', `${oauth}/token-request.test.ts`, 'never sends the code again after'],
  ),
  removedCheck(
    'token-with-line-breaks',
    ['oauth/token-response-normaliser.ts', "if (!headerSafe.test(accessToken)) throw fail('TOKEN_CHARSET');", ''],
    [...token, 'before anything can store it'],
  ),
  // The bound on every string of an answer stands behind it.
  {
    name: 'token-of-any-length',
    edits: [
      {
        file: 'main/oauth/token-response-normaliser.ts',
        find: "if (accessToken.length > accessTokenLength) throw fail('SCHEMA_INVALID');",
        replace: '',
      },
      {
        file: 'main/oauth/token-response.ts',
        find: 'value.length > json.tokenString',
        replace: 'value.length < 0',
      },
    ],
    caughtBy: [
      {
        kind: 'vitest',
        project: 'unit',
        file: `test/${oauth}/token-response.test.ts`,
        title: 'takes tokens of 32 KiB and not longer',
      },
    ],
  },
  removedCheck(
    'token-type',
    [
      'oauth/token-response-normaliser.ts',
      "else if (typeof tokenType !== 'string' || tokenType.toLowerCase() !== 'bearer') throw fail('TOKEN_TYPE');",
      '',
    ],
    [...token, 'refuses the token type'],
  ),
  removedCheck(
    'lifetime-of-anything',
    [
      'oauth/token-response-normaliser.ts',
      'return seconds >= 1 && seconds <= longestTokenLifetime ? seconds : undefined;',
      'return seconds;',
    ],
    [...token, 'takes expires_in'],
  ),
  removedCheck(
    'empty-refresh-token',
    ['oauth/token-response-normaliser.ts', "if (grant === 'refresh_token') throw fail('TOKEN_RESPONSE_INVALID');", ''],
    [...token, 'on refresh only'],
  ),
  removedCheck(
    'error-under-200',
    ['oauth/token-response.ts', 'if (error !== undefined) {', "if (error === '') {"],
    [...token, 'lets an error win over the status 200'],
  ),
  removedCheck(
    'retry-after-for-ever',
    [
      'oauth/retry-after.ts',
      'return Math.min(Math.max(seconds, retryAfter.shortest), retryAfter.longest);',
      'return seconds;',
    ],
    ['unit', `${oauth}/retry-after.test.ts`, 'reads'],
  ),
  removedCheck(
    'token-endpoint-at-use',
    ['oauth/token-endpoint.ts', '    checkAddress(url, policy, stage);\n', ''],
    ['unit', `${oauth}/token-endpoint.test.ts`, 'at the moment of use'],
  ),
  removedCheck(
    'code-of-a-superseded-sign-in',
    ['integration/sign-in/authorization-session.ts', '      this.#assertNewest();\n', ''],
    ['unit', 'unit/main/integration/sign-in/authorization-session.test.ts', 'gives no code away'],
    ['contract', 'contract/superseded.test.ts', 'redeems no code'],
  ),
  removedCheck(
    'tokens-of-a-superseded-sign-in',
    ['integration/sign-in/install.ts', '    assertNewest();\n', ''],
    ['contract', 'contract/superseded.test.ts', 'stores no tokens that came after'],
  ),
  removedCheck(
    'one-name-for-two-first-connections',
    ['integration/connect/with-free-name.ts', "locks.hold('names',", 'locks.hold(crypto.randomUUID(),'],
    ['unit', 'unit/main/integration/connect/with-free-name.test.ts', 'come at once a name each'],
  ),
  removedCheck(
    'newer-sign-in-unnoticed',
    ['integration/sign-in/claim-sign-in.ts', 'if (claim) look();', ''],
    ['unit', 'unit/main/integration/sign-in/claim-sign-in.test.ts', 'interrupts the sign-in within a moment'],
    ['contract', 'contract/superseded.test.ts', 'takes its port'],
  ),
  removedCheck(
    'callback-port-not-waited-for',
    ['integration/sign-in/callback-address.ts', 'supersedes ? portHandover.patience : 0', '0'],
    ['contract', 'contract/superseded.test.ts', 'takes its port'],
  ),
  removedCheck(
    'state-compared-letter-by-letter',
    [
      'integration/sign-in/authorization-session.ts',
      "!isSameText(stateOf(query) ?? '', this.request.state)",
      'stateOf(query) !== this.request.state',
    ],
    ['contract', 'contract/compare-state.test.ts', 'compares a state'],
  ),
  removedCheck(
    'state-used-again',
    ['integration/sign-in/authorization-session.ts', '    if (this.#end) return this.#end;\n', ''],
    ['unit', 'unit/main/integration/sign-in/authorization-session.test.ts', 'takes the right state once'],
  ),
  removedCheck(
    'refresh-with-foreign-credentials',
    ['oauth/refresh.ts', 'if (credentials.issuer !== issuer)', "if (credentials.issuer === '')"],
    ['unit', `${oauth}/refresh.test.ts`, 'RF-18'],
  ),
  removedCheck(
    'refresh-used-before-stored',
    ['integration/refresh/refresh-stored-tokens.ts', 'await saveRenewedTokens(', 'void saveRenewedTokens('],
    ['unit', 'unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'RF-01'],
  ),
  removedCheck(
    'refresh-token-lost',
    ['oauth/refresh.ts', 'const kept = refreshToken ?? tokens.refreshToken;', 'const kept = refreshToken;'],
    ['unit', `${oauth}/refresh.test.ts`, 'keeps the old refresh token'],
  ),
  removedCheck(
    'revocation-with-foreign-credentials',
    ['oauth/revocation.ts', 'credentials.issuer', '(credentials.issuer && tokens.issuer)'],
    ['unit', `${oauth}/revocation.test.ts`, 'sends no credentials of another issuer'],
  ),
  removedCheck(
    'key-outside-of-its-resource',
    ['mcp/credential-gate.ts', 'if (!matchesResource(new URL(credential.resource), url)) return;', ''],
    ['unit', 'unit/main/mcp/credential-gate.test.ts', 'never attaches'],
    ['unit', 'unit/fuzz/every-target.test.ts', 'a credential goes to its resource'],
  ),
  removedCheck(
    'api-key-outside-of-its-resource',
    [
      'mcp/credential-gate.ts',
      'if (!matchesResource(new URL(credential.resource), url)) return;',
      "if (credential.kind === 'bearer' && !matchesResource(new URL(credential.resource), url)) return;",
    ],
    ['unit', 'unit/main/mcp/credential-gate.test.ts', 'never attaches it'],
  ),
  removedCheck(
    'word-for-a-time-that-has-run-out',
    ['mcp/mcp-failure.ts', 'thrown.code === SdkErrorCode.RequestTimeout', "thrown.message === ''"],
    ['contract', 'contract/silent-server.test.ts', 'is told as a deadline'],
  ),
  removedCheck(
    'stream-that-ended-without-an-answer',
    ['mcp/follow-stream.ts', '|| resumed >= resumption.times) throw end;', ') return await new Promise(() => {});'],
    ['contract', 'contract/silent-server.test.ts', 'fails at once when its stream ends'],
  ),
  removedCheck(
    'reason-of-a-broken-stream',
    ['mcp/mcp-fetch.ts', 'return tellOfStream(response, isQuestion ? url : undefined, report);', 'return response;'],
    ['contract', 'contract/silent-server.test.ts', 'when one event has no end'],
  ),
  removedCheck(
    'answers-without-bound',
    ['mcp/answer-queue.ts', 'this.#waiting.length >= serverQuestions.waiting', 'this.#waiting.length < 0'],
    ['unit', 'unit/main/mcp/server-questions.test.ts', 'drops the rest'],
  ),
  removedCheck(
    'renewed-and-refused-again',
    [
      'mcp/mcp-fetch.ts',
      "if (fresher.kind === 'bearer' && still?.kind === 'unauthorized') {",
      'if (!still && !fresher) {',
    ],
    ['unit', 'unit/main/mcp/mcp-fetch.test.ts', 'says of a renewed token that is refused'],
  ),
  removedCheck(
    'answer-to-another-request',
    [
      'mcp/bounded-transport.ts',
      'if (isOpen()) throw new SdkError(SdkErrorCode.InvalidResult',
      'if (!isOpen()) throw new SdkError(SdkErrorCode.InvalidResult',
    ],
    ['contract', 'contract/silent-server.test.ts', 'fails at once when what it answers is'],
  ),
  removedCheck(
    'stream-taken-up-for-ever',
    ['mcp/follow-stream.ts', 'resumed >= resumption.times', 'resumed < 0'],
    ['unit', 'unit/main/mcp/follow-stream.test.ts', 'is asked for a bounded number of times'],
  ),
  removedCheck(
    'cancellation-on-its-way',
    ['mcp/bounded-transport.ts', 'this.#cancelling.size > 0', 'this.#cancelling.size < 0'],
    ['contract', 'contract/mcp-wire.test.ts', 'says that the tool may have run'],
  ),
  removedCheck(
    'schemas-of-a-server-are-run',
    [
      'mcp/use-tools.ts',
      'return await withInput(tool.inputSchema);',
      'return await client.callTool(call, { signal, toolDefinition: tool });',
    ],
    ['contract', 'contract/mcp-wire.test.ts', 'its schema of a pattern is not run'],
  ),
  removedCheck(
    'fault-ends-no-sign-in',
    [
      'integration/refresh/refresh-stored-tokens.ts',
      "code === 'REFRESH_REVOKED' || code === 'REFRESH_UNCERTAIN'",
      "code.startsWith('REFRESH_')",
    ],
    ['unit', 'unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'is no 500'],
    ['unit', 'unit/main/integration/refresh/refresh-scheduler.test.ts', 'is not put off by 500'],
    ['contract', 'contract/refresh/command-line.test.ts', 'with 502 after the MCP server'],
  ),
  removedCheck(
    'other-refusal-ends-no-sign-in',
    ['oauth/refresh-failure.ts', "error === 'invalid_grant'", "error === 'invalid_grant' || body !== 'other'"],
    ['unit', 'unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'is no 400'],
    ['unit', 'unit/main/oauth/refresh.test.ts', 'reads an empty 400 as'],
    ['contract', 'contract/refresh/command-line.test.ts', 'refuses with invalid_scope'],
  ),
  removedCheck(
    'refused-token-has-ended',
    [
      'integration/refresh/refresh-stored-tokens.ts',
      "reason === 'refused' ? endNow(tokens, ports.clock) : tokens",
      'tokens',
    ],
    ['unit', 'unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'is no fault after a 401'],
    ['unit', 'unit/main/integration/refresh/refresh-scheduler.test.ts', 'renews, as soon as that works'],
  ),
];
