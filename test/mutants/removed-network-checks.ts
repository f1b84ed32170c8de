import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const address = 'unit/main/address';
const http = ['contract', 'contract/http.test.ts'] as const;

/** Addresses, DNS, TLS, redirects and sizes. */
export const removedNetworkChecks: readonly Mutant[] = [
  removedCheck(
    'any-error-for-a-request-of-which-more-is-known',
    [
      'RequestError',
      'return new $Same($code, { ...$known, ...$more, detail: { ...$old, ...$detail } });',
      'return new PosternError($code, { ...$known, ...$more, detail: { ...$old, ...$detail } }) as this;',
    ],
    ['unit', 'unit/main/errors/request-error.test.ts', 'is still one that was sent or not'],
  ),
  removedCheck(
    'user-info-in-addresses',
    ['parseAddress', "if ($authority.includes('@')) throw $fail('URL_USERINFO');", ''],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'fragments-in-addresses',
    ['parseAddress', "if ($address.includes('#')) throw new AddressWithFragment($code, $options);", ''],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'any-scheme',
    ['parseAddress', "$scheme !== 'https' && $scheme !== 'http'", "$scheme === ''"],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
    ['hostile', 'hostile/metadata.test.ts', 'the method cannot be had, nothing is opened'],
  ),
  removedCheck(
    'bad-ports',
    ['parseAddress', "$url.port !== '' && badPorts.has(Number($url.port))", "$url.port === '0'"],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'addresses-of-any-length',
    ['parseAddress', '$url.href.length > $maximum', '$url.href.length < 0'],
    ['unit', `${address}/parse-address.test.ts`, 'measures the canonical form too'],
  ),
  removedCheck(
    'white-space-and-backslashes',
    ['parseAddress', "if ($ambiguous.test($address)) throw $fail('URL_INVALID');", ''],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'private-without-the-tick',
    ['checkAddress', "if (!$policy.local) throw $hostBlocked($url, $policy, 'local', $stage);", ''],
    ['unit', `${address}/check-address.test.ts`, 'blocks the loopback form'],
  ),
  removedCheck(
    'forbidden-hosts',
    [
      'checkAddress',
      "if ($kind === 'forbidden') throw $hostBlocked($url, $policy, 'none', $stage);",
      "if ($kind === 'forbidden') return;",
    ],
    ['unit', `${address}/check-address.test.ts`, 'never opens'],
    ['hostile', 'hostile/metadata.test.ts', 'stops the sign-in'],
  ),
  removedCheck(
    'another-private-host',
    ['checkAddress', "if (!$isOpened) throw $hostBlocked($url, $policy, 'allow-host', $stage);", ''],
    ['unit', `${address}/check-address.test.ts`, 'covers every port of the typed host'],
  ),
  removedCheck(
    'plain-http-to-private-hosts',
    [
      'checkAddress',
      "if ($url.protocol === 'https:' || $kind === 'loopback' || $policy.allowHttp) $a;",
      'if ($kind) $a;',
    ],
    ['unit', `${address}/check-address.test.ts`, 'by http with a second yes'],
  ),
  removedCheck(
    'downgrade',
    ['checkAddress', "$from.protocol !== 'https:' || $to.protocol !== 'http:'", "$from.protocol !== ''"],
    ['unit', `${address}/check-address.test.ts`, 'refuses https to http'],
    [...http, 'names the step from https down to http'],
  ),
  removedCheck(
    'embedded-addresses',
    ['classifyIp', "$classifyRange($embedded) === 'public' ? 'public' : 'forbidden'", "'public'"],
    ['unit', `${address}/host.test.ts`, 'PB-02'],
  ),
  removedCheck(
    'unknown-ipv6-space',
    ['classifyIp', "if ($range === 'unicast' && !$address.match($globalUnicast)) return 'forbidden';", ''],
    ['unit', `${address}/host.test.ts`, 'calls'],
  ),
  removedCheck(
    'cloud-metadata-services',
    ['classifyIp', "if ($metadataServices.has($address.toString())) return 'forbidden';", ''],
    ['unit', `${address}/host.test.ts`, 'calls'],
  ),
  removedCheck(
    'aws-services',
    ['classifyIp', "if ($address.match($awsServices)) return 'forbidden';", ''],
    ['unit', `${address}/host.test.ts`, 'calls fd00:ec2::254'],
  ),
  removedCheck(
    'names-of-internal-networks',
    ['classifyHost', "!$host.includes('.') || $internalDomain.test(`.${$host}`)", "!$host.includes('.')"],
    ['unit', `${address}/check-address.test.ts`, 'of an internal network like a private address'],
    ['unit', `${address}/host.test.ts`, 'calls home.arpa private'],
  ),
  removedCheck(
    'names-without-a-dot',
    ['classifyHost', "!$host.includes('.') || $internalDomain.test(`.${$host}`)", '$internalDomain.test(`.${$host}`)'],
    ['unit', `${address}/check-address.test.ts`, 'opens the name wiki of an internal network'],
    ['contract', 'contract/command-line.test.ts', 'https://wiki/mcp'],
  ),
  removedCheck(
    'root-dot-of-names',
    ['canonicalHost', String.raw`$host.replace(/\.$/, '')`, '$host'],
    ['unit', `${address}/check-address.test.ts`, 'opens the name intranet. of an internal network'],
  ),
  removedCheck(
    'names-with-empty-labels',
    [
      'parseAddress',
      String.raw`/^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/`,
      String.raw`/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/`,
    ],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'hosts-with-empty-labels',
    ['classifyHost', "if ($host.split('.').includes('')) return 'forbidden';", ''],
    ['unit', `${address}/check-address.test.ts`, 'is opened by nothing'],
  ),
  removedCheck(
    'look-ups-that-can-be-counted',
    [
      'createPinnedConnector',
      'if ($answer === undefined) { $a; $asked.set($host, $answer); }',
      'if ($answer !== null) { $a; $asked.set($host, $answer); }',
    ],
    ['contract', 'contract/name-oracle.test.ts', 'is looked up once'],
  ),
  removedCheck(
    'unreached-hosts-asked-again',
    [
      'MetadataDocument',
      'const $known = $context.unreached.get($host); if ($known !== undefined) throw $known;',
      'const $known = $context.unreached.get($host);',
    ],
    ['contract', 'contract/name-oracle.test.ts', 'cannot count'],
  ),
  removedCheck(
    'requests-that-tell-inside-from-nowhere',
    [
      'MetadataDocument',
      "return isAbout($error, 'forbidden-host') || $isUnreached($error)",
      "return isAbout($error, 'forbidden-host')",
    ],
    ['contract', 'contract/name-oracle.test.ts', 'cannot count'],
  ),
  removedCheck(
    'letters-that-read-as-latin-ones',
    [
      'isConfusableHost',
      'if ($foreignLetter.test($label) || $furtherLatin.test($label) || $marked.test($label)) return true;',
      '',
    ],
    ['unit', `${address}/display-text.test.ts`, 'is true'],
  ),
  removedCheck(
    'letters-with-marks',
    [
      'isConfusableHost',
      '$a || $furtherLatin.test($label) || $marked.test($label)',
      '$a || $furtherLatin.test($label)',
    ],
    ['unit', `${address}/display-text.test.ts`, 'of gíthub.com'],
  ),
  removedCheck(
    'resolved-addresses',
    [
      'createPinnedConnector',
      'for (const { address: $address } of $addresses) checkResolvedAddress($$all);',
      'for (const { address: $address } of $addresses.slice(0, 0)) checkResolvedAddress($$all);',
    ],
    [...http, 'blocks a name that resolves to'],
  ),
  removedCheck(
    'only-the-first-resolved-address',
    [
      'createPinnedConnector',
      'for (const { address: $address } of $addresses) checkResolvedAddress($$all);',
      'for (const { address: $address } of $addresses.slice(0, 1)) checkResolvedAddress($$all);',
    ],
    [...http, 'blocks a name that resolves to'],
  ),
  removedCheck(
    'certificates',
    ['openTlsSocket', 'rejectUnauthorized: true', 'rejectUnauthorized: false'],
    [...http, 'refuses one that nobody vouches for'],
    ['hostile', 'hostile/proxy.test.ts', 'a target whose certificate nobody vouches for'],
  ),
  removedCheck(
    'facts-of-a-certificate-as-they-come',
    ['watchHandshake', "displayText($parts.join(', '), $factLength)", "$parts.join(', ')"],
    ['contract', 'contract/network-failures.test.ts', 'shows the facts of the certificate in the trace alone'],
  ),
  removedCheck(
    'server-blamed-for-a-silent-proxy',
    ['createPinnedConnector', '$options.notes.openingThrough.set($place, nameProxy($proxy));', ''],
    ['hostile', 'hostile/proxy.test.ts', 'a proxy that says nothing ends at the deadline'],
  ),
  removedCheck(
    'old-tls',
    ['createHttp', "minVersion: 'TLSv1.2'", "minVersion: 'TLSv1.1'"],
    [...http, 'refuses TLS 1.1'],
  ),
  // Two places check it, the second for connections that something else asks for.
  {
    name: 'literals-behind-a-proxy',
    edits: [
      { in: 'createHttp', find: 'checkAddress($url, $policy, $stage);', replace: '' },
      {
        in: 'createPinnedConnector',
        find: 'checkTarget({ protocol: $protocol, hostname: $hostname }, $policy, $stage);',
        replace: '',
      },
    ],
    caughtBy: [
      {
        kind: 'vitest',
        project: 'hostile',
        file: 'test/hostile/proxy.test.ts',
        title: 'what the address itself shows is still refused here',
      },
    ],
  },
  removedCheck(
    'loopback-through-a-proxy',
    [
      'ProxySettings',
      "$server === undefined || classifyHost($target.hostname) === 'loopback'",
      '$server === undefined',
    ],
    ['unit', 'unit/main/net/http/proxy-settings.test.ts', 'never leads'],
  ),
  removedCheck(
    'certificate-of-a-proxy',
    ['openTunnel', 'rejectUnauthorized: true', 'rejectUnauthorized: false'],
    ['hostile', 'hostile/proxy.test.ts', 'a proxy that is itself reached by TLS is verified as well'],
  ),
  removedCheck(
    'early-data-of-a-proxy',
    ['openTunnel', "if ($received.length > $end + 4) return $refuse('EARLY_DATA', 'broken-http');", ''],
    ['hostile', 'hostile/proxy.test.ts', 'a proxy that speaks for the target'],
  ),
  removedCheck(
    'redirects-elsewhere',
    ['redirectTarget', '!$mayFollow || $target.origin !== $from.origin', '!$mayFollow'],
    [...http, 'to another origin, which sees no request'],
  ),
  removedCheck(
    'redirected-posts',
    [
      'redirectTarget',
      "$request.redirects === 'same-origin' && $request.method === 'GET'",
      "$request.redirects === 'same-origin'",
    ],
    [...http, 'of a POST within its origin'],
  ),
  removedCheck(
    'endless-redirects',
    ['createHttp', '$hop === redirectHops', '$hop === redirectHops * 9'],
    [...http, 'gives up a loop'],
  ),
  removedCheck(
    'credentials-on-redirects',
    ['createHttp', '$headers = withoutCredentials($headers);', ''],
    [...http, 'follows a GET within its origin, without credentials'],
  ),
  removedCheck(
    'body-size',
    [
      'readBody',
      '$length += $chunk.byteLength; if ($length > $limit) throw $tooLarge();',
      '$length += $chunk.byteLength;',
    ],
    [...http, 'cuts a body that declares one byte more'],
  ),
  removedCheck(
    'redirected-to-another-origin',
    ['redirectTarget', '!$mayFollow || $target.origin !== $from.origin', '!$mayFollow'],
    [...http, 'follows 307 to no other origin'],
  ),
  removedCheck(
    'redirected-as-another-request',
    ['redirectTarget', '$b ? $sameRequestStatuses.has($response.status) : $a', '$b ? true : $a'],
    [...http, 'does not follow 302, which may be asked for otherwise'],
  ),
  removedCheck(
    'size-of-an-mcp-answer',
    ['limitMessages', '$length > $limits.message', '$length < 0'],
    ['unit', 'unit/main/net/http/limit-messages.test.ts', 'takes a document of the limit and'],
  ),
  removedCheck(
    'deadline-of-an-mcp-answer',
    ['createHttp', 'if ($isEventStream($response)) $limit.stopTimer();', '$limit.stopTimer();'],
    ['hostile', 'hostile/after-sign-in.test.ts', 'drip after the sign-in stops nothing but the call'],
  ),
  removedCheck(
    'content-encoding',
    ['dispatchRequest', "$encoding !== '' && $encoding !== 'identity'", "$encoding === 'br'"],
    [...http, 'refuses the encoding'],
  ),
  removedCheck(
    'number-of-headers',
    ['dispatchRequest', '$fields.length > headerCount * 2', '$fields.length < 0'],
    [...http, 'MD-06'],
  ),
  removedCheck(
    'reason-phrase',
    [
      'dispatchRequest',
      'if ($statusText.length > $statusTextLength) throw $headersTooLarge($stage);',
      'if ($statusText.length < 0) throw $headersTooLarge($stage);',
    ],
    [...http, 'MD-06'],
  ),
  removedCheck(
    'deadline',
    ['ExchangeLimit', 'Math.min(Math.max($milliseconds, 0), $longest)', '$longest'],
    [...http, 'MD-05'],
  ),
  removedCheck(
    'values-that-break-a-header',
    ['buildRequestHeaders', '!$fieldName.test($name) || !$fieldValue.test($value)', "$name === ''"],
    [...http, 'refuses the field value'],
  ),
  removedCheck(
    'flood-of-discoveries',
    ['limitDiscoveries', '$running < discoveryRate.atOnce', '$running >= 0'],
    ['unit', 'unit/main/net/http/limit-discoveries.test.ts', 'sends at most four requests'],
  ),
  removedCheck(
    'flood-of-one-host',
    [
      'limitDiscoveries',
      'if ($turns < 1) return Math.ceil((1 - $turns) * this.$limit.interval);',
      'if ($turns < -9_999) return Math.ceil((1 - $turns) * this.$limit.interval);',
    ],
    ['unit', 'unit/main/net/http/limit-discoveries.test.ts', 'gives one host a bounded number'],
  ),
  removedCheck(
    'words-in-the-place-of-a-host',
    ['redirectTarget', '/^https?:$/u.test($target.protocol)', 'true'],
    ['contract', 'contract/http.test.ts', 'names no host in the location go:'],
  ),
];
