import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** What keeps a secret that a person gave for one server or service from another one. */
export const removedDestinationChecks: readonly Mutant[] = [
  removedCheck(
    'registration-token-at-another-origin',
    ['updateRegistration', '$url.origin === new URL($endpoint).origin', 'true'],
    ['unit', 'unit/main/oauth/client/registration-update.test.ts', 'sends nothing to'],
    ['contract', 'contract/registration-update.test.ts', 'RG-15'],
  ),
  removedCheck(
    'update-that-gives-another-client',
    ['updateRegistration', 'if ($updated.credentials.clientId !== $credentials.clientId) return undefined;', ''],
    ['unit', 'unit/main/oauth/client/registration-update.test.ts', 'takes no answer that tells of another client'],
  ),
  removedCheck(
    'registration-that-somebody-comes-back-to',
    [
      'moveRegistration',
      'if (callbackUrl(await callbackAddress($ports, $options.callbackHost)) === $earlier) return undefined;',
      '',
    ],
    ['contract', 'contract/registration-update.test.ts', 'leaves a registration alone'],
  ),
  removedCheck(
    'key-of-another-server',
    [
      'KeyHeader',
      'return $own.origin === $other.origin && $own.pathname === $other.pathname ? $header : undefined;',
      'return $header;',
    ],
    ['contract', 'contract/key-destination.test.ts', 'is not taken for'],
  ),
  removedCheck(
    'key-that-was-signed-out',
    ['keptKey', "if ($integration.state === 'signedOut') throw keyError('API_KEY_MISSING', $integration);", ''],
    ['contract', 'contract/key-destination.test.ts', 'is given again in the window'],
  ),
  removedCheck(
    'tokens-at-a-changed-address',
    ['boundTokens', '$isListed(URL.parse($server)?.href, $address.href)', 'true'],
    ['contract', 'contract/edited-settings.test.ts', 'alone gets no token'],
    ['contract', 'contract/edited-settings.test.ts', 'counts as well'],
    ['contract', 'contract/edited-settings.test.ts', 'steers no token'],
  ),
  removedCheck(
    'tokens-of-a-changed-resource',
    ['boundTokens', 'if (!$isListed($resource, $integration.resource)) return false;', ''],
    ['contract', 'contract/edited-settings.test.ts', 'of another resource alone'],
  ),
  removedCheck(
    'tokens-of-an-earlier-version',
    ['boundTokens', 'matchesResource($named, $address)', 'true'],
    ['contract', 'contract/edited-settings.test.ts', 'go by the resource'],
  ),
  removedCheck(
    'tokens-of-an-earlier-version-without-resource',
    ['boundTokens', 'sameRegistrableDomain($named.hostname, $address.hostname)', 'true'],
    ['contract', 'contract/edited-settings.test.ts', 'go to nobody where no resource'],
  ),
  removedCheck(
    'tokens-bound-at-first-use',
    ['storedTokens', 'if ($tokens.server === undefined) await bindTokens($ports, $integration);', ''],
    ['contract', 'contract/edited-settings.test.ts', 'at their first use'],
  ),
  removedCheck(
    'key-at-a-changed-address',
    [
      'loadHeaderValue',
      "{ kind: 'header', owner: $integrationId, server: $url, }",
      "{ kind: 'header', owner: $integrationId, server: '', }",
    ],
    ['contract', 'contract/edited-settings.test.ts', 'an API key is for'],
  ),
  removedCheck(
    'secret-for-a-typed-token-endpoint',
    [
      'withTypedEndpoints',
      "{ authorizationServer: $endpoint, ...$rest, method: 'OAuth', metadata: $metadata, issuerKey: $endpoint, notes: $notes }",
      "{ authorizationServer: $endpoint, ...$rest, method: 'OAuth', metadata: $metadata, issuerKey: ($metadata).issuer, notes: $notes }",
    ],
    ['unit', 'unit/main/oauth/discovery/typed-endpoints.test.ts', 'keys secrets by'],
    ['contract', 'contract/client-secret-destination.test.ts', 'is asked for again'],
    ['contract', 'contract/client-secret-destination.test.ts', 'for typed endpoints'],
  ),
  removedCheck(
    'foreign-issuer-unlike-its-copy',
    ['findAuthorizationServer', '$isCopy ? { asked, found } : undefined', '{ asked, found }'],
    ['contract', 'contract/quirks/copied-metadata.test.ts', 'with another token_endpoint is refused'],
  ),
  removedCheck(
    'pushed-request-beside-a-typed-token-endpoint',
    [
      'withTypedEndpoints',
      '$isNear($endpoint) && { pushed_authorization_request_endpoint: $endpoint }',
      '{ pushed_authorization_request_endpoint: $endpoint }',
    ],
    ['unit', 'unit/main/oauth/discovery/typed-endpoints.test.ts', 'pushes no request'],
  ),
  removedCheck(
    'pushed-request-to-an-insecure-address',
    [
      'pushAuthorizationRequest',
      "$checkTokenEndpoint($endpoint, $request.issuerKey, $policy, 'authorization')",
      '$endpoint',
    ],
    ['unit', 'unit/main/oauth/token/pushed-request.test.ts', 'is sent to nobody'],
  ),
  removedCheck(
    'reference-of-any-kind',
    ['pushAuthorizationRequest', "typeof $uri === 'string' && visible.test($uri)", "typeof $uri === 'string'"],
    ['contract', 'contract/pushed-requests.test.ts', 'no address can carry'],
  ),
  removedCheck(
    'assertion-for-an-issuer-of-another-host',
    [
      'applyClientAuthentication',
      'if (!isUnderException($key)) return addressOfKey($key);',
      'return addressOfKey($key);',
    ],
    ['unit', 'unit/main/oauth/client/client-authentication.test.ts', 'where another host is the issuer'],
  ),
  removedCheck(
    'private-half-of-a-key-in-the-registration',
    ['publicJwks', '{ crv: $jwk.crv, x: $jwk.x, y: $jwk.y }', '$jwk'],
    ['contract', 'contract/client-keys.test.ts', 'is never sent the private half'],
  ),
  removedCheck(
    'secret-after-other-choices',
    ['obtainCredentials', '($typed.issuerKey ?? $issuerKey) === $issuerKey', "$typed.issuerKey !== ''"],
    ['contract', 'contract/client-secret-destination.test.ts', 'is asked for again when other choices'],
  ),
  removedCheck(
    'secret-typed-for-another-service',
    [
      'submitCredentials',
      '$earlier?.clientId === $clientId && $earlier.issuerKey === $issuerKey',
      '$earlier?.clientId === $clientId',
    ],
    ['contract', 'contract/client-secret-destination.test.ts', 'is asked for again when other choices'],
  ),
  removedCheck(
    'secret-after-a-lost-try',
    ['typedBefore', '$connection.wanted = { ...$wanted, typed: { ...$wanted.typed, client: $bound } };', ''],
    ['contract', 'contract/client-secret-destination.test.ts', 'after a try that did not reach it'],
  ),
  removedCheck(
    'secret-at-the-next-try',
    [
      'typedBefore',
      'const { issuerKey = $flow.found.firstIssuerKey, ...$client } = $wanted.typed.client;',
      'const { issuerKey, ...$client } = $wanted.typed.client;',
    ],
    ['contract', 'contract/client-secret-destination.test.ts', 'before the next try'],
  ),
  removedCheck(
    'registration-token-for-a-later-service',
    ['findOrRegister', '$flow.found.firstIssuerKey === $issuerKey ? $token : undefined', '$token'],
    ['contract', 'contract/registration-token.test.ts', 'another one that the server names'],
  ),
  removedCheck(
    'registration-token-with-an-app-of-its-own',
    ['connect', '$others.some(($name) => optionValue($args, $name) !== undefined)', 'false'],
    ['contract', 'contract/registration-token.test.ts', 'does not go with --client-id'],
  ),
  removedCheck(
    'registration-token-never-named',
    ['registerClient', '$status === 401 || $status === 403', '$status === 401'],
    ['contract', 'contract/registration-token.test.ts', 'may say with 403'],
  ),
  removedCheck(
    'registration-for-a-typed-token-endpoint',
    ['withoutRegistration', 'registration_endpoint: $', ''],
    ['unit', 'unit/main/oauth/discovery/typed-endpoints.test.ts', 'registers no client'],
  ),
  removedCheck(
    'secrets-under-the-subdomain-exception',
    [
      'compareIssuer',
      "if ($secretsReachTheNamed) return 'subdomain'",
      "if ($secretsReachTheNamed !== '') return 'subdomain'",
    ],
    ['unit', 'unit/main/oauth/discovery/issuer.test.ts', 'wants token_endpoint on'],
    ['contract', 'contract/subdomain-exception.test.ts', 'by keeping the token_endpoint'],
    ['contract', 'contract/subdomain-exception.test.ts', 'by keeping the registration_endpoint'],
    ['contract', 'contract/subdomain-exception.test.ts', 'by keeping the revocation_endpoint'],
  ),
  removedCheck(
    'endpoints-of-an-issuer-by-name',
    ['compareIssuer', '!$namesIssuer && $endpoints.every($isThere)', '!$namesIssuer && $endpoints.some($isThere)'],
    ['contract', 'contract/subdomain-exception.test.ts', 'is refused with its authorization_endpoint at login'],
    ['contract', 'contract/subdomain-exception.test.ts', 'is refused with its token_endpoint at third'],
  ),
  removedCheck(
    'iss-advertised-by-an-issuer-by-name',
    [
      'compareIssuer',
      '!$namesIssuer && $endpoints.every($isThere)',
      '$endpoints.every($isThere) && $namesIssuer !== 1',
    ],
    ['contract', 'contract/subdomain-exception.test.ts', 'is refused with responses that name the issuer'],
  ),
  removedCheck(
    'iss-of-an-issuer-by-name',
    ['expectedIssuer', "$key.includes('##') ? addressOfKey($key) : $published", '$published'],
    ['contract', 'contract/subdomain-exception.test.ts', 'gets no code of the honest page'],
  ),
  removedCheck(
    'key-under-the-subdomain-exception',
    [
      'issuerKeyFor',
      "$fallback === 'subdomain' ? `${$published}#${$asked}` : $published",
      "$asked === '' ? `${$fallback}` : $published",
    ],
    ['contract', 'contract/subdomain-exception.test.ts', 'shares no client, secret or tokens with the honest one'],
    ['contract', 'contract/subdomain-exception.test.ts', 'is given no secret'],
  ),
  removedCheck(
    'key-of-an-issuer-by-name',
    ['issuerKeyFor', 'return `${$asked}##${$published}`', 'return `${$published}#${$asked}`'],
    ['contract', 'contract/subdomain-exception.test.ts', 'nor with another form of itself'],
    ['contract', 'contract/subdomain-exception.test.ts', 'gets no secret that was typed'],
  ),
  removedCheck(
    'names-under-the-subdomain-exception',
    [
      'describeDiscoveryStep',
      '$asked === undefined || $key === undefined || !isUnderException($key) || !$metadata',
      "$asked !== '' || isUnderException($key) || !$metadata",
    ],
    ['contract', 'contract/subdomain-exception.test.ts', 'is shown with both hosts'],
  ),
  removedCheck(
    'registration-at-another-name',
    ['RegistrationDeletion', 'isUnderException($credentials.issuerKey)', "isUnderException('')"],
    ['unit', 'unit/main/oauth/client/registration-deletion.test.ts', 'under the sub-domain exception'],
  ),
  removedCheck(
    'rented-names',
    [
      'registrableDomain',
      "if ($rented >= 0) return $rented === 0 ? undefined : $a.join('.');",
      "if ($rented > 99) return $rented === 0 ? undefined : $a.join('.');",
    ],
    ['unit', 'unit/main/address/domain-owner.test.ts', 'of one.loca.lt and two.loca.lt'],
    ['unit', 'unit/main/oauth/discovery/issuer.test.ts', 'asked https://evil.loca.lt'],
  ),
  removedCheck(
    'rented-by-the-whole-host',
    ['registrableDomain', '$host.endsWith(`.${$domain}`)', '$host === $domain'],
    ['unit', 'unit/main/address/domain-owner.test.ts', 'of 203.0.113.7.nip.io and 198.51.100.7.nip.io'],
  ),
  removedCheck(
    'account-for-another-service',
    ['openAuthorizer', '$discovery.issuerKey === $request.earlierIssuerKey', "$discovery.issuerKey !== ''"],
    ['contract', 'contract/account-destination.test.ts', 'is told to no other'],
    ['contract', 'contract/account-destination.test.ts', 'when the metadata changes'],
  ),
  removedCheck(
    'hosts-of-several-owners',
    ['agreeToHosts', '$hosts.length === 0', '$hosts.length < 99'],
    ['contract', 'contract/several-owners.test.ts', 'nobody can answer'],
    ['contract', 'contract/several-owners.test.ts', 'says without a terminal'],
    ['contract', 'contract/several-owners.test.ts', 'has the hosts on the trust card'],
  ),
  removedCheck(
    'a-no-to-hosts',
    [
      'agreeToHosts',
      'if ($answer === true) return withAgreed($options, $hosts);',
      'if ($answer !== undefined) return withAgreed($options, $hosts);',
    ],
    ['contract', 'contract/several-owners.test.ts', 'a person says no'],
    ['contract', 'contract/several-owners.test.ts', 'shows the hosts on a terminal, and takes "no"'],
  ),
  removedCheck(
    'hosts-after-the-second-discovery',
    ['signIn', '$options = await agreeToHosts($$all);', ''],
    ['contract', 'contract/several-owners.test.ts', 'between the two discoveries'],
  ),
  removedCheck(
    'hosts-of-another-service',
    ['hostsToAgree', 'new Set([...($typed ? [] : [$issuer]), ...$endpoints])', 'new Set([...$endpoints.slice(0, 1)])'],
    ['contract', 'contract/several-owners.test.ts', 'asks for everybody'],
    ['contract', 'contract/several-owners.test.ts', 'with the agreed page, after the yes'],
    ['contract', 'contract/several-owners.test.ts', 'says without a terminal'],
    ['unit', 'unit/main/engine/sign-in/agree-to-hosts.test.ts', 'names an agreed page'],
  ),
  removedCheck(
    'service-that-was-not-shown',
    [
      'hostsToAgree',
      '$shown?.metadata !== undefined && !haveOneOwner($a, $issuer)',
      "$issuer === '' && $shown?.metadata && !haveOneOwner($a, $issuer)",
    ],
    ['contract', 'contract/several-owners.test.ts', 'tells who it is now and asks'],
    ['unit', 'unit/main/engine/sign-in/agree-to-hosts.test.ts', 'than the one shown'],
  ),
  removedCheck(
    'yes-to-hosts-opens-the-network',
    ['integrationPolicy', '$options.allowedHosts', '[...$options.allowedHosts, ...($options.agreedHosts ?? [])]'],
    ['contract', 'contract/several-owners.test.ts', 'opens no address inside'],
  ),
  removedCheck(
    'yes-to-other-hosts',
    [
      'answerHosts',
      '$question?.request.hosts.every(($host) => $agreesTo.includes(displayHost($host)))',
      '$question && $agreesTo.length > 0',
    ],
    ['unit', 'unit/main/window/calls/connection-handlers.test.ts', 'goes on waiting'],
  ),
  removedCheck(
    'yes-to-other-hosts-before',
    ['allowHosts', '($host) => $seen.has(displayHost($host))', '() => $seen.size > 0'],
    ['contract', 'contract/several-owners.test.ts', 'has the hosts on the trust card'],
  ),
  removedCheck(
    'who-signs-in-and-who-gets-the-access',
    ['describeDiscoveryStep', '$hosts?.differentOwner !== true', "$hosts?.serverHost !== ''"],
    ['contract', 'contract/several-owners.test.ts', 'says who signs you in'],
  ),
  removedCheck(
    'host-that-begins-like-a-known-one',
    ['findKnownServer', 'originOf(placeOf($address)) === $origin', '$origin.startsWith(originOf(placeOf($address)))'],
    ['unit', 'unit/shared/known-servers.test.ts', 'knows nobody'],
  ),
  removedCheck(
    'any-host-for-a-known-one',
    ['findKnownServer', 'if (/^https:\\/\\/\\{\\w+\\}\\//u.test($known)) return false;', ''],
    ['unit', 'unit/shared/known-servers.test.ts', 'knows nobody'],
  ),
  removedCheck(
    'choices-for-another-server',
    ['choicesFor', '$url === $wanted.url || isSameOrigin($url, $wanted.url)', "$url !== ''"],
    ['contract', 'contract/desktop.test.ts', 'along to no other'],
  ),
  removedCheck(
    'choices-for-the-same-host-by-https',
    ['choicesFor', 'isUpgrade($wanted.url, $url)', "$url !== ''"],
    ['unit', 'unit/main/window/connections/choices-for.test.ts', 'along to another server'],
  ),
  removedCheck(
    'choices-of-an-imported-list',
    ['readExport', '...importableOptions($data.options)', 'leftOut: 0'],
    ['unit', 'unit/main/engine/kept/exported-list.test.ts', 'brings no endpoint'],
    ['contract', 'contract/client-secret-destination.test.ts', 'chooses neither the token endpoint'],
  ),
  removedCheck(
    'query-of-an-exported-address',
    ['exportedAddress', "$url.search = '';", ''],
    ['unit', 'unit/main/engine/kept/exported-list.test.ts', 'leaves out what stands in the query'],
  ),
];
