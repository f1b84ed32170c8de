/** Where a case is tested that not every test machine can run. */
export type Place = 'macOS' | 'Windows' | 'realElectron' | 'release';

/** One way in which a server or a machine can be hostile or broken. */
export interface HostileCase {
  /** 0 must hold before the first release. */
  readonly priority: 0 | 1 | 2;
  readonly what: string;
  /** Where the test runs on the real thing. Elsewhere it is skipped, or runs on a stand-in. */
  readonly runsOn?: { readonly place: Place; readonly because: string };
}

/**
 * Every hostile case. Tests of a case carry its ID in their titles. A separate test keeps the two in step: a case
 * without a title fails, and so does a title with an unknown ID.
 */
export const catalog: Readonly<Record<string, HostileCase>> = {
  // metadata
  'MD-01': { priority: 0, what: 'Body is 10 MB of valid JSON' },
  'MD-02': {
    priority: 0,
    what: 'gzip bomb: 48 KB that expands to 50 MB; also Content-Encoding: gzip, gzip (251 B to 50 MB)',
  },
  'MD-04': { priority: 0, what: 'Slow drip: one space every 300 ms, forever' },
  'MD-05': { priority: 0, what: 'Accepts TCP, never sends headers; or TLS handshake hangs' },
  'MD-06': { priority: 1, what: '20 KB header, 2,000 headers, or a 16 KB status line' },
  'MD-07': { priority: 0, what: 'JSON nested 5,000 and 5,000,000 levels deep' },
  'MD-08': { priority: 1, what: 'Duplicate keys: issuer twice, token_endpoint twice, case variants' },
  'MD-10': { priority: 0, what: 'Wrong types: issuer: 5, authorization_servers: "x", {}, null, array at root, true' },
  'MD-11': { priority: 0, what: 'HTML page with 200 and text/html (login wall, captive portal, SPA catch-all)' },
  'MD-12': { priority: 1, what: 'UTF-16, BOM, invalid UTF-8, lone surrogates, NUL bytes in strings' },
  'MD-13': {
    priority: 0,
    what: 'authorization_endpoint: javascript:alert(1) also data:, vbscript:, file:, blob:, about:, ms-msdt:, search-ms:, smb:, vscode:',
  },
  'MD-14': {
    priority: 0,
    what: 'authorization_endpoint with shell metacharacters: $(calc), backtick, &, |, ", %0a, leading --',
  },
  'MD-16': {
    priority: 0,
    what: 'Scheme and host tricks: https:/evil, http:evil, tab or newline inside host, full-width dots, https://good\\@evil/, soft hyphen',
  },
  'MD-17': { priority: 1, what: 'URL of 2 MB, 200 KB query, 10,000 path segments, port 0' },
  'MD-18': { priority: 1, what: 'Fragment in resource or issuer; query in issuer' },
  'MD-19': { priority: 1, what: '302 from PRM to the same origin (path change)' },
  'MD-20': { priority: 0, what: '302/307 from PRM, AS metadata, DCR or token endpoint to ANOTHER origin' },
  'MD-22': { priority: 1, what: 'Redirect loop, and a chain of 25 distinct locations' },
  'MD-23': {
    priority: 0,
    what: 'https to http downgrade: in redirect, in token_endpoint, in registration_endpoint, in authorization_servers[0]',
  },
  'MD-24': { priority: 0, what: 'MCP URL typed as http:// to a public host' },
  'MD-25': { priority: 0, what: 'PRM resource names another server (https://victim.example/mcp)' },
  'MD-26': {
    priority: 1,
    what: 'PRM resource is a parent path or differs by trailing slash, case, default port, query',
  },
  'MD-28': {
    priority: 0,
    what: 'attacker.example serves metadata with issuer: https://honest.example and own token_endpoint',
  },
  'MD-29': { priority: 1, what: 'token_endpoint on a different registrable domain than the issuer' },
  'MD-31': { priority: 1, what: 'authorization_servers empty, with 10,000 entries, or with 2 entries (one hostile)' },
  'MD-32': {
    priority: 1,
    what: '401 with WWW-Authenticate broken: unterminated quote, 1 MB, two Bearer challenges, header repeated, no Bearer',
  },
  'MD-34': {
    priority: 0,
    what: 'Metadata changes between two fetches in one flow (first honest, then hostile token_endpoint)',
  },
  'MD-35': { priority: 1, what: 'Server answers the probe with 200 and publishes no metadata' },
  'MD-36': { priority: 1, what: "PRM 200 after 404 at path form: root-level PRM names another tenant's path" },
  'MD-38': {
    priority: 0,
    what: 'Mix-up through metadata: issuer and token endpoint belong to one owner, the sign-in page to another',
  },
  'MD-37': {
    priority: 0,
    what: 'Authorization server on another host of a domain claims an honest server there as its issuer, and keeps one endpoint, or keeps all and forwards to the honest page',
  },
  'MD-39': {
    priority: 1,
    what: 'Authorization server or endpoint at 10.0.0.5, 10.0.0.5:8443, 10.0.0.5:1 or an unknown name, to scan the network through the resulting requests',
  },
  'MD-30': { priority: 0, what: 'code_challenge_methods_supported absent, ["plain"], or of a wrong type' },
  // network
  'NW-01': {
    priority: 0,
    what: 'Typed or discovered host is a private literal: 10/8, 172.16/12, 192.168/16, 100.64/10, 198.18/15, fc00::/7, fe80::/10',
  },
  'NW-02': {
    priority: 0,
    what: 'Loopback forms: 127.0.0.1, 127.1, 0x7f.1, 2130706433, 017700000001, full-width digits, localhost, LOCALHOST, localhost., [::1]',
  },
  'NW-04': {
    priority: 0,
    what: 'Cloud metadata: 169.254.169.254 in dotted, hex, octal, trailing-dot form; fd00:ec2::254; 100.100.100.200; metadata.google.internal',
  },
  'NW-05': {
    priority: 0,
    what: 'IPv4-mapped [::ffff:10.0.0.1], IPv4-compatible [::7f00:1], NAT64 64:ff9b::7f00:1, 6to4 2002:7f00:1::, Teredo',
  },
  'NW-06': { priority: 0, what: 'Public name with an A record to a private address (*.nip.io, localtest.me)' },
  'NW-07': {
    priority: 0,
    what: 'DNS rebinding: the first response is public, the second private (TTL 0), between check and connect',
  },
  'NW-08': { priority: 0, what: 'Mixed DNS response: one public A and one private AAAA record' },
  'NW-10': {
    priority: 0,
    what: "Box checked for integration X (192.168.1.5:8443); X's metadata names 192.168.1.1 as token endpoint",
  },
  'NW-11': { priority: 0, what: 'Public MCP server names a local AS while the box is checked for another integration' },
  'NW-12': { priority: 1, what: 'Box cleared later; a refresh then runs against the old private host' },
  'NW-13': { priority: 1, what: 'HTTP(S)_PROXY or system proxy set: IP guard cannot see the target' },
  'NW-14': { priority: 2, what: 'Non-web ports: 22, 25, 6379, 11211' },
  'NW-16': { priority: 0, what: 'TLS: self-signed, expired, wrong host, TLS 1.0' },
  'NW-17': { priority: 1, what: 'NODE_EXTRA_CA_CERTS, SSLKEYLOGFILE, ELECTRON_RUN_AS_NODE set by a local process' },
  'NW-18': {
    priority: 1,
    what: "Server on a VPN 'fake-IP' range (198.18/15) or tailnet (100.64/10): a legitimate user",
  },
  'NW-19': { priority: 2, what: 'IPv6 zone id, IDN host that maps to localhost after NFKC' },
  'NW-20': { priority: 2, what: '50 integrations all pointed at one victim host (client used as a DoS amplifier)' },
  // registration
  'RG-02': { priority: 1, what: 'DCR returns 200 instead of 201' },
  'RG-03': { priority: 0, what: 'DCR returns 201 with HTML, empty body, or no client_id' },
  'RG-04': { priority: 1, what: "client_id of 1 MB, with control characters, or equal to another integration's" },
  'RG-05': { priority: 1, what: 'token_endpoint_auth_method forced to client_secret_basic but no secret returned' },
  'RG-06': { priority: 1, what: 'client_secret_expires_at in the past, 0, negative, string, or missing' },
  'RG-08': { priority: 1, what: 'DCR hangs, resets, 429, 503' },
  'RG-09': { priority: 2, what: 'registration_client_uri or registration_access_token pointing to an internal host' },
  'RG-10': { priority: 1, what: "AS echoes client_name changed to 'Your Bank', logo_uri = tracking pixel" },
  'RG-11': {
    priority: 0,
    what: 'PRM now names a NEW authorization server: stored client_id, secret, refresh token exist for the old one',
  },
  'RG-12': { priority: 2, what: 'Two integrations at the same AS share a registration; one is deleted' },
  'RG-15': {
    priority: 1,
    what: 'Metadata keys that point elsewhere: registration_client_uri at another origin, for an update',
  },
  'RG-14': { priority: 1, what: "DCR spam: 'connect' pressed 30 times" },
  // authorization
  'AZ-01': { priority: 0, what: 'Callback with unknown state' },
  'AZ-02': {
    priority: 0,
    what: 'Callback without state, empty state, state twice, code twice, code and error together',
  },
  'AZ-03': { priority: 0, what: 'State replay: same valid callback twice (user reload, browser prefetch, attacker)' },
  'AZ-04': { priority: 1, what: 'State differs in case, has whitespace, is a 1 MB string, is a prefix' },
  'AZ-06': { priority: 1, what: 'Two flows for the SAME integration' },
  'AZ-07': {
    priority: 0,
    what: 'Mix-up: AS-evil redirects the browser to honest AS; honest code arrives with iss of honest',
  },
  'AZ-08': { priority: 0, what: 'iss absent although authorization_response_iss_parameter_supported: true' },
  'AZ-09': {
    priority: 0,
    what: 'iss present although not advertised, and wrong; or differs by slash, case, :443, percent-encoding',
  },
  'AZ-10': { priority: 0, what: 'error=access_denied with the right state' },
  'AZ-12': { priority: 1, what: 'error with wrong state (attacker tries to cancel the sign-in)' },
  'AZ-13': { priority: 0, what: 'Callback page XSS: payload in code, state, error, path or Host' },
  'AZ-14': {
    priority: 0,
    what: 'Callback by POST, PUT, HEAD, OPTIONS (with Private-Network preflight), CONNECT, TRACE, WebSocket upgrade',
  },
  'AZ-15': {
    priority: 0,
    what: 'Host: evil.example:port (DNS rebinding), Host missing (HTTP/1.0), Host with another port',
  },
  'AZ-16': {
    priority: 1,
    what: 'Request target //evil.example/callback?... or absolute-form GET http://evil/callback',
  },
  'AZ-18': { priority: 1, what: '500 garbage requests, 200 idle sockets, 1 MB URL on the listener' },
  'AZ-19': { priority: 1, what: 'Other OS user on the same machine connects to our port' },
  'AZ-20': {
    priority: 0,
    what: 'Local squatter holds [::1]:port while we hold 127.0.0.1:port and the redirect says localhost',
  },
  'AZ-21': { priority: 0, what: 'Fixed port (pre-registered client) already taken' },
  'AZ-40': {
    priority: 1,
    what: "Server now names another authorization server: the first one's account as login_hint",
  },
  'AZ-22': { priority: 1, what: 'Ephemeral port: AS refuses an unregistered port' },
  'AZ-24': { priority: 0, what: 'Popup closed, browser tab closed, user presses Cancel, app window closed, app quit' },
  'AZ-25': { priority: 1, what: 'Callback arrives 1 ms after cancel or expiry' },
  'AZ-26': {
    priority: 0,
    what: 'Auth ticket used twice, by another window, for another integration, after 10 min, guessed',
  },
  'AZ-27': { priority: 0, what: "Login CSRF: attacker sends a victim a link with the attacker's own code" },
  'AZ-28': {
    priority: 1,
    what: 'Consent phishing: attacker sends the victim OUR authorization URL, copied from their own app',
  },
  'AZ-30': { priority: 1, what: 'AS sends extra parameters, code of 64 KB, code with CR or LF' },
  'AZ-31': {
    priority: 0,
    what: 'Popup page calls window.open, target=_blank, named windows, Ctrl-click, middle-click',
  },
  'AZ-32': { priority: 0, what: 'Popup page navigates to file:, app:, ms-*:, mailto:, data:, chrome:, or http' },
  'AZ-33': {
    priority: 0,
    what: 'Popup requests camera, notifications, clipboard-read, openExternal, USB, HID, geolocation, fullscreen, pointerLock',
  },
  'AZ-34': {
    priority: 0,
    what: 'Popup starts a download, shows a basic-auth box, asks for a client certificate, hits a bad certificate',
  },
  'AZ-36': {
    priority: 1,
    what: 'Popup blocks closing with beforeunload, alert() loops, 100% CPU script, crashes its renderer',
  },
  'AZ-37': {
    priority: 1,
    what: 'Cookies, localStorage and service workers from AS-evil meet AS-honest in a later popup',
  },
  'AZ-38': { priority: 1, what: 'AS demands response_mode=form_post or fragment or returns an implicit token' },
  'AZ-39': { priority: 2, what: 'scope reduced or enlarged in the token response' },
  // token
  'TK-01': { priority: 0, what: '200 with HTML, empty body, truncated JSON, JSON array, null' },
  'TK-03': { priority: 0, what: 'access_token with CR, LF, space, non-ASCII, emoji' },
  'TK-04': { priority: 0, what: 'expires_in absent' },
  'TK-05': { priority: 0, what: 'expires_in = null, "", "3600", "1e9", "0x10", true, [], -5, 0, 1e300, 1e400' },
  'TK-06': { priority: 0, what: 'expires_in = 2^31 ms or more used in setTimeout' },
  'TK-09': { priority: 1, what: '401 invalid_client once, then OK' },
  'TK-10': { priority: 1, what: '429 or 503 with Retry-After: 120, an HTTP date, -1, 9999999999, soon' },
  'TK-11': { priority: 0, what: '500 with 5 MB body, HTML, ANSI escapes, forged log line' },
  'TK-12': { priority: 0, what: 'TCP reset before the response; reset after the full body; TLS alert mid-body' },
  'TK-13': { priority: 1, what: 'Slow response: 29 s, 31 s, drip' },
  'TK-15': { priority: 0, what: 'token_endpoint is http or on a blocked address at exchange time' },
  'TK-16': { priority: 1, what: '200 with {"error":"invalid_grant"}' },
  'TK-17': { priority: 1, what: 'Duplicate access_token keys (good, evil)' },
  'TK-18': { priority: 2, what: 'Content-Type text/html with JSON body; application/json; charset=utf-16' },
  'TK-19': { priority: 1, what: 'id_token returned (huge, unsigned, for another audience)' },
  'TK-21': {
    priority: 0,
    what: 'Access token used against a URL that is not the pinned resource (other path or host)',
  },
  'TK-07': { priority: 0, what: 'token_type = mac, N_A, DPoP, 5' },
  // pushed authorization requests
  'PU-01': {
    priority: 0,
    what: 'PAR endpoint with another owner than its authorization server, or one that redirects the request elsewhere',
  },
  'PU-02': { priority: 0, what: 'PAR response without a request_uri, with one that no URL can carry, or an HTML page' },
  // sender-constrained tokens (DPoP)
  'DP-01': {
    priority: 0,
    what: 'Authorization server answers use_dpop_nonce to every proof: at PAR, code exchange and refresh',
  },
  'DP-02': { priority: 0, what: 'MCP server answers use_dpop_nonce to every proof, with and without a nonce' },
  'DP-03': {
    priority: 0,
    what: 'Nonce of one origin, or of the authorization server, demanded at another; nonce of 4 KB or with quotes',
  },
  'DP-04': {
    priority: 0,
    what: 'token_type Bearer although bound tokens are required, at sign-in and at refresh',
  },
  'DP-05': { priority: 0, what: 'token_type DPoP although no key was presented' },
  'DP-06': {
    priority: 0,
    what: 'PAR, token endpoint or MCP server redirects a request and its proof to another origin',
  },
  'DP-07': { priority: 0, what: 'dpop_signing_alg_values_supported lists only none and HS256' },
  'DP-08': { priority: 0, what: 'Private key in a file, log, report, export, trace or error' },
  'DP-09': { priority: 0, what: 'Bound token demanded as a bearer token, or with the proof for another URL' },
  // sign-in on another device
  'DG-01': {
    priority: 0,
    what: "verification_uri of another owner (an attacker's device code), javascript:, http, user info, 169.254.169.254",
  },
  'DG-02': { priority: 0, what: 'user_code empty, 41 characters, with control or bidirectional characters, a number' },
  'DG-03': { priority: 0, what: 'authorization_pending forever; expires_in and interval of years, zero, negative' },
  'DG-04': { priority: 0, what: 'verification_uri_complete on another host than verification_uri' },
  // assertions instead of a sign-in
  'JA-01': { priority: 0, what: 'Assertion file is missing, or is a folder' },
  'JA-02': { priority: 0, what: 'Assertion file of 4 MiB' },
  'JA-03': { priority: 0, what: 'Assertion file is owned by another user, or writable by everyone' },
  'JA-04': {
    priority: 0,
    what: 'Assertion file holds another secret, an unsigned JWT, or a JWT that is expired or has no exp',
  },
  'JA-05': { priority: 0, what: 'Server names an authorization server that is not the audience of the assertion' },
  'JA-06': { priority: 0, what: 'Assertion in output, trace or error' },
  'JA-07': { priority: 0, what: 'Window page names a file whose contents would be sent as the assertion' },
  // identity assertions (ID-JAG)
  'EM-01': { priority: 0, what: 'ID-JAG whose audience is another authorization server, several, or none' },
  'EM-02': { priority: 0, what: 'ID-JAG with another issuer' },
  'EM-03': { priority: 0, what: 'ID-JAG for another client' },
  'EM-04': { priority: 0, what: 'ID-JAG that is expired, or has no exp' },
  'EM-05': { priority: 0, what: 'Another kind of token instead of an ID-JAG, or an unsigned one' },
  'EM-06': { priority: 0, what: 'ID-JAG for another MCP server' },
  'EM-07': { priority: 0, what: 'ID token or ID-JAG in output, trace or error, or stored for a server' },
  'EM-08': { priority: 0, what: 'Settings name a server as identity provider: another one, or the server itself' },
  // refresh
  'RF-01': { priority: 0, what: 'Rotated pair received' },
  'RF-02': { priority: 0, what: 'Crash (SIGKILL) after the AS rotated, before the write' },
  'RF-03': { priority: 0, what: 'Crash at any step of replacing the vault file' },
  'RF-04': { priority: 0, what: 'Keychain write fails after a successful rotation' },
  'RF-06': { priority: 0, what: 'Two app processes (second instance, or bridge) refresh at once' },
  'RF-07': { priority: 0, what: 'Loser gets invalid_grant after the winner stored a new pair' },
  'RF-08': { priority: 1, what: 'Lock holder dies or is SIGSTOPped for 60 s' },
  'RF-09': { priority: 0, what: 'invalid_grant' },
  'RF-10': { priority: 0, what: 'DNS failure, offline, captive portal HTML, 5xx, timeout, TLS error' },
  'RF-12': { priority: 0, what: 'Response without refresh_token' },
  'RF-13': { priority: 1, what: 'Response with refresh_token: "" or null' },
  'RF-14': { priority: 0, what: 'Clock 2 h ahead, 2 h behind, jumps during the call, year 1970, DST, leap second' },
  'RF-15': { priority: 1, what: 'Sleep 8 h, then resume: all timers due, network not up' },
  'RF-16': { priority: 0, what: 'Refresh in flight when the user deletes the integration or signs out' },
  'RF-18': { priority: 0, what: 'PRM now names another AS at refresh time' },
  'RF-19': {
    priority: 2,
    what: 'Token endpoint returns a DIFFERENT account or organization (sub, tenant or scope changed)',
  },
  'RF-20': { priority: 0, what: '401 from MCP with a fresh token, forever' },
  'RF-21': { priority: 1, what: '403 insufficient_scope with ever-growing scope (scope ratchet)' },
  'RF-22': { priority: 1, what: 'Revocation endpoint down or hostile at sign-out' },
  // keychain
  'KC-02': { priority: 0, what: 'Linux: libsecret.so missing, so loading the native module throws' },
  'KC-03': {
    priority: 0,
    what: 'Linux: store present but locked, user dismisses the unlock prompt, prompt hangs 5 min',
  },
  'KC-04': { priority: 0, what: 'Linux: backend changes (GNOME to KDE; libsecret to basic_text)' },
  'KC-05': {
    priority: 0,
    what: "macOS: keychain locked, ACL prompt denied, 'Always allow', build re-signed or unsigned",
    runsOn: { place: 'macOS', because: 'Only macOS has this keychain.' },
  },
  'KC-06': { priority: 0, what: 'A token set of 10 KB (Entra JWTs), multi-byte text' },
  'KC-08': {
    priority: 0,
    what: "Entry hand-edited: not JSON, other schema version, other integration's blob pasted in",
  },
  'KC-09': { priority: 1, what: 'Write reports success but read-back differs' },
  'KC-10': {
    priority: 1,
    what: 'setPassword rejects, getPassword returns null for an existing entry, findCredentials throws',
  },
  'KC-11': { priority: 0, what: 'Two OS users on one machine, same config path copied over' },
  'KC-12': {
    priority: 1,
    what: 'Windows roaming profile (keytar stores with CRED_PERSIST_ENTERPRISE)',
    runsOn: { place: 'Windows', because: 'Only Windows has this store.' },
  },
  'KC-14': { priority: 1, what: 'Service-name collision with another app or a dev build' },
  'KC-15': { priority: 1, what: "Uninstall, reinstall, 'delete all data'" },
  'KC-17': { priority: 2, what: 'Keychain call slow (3 s each)' },
  'KC-18': { priority: 1, what: 'Swap of the store library (keytar to safeStorage or @napi-rs/keyring)' },
  // settings
  'CF-02': { priority: 1, what: 'Root is an array, null or string' },
  'CF-03': { priority: 0, what: 'SIGKILL during write, 25 times' },
  'CF-04': { priority: 0, what: 'Disk FULL during write' },
  'CF-05': { priority: 1, what: 'Disk full for logs, crash folder, userData at start' },
  'CF-06': { priority: 1, what: 'Read-only file, read-only folder, file owned by root' },
  'CF-08': { priority: 1, what: 'File mode' },
  'CF-09': { priority: 0, what: 'Two processes write' },
  'CF-10': { priority: 0, what: 'Newer schema opened by an older app (downgrade)' },
  'CF-11': { priority: 0, what: 'Every older schema version ever shipped' },
  'CF-12': {
    priority: 0,
    what: 'Hand-edited: private URL, localAllowed: true, issuer swapped, 10 MB of junk, __proto__',
  },
  'CF-14': { priority: 0, what: 'Config exported or synced (dotfiles, cloud drive)' },
  // window
  'IP-01': {
    priority: 0,
    what: 'Server-supplied names (resource_name, tool titles, client_name, scopes) with HTML, SVG, Markdown, 1 MB, RTL override, zero-width, newline',
  },
  'IP-02': { priority: 1, what: 'Homograph host аpple.com, mixed script; gíthub.com, a mark or a stroke' },
  'IP-03': { priority: 1, what: 'Logo URI, favicon or tos_uri from a server' },
  'IP-04': { priority: 0, what: 'XSS assumed: attacker runs JS in the main renderer' },
  'IP-06': { priority: 0, what: 'IPC payload wrong type, 50 MB, cyclic, prototype keys, getter, function, NaN' },
  'IP-07': { priority: 1, what: "Renderer asks for another integration's data, id traversal ../, id of a deleted one" },
  'IP-08': { priority: 0, what: 'Any IPC result or event containing a secret' },
  'IP-09': { priority: 0, what: 'zustand store, React DevTools, localStorage, IndexedDB, sessionStorage' },
  'IP-10': {
    priority: 0,
    what: 'Main window navigates (drag a link or file onto it, location=, meta refresh, middle-click, back)',
  },
  'IP-12': { priority: 0, what: 'shell.openExternal, openPath, showItemInFolder reached with server data' },
  'IP-13': {
    priority: 0,
    what: 'Link or second-instance argv: postern://connect?url=...&name=..., many in a burst, during a sign-in, app://add?url=...&auto=1, credentials, --inspect, --load-extension, NUL, 1 MB',
  },
  'IP-14': {
    priority: 0,
    what: 'Custom app:// protocol: app://../../etc/passwd, encoded traversal, symlink, other host',
  },
  'IP-15': { priority: 0, what: 'Log file after a full hostile run' },
  'IP-16': { priority: 0, what: 'Unhandled rejection or uncaughtException carrying a token (header error)' },
  'IP-18': {
    priority: 1,
    what: 'Clipboard, window title, notification text, taskbar, accessibility tree, screenshots of E2E',
  },
  'IP-19': { priority: 1, what: 'argv and environment of any child or opened browser' },
  'IP-20': { priority: 0, what: 'DevTools opened in a packaged build (menu, --remote-debugging-port)' },
  'IP-21': { priority: 0, what: "Server-chosen error text tries social engineering ('paste your token here')" },
  'IP-22': { priority: 1, what: "UI says 'connected' while the token was for another host" },
  'IP-23': {
    priority: 1,
    what: 'Tool schema that explodes: 400 properties that each repeat the whole, circular references, allOf and oneOf of itself',
  },
  'IP-24': {
    priority: 0,
    what: 'Result with HTML, remote images, javascript: links, look-alike hosts, invisible text to be copied, JSON of 99,999 levels or with escapes, Markdown that is slow to parse; a page that asks to open or save what no result contains',
  },
  'IP-25': {
    priority: 0,
    what: 'Image or audio in a result that inflates: 50,000 x 50,000 pixels, or 500 of 4,096 x 4,096, SVG, a type that does not match its bytes',
  },
  'IP-26': {
    priority: 0,
    what: 'Image or audio whose first bytes are not what gets decoded: a GIF frame larger than its screen, a JPEG with fill bytes, FLAC behind an ID3 tag',
  },
  // package
  'PK-01': { priority: 0, what: 'Fuses of the shipped binary' },
  'PK-02': {
    priority: 0,
    what: 'ELECTRON_RUN_AS_NODE=1 app -e ..., NODE_OPTIONS=--require evil.js, --inspect',
    runsOn: {
      place: 'realElectron',
      because:
        'The workflow starts every installed package with these; here the checks run on the stand-in and on bad executables.',
    },
  },
  'PK-03': {
    priority: 0,
    what: 'Byte of app.asar flipped; app/ folder placed next to it',
    runsOn: {
      place: 'realElectron',
      because: 'Electron checks the archive only on macOS and Windows; on Linux nothing does (see the limits).',
    },
  },
  'PK-04': {
    priority: 1,
    what: 'app.asar.unpacked/keytar.node replaced',
    runsOn: {
      place: 'realElectron',
      because: 'macOS refuses a foreign library; Windows and Linux do not notice it.',
    },
  },
  'PK-05': {
    priority: 0,
    what: 'Signature: codesign --verify --deep --strict, spctl, notarization staple; Authenticode chain and timestamp',
    runsOn: {
      place: 'release',
      because: 'codesign, spctl, stapler and Authenticode check signed files; here their results are scripted.',
    },
  },
  'PK-06': {
    priority: 0,
    what: "Update feed serves an unsigned installer, a wrongly signed one, or another publisher's",
  },
  'PK-07': { priority: 0, what: 'Update feed serves an older version' },
  'PK-08': { priority: 1, what: 'Update server redirects to another host' },
  'PK-09': { priority: 1, what: 'Installer file name or yml with shell characters' },
  'PK-10': { priority: 0, what: 'Electron or Chromium or Node CVE published' },
  'PK-11': { priority: 0, what: 'Dependency compromised: install script, typosquat, lockfile drift' },
  'PK-12': {
    priority: 0,
    what: 'Packaged CSP, webPreferences and handlers',
    runsOn: { place: 'realElectron', because: 'The smoke test of each installed package compares the same list.' },
  },
  'PK-14': {
    priority: 1,
    what: 'First start without network; start with the system clock in 1970; start from a read-only volume',
  },
  // AI apps and their servers
  'GW-01': {
    priority: 0,
    what: 'Web page, or a name that resolves here (DNS rebinding), at the HTTP endpoint: any Host and Origin, with the secret',
  },
  'GW-02': {
    priority: 1,
    what: 'Request targets with a host, a query, an escape or two slashes; other methods; preflights',
  },
  'GW-03': {
    priority: 0,
    what: 'Socket folder that others may enter, that is a link or a file, or that another user owns',
  },
  'GW-04': { priority: 1, what: 'Squatted socket path: a link, a file or a folder' },
  'GW-05': { priority: 1, what: 'Squatted port' },
  'GW-06': {
    priority: 0,
    what: 'First line of a pipe that never ends, arrives slowly or not at all, is too long, or is something else',
  },
  'GW-07': {
    priority: 0,
    what: 'App sends a line that never ends or arrives byte by byte, or a body that is too long',
  },
  'GW-08': { priority: 0, what: 'App that does not read, however much its server sends' },
  'GW-09': { priority: 1, what: 'Server message that is cut off or replaced with an HTML page' },
  'GW-10': {
    priority: 0,
    what: "Server that answers other apps' requests, a request twice, null, or one of Postern’s IDs",
  },
  'GW-11': { priority: 1, what: 'App that uses an ID twice, one of Postern’s IDs, or one with several spellings' },
  'GW-12': { priority: 0, what: 'Session ID of another app over HTTP' },
  'GW-13': { priority: 0, what: "Guesses at an app's secret" },
  'GW-14': { priority: 0, what: 'Server that floods an app with requests' },
  'GW-15': { priority: 1, what: 'Server that floods an app with notifications' },
  'GW-16': {
    priority: 0,
    what: 'Result that is nested too deeply, has too many values, is too long or not JSON; schema that is deep and wide at once',
  },
  'GW-17': {
    priority: 0,
    what: "Token on its way to an app; an app's secret or ID on its way to a server, into a file, an event or a response",
  },
  'GW-18': {
    priority: 1,
    what: 'Cached catalog that is damaged, huge or a link; app whose requests would corrupt it',
  },
  'GW-19': { priority: 0, what: 'Control and bidirectional characters in names that are sent to apps' },
  'GW-20': { priority: 1, what: 'App that sends more than its server accepts, or keeps opening sessions' },
  'GW-21': { priority: 0, what: 'App whose access to Postern, or to this server, was revoked' },
  'GW-22': { priority: 1, what: 'Server cookies for other hosts, without expiry, huge, too many, or with prefixes' },
  'GW-23': {
    priority: 0,
    what: 'Web page or another user at the pipe port: requests, a hello without the secret, guesses, half of one, silence, many at once',
  },
  'GW-24': {
    priority: 0,
    what: 'Web page or another user holds every connection of the HTTP endpoint: silent, with half a head, or half of a rejected request',
  },
  'GW-25': {
    priority: 1,
    what: 'Server that accepts a handshake and never answers it, or names a revision that no header field can carry',
  },
  'GW-26': {
    priority: 1,
    what: 'App that holds every connection, or every waiting or refused session, so that no other app gets in',
  },
  'GW-27': {
    priority: 1,
    what: 'App that starts bodies over HTTP and goes silent, or disconnects while they wait for room',
  },
  // the old transport, HTTP+SSE of 2024
  'OT-01': {
    priority: 0,
    what: 'Endpoint at another origin, host, port or scheme, with user info, javascript:, data:, file:, without a scheme, after backslashes, too long, empty',
  },
  'OT-02': {
    priority: 1,
    what: 'Stream whose endpoint never arrives, among endless comments or other events, or arrives after a message',
  },
  'OT-03': { priority: 0, what: 'Endpoint that is announced again, at another path or another origin' },
  'OT-04': {
    priority: 0,
    what: 'Event larger than a message: instead of the endpoint, endless, as a response',
  },
  'OT-05': {
    priority: 0,
    what: 'Responses on the stream to nothing that was sent, twice, null, without an ID, in a batch, from another session',
  },
  'OT-06': { priority: 0, what: '301, 302, 303, 307, 308 of the stream or of a message to another origin' },
  'OT-07': {
    priority: 0,
    what: 'Server that has used the newer transport and falls back to the old one, so that its credential is sent elsewhere',
  },
  'OT-08': { priority: 1, what: 'Endless stream: to an app that does not read, or that listens to nothing' },
  // configuration files of AI apps
  'GW-40': { priority: 0, what: "App's file is a link to another place in the home folder" },
  'GW-41': {
    priority: 0,
    what: "App's file or its folder is a link out of the home folder, to nothing, or to itself",
  },
  'GW-42': {
    priority: 0,
    what: "App's file is a pipe, a device, a folder, 4 MiB, UTF-16, truncated, 100,000 levels deep, an alias bomb, or has the list twice or of the wrong type",
  },
  'GW-43': { priority: 0, what: 'Another program writes the file between preview and change, or during the change' },
  'GW-44': { priority: 1, what: "Backups of apps' files and change records in the profile folder are edited" },
  // between an app and the gateway
  'GW-60': {
    priority: 0,
    what: "Folder of the gateway's socket is open to others, who may have put their own socket there",
  },
  'GW-61': {
    priority: 0,
    what: 'Gateway is killed again and again: during a message, the handshake, many calls',
  },
  'GW-62': {
    priority: 0,
    what: 'IDs of 20 digits, in escapes, twice, nested; members in any order and with any white space',
  },
  'GW-63': { priority: 0, what: 'Late response to a request of a gateway that is gone, with the ID of a new request' },
  'GW-64': { priority: 0, what: "App's environment holds its own secrets, and Node switches" },
  'GW-65': { priority: 0, what: 'App or gateway writes without reading, or sends lines of many MB' },
  'GW-66': { priority: 0, what: 'Server message that looks like a control word from the gateway to its pipe' },
  'GW-67': { priority: 0, what: 'Another program listens on the port of a gateway that has ended' },
  'GW-68': {
    priority: 0,
    what: 'Server behind `postern proxy` that sends gateway control words, breaks lines inside messages, sends heads that are huge, endless or missing; a proxy that is killed during a message',
  },
  'GW-69': {
    priority: 0,
    what: 'Session app at a stateless server sends reserved keys of revision 2026-07-28, or responses that match no request',
  },
  'GW-70': {
    priority: 0,
    what: 'Stateless server sends a session app endless requests, dozens at once, or requests it did not declare a capability for',
  },
  'GW-71': {
    priority: 0,
    what: 'Member of a collection answers, cancels and names what belongs to another, by its IDs, its names and a template that covers everything',
  },
  'GW-72': {
    priority: 0,
    what: "App answers one member's request with a request to another, with a guess, or twice",
  },
  'GW-73': {
    priority: 0,
    what: 'Paused app sends calls and notifications without an ID, responses that match no request, or opens streams',
  },
  'GW-74': {
    priority: 0,
    what: "Unknown app takes another app's name in addition to its own, in look-alike letters, in part, or changes it",
  },
  'GW-75': {
    priority: 0,
    what: 'Lists, prompts and instructions of an account after sign-out, under another key, address or account, or from a late response',
  },
  'GW-80': {
    priority: 0,
    what: "Member of a collection lists templates and resources that cover another's addresses: its reads, completions, subscriptions and updates",
  },
  'GW-81': {
    priority: 0,
    what: "Member without a call sends requests, logs, progress or a page's completion while another member is called",
  },
  'GW-82': {
    priority: 0,
    what: "Instructions, requests and titles of a member with line breaks of every kind, and lines that imitate another's prefix",
  },
  'GW-83': {
    priority: 0,
    what: 'Two members with a view (`ui://`) at the same address, in tools, results, lists and reads',
  },
  'GW-76': {
    priority: 0,
    what: 'App sends hundreds of calls with half a million values each, in many sessions, over every transport, revision and a collection',
  },
  'GW-77': { priority: 0, what: 'App starts messages of many MB in each of its sessions, and finishes none' },
  'GW-78': {
    priority: 0,
    what: 'Server lists 240,000 tools in one response, entries of megabytes, or two lists, again and again',
  },
  // which tools apps may call
  'PM-01': { priority: 0, what: 'App calls a tool that is denied and not listed, or lists it through another page' },
  'PM-02': { priority: 1, what: 'List with a hidden tool: its remaining bytes, unusual numbers, white space' },
  'PM-03': {
    priority: 0,
    what: 'Denied call with the name twice, in capitals, in full-width letters, with spaces or invisible characters, in a list',
  },
  'PM-04': { priority: 0, what: 'Denied call without an ID, or with another method in the same message' },
  'PM-05': {
    priority: 0,
    what: 'Tool with no hints about what it does, with contradicting ones, or not listed at all',
  },
  'PM-06': { priority: 0, what: "User's answer that arrives after the call was denied, canceled or timed out" },
  'PM-07': { priority: 0, what: 'The same over HTTP: a denied call, in a session and without one' },
  'PM-08': {
    priority: 0,
    what: 'Consent prompt whose arguments and names hold control or bidirectional characters, or megabytes; endless calls that need consent',
  },
  'PM-09': {
    priority: 0,
    what: 'Description, title or schema of a tool with invisible characters, or with instructions to the model',
  },
  'PM-11': {
    priority: 0,
    what: 'Tool that differs from what the user reviewed: description, schema, flipped hint, name taken over',
  },
  'PM-12': {
    priority: 0,
    what: 'New tool, one that comes back, and one of two with the same name, while changes are blocked',
  },
  'PM-13': {
    priority: 0,
    what: 'List with different text and the same meaning, and one that means something else to other parsers',
  },
  'PM-14': { priority: 1, what: 'Tool that differs in every list; thousands of tools, texts of megabytes' },
  'PM-15': { priority: 0, what: 'Record of reviewed tools is damaged, missing, a link, or written during a review' },
  'PM-16': { priority: 0, what: 'Resources or prompts that are off: listed, read, subscribed to, completed' },
  'PM-17': { priority: 0, what: 'HTTP request whose header fields name another method or tool than its body' },
  'PM-18': {
    priority: 0,
    what: 'Changed tool of a server without its own setting, while changes are blocked for all servers',
  },
  'PM-19': {
    priority: 1,
    what: 'Tool that sends a request before its result, while the user confirms each call, or denies it meanwhile',
  },
  'PM-20': {
    priority: 0,
    what: 'Denied tool through a collection: by its name there, named twice, without an ID, over HTTP, among other fields',
  },
  'PM-21': {
    priority: 0,
    what: 'Permission for a collection used for a single server, the reverse, with an unknown name, or after it ended',
  },
  'PM-22': {
    priority: 0,
    what: "Method that no permission names (skills/list, ui/…, other apps' tasks, unusual spellings) while anything is restricted",
  },
  'PM-10': { priority: 1, what: 'Tool named like a formula, in a CSV file that a user saves and opens' },
  // the MCP registry
  'MR-01': { priority: 0, what: 'Window page searches the registry although the user has not turned that on' },
  'MR-02': { priority: 0, what: 'Registry redirects a search to another origin' },
  'MR-03': { priority: 0, what: 'Registry address without encryption, with a password, at cloud metadata' },
  'MR-04': { priority: 0, what: 'Endless registry response' },
  'MR-05': { priority: 0, what: 'Registry cursors that form a loop, or never end' },
  'MR-06': { priority: 0, what: 'Registry answers with a web page, half a document, wrong types, endless nesting' },
  'MR-07': {
    priority: 0,
    what: 'One entry has wrong types, endless nesting, a prototype of its own, default values of megabytes',
  },
  'MR-08': {
    priority: 0,
    what: 'Entry with javascript:, data:, file:, http:, user info, forbidden hosts, placeholders in place of a domain',
  },
  'MR-09': { priority: 0, what: "Entry of a public registry names a host on the user's own network" },
  'MR-10': {
    priority: 0,
    what: 'Texts of an entry with control or bidirectional characters, look-alike letters, icons hosted elsewhere',
  },
  'MR-11': { priority: 0, what: 'Entry with the name of a known service, at another address' },
  'MR-12': { priority: 1, what: 'Entry that requires 500 headers and lists 500 choices' },
  // server icons
  'IC-01': { priority: 0, what: 'Icon is SVG with a script in it, under any name; or HTML, GIF, an executable' },
  'IC-02': { priority: 0, what: 'Icon of 1 kB that claims 60,000 pixels a side' },
  'IC-03': { priority: 0, what: 'Icon that is endless, of 1 MB from the server, or of 1 MB in a data: URI' },
  'IC-04': {
    priority: 0,
    what: 'Icon at another origin, port or scheme, on the internal network, with a password, as javascript: or file:',
  },
  'IC-05': { priority: 0, what: 'Icon that redirects to another origin' },
  'IC-06': { priority: 0, what: "Server with sign-in inspects its icon's request: no token, no key, no cookie" },
  'IC-07': { priority: 1, what: 'Icon that claims PNG and is WebP, or comes as an image with status 404 or 401' },
  'IC-08': { priority: 1, what: 'icons: a number, a string, 5,000 of them, entries of every wrong type' },
  // requests from servers during calls
  'EL-01': { priority: 1, what: 'Tool reports progress endlessly, thousands of times a second, and never returns' },
  'EL-02': { priority: 0, what: 'Tool sends the user 1,000 elicitations, at once or one after the other' },
  'EL-03': {
    priority: 0,
    what: 'Elicitation form is a bomb: 10,000 fields or choices, nested objects, references, a pattern that runs forever',
  },
  'EL-04': {
    priority: 0,
    what: 'Page that a server asks to open is javascript:, file:, has credentials in it, is http, or is on the internal network',
  },
  'EL-05': { priority: 1, what: 'Page that a server asks to open is on a look-alike host' },
  'EL-06': { priority: 0, what: 'Server sends an elicitation while no call is in flight' },
  'EL-07': { priority: 0, what: 'Message, labels and choices contain terminal escapes and bidirectional characters' },
  'EL-08': { priority: 1, what: 'Form asks for a password, or for more than its schema declares' },
  'EL-09': { priority: 1, what: 'Server writes thousands of log lines into one call, with escapes in them' },
  'EL-10': { priority: 1, what: 'Task with a poll interval of zero, or of years' },
  'EL-11': { priority: 1, what: 'Server sends endless update notifications for a subscribed resource' },
  'EL-12': { priority: 1, what: 'Server sends endless list-changed notifications for a list on screen' },
  'EL-13': {
    priority: 1,
    what: 'Server completes an argument with more than can be shown, or with look-alike text',
  },
  // properties
  'PB-01': {
    priority: 0,
    what: 'URL policy: for any string, accept(u) implies https, no userinfo, no fragment, host not blocked, and accept(canon(u)) = accept(u)',
  },
  'PB-02': {
    priority: 0,
    what: 'IP policy: for any IPv4 in blocked ranges, every textual and embedded form is blocked',
  },
  'PB-03': {
    priority: 0,
    what: 'Any JSON value at any endpoint gives a typed error or a valid object, never an untyped throw',
  },
  'PB-04': {
    priority: 0,
    what: 'Flow state machine (model-based): any order of start, callback, cancel, timeout, crash, restart never yields two token requests per state, nor a …',
  },
  'PB-05': {
    priority: 0,
    what: 'Refresh under any interleaving (fc.scheduler): at most one use of each refresh token; store ends with the newest pair',
  },
  'PB-06': {
    priority: 0,
    what: 'Secret store: random sizes, unicode, crash after each step: read gives exactly old or exactly new',
  },
  'PB-07': {
    priority: 0,
    what: 'Canary non-interference: a random secret put into any secret slot never appears in log, IPC, config, DOM, UI snapshot',
  },
  'PB-08': {
    priority: 1,
    what: 'WWW-Authenticate and Retry-After parsers: linear time (100 KB in < 50 ms), never throw',
  },
  'PB-09': {
    priority: 0,
    what: 'Two-document independence: what server A sends never changes a stored field of integration B',
  },
  'PB-10': {
    priority: 1,
    what: 'UI text: for any server input, the rendered text contains only catalog strings plus a sanitized host or name',
  },

  // local servers
  'LS-01': {
    priority: 0,
    what: 'Settings file names another executable, argument, folder or variable than the user allowed',
  },
  'LS-02': { priority: 0, what: "Settings file names a command that the user never allowed, or another server's" },
  'LS-03': { priority: 0, what: 'Command arguments with $(…), backticks, quotes, ;, |, & and line breaks' },
  'LS-04': { priority: 0, what: 'Server searches its environment for secrets of Postern and of other servers' },
  'LS-05': { priority: 0, what: 'Server exits as soon as it is called, every time' },
  'LS-06': { priority: 0, what: "Postern is killed while servers run; a server's process ID has since been reused" },
  'LS-07': { priority: 1, what: 'Server writes text instead of messages: a banner, or endless output' },
  'LS-08': { priority: 0, what: 'Server writes endlessly: to standard error, and into one line of its output' },
  'LS-09': { priority: 0, what: 'Server ignores the end of its input and SIGTERM, and so do its child processes' },
  'LS-10': { priority: 0, what: 'Another program at the socket asks to start, stop or read a local server' },
  'LS-11': { priority: 1, what: 'Server writes control and bidirectional characters to standard error' },
  'LS-12': { priority: 0, what: 'Imported or pasted list contains commands, and --yes was given for the list' },
  'LS-13': {
    priority: 0,
    what: "Apps that share a process use the same IDs and tokens, cancel each other's calls, end or crash it",
  },
  'LS-14': {
    priority: 0,
    what: 'Shared process sends logs, progress and requests that belong to no app, or to another one',
  },
  'LS-16': { priority: 0, what: 'Command whose consent is withdrawn while it pauses after a crash' },
  'LS-15': { priority: 0, what: 'Command with NODE_OPTIONS or a similar variable, or longer than a system dialog' },
};
