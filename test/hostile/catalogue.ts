/** Where a case can be shown that cannot be shown on every machine that runs the tests. */
export type Place = 'macOS' | 'Windows' | 'realElectron' | 'release';

/** One way in which a server or a machine can be hostile or broken. */
export interface HostileCase {
  /** 0 has to hold before a first release. */
  readonly priority: 0 | 1 | 2;
  readonly what: string;
  /** Files below `test/` in which a title names the case. */
  readonly provenIn: readonly string[];
  /** Where the proof runs on the thing itself, if not everywhere: elsewhere it is skipped, or shown on a stand-in. */
  readonly runsOn?: { readonly place: Place; readonly because: string };
}

/**
 * Every hostile case and the tests that prove it. A test of its own keeps the two together: a case without a proof, a
 * proof that has gone, and a title that names a case which is not here are failures.
 */
export const catalogue: Readonly<Record<string, HostileCase>> = {
  // metadata
  'MD-01': {
    priority: 0,
    what: 'Body is 10 MB of valid JSON',
    provenIn: [
      'contract/http.test.ts',
      'hostile/during-sign-in.test.ts',
      'unit/main/user-agent/http/limit-messages.test.ts',
    ],
  },
  'MD-02': {
    priority: 0,
    what: 'gzip bomb: 48 KB that expands to 50 MB; and Content-Encoding: gzip, gzip (251 B to 50 MB)',
    provenIn: ['contract/http.test.ts', 'hostile/during-sign-in.test.ts'],
  },
  'MD-04': {
    priority: 0,
    what: 'Slow drip: one space every 300 ms for ever',
    provenIn: ['contract/http.test.ts', 'hostile/during-sign-in.test.ts'],
  },
  'MD-05': {
    priority: 0,
    what: 'Accepts TCP, never sends headers; or TLS handshake hangs',
    provenIn: ['contract/http.test.ts', 'hostile/during-sign-in.test.ts'],
  },
  'MD-06': {
    priority: 1,
    what: '20 KB header, 2 000 headers, or a 16 KB status line',
    provenIn: ['contract/http.test.ts', 'hostile/during-sign-in.test.ts'],
  },
  'MD-07': {
    priority: 0,
    what: 'JSON nested 5 000 deep and 5 000 000 deep',
    provenIn: ['unit/main/oauth/json-document.test.ts'],
  },
  'MD-08': {
    priority: 1,
    what: 'Duplicate keys: issuer twice, token_endpoint twice, case variants',
    provenIn: ['unit/main/oauth/json-document.test.ts'],
  },
  'MD-10': {
    priority: 0,
    what: 'Wrong types: issuer: 5, authorization_servers: "x", {}, null, array at root, true',
    provenIn: ['unit/main/oauth/messages.test.ts'],
  },
  'MD-11': {
    priority: 0,
    what: 'HTML page with 200 and text/html (login wall, captive portal, SPA catch-all)',
    provenIn: ['contract/quirks/discovery.test.ts', 'unit/main/oauth/json-document.test.ts'],
  },
  'MD-12': {
    priority: 1,
    what: 'UTF-16, BOM, invalid UTF-8, lone surrogates, NUL bytes in strings',
    provenIn: ['unit/main/oauth/json-document.test.ts', 'unit/main/oauth/token-response.test.ts'],
  },
  'MD-13': {
    priority: 0,
    what: 'authorization_endpoint: javascript:alert(1) also data:, vbscript:, file:, blob:, about:, ms-msdt:, search-ms:, smb:, vscode:',
    provenIn: [
      'contract/quirks/authorization-servers.test.ts',
      'contract/system-browser.test.ts',
      'hostile/metadata.test.ts',
      'unit/main/oauth/authorization-request.test.ts',
    ],
  },
  'MD-14': {
    priority: 0,
    what: 'authorization_endpoint with shell metacharacters: $(calc), backtick, &, |, ", %0a, leading --',
    provenIn: ['contract/system-browser.test.ts', 'hostile/metadata.test.ts'],
  },
  'MD-16': {
    priority: 0,
    what: 'Scheme and host tricks: https:/evil, http:evil, tab or newline inside host, full-width dots, https://good\\@evil/, soft hyphen',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-17': {
    priority: 1,
    what: 'URL of 2 MB, 200 KB query, 10 000 path segments, port 0',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-18': {
    priority: 1,
    what: 'Fragment in resource or issuer; query in issuer',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-19': { priority: 1, what: '302 from PRM to the same origin (path change)', provenIn: ['contract/http.test.ts'] },
  'MD-20': {
    priority: 0,
    what: '302/307 from PRM, AS metadata, DCR or token endpoint to ANOTHER origin',
    provenIn: ['contract/http.test.ts', 'hostile/during-sign-in.test.ts'],
  },
  'MD-22': {
    priority: 1,
    what: 'Redirect loop, and a chain of 25 distinct locations',
    provenIn: ['contract/http.test.ts'],
  },
  'MD-23': {
    priority: 0,
    what: 'https to http downgrade: in redirect, in token_endpoint, in registration_endpoint, in authorization_servers[0]',
    provenIn: [
      'contract/http.test.ts',
      'hostile/metadata.test.ts',
      'unit/main/oauth/refresh.test.ts',
      'unit/main/oauth/revocation.test.ts',
    ],
  },
  'MD-24': {
    priority: 0,
    what: 'MCP URL typed as http:// to a public host',
    provenIn: ['unit/main/address/check-address.test.ts'],
  },
  'MD-25': {
    priority: 0,
    what: 'PRM resource names another server (https://victim.example/mcp)',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-26': {
    priority: 1,
    what: 'PRM resource is a parent path or differs by trailing slash, case, default port, query',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-28': {
    priority: 0,
    what: 'attacker.example serves metadata with issuer: https://honest.example and own token_endpoint',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-29': {
    priority: 1,
    what: 'token_endpoint on a different registrable domain than the issuer',
    provenIn: ['unit/main/oauth/authorization-server-metadata.test.ts'],
  },
  'MD-31': {
    priority: 1,
    what: 'authorization_servers empty, 10 000 entries, or 2 entries (one hostile)',
    provenIn: ['unit/main/oauth/find-authorization-server.test.ts', 'unit/main/oauth/messages.test.ts'],
  },
  'MD-32': {
    priority: 1,
    what: '401 with WWW-Authenticate broken: unterminated quote, 1 MB, two Bearer challenges, header repeated, no Bearer',
    provenIn: ['unit/main/oauth/bearer-challenge.test.ts'],
  },
  'MD-34': {
    priority: 0,
    what: 'Metadata changes between two fetches in one flow (first honest, then hostile token_endpoint)',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-35': {
    priority: 1,
    what: 'Server answers the probe with 200 and publishes no metadata',
    provenIn: ['contract/sign-in.test.ts'],
  },
  'MD-36': {
    priority: 1,
    what: "PRM 200 after 404 at path form: root-level PRM claims another tenant's path",
    provenIn: ['hostile/metadata.test.ts'],
  },
  'MD-38': {
    priority: 0,
    what: 'Mix-up by metadata: issuer and token endpoint of one owner, sign-in page of another',
    provenIn: [
      'contract/several-owners.test.ts',
      'unit/main/desktop/connections/agreed-hosts.test.ts',
      'unit/main/integration/sign-in/hosts-to-agree.test.ts',
    ],
  },
  'MD-37': {
    priority: 0,
    what: 'Authorization server at another name of a domain claims the issuer of an honest one there, keeps an endpoint',
    provenIn: ['contract/subdomain-exception.test.ts', 'unit/main/oauth/issuer.test.ts'],
  },
  'MD-30': {
    priority: 0,
    what: 'code_challenge_methods_supported absent, ["plain"], or of a wrong type',
    provenIn: ['unit/main/oauth/pkce.test.ts'],
  },
  // network
  'NW-01': {
    priority: 0,
    what: 'Typed or discovered host is a private literal: 10/8, 172.16/12, 192.168/16, 100.64/10, 198.18/15, fc00::/7, fe80::/10',
    provenIn: ['contract/quirks/authorization-servers.test.ts', 'hostile/metadata.test.ts'],
  },
  'NW-02': {
    priority: 0,
    what: 'Loopback forms: 127.0.0.1, 127.1, 0x7f.1, 2130706433, 017700000001, full-width digits, localhost, LOCALHOST, localhost., [::1]',
    provenIn: ['unit/main/address/check-address.test.ts'],
  },
  'NW-04': {
    priority: 0,
    what: 'Cloud metadata: 169.254.169.254 in dotted, hex, octal, trailing-dot form; fd00:ec2::254; 100.100.100.200; metadata.google.internal',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'NW-05': {
    priority: 0,
    what: 'IPv4-mapped [::ffff:10.0.0.1], IPv4-compatible [::7f00:1], NAT64 64:ff9b::7f00:1, 6to4 2002:7f00:1::, Teredo',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'NW-06': {
    priority: 0,
    what: 'Public name with an A record to a private address (*.nip.io, localtest.me)',
    provenIn: ['contract/http.test.ts'],
  },
  'NW-07': {
    priority: 0,
    what: 'DNS rebinding: answer 1 public, answer 2 private (TTL 0) between check and connect',
    provenIn: ['contract/http.test.ts'],
  },
  'NW-08': {
    priority: 0,
    what: 'Mixed answer: one public A and one private AAAA',
    provenIn: ['contract/http.test.ts'],
  },
  'NW-10': {
    priority: 0,
    what: "Box ticked for integration X (192.168.1.5:8443); X's metadata names 192.168.1.1 as token endpoint",
    provenIn: ['hostile/metadata.test.ts'],
  },
  'NW-11': {
    priority: 0,
    what: 'Public MCP server names a local AS while the box is ticked on another integration',
    provenIn: ['hostile/metadata.test.ts'],
  },
  'NW-12': {
    priority: 1,
    what: 'Box un-ticked later; refresh then runs against the old private host',
    provenIn: ['unit/main/oauth/refresh.test.ts'],
  },
  'NW-13': {
    priority: 1,
    what: 'HTTP(S)_PROXY or system proxy set: IP guard cannot see the target',
    provenIn: [
      'hostile/program.test.ts',
      'hostile/proxy.test.ts',
      'unit/main/user-agent/http/network-checks.test.ts',
      'unit/main/user-agent/http/proxy-settings.test.ts',
    ],
  },
  'NW-14': { priority: 2, what: 'Non-web ports: 22, 25, 6379, 11211', provenIn: ['hostile/metadata.test.ts'] },
  'NW-16': {
    priority: 0,
    what: 'TLS: self-signed, expired, wrong host, TLS 1.0',
    provenIn: [
      'contract/http.test.ts',
      'contract/network-failures.test.ts',
      'hostile/program.test.ts',
      'unit/main/user-agent/http/network-checks.test.ts',
    ],
  },
  'NW-17': {
    priority: 1,
    what: 'NODE_EXTRA_CA_CERTS, SSLKEYLOGFILE, ELECTRON_RUN_AS_NODE set by a local process',
    provenIn: [
      'e2e/packaged-program.test.ts',
      'hostile/program.test.ts',
      'unit/main/user-agent/http/network-checks.test.ts',
      'unit/main/user-agent/http/trusted-certificates.test.ts',
    ],
  },
  'NW-18': {
    priority: 1,
    what: "Server on a VPN 'fake-IP' range (198.18/15) or tailnet (100.64/10): a legitimate user",
    provenIn: ['unit/main/address/check-address.test.ts'],
  },
  'NW-19': {
    priority: 2,
    what: 'IPv6 zone id, IDN host that maps to localhost after NFKC',
    provenIn: ['unit/main/address/parse-address.test.ts'],
  },
  'NW-20': {
    priority: 2,
    what: '50 integrations all pointed at one victim host (client used as a DoS amplifier)',
    provenIn: ['unit/main/user-agent/http/limit-discoveries.test.ts'],
  },
  // registration
  'RG-02': {
    priority: 1,
    what: 'DCR returns 200 instead of 201',
    provenIn: ['unit/main/oauth/client-registration.test.ts'],
  },
  'RG-03': {
    priority: 0,
    what: 'DCR returns 201 with HTML, empty body, or no client_id',
    provenIn: ['unit/main/oauth/client-registration.test.ts'],
  },
  'RG-04': {
    priority: 1,
    what: "client_id of 1 MB, with control characters, or equal to another integration's",
    provenIn: ['unit/main/oauth/client-registration.test.ts'],
  },
  'RG-05': {
    priority: 1,
    what: 'token_endpoint_auth_method forced to client_secret_basic but no secret returned',
    provenIn: ['unit/main/oauth/client-registration.test.ts'],
  },
  'RG-06': {
    priority: 1,
    what: 'client_secret_expires_at in the past, 0, negative, string, or missing',
    provenIn: ['unit/main/oauth/client-registration.test.ts'],
  },
  'RG-08': {
    priority: 1,
    what: 'DCR hangs, resets, 429, 503',
    provenIn: ['hostile/during-sign-in.test.ts', 'unit/main/oauth/client-registration.test.ts'],
  },
  'RG-09': {
    priority: 2,
    what: 'registration_client_uri or registration_access_token pointing to an internal host',
    provenIn: ['unit/main/oauth/client-registration.test.ts', 'unit/main/oauth/registration-deletion.test.ts'],
  },
  'RG-10': {
    priority: 1,
    what: "AS echoes client_name changed to 'Your Bank', logo_uri = tracking pixel",
    provenIn: ['unit/main/oauth/client-registration.test.ts'],
  },
  'RG-11': {
    priority: 0,
    what: 'PRM now names a NEW authorization server: stored client_id, secret, refresh token exist for the old one',
    provenIn: ['contract/quirks/authorization-servers.test.ts'],
  },
  'RG-12': {
    priority: 2,
    what: 'Two integrations at the same AS share a registration; one is deleted',
    provenIn: ['contract/sign-out.test.ts'],
  },
  'RG-14': { priority: 1, what: "DCR spam: 'connect' pressed 30 times", provenIn: ['hostile/neighbours.test.ts'] },
  // authorization
  'AZ-01': { priority: 0, what: 'Callback with unknown state', provenIn: ['hostile/callback.test.ts'] },
  'AZ-02': {
    priority: 0,
    what: 'Callback without state, empty state, state twice, code twice, code and error together',
    provenIn: ['hostile/callback.test.ts', 'unit/main/oauth/authorization-response.test.ts'],
  },
  'AZ-03': {
    priority: 0,
    what: 'State replay: same valid callback twice (user reload, browser prefetch, attacker)',
    provenIn: ['hostile/callback.test.ts'],
  },
  'AZ-04': {
    priority: 1,
    what: 'State differs in case, has whitespace, is a 1 MB string, is a prefix',
    provenIn: [
      'hostile/callback.test.ts',
      'unit/main/oauth/authorization-response.test.ts',
      'contract/compare-state.test.ts',
    ],
  },
  'AZ-06': {
    priority: 1,
    what: 'Two flows for the SAME integration',
    provenIn: ['contract/superseded.test.ts', 'contract/desktop.test.ts'],
  },
  'AZ-07': {
    priority: 0,
    what: 'Mix-up: AS-evil redirects the browser to honest AS; honest code arrives with iss of honest',
    provenIn: ['contract/sign-in.test.ts', 'hostile/callback.test.ts'],
  },
  'AZ-08': {
    priority: 0,
    what: 'iss absent although authorization_response_iss_parameter_supported: true',
    provenIn: ['hostile/callback.test.ts'],
  },
  'AZ-09': {
    priority: 0,
    what: 'iss present although not advertised, and wrong; or differs by slash, case, :443, percent-encoding',
    provenIn: ['hostile/callback.test.ts'],
  },
  'AZ-10': { priority: 0, what: 'error=access_denied with right state', provenIn: ['hostile/callback.test.ts'] },
  'AZ-12': {
    priority: 1,
    what: 'error with wrong state (attacker tries to cancel the sign-in)',
    provenIn: ['hostile/callback.test.ts', 'unit/main/oauth/authorization-response.test.ts'],
  },
  'AZ-13': {
    priority: 0,
    what: 'Callback page XSS: payload in code, state, error, path or Host',
    provenIn: ['contract/callback-listener.test.ts'],
  },
  'AZ-14': {
    priority: 0,
    what: 'Callback by POST, PUT, HEAD, OPTIONS (with Private-Network preflight), CONNECT, TRACE, WebSocket upgrade',
    provenIn: ['contract/callback-listener.test.ts'],
  },
  'AZ-15': {
    priority: 0,
    what: 'Host: evil.example:port (DNS rebinding), Host missing (HTTP/1.0), Host with another port',
    provenIn: ['contract/callback-listener.test.ts'],
  },
  'AZ-16': {
    priority: 1,
    what: 'Request target //evil.example/callback?... or absolute-form GET http://evil/callback',
    provenIn: ['contract/callback-listener.test.ts'],
  },
  'AZ-18': {
    priority: 1,
    what: '500 garbage requests, 200 idle sockets, 1 MB URL on the listener',
    provenIn: ['contract/callback-listener.test.ts'],
  },
  'AZ-19': {
    priority: 1,
    what: 'Other OS user on the same machine connects to our port',
    provenIn: ['contract/callback-listener.test.ts', 'contract/stranger.test.ts'],
  },
  'AZ-20': {
    priority: 0,
    what: 'Local squatter holds [::1]:port while we hold 127.0.0.1:port and the redirect says localhost',
    provenIn: ['contract/callback-listener.test.ts'],
  },
  'AZ-21': {
    priority: 0,
    what: 'Fixed port (pre-registered client) already taken',
    provenIn: ['contract/callback-listener.test.ts', 'contract/sign-in.test.ts'],
  },
  'AZ-40': {
    priority: 1,
    what: 'Server names another authorization server now: the account of the first one as login_hint',
    provenIn: ['contract/account-destination.test.ts'],
  },
  'AZ-22': {
    priority: 1,
    what: 'Ephemeral port: AS refuses an unregistered port',
    provenIn: ['contract/sign-in.test.ts'],
  },
  'AZ-24': {
    priority: 0,
    what: 'Popup closed, browser tab closed, user presses Cancel, app window closed, app quit',
    provenIn: ['contract/desktop.test.ts'],
  },
  'AZ-25': {
    priority: 1,
    what: 'Callback arrives 1 ms after cancel or expiry',
    provenIn: ['unit/main/integration/sign-in/authorization-session.test.ts'],
  },
  'AZ-26': {
    priority: 0,
    what: 'Auth ticket used twice, by another window, for another integration, after 10 min, guessed',
    provenIn: ['contract/desktop.test.ts', 'unit/main/integration/sign-in/auth-tickets.test.ts'],
  },
  'AZ-27': {
    priority: 0,
    what: "Login CSRF: attacker sends a victim a link with the attacker's own code",
    provenIn: ['hostile/callback.test.ts'],
  },
  'AZ-28': {
    priority: 1,
    what: 'Consent phishing: attacker sends the victim OUR authorization URL copied from his app',
    provenIn: ['hostile/callback.test.ts'],
  },
  'AZ-30': {
    priority: 1,
    what: 'AS sends extra parameters, code of 64 KB, code with CR or LF',
    provenIn: ['hostile/callback.test.ts', 'unit/main/oauth/authorization-response.test.ts'],
  },
  'AZ-31': {
    priority: 0,
    what: 'Popup page calls window.open, target=_blank, named windows, Ctrl-click, middle-click',
    provenIn: ['e2e/window-guards.test.ts'],
  },
  'AZ-32': {
    priority: 0,
    what: 'Popup page navigates to file:, app:, ms-*:, mailto:, data:, chrome:, or http',
    provenIn: ['e2e/window-guards.test.ts', 'unit/main/windows/popup-navigation.test.ts'],
  },
  'AZ-33': {
    priority: 0,
    what: 'Popup requests camera, notifications, clipboard-read, openExternal, USB, HID, geolocation, fullscreen, pointerLock',
    provenIn: ['e2e/window-guards.test.ts'],
  },
  'AZ-34': {
    priority: 0,
    what: 'Popup starts a download, shows a basic-auth box, asks for a client certificate, hits a bad certificate',
    provenIn: ['e2e/window-guards.test.ts'],
  },
  'AZ-36': {
    priority: 1,
    what: 'Popup blocks closing with beforeunload, alert() loops, 100 % CPU script, crashes its renderer',
    provenIn: ['e2e/window-guards.test.ts'],
  },
  'AZ-37': {
    priority: 1,
    what: 'Cookies, localStorage and service workers from AS-evil meet AS-honest in a later popup',
    provenIn: ['contract/electron-contract.test.ts', 'e2e/window-guards.test.ts'],
  },
  'AZ-38': {
    priority: 1,
    what: 'AS demands response_mode=form_post or fragment or returns an implicit token',
    provenIn: ['hostile/callback.test.ts', 'unit/main/oauth/authorization-response.test.ts'],
  },
  'AZ-39': {
    priority: 2,
    what: 'scope reduced or enlarged in the token answer',
    provenIn: ['contract/quirks/scopes.test.ts'],
  },
  // token
  'TK-01': {
    priority: 0,
    what: '200 with HTML, empty body, truncated JSON, JSON array, null',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  'TK-03': {
    priority: 0,
    what: 'access_token with CR, LF, space, non-ASCII, emoji',
    provenIn: ['contract/http.test.ts', 'unit/main/oauth/token-response.test.ts'],
  },
  'TK-04': {
    priority: 0,
    what: 'expires_in absent',
    provenIn: [
      'unit/main/oauth/refresh.test.ts',
      'unit/main/oauth/token-request.test.ts',
      'unit/main/oauth/token-response.test.ts',
    ],
  },
  'TK-05': {
    priority: 0,
    what: 'expires_in = null, "", "3600", "1e9", "0x10", true, [], -5, 0, 1e300, 1e400',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  'TK-06': {
    priority: 0,
    what: 'expires_in = 2^31 ms or more used in setTimeout',
    provenIn: ['unit/main/engine/clock.test.ts'],
  },
  'TK-09': {
    priority: 1,
    what: '401 invalid_client once, then OK',
    provenIn: ['unit/main/oauth/token-request.test.ts'],
  },
  'TK-10': {
    priority: 1,
    what: '429 or 503 with Retry-After: 120, an HTTP date, -1, 9999999999, soon',
    provenIn: ['unit/main/oauth/refresh.test.ts', 'unit/main/oauth/token-response.test.ts'],
  },
  'TK-11': {
    priority: 0,
    what: '500 with 5 MB body, HTML, ANSI escapes, forged log line',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  'TK-12': {
    priority: 0,
    what: 'TCP reset before the answer; reset after full body; TLS alert mid-body',
    provenIn: ['hostile/during-sign-in.test.ts'],
  },
  'TK-13': { priority: 1, what: 'Slow answer: 29 s, 31 s, drip', provenIn: ['unit/main/oauth/token-request.test.ts'] },
  'TK-15': {
    priority: 0,
    what: 'token_endpoint is http or on a blocked address at exchange time',
    provenIn: ['unit/main/oauth/token-request.test.ts'],
  },
  'TK-16': {
    priority: 1,
    what: '200 with {"error":"invalid_grant"}',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  'TK-17': {
    priority: 1,
    what: 'Duplicate access_token keys (good, evil)',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  'TK-18': {
    priority: 2,
    what: 'Content-Type text/html with JSON body; application/json; charset=utf-16',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  'TK-19': {
    priority: 1,
    what: 'id_token returned (huge, unsigned, for another audience)',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  'TK-21': {
    priority: 0,
    what: 'Access token used against a URL that is not the pinned resource (other path or host)',
    provenIn: ['unit/main/mcp/credential-gate.test.ts'],
  },
  'TK-07': {
    priority: 0,
    what: 'token_type = mac, N_A, DPoP, 5',
    provenIn: ['unit/main/oauth/token-response.test.ts'],
  },
  // refresh
  'RF-01': {
    priority: 0,
    what: 'Rotated pair received',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'unit/main/storage/vault.test.ts'],
  },
  'RF-02': {
    priority: 0,
    what: 'Crash (SIGKILL) after the AS rotated, before the write',
    provenIn: ['contract/refresh/race.test.ts'],
  },
  'RF-03': {
    priority: 0,
    what: 'Crash at any step of replacing the vault file',
    provenIn: ['unit/main/storage/replace-file.test.ts'],
  },
  'RF-04': {
    priority: 0,
    what: 'Keychain write fails after a successful rotation',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts'],
  },
  'RF-06': {
    priority: 0,
    what: 'Two app processes (second instance, or bridge) refresh at once',
    provenIn: ['contract/refresh/race.test.ts'],
  },
  'RF-07': {
    priority: 0,
    what: 'Loser gets invalid_grant after the winner stored a new pair',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts'],
  },
  'RF-08': {
    priority: 1,
    what: 'Lock holder dies or is SIGSTOPped for 60 s',
    provenIn: ['contract/refresh/race.test.ts', 'unit/main/storage/kernel-locks.test.ts'],
  },
  'RF-09': {
    priority: 0,
    what: 'invalid_grant',
    provenIn: ['hostile/after-sign-in.test.ts', 'unit/main/oauth/refresh.test.ts'],
  },
  'RF-10': {
    priority: 0,
    what: 'DNS failure, offline, captive portal HTML, 5xx, timeout, TLS error',
    provenIn: ['hostile/after-sign-in.test.ts', 'unit/main/oauth/refresh.test.ts'],
  },
  'RF-12': {
    priority: 0,
    what: 'Answer without refresh_token',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'unit/main/oauth/refresh.test.ts'],
  },
  'RF-13': {
    priority: 1,
    what: 'Answer with refresh_token: "" or null',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'unit/main/oauth/token-response.test.ts'],
  },
  'RF-14': {
    priority: 0,
    what: 'Clock 2 h ahead, 2 h behind, jumps during the call, year 1970, DST, leap second',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts', 'unit/main/oauth/token-response.test.ts'],
  },
  'RF-15': {
    priority: 1,
    what: 'Sleep 8 h, then resume: all timers due, network not up',
    provenIn: ['unit/main/integration/refresh/refresh-scheduler.test.ts'],
  },
  'RF-16': {
    priority: 0,
    what: 'Refresh in flight when the user deletes the integration or signs out',
    provenIn: ['contract/refresh/accounts.test.ts', 'hostile/in-flight.test.ts'],
  },
  'RF-18': {
    priority: 0,
    what: 'PRM now names another AS at refresh time',
    provenIn: ['unit/main/oauth/refresh.test.ts'],
  },
  'RF-19': {
    priority: 2,
    what: 'Token endpoint returns a DIFFERENT account (sub or scope changed)',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts'],
  },
  'RF-20': {
    priority: 0,
    what: '401 from MCP with a fresh token, for ever',
    provenIn: ['unit/main/integration/refresh/refresh-stored-tokens.test.ts'],
  },
  'RF-21': {
    priority: 1,
    what: '403 insufficient_scope with ever-growing scope (scope ratchet)',
    provenIn: ['contract/quirks/scopes.test.ts'],
  },
  'RF-22': {
    priority: 1,
    what: 'Revocation endpoint down or hostile at sign-out',
    provenIn: ['hostile/after-sign-in.test.ts'],
  },
  // keychain
  'KC-02': {
    priority: 0,
    what: 'Linux: libsecret.so missing, so loading the native module throws',
    provenIn: ['packaged/checks.test.ts', 'unit/main/storage/keytar-keychain.test.ts'],
  },
  'KC-03': {
    priority: 0,
    what: 'Linux: store present but locked, user dismisses the unlock prompt, prompt hangs 5 min',
    provenIn: ['keychain/keychain-trouble.test.ts', 'unit/main/storage/keytar-keychain.test.ts'],
  },
  'KC-04': {
    priority: 0,
    what: 'Linux: backend changes (GNOME to KDE; libsecret to basic_text)',
    provenIn: ['unit/main/storage/vault.test.ts'],
  },
  'KC-05': {
    priority: 0,
    what: "macOS: keychain locked, ACL prompt denied, 'Always allow', build re-signed or unsigned",
    provenIn: ['keychain/other-systems.test.ts'],
    runsOn: { place: 'macOS', because: 'Only macOS has this keychain.' },
  },
  'KC-06': {
    priority: 0,
    what: 'A token set of 10 KB (Entra JWTs), multi-byte text',
    provenIn: ['unit/main/storage/vault-crash.test.ts'],
  },
  'KC-08': {
    priority: 0,
    what: "Entry hand-edited: not JSON, other schema version, other integration's blob pasted in",
    provenIn: ['hostile/disk.test.ts', 'unit/main/storage/sealed-record.test.ts', 'unit/main/storage/vault.test.ts'],
  },
  'KC-09': {
    priority: 1,
    what: 'Write reports success but read-back differs',
    provenIn: ['unit/main/storage/vault.test.ts'],
  },
  'KC-10': {
    priority: 1,
    what: 'setPassword rejects, getPassword returns null for an existing entry, findCredentials throws',
    provenIn: ['unit/main/storage/keytar-keychain.test.ts'],
  },
  'KC-11': {
    priority: 0,
    what: 'Two OS users on one machine, same config path copied over',
    provenIn: ['keychain/keychain-trouble.test.ts'],
  },
  'KC-12': {
    priority: 1,
    what: 'Windows roaming profile (keytar stores with CRED_PERSIST_ENTERPRISE)',
    provenIn: ['keychain/other-systems.test.ts'],
    runsOn: { place: 'Windows', because: 'Only Windows has this store.' },
  },
  'KC-14': {
    priority: 1,
    what: 'Service-name collision with another app or a dev build',
    provenIn: ['keychain/keytar-keychain.test.ts'],
  },
  'KC-15': {
    priority: 1,
    what: "Uninstall, reinstall, 'delete all data'",
    provenIn: [
      'contract/delete-everything.test.ts',
      'keychain/keychain-trouble.test.ts',
      'unit/main/storage/kept-data.test.ts',
      'contract/command-line-remove-all.test.ts',
      'contract/desktop.test.ts',
      'renderer/delete-all.test.ts',
      'e2e/later.test.ts',
    ],
  },
  'KC-17': {
    priority: 2,
    what: 'Keychain call slow (3 s each)',
    provenIn: ['unit/main/storage/keytar-keychain.test.ts'],
  },
  'KC-18': {
    priority: 1,
    what: 'Swap of the store library (keytar to safeStorage or @napi-rs/keyring)',
    provenIn: ['keychain/keytar-keychain.test.ts'],
  },
  // settings
  'CF-02': {
    priority: 1,
    what: 'Root is an array, null or string',
    provenIn: [
      'hostile/disk.test.ts',
      'unit/main/storage/integration-store.test.ts',
      'unit/main/storage/settings-document.test.ts',
    ],
  },
  'CF-03': {
    priority: 0,
    what: 'SIGKILL during write, 25 times',
    provenIn: ['unit/main/storage/integration-store.test.ts'],
  },
  'CF-04': {
    priority: 0,
    what: 'Disk FULL during write',
    provenIn: [
      'hostile/disk.test.ts',
      'unit/main/storage/integration-store.test.ts',
      'unit/main/storage/replace-file.test.ts',
    ],
  },
  'CF-05': {
    priority: 1,
    what: 'Disk full for logs, crash folder, userData at start',
    provenIn: ['hostile/disk.test.ts'],
  },
  'CF-06': {
    priority: 1,
    what: 'Read-only file, read-only folder, file owned by root',
    provenIn: [
      'hostile/disk.test.ts',
      'unit/main/storage/integration-store.test.ts',
      'unit/main/storage/replace-file.test.ts',
    ],
  },
  'CF-08': {
    priority: 1,
    what: 'File mode',
    provenIn: ['unit/main/storage/integration-store.test.ts', 'unit/main/storage/vault.test.ts'],
  },
  'CF-09': { priority: 0, what: 'Two processes write', provenIn: ['unit/main/storage/integration-store.test.ts'] },
  'CF-10': {
    priority: 0,
    what: 'Newer schema opened by an older app (downgrade)',
    provenIn: [
      'hostile/disk.test.ts',
      'unit/main/storage/integration-store.test.ts',
      'unit/main/storage/settings-document.test.ts',
      'unit/main/storage/vault.test.ts',
    ],
  },
  'CF-11': {
    priority: 0,
    what: 'Every older schema version ever shipped',
    provenIn: ['unit/main/storage/settings-document.test.ts'],
  },
  'CF-12': {
    priority: 0,
    what: 'Hand-edited: private URL, localAllowed: true, issuer swapped, 10 MB of junk, __proto__',
    provenIn: [
      'hostile/disk.test.ts',
      'unit/main/storage/integration-store.test.ts',
      'unit/main/storage/settings-document.test.ts',
    ],
  },
  'CF-14': {
    priority: 0,
    what: 'Config exported or synced (dotfiles, cloud drive)',
    provenIn: ['hostile/program.test.ts', 'unit/main/storage/integration-store.test.ts'],
  },
  // window
  'IP-01': {
    priority: 0,
    what: 'Server-supplied names (resource_name, tool titles, client_name, scopes) with HTML, SVG, Markdown, 1 MB, RTL override, zero-width, newline',
    provenIn: [
      'hostile/program.test.ts',
      'renderer/hostile-names.test.ts',
      'unit/main/desktop/views/describe-mcp.test.ts',
      'unit/main/desktop/lists/read-mcp-json.test.ts',
    ],
  },
  'IP-02': {
    priority: 1,
    what: 'Homograph host аpple.com, mixed script; gíthub.com, a mark or a stroke',
    provenIn: ['unit/main/address/display-text.test.ts', 'unit/main/integration/sign-in/confusable-hosts.test.ts'],
  },
  'IP-03': { priority: 1, what: 'Logo URI, favicon or tos_uri from a server', provenIn: ['e2e/window-guards.test.ts'] },
  'IP-04': {
    priority: 0,
    what: 'XSS assumed: attacker runs JS in the main renderer',
    provenIn: [
      'contract/electron-network.test.ts',
      'e2e/hostile-script.test.ts',
      'e2e/secrets.test.ts',
      'e2e/window-guards.test.ts',
    ],
  },
  'IP-06': {
    priority: 0,
    what: 'IPC payload wrong type, 50 MB, cyclic, prototype keys, getter, function, NaN',
    provenIn: ['e2e/window-guards.test.ts', 'unit/main/ipc/answer-call.test.ts'],
  },
  'IP-07': {
    priority: 1,
    what: "Renderer asks for another integration's data, id traversal ../, id of a deleted one",
    provenIn: ['e2e/window-guards.test.ts'],
  },
  'IP-08': {
    priority: 0,
    what: 'Any IPC answer or event containing a secret',
    provenIn: ['e2e/secrets.test.ts', 'unit/main/ipc/answer-call.test.ts'],
  },
  'IP-09': {
    priority: 0,
    what: 'zustand store, React DevTools, localStorage, IndexedDB, sessionStorage',
    provenIn: ['e2e/secrets.test.ts'],
  },
  'IP-10': {
    priority: 0,
    what: 'Main window navigates (drag a link or file onto it, location=, meta refresh, middle-click, back)',
    provenIn: ['e2e/window-guards.test.ts'],
  },
  'IP-12': {
    priority: 0,
    what: 'shell.openExternal, openPath, showItemInFolder reached with server data',
    provenIn: ['unit/architecture.test.ts'],
  },
  'IP-13': {
    priority: 0,
    what: 'Deep link or second-instance argv: app://add?url=...&auto=1, --inspect, --load-extension, NUL, 1 MB',
    provenIn: ['e2e/packaged-program.test.ts', 'unit/architecture.test.ts', 'unit/main/cli/command-words.test.ts'],
  },
  'IP-14': {
    priority: 0,
    what: 'Custom app:// protocol: app://../../etc/passwd, encoded traversal, symlink, other host',
    provenIn: ['unit/main/windows/resolve-app-file.test.ts'],
  },
  'IP-15': { priority: 0, what: 'Log file after a full hostile run', provenIn: ['hostile/program.test.ts'] },
  'IP-16': {
    priority: 0,
    what: 'Unhandled rejection or uncaughtException carrying a token (header error)',
    provenIn: ['e2e/secrets.test.ts', 'unit/main/ipc/answer-call.test.ts'],
  },
  'IP-18': {
    priority: 1,
    what: 'Clipboard, window title, notification text, taskbar, accessibility tree, screenshots of E2E',
    provenIn: ['e2e/secrets.test.ts', 'unit/main/desktop/tell-ended-sign-ins.test.ts'],
  },
  'IP-19': {
    priority: 1,
    what: 'argv and environment of any child or opened browser',
    provenIn: ['hostile/program.test.ts'],
  },
  'IP-20': {
    priority: 0,
    what: 'DevTools opened in a packaged build (menu, --remote-debugging-port)',
    provenIn: [
      'packaged/checks.test.ts',
      'packaged/installed-program.test.ts',
      'unit/main/windows/menu-template.test.ts',
    ],
  },
  'IP-21': {
    priority: 0,
    what: "Server-chosen error text tries social engineering ('paste your token here')",
    provenIn: ['hostile/program.test.ts'],
  },
  'IP-22': {
    priority: 1,
    what: "UI says 'connected' while the token was for another host",
    provenIn: ['renderer/hostile-names.test.ts', 'unit/main/desktop/views/describe-integration.test.ts'],
  },
  // package
  'PK-01': { priority: 0, what: 'Fuses of the shipped binary', provenIn: ['e2e/package-content.test.ts'] },
  'PK-02': {
    priority: 0,
    what: 'ELECTRON_RUN_AS_NODE=1 app -e ..., NODE_OPTIONS=--require evil.js, --inspect',
    provenIn: ['packaged/checks.test.ts', 'packaged/installed-program.test.ts'],
    runsOn: {
      place: 'realElectron',
      because:
        'The workflow starts every installed package with these; here the checks run on the stand-in and on bad programs.',
    },
  },
  'PK-03': {
    priority: 0,
    what: 'app.asar byte flipped; app/ folder placed beside it',
    provenIn: ['packaged/checks.test.ts', 'packaged/installed-program.test.ts'],
    runsOn: {
      place: 'realElectron',
      because: 'Electron checks the archive on macOS and Windows alone; on Linux nobody does (SECURITY.md).',
    },
  },
  'PK-04': {
    priority: 1,
    what: 'app.asar.unpacked/keytar.node replaced',
    provenIn: ['packaged/checks.test.ts', 'packaged/installed-program.test.ts'],
    runsOn: {
      place: 'realElectron',
      because: 'macOS refuses a foreign library; on Windows and Linux it is not noticed (SECURITY.md).',
    },
  },
  'PK-05': {
    priority: 0,
    what: 'Signature: codesign --verify --deep --strict, spctl, notarisation staple; Authenticode chain and timestamp',
    provenIn: ['packaged/installed-program.test.ts', 'unit/scripts/package/check-signatures.test.ts'],
    runsOn: {
      place: 'release',
      because: 'codesign, spctl, stapler and Authenticode judge what was signed; here their answers are scripted.',
    },
  },
  'PK-06': {
    priority: 0,
    what: 'Update feed serves an unsigned, wrongly signed, or other-publisher installer',
    provenIn: [
      'contract/updates.test.ts',
      'unit/main/updates/signed-release.test.ts',
      'unit/main/updates/updates.test.ts',
    ],
  },
  'PK-07': {
    priority: 0,
    what: 'Update feed offers an older version',
    provenIn: [
      'contract/updates.test.ts',
      'unit/main/updates/signed-release.test.ts',
      'unit/main/updates/updates.test.ts',
    ],
  },
  'PK-08': {
    priority: 1,
    what: 'Update server redirects to another host',
    provenIn: ['contract/hostile-updates.test.ts'],
  },
  'PK-09': {
    priority: 1,
    what: 'Installer file name or yml with shell characters',
    provenIn: ['contract/hostile-updates.test.ts'],
  },
  'PK-10': {
    priority: 0,
    what: 'Electron or Chromium or Node CVE published',
    provenIn: ['unit/scripts/release/check-electron.test.ts'],
  },
  'PK-11': {
    priority: 0,
    what: 'Dependency compromised: install script, typosquat, lockfile drift',
    provenIn: ['unit/scripts/bootstrap.test.ts', 'unit/scripts/release/check-lockfile.test.ts'],
  },
  'PK-12': {
    priority: 0,
    what: 'Packaged CSP, webPreferences and handlers',
    provenIn: ['packaged/checks.test.ts'],
    runsOn: { place: 'realElectron', because: 'The smoke test of each installed package compares the same list.' },
  },
  'PK-14': {
    priority: 1,
    what: 'First start without network; start with system clock in 1970; start from a read-only volume',
    provenIn: ['e2e/packaged-program.test.ts'],
  },
  // property
  'PB-01': {
    priority: 0,
    what: 'URL policy: for any string, accept(u) implies https, no userinfo, no fragment, host not blocked, and accept(canon(u)) = accept(u)',
    provenIn: ['unit/main/address/check-address.test.ts', 'unit/main/address/parse-address.test.ts'],
  },
  'PB-02': {
    priority: 0,
    what: 'IP policy: for any IPv4 in blocked ranges, every textual and embedded form is blocked',
    provenIn: ['unit/main/address/classify-ip.test.ts'],
  },
  'PB-03': {
    priority: 0,
    what: 'Any JSON value at any endpoint gives a typed error or a valid object; never an untyped throw',
    provenIn: [
      'unit/fuzz/every-target.test.ts',
      'unit/main/oauth/client-registration.test.ts',
      'unit/main/oauth/token-response.test.ts',
    ],
  },
  'PB-04': {
    priority: 0,
    what: 'Flow state machine (model-based): any order of start, callback, cancel, timeout, crash, restart never yields two token requests per state, nor a …',
    provenIn: ['unit/main/integration/sign-in/flow-commands.test.ts'],
  },
  'PB-05': {
    priority: 0,
    what: 'Refresh under any interleaving (fc.scheduler): at most one use of each refresh token; store ends with the newest pair',
    provenIn: ['unit/main/integration/refresh/refresh-interleavings.test.ts'],
  },
  'PB-06': {
    priority: 0,
    what: 'Secret store: random sizes, unicode, crash after each step: read gives exactly old or exactly new',
    provenIn: ['unit/main/storage/vault-crash.test.ts'],
  },
  'PB-07': {
    priority: 0,
    what: 'Canary non-interference: a random secret put into any secret slot never appears in log, IPC, config, DOM, UI snapshot',
    provenIn: ['hostile/program.test.ts'],
  },
  'PB-08': {
    priority: 1,
    what: 'WWW-Authenticate and Retry-After parsers: linear time (100 KB in < 50 ms), never throw',
    provenIn: ['unit/main/oauth/bearer-challenge.test.ts', 'unit/main/oauth/retry-after.test.ts'],
  },
  'PB-09': {
    priority: 0,
    what: 'Two-document independence: what server A sends never changes a stored field of integration B',
    provenIn: ['hostile/neighbours.test.ts'],
  },
  'PB-10': {
    priority: 1,
    what: 'UI text: for any server input, the rendered text contains only catalogue strings plus a sanitised host or name',
    provenIn: ['unit/fuzz/every-target.test.ts'],
  },
};
