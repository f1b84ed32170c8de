import * as fc from 'fast-check';
import { checkAddress } from '../../main/address/check-address.ts';
import { displayHost, displayText, isConfusableHost } from '../../main/address/display-text.ts';
import { parseAddress } from '../../main/address/parse-address.ts';
import { printable, printableJson, printableLine } from '../../main/cli/text.ts';
import { attachCredential } from '../../main/mcp/http/credential-gate.ts';
import { chooseProxy, parsePacResult, readProxySettings } from '../../main/net/http/proxy-settings.ts';
import { stateOf, validateAuthorizationResponse } from '../../main/oauth/authorization/authorization-response.ts';
import { matchesResource } from '../../main/oauth/discovery/discovery.ts';
import { ProofKey } from '../../main/oauth/http/proof-key.ts';
import { parseRetryAfter, parseTokenChallenge } from '../../main/oauth/http/response-headers.ts';
import { Secret } from '../../main/secret.ts';
import { readSettingsDocument } from '../../main/storage/settings/settings-document.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { authorizationRequest, policy, start, state } from '../support/oauth-fixtures.ts';
import { fuzzTarget } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { asText, hostileJson, hostileText, mutated } from './hostile-values.ts';
import { assert, isHarmless, typed } from './typed.ts';

const parameterNames = ['code', 'state', 'iss', 'error', 'access_token', 'id_token', 'response', 'x'] as const;
const callbackQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(...parameterNames),
      fc.oneof(hostileText, fc.constantFrom(state, state.slice(1), 'https://as.example', 'code')),
    ),
    { maxLength: 6 },
  )
  .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString());

const resourceUrl = fc
  .tuple(
    fc.constantFrom(
      'https://mcp.example',
      'https://mcp.example:8443',
      'https://evil.example',
      'https://mcp.example.evil.example',
      'http://mcp.example',
    ),
    fc.constantFrom(
      '',
      '/',
      '/mcp',
      '/mcp/',
      '/mcp/x',
      '/mcpx',
      '/MCP',
      '/other',
      '/mcp/../other',
      '/mcp%2fx',
      '/mcp?x=1',
    ),
  )
  .map(([origin, path]) => `${origin}${path}`);

const bidirectional = /[\u202a-\u202e\u2066-\u2069]/u;

const proofKey = ProofKey.create();

