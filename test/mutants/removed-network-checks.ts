import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const address = 'unit/main/address';
const http = ['contract', 'contract/http.test.ts'] as const;

/** Addresses, DNS, TLS, redirects and sizes. */
export const removedNetworkChecks: readonly Mutant[] = [
  removedCheck(
    'user-info-in-addresses',
    ['address/parse-address.ts', "if (authority.includes('@')) throw fail('URL_USERINFO');", ''],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'fragments-in-addresses',
    ['address/parse-address.ts', "if (address.includes('#')) throw fail('URL_FRAGMENT');", ''],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'any-scheme',
    ['address/parse-address.ts', "if (scheme !== 'https' && scheme !== 'http')", "if (scheme === '')"],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
    ['hostile', 'hostile/metadata.test.ts', 'the method cannot be had, nothing is opened'],
  ),
  removedCheck(
    'bad-ports',
    ['address/parse-address.ts', "if (url.port !== '' && badPorts.has(Number(url.port)))", "if (url.port === '0')"],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'addresses-of-any-length',
    ['address/parse-address.ts', 'if (url.href.length > maximum)', 'if (url.href.length < 0)'],
    ['unit', `${address}/parse-address.test.ts`, 'measures the canonical form too'],
  ),
  removedCheck(
    'white-space-and-backslashes',
    ['address/parse-address.ts', "if (ambiguous.test(address)) throw fail('URL_INVALID');", ''],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'private-without-the-tick',
    ['address/check-address.ts', "if (!policy.local) throw hostBlocked(url, 'local', stage);", ''],
    ['unit', `${address}/check-address.test.ts`, 'blocks the loopback form'],
  ),
  removedCheck(
    'forbidden-hosts',
    [
      'address/check-address.ts',
      "if (kind === 'forbidden') throw hostBlocked(url, 'none', stage);",
      "if (kind === 'forbidden') return;",
    ],
    ['unit', `${address}/check-address.test.ts`, 'never opens'],
    ['hostile', 'hostile/metadata.test.ts', 'stops the sign-in'],
  ),
  removedCheck(
    'another-private-host',
    ['address/check-address.ts', "if (!isOpened) throw hostBlocked(url, 'allow-host', stage);", ''],
    ['unit', `${address}/check-address.test.ts`, 'covers every port of the typed host'],
  ),
  removedCheck(
    'plain-http-to-private-hosts',
    [
      'address/check-address.ts',
      "if (url.protocol === 'https:' || kind === 'loopback' || policy.allowHttp) return;",
      'if (kind) return;',
    ],
    ['unit', `${address}/check-address.test.ts`, 'by http with a second yes'],
  ),
  removedCheck(
    'downgrade',
    [
      'address/check-address.ts',
      "if (from.protocol !== 'https:' || to.protocol !== 'http:' ||",
      "if (from.protocol !== '' ||",
    ],
    ['unit', `${address}/check-address.test.ts`, 'refuses https to http'],
    [...http, 'names the step from https down to http'],
  ),
  removedCheck(
    'embedded-addresses',
    [
      'address/classify-ip.ts',
      "return classifyRange(embedded) === 'public' ? 'public' : 'forbidden';",
      "return 'public';",
    ],
    ['unit', `${address}/classify-ip.test.ts`, 'PB-02'],
  ),
  removedCheck(
    'unknown-ipv6-space',
    ['address/classify-ip.ts', "if (range === 'unicast' && !address.match(globalUnicast)) return 'forbidden';", ''],
    ['unit', `${address}/classify-ip.test.ts`, 'calls'],
  ),
  removedCheck(
    'cloud-metadata-services',
    ['address/classify-ip.ts', "if (metadataServices.has(address.toString())) return 'forbidden';", ''],
    ['unit', `${address}/classify-ip.test.ts`, 'calls'],
  ),
  removedCheck(
    'aws-services',
    ['address/classify-ip.ts', "if (address.match(awsServices)) return 'forbidden';", ''],
    ['unit', `${address}/classify-ip.test.ts`, 'calls fd00:ec2::254'],
  ),
  removedCheck(
    'names-of-internal-networks',
    ['address/classify-host.ts', ' || internalDomain.test(`.${host}`)', ''],
    ['unit', `${address}/check-address.test.ts`, 'of an internal network like a private address'],
    ['unit', `${address}/classify-ip.test.ts`, 'calls home.arpa private'],
  ),
  removedCheck(
    'names-without-a-dot',
    ['address/classify-host.ts', "!host.includes('.') || ", ''],
    ['unit', `${address}/check-address.test.ts`, 'opens the name wiki of an internal network'],
    ['contract', 'contract/command-line.test.ts', 'https://wiki/mcp'],
  ),
  removedCheck(
    'root-dot-of-names',
    ['address/canonical-host.ts', ".replace(/\\.$/, '')", ''],
    ['unit', `${address}/check-address.test.ts`, 'opens the name intranet. of an internal network'],
  ),
  removedCheck(
    'names-with-empty-labels',
    ['address/parse-address.ts', '[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*\\.?', '[a-z0-9._-]+'],
    ['unit', `${address}/parse-address.test.ts`, 'answers'],
  ),
  removedCheck(
    'hosts-with-empty-labels',
    ['address/classify-host.ts', "if (host.split('.').includes('')) return 'forbidden';", ''],
    ['unit', `${address}/check-address.test.ts`, 'is opened by nothing'],
  ),
  removedCheck(
    'look-ups-that-can-be-counted',
    ['user-agent/http/pinned-connector.ts', 'if (answer === undefined) {', 'if (answer !== null) {'],
    ['contract', 'contract/name-oracle.test.ts', 'is looked up once'],
  ),
  removedCheck(
    'unreached-hosts-asked-again',
    ['oauth/metadata-document.ts', 'if (known !== undefined) throw known;', ''],
    ['contract', 'contract/name-oracle.test.ts', 'cannot count'],
  ),
  removedCheck(
    'requests-that-tell-inside-from-nowhere',
    ['oauth/metadata-document.ts', ' || isUnreached(error);', ';'],
    ['contract', 'contract/name-oracle.test.ts', 'cannot count'],
  ),
  removedCheck(
    'letters-that-read-as-latin-ones',
    [
      'address/is-confusable-host.ts',
      'if (foreignLetter.test(label) || furtherLatin.test(label) || marked.test(label)) return true;',
      '',
    ],
    ['unit', `${address}/display-text.test.ts`, 'is true'],
  ),
  removedCheck(
    'letters-with-marks',
    ['address/is-confusable-host.ts', ' || marked.test(label)', ''],
    ['unit', `${address}/display-text.test.ts`, 'of gíthub.com'],
  ),
  removedCheck(
    'resolved-addresses',
    [
      'user-agent/http/pinned-connector.ts',
      'for (const { address } of addresses) checkResolvedAddress',
      'for (const { address } of addresses.slice(0, 0)) checkResolvedAddress',
    ],
    [...http, 'blocks a name that resolves to'],
  ),
  removedCheck(
    'only-the-first-resolved-address',
    [
      'user-agent/http/pinned-connector.ts',
      'for (const { address } of addresses) checkResolvedAddress',
      'for (const { address } of addresses.slice(0, 1)) checkResolvedAddress',
    ],
    [...http, 'blocks a name that resolves to'],
  ),
  removedCheck(
    'certificates',
    ['user-agent/http/pinned-connector.ts', 'rejectUnauthorized: true,', 'rejectUnauthorized: false,'],
    [...http, 'refuses one that nobody vouches for'],
    ['hostile', 'hostile/proxy.test.ts', 'a target whose certificate nobody vouches for'],
  ),
  removedCheck(
    'facts-of-a-certificate-as-they-come',
    [
      'user-agent/http/watch-handshake.ts',
      "return displayText(parts.join(', '), factLength);",
      "return parts.join(', ');",
    ],
    ['contract', 'contract/network-failures.test.ts', 'shows the facts of the certificate in the trace alone'],
  ),
  removedCheck(
    'server-blamed-for-a-silent-proxy',
    ['user-agent/http/pinned-connector.ts', 'options.notes.openingThrough.set(place, nameProxy(proxy));', ''],
    ['hostile', 'hostile/proxy.test.ts', 'a proxy that says nothing ends at the deadline'],
  ),
  removedCheck(
    'old-tls',
    ['user-agent/http/http.ts', "minVersion: 'TLSv1.2'", "minVersion: 'TLSv1.1'"],
    [...http, 'refuses TLS 1.1'],
  ),
  // Two places check it, the second for connections that something else asks for.
  {
    name: 'literals-behind-a-proxy',
    edits: [
      { file: 'main/user-agent/http/http.ts', find: 'checkAddress(url, policy, stage);', replace: '' },
      {
        file: 'main/user-agent/http/pinned-connector.ts',
        find: 'checkAddress({ protocol, hostname }, policy, stage);',
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
    ['user-agent/http/proxy-settings.ts', " || classifyHost(target.hostname) === 'loopback'", ''],
    ['unit', 'unit/main/user-agent/http/proxy-settings.test.ts', 'never leads'],
  ),
  removedCheck(
    'certificate-of-a-proxy',
    ['user-agent/http/proxy-tunnel.ts', 'rejectUnauthorized: true', 'rejectUnauthorized: false'],
    ['hostile', 'hostile/proxy.test.ts', 'a proxy that is itself reached by TLS is verified as well'],
  ),
  removedCheck(
    'early-data-of-a-proxy',
    [
      'user-agent/http/proxy-tunnel.ts',
      "if (received.length > end + 4) return refuse('EARLY_DATA', 'broken-http');",
      '',
    ],
    ['hostile', 'hostile/proxy.test.ts', 'a proxy that speaks for the target'],
  ),
  removedCheck(
    'redirects-elsewhere',
    ['user-agent/http/redirect-target.ts', ' || target.origin !== from.origin', ''],
    [...http, 'to another origin, which sees no request'],
  ),
  removedCheck(
    'redirected-posts',
    ['user-agent/http/redirect-target.ts', "'same-origin' && request.method === 'GET'", "'same-origin'"],
    [...http, 'of a POST within its origin'],
  ),
  removedCheck(
    'endless-redirects',
    ['user-agent/http/http.ts', 'if (hop === redirectHops)', 'if (hop === redirectHops * 9)'],
    [...http, 'gives up a loop'],
  ),
  removedCheck(
    'credentials-on-redirects',
    ['user-agent/http/http.ts', 'headers = withoutCredentials(headers);', ''],
    [...http, 'follows a GET within its origin, without credentials'],
  ),
  removedCheck(
    'body-size',
    ['user-agent/http/read-body.ts', 'if (length > limit) throw tooLarge();', ''],
    [...http, 'cuts a body that declares one byte more'],
  ),
  removedCheck(
    'redirected-to-another-origin',
    ['user-agent/http/redirect-target.ts', '!mayFollow || target.origin !== from.origin', '!mayFollow'],
    [...http, 'follows 307 to no other origin'],
  ),
  removedCheck(
    'redirected-as-another-request',
    ['user-agent/http/redirect-target.ts', '? sameRequestStatuses.has(response.status)', '? true'],
    [...http, 'does not follow 302, which may be asked for otherwise'],
  ),
  removedCheck(
    'size-of-an-mcp-answer',
    ['user-agent/http/limit-messages.ts', 'if (length > bodyLimit.mcpMessage) throw', 'if (length < 0) throw'],
    ['unit', 'unit/main/user-agent/http/limit-messages.test.ts', 'takes a document of the limit and'],
  ),
  removedCheck(
    'deadline-of-an-mcp-answer',
    ['user-agent/http/http.ts', 'if (isEventStream(response)) limit.stopTimer();', 'limit.stopTimer();'],
    ['hostile', 'hostile/after-sign-in.test.ts', 'drip after the sign-in stops nothing but the call'],
  ),
  removedCheck(
    'content-encoding',
    [
      'user-agent/http/dispatch-request.ts',
      "if (encoding !== '' && encoding !== 'identity')",
      "if (encoding === 'br')",
    ],
    [...http, 'refuses the encoding'],
  ),
  removedCheck(
    'number-of-headers',
    ['user-agent/http/dispatch-request.ts', 'if (fields.length > headerCount * 2)', 'if (fields.length < 0)'],
    [...http, 'MD-06'],
  ),
  removedCheck(
    'reason-phrase',
    ['user-agent/http/dispatch-request.ts', 'if (statusText.length > statusTextLength)', 'if (statusText.length < 0)'],
    [...http, 'MD-06'],
  ),
  removedCheck(
    'deadline',
    ['user-agent/http/exchange-limit.ts', 'Math.min(Math.max(milliseconds, 0), longestTimer)', 'longestTimer'],
    [...http, 'MD-05'],
  ),
  removedCheck(
    'values-that-break-a-header',
    ['user-agent/http/request-headers.ts', 'if (!fieldName.test(name) || !fieldValue.test(value))', "if (name === '')"],
    [...http, 'refuses the field value'],
  ),
  removedCheck(
    'flood-of-discoveries',
    ['user-agent/http/limit-discoveries.ts', 'if (running < discoveryRate.atOnce) {', 'if (running >= 0) {'],
    ['unit', 'unit/main/user-agent/http/limit-discoveries.test.ts', 'sends at most four requests'],
  ),
  removedCheck(
    'flood-of-one-host',
    ['user-agent/http/host-rate.ts', 'if (turns < 1)', 'if (turns < -9_999)'],
    ['unit', 'unit/main/user-agent/http/limit-discoveries.test.ts', 'gives one host a bounded number'],
  ),
];
