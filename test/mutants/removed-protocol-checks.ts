import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const oauth = 'unit/main/oauth';
const json = ['unit', `${oauth}/wire/json-document.test.ts`] as const;
const response = ['unit', `${oauth}/authorization/authorization-response.test.ts`] as const;
const registration = ['unit', `${oauth}/client/client-registration.test.ts`] as const;
const token = ['unit', `${oauth}/token/token-response.test.ts`] as const;
const tasks = ['contract', 'contract/tool-tasks.test.ts'] as const;

/** Documents, callback, registration and tokens. */
export const removedProtocolChecks: readonly Mutant[] = [
  removedCheck(
    'demand-before-registration',
    ['signIn', 'refuseUnmetDemand($discovery);', ''],
    ['contract', 'contract/unmet-demands.test.ts', 'is the same when it comes up later'],
  ),
  removedCheck(
    'demand-at-registration',
    ['readRegistrationResponse', 'if ($demand !== undefined) { throw new UnmetDemand($); }', ''],
    ['contract', 'contract/unmet-demands.test.ts', 'in the answer to a registration is named'],
  ),
  removedCheck(
    'answer-of-mcp',
    ['requireMcp', "$initialized.kind === 'mcp' || $initialized.kind === 'unread'", '$initialized.kind'],
    ['contract', 'contract/not-an-mcp-server.test.ts', 'are told in the window too: a web page'],
  ),
  removedCheck(
    'stream-of-old-transport',
    ['refuseOldTransport', "if ($name === endpointEvent) throw oldTransport($askedAt, 'connection');", ''],
    ['contract', 'contract/not-an-mcp-server.test.ts', 'speaks only the old transport, opened to all'],
  ),
  removedCheck('json-depth', ['findJsonFault', '$depth > $bounds.depth', '$depth < 0'], [...json, 'bounds the depth']),
  removedCheck(
    'json-names',
    ['findJsonFault', '$names > $bounds.keys', '$names < 0'],
    [...json, 'bounds the number of names'],
  ),
  removedCheck(
    'json-strings',
    ['findJsonFault', '$meant.length > $bounds.text', '$meant.length < 0'],
    [...json, 'bounds a name'],
  ),
  removedCheck(
    'duplicate-members',
    ['findJsonFault', "if ($seen?.has($key)) return 'JSON_DUPLICATE_KEY';", ''],
    [...json, 'refuses a name that stands there'],
  ),
  removedCheck(
    'members-in-another-case',
    ['findJsonFault', 'const $key = $depth === 1 ? $name.toLowerCase() : $name;', 'const $key = $name;'],
    [...json, 'refuses a name that stands there'],
  ),
  removedCheck('prototype-member', ['findJsonFault', "$name === '__proto__'", 'false'], [...json, 'refuses']),
  removedCheck('lone-surrogates', ['findJsonFault', '!$meant.isWellFormed()', 'false'], [...json, 'refuses']),
  removedCheck('invalid-utf-8', ['readJson', 'fatal: true', 'fatal: false'], [...json, 'refuses']),
  removedCheck(
    'content-type',
    ['readJsonDocument', "if (isPage($body)) throw new PosternError('CONTENT_TYPE', $where);", ''],
    [...json, 'judges a page'],
  ),
  removedCheck(
    'many-authorization-servers',
    ['protectedResourceMetadataSchema', 'z.array(z.string()).max(authorizationServers)', 'z.array(z.string())'],
    ['unit', `${oauth}/wire/messages.test.ts`, 'bounds the authorization servers'],
  ),

  removedCheck(
    'resource-of-another-server',
    ['fetchProtectedResourceMetadata', '$url !== undefined && matchesResource($url, $serverUrl)', '$url !== undefined'],
    ['unit', `${oauth}/discovery/protected-resource-metadata.test.ts`, 'stops at once when the resource is'],
    ['hostile', 'hostile/metadata.test.ts', 'as resource: no sign-in service is asked'],
  ),
  removedCheck(
    'resource-by-characters',
    [
      'matchesResource',
      'const $server = $segments($serverUrl); return $segments($resource).every(($segment, $index) => $segment === $server[$index]);',
      'return $serverUrl.pathname.startsWith($resource.pathname);',
    ],
    ['unit', `${oauth}/discovery/resource.test.ts`, ''],
  ),
  removedCheck(
    'endpoints-in-metadata',
    ['fetchServerMetadataAt', '$checkEndpoints($context, new URL($url), $published)', '$published'],
    ['unit', `${oauth}/discovery/authorization-server-metadata.test.ts`, 'stops at'],
    ['hostile', 'hostile/metadata.test.ts', 'stops the sign-in'],
  ),
  removedCheck(
    'issuer-with-a-query',
    ['fetchAuthorizationServerMetadata', "if (!$text.includes('?')) return $issuer;", 'return $issuer;'],
    ['unit', `${oauth}/discovery/authorization-server-metadata.test.ts`, 'asks nobody for the issuer'],
  ),
  removedCheck(
    'endpoints-of-a-fallback-issuer',
    ['compareIssuer', '!$endpointsStay || !isTrustworthy($one)', '!isTrustworthy($one)'],
    ['unit', `${oauth}/discovery/issuer.test.ts`, 'endpoints at'],
  ),
  removedCheck(
    'pkce-policy-required',
    ['applyPkce', "$policy === 'required'", "$policy === ('never' as string)"],
    ['unit', `${oauth}/authorization/pkce.test.ts`, 'under the policy required'],
  ),

  removedCheck(
    'doubled-parameters',
    [
      'validateAuthorizationResponse',
      "if (new Set($names).size !== $names.length) throw $fail('CALLBACK_INVALID');",
      '',
    ],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'any-state',
    ['validateAuthorizationResponse', "if (!isSameText($state, $request.state)) throw $fail('STATE_UNKNOWN');", ''],
    [...response, 'knows no state but its own'],
  ),
  removedCheck(
    'state-for-ever',
    ['validateAuthorizationResponse', "if ($isExpired($request, $clock)) throw new SignInEnd('expired', $);", ''],
    [...response, 'lives ten minutes'],
  ),
  removedCheck(
    'missing-iss',
    ['validateAuthorizationResponse', "if ($iss === null && $request.issExpected) throw $fail('ISS_MISSING');", ''],
    [...response, 'iss'],
    ['hostile', 'hostile/callback.test.ts', 'no issuer although it was promised'],
  ),
  removedCheck(
    'foreign-iss',
    [
      'validateAuthorizationResponse',
      "if ($iss !== null && $iss !== $request.expectedIss) throw $fail('ISS_MISMATCH');",
      '',
    ],
    [...response, 'iss'],
  ),
  removedCheck(
    'code-and-error',
    ['validateAuthorizationResponse', "if ($error !== null && $code !== null) throw $fail('CALLBACK_INVALID');", ''],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'code-with-controls',
    [
      'validateAuthorizationResponse',
      '$code === null || $code.length > callbackParameterLength || !$visible.test($code)',
      '$code === null || $code.length > callbackParameterLength',
    ],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'tokens-in-the-front-channel',
    ['validateAuthorizationResponse', '($name) => $parameters.has($name)', "($name) => $name === ''"],
    [...response, 'refuses the callback'],
  ),
  removedCheck(
    'state-twice',
    ['AuthorizationSession', "this.$end = 'used';", ''],
    ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts', 'takes the right state once'],
  ),
  removedCheck(
    'ticket-twice',
    [
      'AuthTickets',
      'const $ticket = this.$tickets.get($id); this.$tickets.delete($id);',
      'const $ticket = this.$tickets.get($id);',
    ],
    ['unit', 'unit/main/engine/sign-in/spend-ticket.test.ts', 'gives the contents once'],
  ),
  removedCheck(
    'ticket-of-another-window',
    ['AuthTickets', '$ticket?.holder.surface === $holder.surface', '$ticket !== undefined'],
    ['unit', 'unit/main/engine/sign-in/spend-ticket.test.ts', 'is redeemed by nobody else'],
  ),
  removedCheck(
    'ticket-for-ever',
    [
      'AuthTickets',
      '$wallAge > stateLifetime || this.$clock.monotonic() - $issuedAt.monotonic > stateLifetime',
      '$wallAge < 0',
    ],
    ['unit', 'unit/main/engine/sign-in/spend-ticket.test.ts', 'ends'],
  ),

  removedCheck(
    'registration-after-registration',
    ['registerClient', 'if (!$refusesRequest($attempt)) break;', ''],
    [...registration, 'ends with the first that is taken'],
  ),
  removedCheck(
    'registration-after-an-unclear-answer',
    ['registerClient', 'if (!refusesRequest($attempt)) return [];', ''],
    [...registration, 'the service may have obeyed'],
  ),
  removedCheck(
    'client-id-with-controls',
    [
      'readRegistrationResponse',
      '$isOther || $clientId.length > clientIdLength || !$visible.test($clientId)',
      "$isOther || $clientId === ''",
    ],
    [...registration, 'refuses'],
  ),
  removedCheck(
    'method-without-its-secret',
    ['readRegistrationResponse', "$method !== 'none' && $secret === undefined", 'false'],
    [...registration, 'refuses'],
  ),
  removedCheck(
    'foreign-redirect-uri',
    ['readRegistrationResponse', "$requireOurRedirectUri($document['redirect_uris'], $redirectUri);", ''],
    [...registration, 'refuses the redirect URIs'],
  ),
  removedCheck(
    'expired-secret',
    [
      'readRegistrationResponse',
      "if ($milliseconds <= $now) throw new ExpiredSecret('DCR_SECRET_EXPIRED', { stage: 'registration' });",
      '',
    ],
    [...registration, 'refuses a secret that ended'],
  ),

  removedCheck(
    'code-sent-a-third-time',
    ['otherMethod', '$others.filter($isOther).slice(0, 1)', '[...$others]'],
    ['unit', `${oauth}/token/token-request.test.ts`, 'never sends the code a third time'],
  ),
  removedCheck(
    'code-sent-again-after-an-error-of-no-registry',
    [
      'exchangeAuthorizationCode',
      "return $body === 'json' ? 'request' : 'unread'",
      "return $body === '' ? 'request' : 'unread'",
    ],
    ['unit', `${oauth}/token/token-request.test.ts`, 'never sends the code again after a code that nobody knows'],
    ['contract', 'contract/quirks/scripted.test.ts', 'is sent the code once when it answers a code of no registry'],
  ),
  removedCheck(
    'code-sent-again-by-a-settled-client',
    [
      'exchangeAuthorizationCode',
      "case 'code': return $settled ? [] : otherMethod($others, $way)",
      "case 'code': return otherMethod($others, $way)",
    ],
    ['unit', `${oauth}/token/token-request.test.ts`, 'tries no other way after a failed exchange'],
    ['contract', 'contract/quirks/scripted.test.ts', 'is not doubted: after invalid_grant'],
  ),
  removedCheck(
    'code-sent-again-after-any-failure',
    [
      'exchangeAuthorizationCode',
      "$answer.kind === 'exchange-failed' && $answer.isOfServer === true && !$settled",
      '!$settled',
    ],
    ['unit', `${oauth}/token/token-request.test.ts`, 'never sends the code again after'],
    ['contract', 'contract/quirks/scripted.test.ts', 'is sent the code once when it answers 429'],
  ),
  removedCheck(
    'token-with-line-breaks',
    ['normaliseTokenResponse', "if (!$headerSafe.test($accessToken)) throw $fail('TOKEN_CHARSET');", ''],
    [...token, 'before anything can store it'],
  ),
  removedCheck(
    'token-of-any-length',
    ['normaliseTokenResponse', "if ($accessToken.length > accessTokenLength) throw $fail('SCHEMA_INVALID');", ''],
    [...token, 'takes tokens of 32 KiB and not longer'],
  ),
  removedCheck(
    'token-type',
    [
      'normaliseTokenResponse',
      "return $type === 'bearer' || $type === 'dpop' ? $type : undefined;",
      "return 'bearer';",
    ],
    [...token, 'refuses the token type'],
  ),
  removedCheck(
    'lifetime-of-anything',
    [
      'normaliseTokenResponse',
      'return $seconds >= 1 ? Math.min($seconds, longestLifetime) : undefined;',
      'return $seconds;',
    ],
    [...token, 'takes expires_in'],
  ),
  removedCheck(
    'error-under-200',
    [
      'readTokenResponse',
      'if ($error !== undefined) return $refusal($answer, $clock, $a, $stage);',
      "if ($error === '') return $refusal($answer, $clock, $a, $stage);",
    ],
    [...token, 'lets an error win over the status 200'],
  ),
  removedCheck(
    'retry-after-for-ever',
    ['parseRetryAfter', 'Math.min(Math.max($seconds, retryAfter.shortest), retryAfter.longest)', '$seconds'],
    ['unit', `${oauth}/wire/retry-after.test.ts`, 'reads'],
  ),
  removedCheck(
    'token-endpoint-at-use',
    ['checkTokenEndpoint', 'checkPublishedAddress($$all)', 'parseAddress(endpoint, stage).href'],
    ['unit', `${oauth}/token/token-endpoint.test.ts`, 'at the moment of use'],
  ),
  removedCheck(
    'code-of-a-superseded-sign-in',
    ['AuthorizationSession', 'this.#assertNewest(); const $response = $a;', 'const $response = $a;'],
    ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts', 'gives no code away'],
    ['contract', 'contract/superseded.test.ts', 'redeems no code'],
  ),
  removedCheck(
    'tokens-of-a-superseded-sign-in',
    ['install', '$assertNewest(); await rememberAuthentication($$all);', 'await rememberAuthentication($$all);'],
    ['contract', 'contract/superseded.test.ts', 'stores no tokens that came after'],
  ),
  removedCheck(
    'one-name-for-two-first-connections',
    ['withFreeName', "$locks.hold('names', $$work)", '$locks.hold(crypto.randomUUID(), $$work)'],
    ['unit', 'unit/main/engine/connect/with-free-name.test.ts', 'come at once a name each'],
  ),
  removedCheck(
    'newer-sign-in-unnoticed',
    ['leaseSignIn', 'if ($lease) $look(); return await $work($context);', 'return await $work($context);'],
    ['unit', 'unit/main/engine/sign-in/lease-sign-in.test.ts', 'interrupts the sign-in within a moment'],
    ['contract', 'contract/superseded.test.ts', 'takes its port'],
  ),
  removedCheck(
    'callback-port-not-waited-for',
    ['CallbackAddress', '$supersedes ? portHandover.patience : 0', '0'],
    ['contract', 'contract/superseded.test.ts', 'takes its port'],
  ),
  removedCheck(
    'state-compared-letter-by-letter',
    [
      'AuthorizationSession',
      "!isSameText(stateOf($query) ?? '', this.request.state)",
      'stateOf($query) !== this.request.state',
    ],
    ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts', 'tells by no time'],
  ),
  removedCheck(
    'state-used-again',
    ['AuthorizationSession', 'if (this.#end) return this.#end;', ''],
    ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts', 'takes the right state once'],
  ),
  removedCheck(
    'refresh-with-foreign-credentials',
    ['Refresh', '$credentials.issuerKey !== $issuerKey', "$credentials.issuer === ''"],
    ['unit', `${oauth}/token/refresh.test.ts`, 'RF-18'],
  ),
  removedCheck(
    'refresh-used-before-stored',
    [
      'refreshStoredTokens',
      'await saveRenewedTokens($ports, $vault, $integration, $kept, $tokens)',
      'void saveRenewedTokens($ports, $vault, $integration, $kept, $tokens)',
    ],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'RF-01'],
  ),
  removedCheck(
    'refresh-token-lost',
    ['Refresh', 'const $kept = $refreshToken ?? $tokens.refreshToken;', 'const $kept = $refreshToken;'],
    ['unit', `${oauth}/token/refresh.test.ts`, 'keeps the old refresh token'],
  ),
  removedCheck(
    'revocation-with-foreign-credentials',
    [
      'Revocation',
      '$credentials.issuerKey !== $tokens.issuerKey',
      '($credentials.issuer && $tokens.issuer) !== $tokens.issuer',
    ],
    ['unit', `${oauth}/token/revocation.test.ts`, 'sends no credentials of another issuer'],
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
    'credential-for-an-endpoint-elsewhere',
    ['attachCredential', '$namedBy.origin !== $url.origin', 'false'],
    ['unit', 'unit/main/mcp/http/credential-gate.test.ts', 'of the old transport'],
  ),
  removedCheck(
    'api-key-outside-of-its-resource',
    [
      'attachCredential',
      '!matchesResource(new URL($credential.resource), $namedBy)',
      "$credential.kind === 'bearer' && !matchesResource(new URL($credential.resource), $namedBy)",
    ],
    ['unit', 'unit/main/mcp/http/credential-gate.test.ts', 'never attaches it'],
  ),
  removedCheck(
    'word-for-a-time-that-has-run-out',
    ['readMcpFailure', '$thrown.code === SdkErrorCode.RequestTimeout', "$thrown.message === ''"],
    ['contract', 'contract/silent-server.test.ts', 'is told as a deadline'],
  ),
  removedCheck(
    'stream-that-ended-without-an-answer',
    [
      'followStream',
      'if ($isOver || $resumed >= resumption.times) throw $end;',
      'if ($isOver) return await new Promise(() => {});',
    ],
    ['contract', 'contract/silent-server.test.ts', 'fails at once when its stream ends'],
  ),
  removedCheck(
    'reason-of-a-broken-stream',
    [
      'followStream',
      'if ($isOver || $resumed >= resumption.times) throw $end;',
      "if ($isOver || $resumed >= resumption.times) throw new Error('the stream broke');",
    ],
    ['contract', 'contract/silent-server.test.ts', 'when one event has no end'],
  ),
  removedCheck(
    'answers-without-bound',
    ['AnswerQueue', 'this.$waiting.length >= serverQuestions.waiting', 'this.$waiting.length < 0'],
    ['unit', 'unit/main/mcp/client/server-questions.test.ts', 'drops the rest'],
  ),
  removedCheck(
    'tool-called-a-second-time',
    [
      'createMcpFetch',
      "$status === 500 && !$callsTool($body) ? 'fault' : undefined",
      "$status === 500 ? 'fault' : undefined",
    ],
    ['contract', 'contract/quirks/mcp-server.test.ts', 'never makes a tool call'],
  ),
  removedCheck(
    'renewed-and-refused-again',
    ['createMcpFetch', "isToken($fresher) && $still?.kind === 'unauthorized'", '!$still && !$fresher'],
    ['unit', 'unit/main/mcp/http/mcp-fetch.test.ts', 'says of a renewed token that is refused'],
  ),
  removedCheck(
    'error-that-the-library-wraps',
    [
      'openMcpClient',
      '$error instanceof SdkError && $error.cause instanceof PosternError ? $error.cause : $error',
      '$error',
    ],
    ['unit', 'unit/main/mcp/client/connect-mcp.test.ts', 'tells what our own fetch said'],
  ),
  removedCheck(
    'refusal-lost-where-more-is-said',
    ['RefusedRequest', 'return asRefused(super.with($more), this.refusal);', 'return super.with($more);'],
    ['unit', 'unit/main/engine/use/use-server.test.ts', 'keeps what the server said no with'],
  ),
  removedCheck(
    'answer-to-another-request',
    ['BoundedTransport', 'if ($isOpen()) throw new SdkError($$a);', 'if (!$isOpen()) throw new SdkError($$a);'],
    ['contract', 'contract/silent-server.test.ts', 'fails at once when what it answers is'],
  ),
  removedCheck(
    'stream-taken-up-for-ever',
    ['followStream', '$resumed >= resumption.times', '$resumed < 0'],
    ['unit', 'unit/main/mcp/http/follow-stream.test.ts', 'is asked for a bounded number of times'],
  ),
  removedCheck(
    'repeated-events-count-as-new',
    ['followStream', '$hasMessage && $position.lastEventId !== $before', '$hasMessage'],
    ['unit', 'unit/main/mcp/http/follow-stream.test.ts', 'and not for what it repeats'],
  ),
  removedCheck(
    'long-streams-end-early',
    ['followStream', '$hasMessage && $position.lastEventId !== $before', '$hasMessage && $before === undefined'],
    ['unit', 'unit/main/mcp/http/follow-stream.test.ts', 'as often as it brings something new'],
  ),
  removedCheck(
    'large-question-without-an-answer',
    ['readMessages', "$about === undefined ? [] : [{ kind: 'beyond-bounds', id: $about }]", '[]'],
    ['unit', 'unit/main/mcp/client/server-questions.test.ts', 'too large with an error'],
  ),
  removedCheck(
    'deep-question-without-an-answer',
    ['MessageBound', "return { kind: 'beyond-bounds', id: $message.id };", 'return undefined;'],
    ['unit', 'unit/main/mcp/client/server-questions.test.ts', 'too deep with an error'],
  ),
  removedCheck(
    'streams-without-end-in-all',
    ['followStream', 'if (performance.now() - $began > toolCall.longest) throw $end;', ''],
    ['unit', 'unit/main/mcp/http/follow-stream.test.ts', 'is not asked for any more after six hours'],
  ),
  removedCheck(
    'cancellation-on-its-way',
    ['Cancellations', 'if (this.$sending.size === 0) return;', 'if (this.$sending.size >= 0) return;'],
    ['contract', 'contract/mcp-wire.test.ts', 'says that the tool may have run'],
  ),
  removedCheck(
    'schemas-of-a-server-are-run',
    [
      'callToolOf',
      'const $tool = (await listToolsOf($client, $signal)).find(({ name: $name }) => $name === $call.name); if (!$tool) throw $error; return await $withInput($tool.inputSchema);',
      'const $tool = (await listToolsOf($client, $signal)).find(({ name: $name }) => $name === $call.name); if (!$tool) throw $error; return await $client.callTool($call, { signal: $signal, toolDefinition: $tool });',
    ],
    ['contract', 'contract/mcp-wire.test.ts', 'its schema of a pattern is not run'],
  ),
  removedCheck(
    'fault-ends-no-sign-in',
    [
      'refreshStoredTokens',
      'const { retryAt: $retryAt, asks: $asks, error: $error } = $sent;',
      'await endSignIn(ports, integration); const { retryAt: $retryAt, asks: $asks, error: $error } = $sent;',
    ],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'is no 500'],
    ['unit', 'unit/main/engine/refresh/refresh-scheduler.test.ts', 'is not put off by 500'],
    ['contract', 'contract/refresh/command-line.test.ts', 'with 502 after the MCP server'],
  ),
  removedCheck(
    'refused-renewal-deletes-tokens',
    [
      'refreshStoredTokens',
      'const { retryAt: $retryAt, asks: $asks, error: $error } = $sent;',
      'const { retryAt: $retryAt, asks: $asks, error: $error } = $sent; if ($asks) await vault.delete(tokensKey(integration.id, tokens.issuerKey));',
    ],
    ['contract', 'contract/refresh/kept-sign-in.test.ts', 'of a form that has worked'],
  ),
  removedCheck(
    'tokens-from-the-future',
    ['untilDue', 'if (isFromFuture($tokens, $clock)) return 0;', ''],
    ['unit', 'unit/main/engine/refresh/refresh-time.test.ts', 'from the future'],
    ['contract', 'contract/refresh/kept-sign-in.test.ts', 'leaves no dead token in use'],
  ),
  removedCheck(
    'unanswered-registration',
    ['isUnanswered', 'if (!$unanswered) return false;', 'return false;'],
    ['contract', 'contract/refresh/offered-sign-in.test.ts', 'is registered anew'],
  ),
  removedCheck(
    'sign-in-after-a-failed-renewal',
    ['offersSignIn', "remedyOf($error).kind === 'await-renewal'", 'false'],
    ['contract', 'contract/refresh/offered-sign-in.test.ts', 'is followed by a sign-in'],
  ),
  removedCheck(
    'unsent-refresh-counts-as-sent',
    ['judgeRefreshError', "if ($error instanceof UnsentRequest) return { kind: 'unsent', error: $transient };", ''],
    ['unit', 'unit/main/oauth/token/refresh.test.ts', 'DNS failure'],
  ),
  removedCheck(
    'endpoints-of-a-named-service',
    ['rediscover', "$error instanceof MissingServerMetadata && $resource.kind === 'found'", 'false'],
    ['unit', 'unit/main/oauth/discovery/discover.test.ts', 'names a sign-in service that publishes nothing'],
  ),
  removedCheck(
    'wrong-issuer-of-whom',
    [
      'fetchAuthorizationServerMetadata',
      "{ stage: 'discovery', detail: $named, remedy: wrongIssuer.ofService }",
      "{ stage: 'discovery', detail: $named, remedy: wrongIssuer.ofServer }",
    ],
    ['unit', 'unit/main/oauth/discovery/authorization-server-metadata.test.ts', 'named: true, does not take issuer'],
  ),
  removedCheck(
    'other-protocol-may-pass',
    ['RequestError', "return $fault !== undefined && $at !== 'proxy' && otherProtocol.has($fault);", 'return false;'],
    ['unit', 'unit/main/oauth/client/client-registration.test.ts', 'after another protocol whether it may pass'],
  ),
  removedCheck(
    'registration-that-passes',
    ['obtainCredentials', "const $isPassing = $failed.kind === 'passing';", 'const $isPassing = false;'],
    ['contract', 'contract/quirks/registration.test.ts', 'is not repeated by itself: it ends typed'],
  ),
  removedCheck(
    'other-refusal-ends-no-sign-in',
    ['judgeRefreshAnswer', "$name === 'invalid_grant'", "$name === 'invalid_grant' || body !== 'other'"],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'is no 400'],
    ['unit', 'unit/main/oauth/token/refresh.test.ts', 'reads an empty 400 as'],
    ['contract', 'contract/refresh/command-line.test.ts', 'refuses with invalid_scope'],
  ),
  removedCheck(
    'refused-token-has-ended',
    [
      'refreshStoredTokens',
      "const $ended = $reason === 'refused' ? $endNow($tokens, $ports.clock) : $tokens;",
      'const $ended = $tokens;',
    ],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'is no fault after a 401'],
    ['unit', 'unit/main/engine/refresh/refresh-scheduler.test.ts', 'renews, as soon as that works'],
  ),
  removedCheck(
    'call-silence',
    ['CallPatience', 'this.#quiet = setTimeout($$rest);', ''],
    ['unit', 'unit/main/mcp/client/use-tools.test.ts', 'ends with silence'],
  ),
  removedCheck(
    'call-longest',
    ['CallPatience', 'this.#whole = setTimeout($$rest);', ''],
    ['unit', 'unit/main/mcp/client/use-tools.test.ts', 'goes on while the server says something, and not for ever'],
  ),
  removedCheck(
    'call-time-of-answers',
    ['CallPatience', 'this.#questions > 0 || this.signal.aborted', 'this.signal.aborted'],
    ['unit', 'unit/main/mcp/client/use-tools.test.ts', 'does not count what a person needs'],
  ),
  removedCheck(
    'hour-of-a-call',
    ['callTool', '$longest ?? ($isWatched ? toolCall.longest : toolCall.silence)', 'toolCall.silence'],
    ['contract', 'contract/long-calls.test.ts', 'may answer in its last second'],
  ),
  removedCheck(
    'call-deadline',
    ['BoundedTransport', 'const deadline = $isOfTool ? toolCall.longest : undefined;', 'const deadline = undefined;'],
    ['unit', 'unit/main/mcp/http/bounded-transport.test.ts', 'gives the answer of a tool as long'],
  ),
  removedCheck(
    'questions-in-one-call',
    ['ServerQuestions', '$call.asked > serverQuestion.count', 'false'],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'EL-02'],
  ),
  removedCheck(
    'question-outside-a-call',
    ['ServerQuestions', 'this.#calls.splice(this.#calls.indexOf($call), 1);', ''],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'EL-06'],
  ),
  removedCheck(
    'question-answer-fits',
    ['ServerQuestions', 'fitsField($field, $value) ? [[$field.name, $value]] : []', '[[$field.name, $value]]'],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'EL-08 get no more'],
  ),
  removedCheck(
    'task-asked-for-without-a-pause',
    ['callAsTask', 'Math.max($pollInterval, toolTask.shortest)', '$pollInterval'],
    [...tasks, 'EL-10'],
  ),
  removedCheck(
    'updates-read-without-a-pause',
    ['followChanges', 'await pause($clock, following.between, $signal);', ''],
    ['contract', 'contract/follow-resource.test.ts', 'EL-11'],
  ),
  removedCheck(
    'task-called-as-any-tool',
    ['callToolOf', "$tool?.execution?.taskSupport === 'required'", 'false'],
    [...tasks, 'report a failure of their own'],
  ),
  removedCheck(
    'task-lost-with-its-connection',
    [
      'callAsTask',
      'if (!($error instanceof UnsentRequest || $error instanceof LostRequest)) throw $error;',
      'throw $error;',
    ],
    [...tasks, 'outlast a connection'],
  ),
  removedCheck(
    'task-that-nobody-waits-for',
    ['callAsTask', 'if ($signal.aborted && $begun.id !== undefined) await cancel($client, $begun.id);', ''],
    [...tasks, 'are called off at the server'],
  ),
  removedCheck(
    'question-fields',
    ['readQuestionFields', 'if ($properties.length > serverQuestion.fields) return undefined;', ''],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'EL-03'],
  ),
  removedCheck(
    'question-choices',
    ['readQuestionFields', '$options.length > serverQuestion.choices', 'false'],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'EL-03'],
  ),
  removedCheck(
    'question-page-of-browser',
    ['questionedPerson', 'checkAddress(new URL($address), $policy, $stage);', ''],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'EL-04'],
  ),
  removedCheck(
    'question-time',
    ['ServerQuestions', 'AbortSignal.any([$ending, late])', '$ending'],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'are given up after ten minutes'],
  ),
  removedCheck(
    'question-of-another-call',
    ['ServerQuestions', 'callHere.getStore()', 'undefined'],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'go to whoever waits for the call that they come with'],
  ),
  removedCheck(
    'question-in-a-call-of-nobody',
    ['ServerQuestions', 'if (here) return $found;', 'if (here?.person) return $found;'],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'EL-06 come to nobody'],
  ),
  removedCheck(
    'question-after-its-call',
    ['ServerQuestions', 'end.abort();', ''],
    ['unit', 'unit/main/mcp/client/elicitation.test.ts', 'are over once their call has its answer'],
  ),
  removedCheck(
    'question-in-window-page-unasked',
    ['ShownQuestions', "if ($view.kind !== 'page' || $view.state !== 'asked') return $settle;", ''],
    ['contract', 'contract/questions-in-window.test.ts', 'a page that has to be gone through first'],
  ),
  removedCheck(
    'question-page-of-a-look-alike',
    ['questionedOnTerminal', 'isConfusableHost($url.hostname)', 'false'],
    ['unit', 'unit/main/cli/asking/questioned-on-terminal.test.ts', 'EL-05'],
  ),
  removedCheck(
    'question-for-a-secret',
    ['questionedOnTerminal', '$fields.some(wantsSecret)', 'false'],
    ['unit', 'unit/main/cli/asking/questioned-on-terminal.test.ts', 'EL-08'],
  ),
  removedCheck(
    'log-lines-of-a-call-in-the-window',
    ['WindowCalls', '$left === 0', 'false'],
    ['contract', 'contract/desktop-calls.test.ts', 'EL-09'],
  ),
  removedCheck(
    'log-lines-of-a-call',
    ['serverLog', 'if ($left === 0) return;', ''],
    ['contract', 'contract/long-calls.test.ts', 'EL-09'],
  ),
  removedCheck(
    'base64-beside-its-file',
    ['answerWith', 'withoutSaved($content, $pieces, $saved)', '$content'],
    ['contract', 'contract/unchanged-output.test.ts', 'of a prompt goes into a file too'],
  ),
  removedCheck(
    'digits-of-an-answer',
    ['AwaitedRequests', '{ ...$hearing, parse: parseAsWritten }', '$hearing'],
    ['contract', 'contract/unchanged-output.test.ts', 'keeps every digit of numbers'],
  ),
  removedCheck(
    'digits-of-arguments',
    ['readArguments', 'value = parseExactly($text)', 'value = JSON.parse($text)'],
    ['contract', 'contract/unchanged-output.test.ts', 'keep every digit of numbers'],
  ),
];
