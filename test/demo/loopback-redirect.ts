const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Spec 2.5: the registration endpoint validates redirect URIs against an allow list; here, loopback by http (RFC 8252
 * 7.3).
 */
export function isLoopbackRedirect(redirectUri: unknown): boolean {
  if (typeof redirectUri !== 'string') return false;
  const url = URL.parse(redirectUri);
  return (
    url !== null &&
    url.protocol === 'http:' &&
    loopbackHosts.has(url.hostname) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === ''
  );
}