export const textTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'an accepted address is https, without user info or fragment, and stable when read again (PB-01)',
    input: fc.oneof(
      hostileText,
      fc.webUrl(),
      fc.tuple(fc.constantFrom('https://', 'HTTPS:\\\\', 'https:/', '//'), hostileText).map((parts) => parts.join('')),
    ),
    async holds(text) {
      const read = await typed(() => {
        const url = parseAddress(text, 'discovery');
        checkAddress(url, policy, 'discovery');
        return url;
      });
      if (!('value' in read)) return;
      const { href, protocol, username, password, hash } = read.value;
      assert(protocol === 'https:' && username === '' && password === '' && hash === '', href);
      assert(parseAddress(href, 'discovery').href === href, 'another address the second time');
    },
  }),
  fuzzTarget({
    name: 'a callback gives a code only for its own state and issuer (RFC 6749 4.1.2, RFC 9207)',
    cost: 2,
    input: fc.oneof(callbackQuery, hostileText),
    async holds(query) {
      const request = authorizationRequest({ issExpected: true });
      const read = await typed(() => validateAuthorizationResponse(request, query, createFakeClock(start)));
      stateOf(query);
      if (!('value' in read)) return;
      const parameters = new URLSearchParams(query);
      assert(parameters.getAll('state').join() === state, 'another state');
      assert(parameters.getAll('iss').join() === request.issuerKey, 'another issuer');
      assert((read.value.kind === 'authorization-refused') === parameters.has('error'), 'an error taken for a code');
    },
  }),
  fuzzTarget({
    name: 'a credential goes to its resource and nowhere else (RFC 6750 5.3)',
    input: fc.tuple(resourceUrl, resourceUrl, fc.constantFrom('bearer', 'dpop', 'header')),
    holds([resource, target, kind]) {
      const secret = new Secret('canary');
      const headers = new Headers();
      const credential =
        kind === 'bearer'
          ? ({ kind, token: secret, resource } as const)
          : kind === 'dpop'
            ? ({ kind, token: secret, key: proofKey, resource } as const)
            : ({ kind: 'header', name: 'x-api-key', value: secret, resource } as const);
      const url = new URL(target);
      attachCredential(headers, url, credential);
      const isAttached = [...headers.values()].some((value) => value.includes('canary'));
      const pinned = new URL(resource);
      assert(isAttached === matchesResource(pinned, url), 'the gate and its rule differ');
      if (!isAttached) return;
      assert(url.origin === pinned.origin, `another origin: ${target} for ${resource}`);
      const root = pinned.pathname.replace(/\/$/, '');
      assert(
        url.pathname === pinned.pathname || url.pathname.startsWith(`${root}/`) || url.pathname === root,
        `another path: ${target} for ${resource}`,
      );
    },
  }),
  fuzzTarget({
    name: 'a challenge never causes an error',
    input: fc.oneof(
      hostileText,
      fc
        .array(
          fc.constantFrom('Bearer ', 'DPoP ', 'realm=', '"', '\\', ',', '=', 'a', ' ', 'resource_metadata=', 'error="'),
        )
        .map((parts) => parts.join('')),
    ),
    holds(text) {
      const headers = new Headers();
      try {
        headers.set('www-authenticate', text);
      } catch {
        return;
      }
      const { dpop, ...texts } = parseTokenChallenge(headers) ?? {};
      const { algs = [], only, ...boundTexts } = dpop ?? {};
      assert(only === undefined || only, 'bearer tokens are taken and told as not taken');
      for (const value of [...Object.values(texts), ...algs, ...Object.values(boundTexts)])
        assert(typeof value === 'string' && value !== '', 'no text');
    },
  }),
  fuzzTarget({
    name: 'a Retry-After is a reasonable time or nothing',
    input: fc.oneof(
      hostileText,
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
    holds(text) {
      const seconds = parseRetryAfter(text, createFakeClock().now());
      assert(
        seconds === undefined || (Number.isFinite(seconds) && seconds >= 1 && seconds <= 3_600),
        `${seconds} seconds`,
      );
    },
  }),
  fuzzTarget({
    name: 'text for users is short and contains no control or bidirectional characters (IP-01)',
    input: fc.oneof(hostileText, fc.string({ unit: 'binary', maxLength: 300 })),
    holds(text) {
      assert(isHarmless(displayText(text), 200), 'displayText');
      assert(Array.from(displayText(text)).length <= 80, 'the length of displayText');
      assert(!/[^\x20-\x7e…]/.test(displayHost(text)), 'displayHost');
      isConfusableHost(text);
      for (const shown of [printable(text), printableLine(text), printableJson({ text })]) {
        assert(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(shown) && !bidirectional.test(shown), 'printable');
      }
    },
  }),
  fuzzTarget({
    name: 'a settings file is read whatever it contains (CF-12)',
    cost: 2,
    input: asText(
      mutated({
        version: 1,
        settings: { callbackPort: 4_000 },
        integrations: [{ id: 'one', url: 'https://mcp.example/' }],
      }),
    ),
    holds(text) {
      const reading = readSettingsDocument(text);
      if (reading.state === 'unreadable') return;
      const { document } = reading;
      assert(Array.isArray(document.integrations), 'no list');
      assert(Object.getPrototypeOf(document.settings) === Object.prototype, 'another prototype');
      assert(!('polluted' in {}), 'a polluted prototype');
    },
  }),
  fuzzTarget({
    name: 'proxy settings are read whatever they contain',
    input: fc.tuple(
      fc.dictionary(fc.constantFrom('HTTPS_PROXY', 'http_proxy', 'ALL_PROXY', 'NO_PROXY', 'no_proxy'), hostileText),
      hostileText,
      hostileJson,
    ),
    holds([env, host]) {
      const settings = readProxySettings(env);
      const server = chooseProxy(settings, { protocol: 'https:', hostname: host, port: 443 });
      const named = parsePacResult(host) ?? server;
      assert(
        named === undefined || (named.port > 0 && named.port <= 65_535 && named.hostname !== ''),
        'a proxy that is none',
      );
      assert(chooseProxy(settings, { protocol: 'https:', hostname: '127.0.0.1', port: 443 }) === undefined, 'loopback');
    },
  }),
];
