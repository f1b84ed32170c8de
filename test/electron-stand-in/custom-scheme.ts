/**
 * Chromium's protocol cannot register schemes, so `app://postern/x` becomes `https://app.postern.localhost/x` there: a
 * secure context with its own origin, which needs no certificate because no request leaves the browser.
 */
const mapped = /^https:\/\/([a-z][a-z0-9-]*)\.([a-z0-9-]+)\.localhost(?=[/?#]|$)/;

/** Chromium's own schemes. */
const own = /^(?:https?|about|data|blob|file|javascript|chrome|chrome-error|view-source|devtools|ws|wss):/;

export function isOwnScheme(url: string): boolean {
  return own.test(url);
}

/** Maps an app URL to Chromium's: a scheme with hosts has no ports. */
export function toChromiumUrl(url: string): string {
  if (isOwnScheme(url)) return url;
  return url.replace(
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#:]+)(?::\d*)?(?=[/?#]|$)/i,
    (_, scheme: string, host: string) => `https://${scheme.toLowerCase()}.${host.toLowerCase()}.localhost`,
  );
}

/** Normalizes an app URL as Chromium does. Errors: TypeError if it has no host. */
export function wholeUrl(url: string): string {
  const mappedUrl = toChromiumUrl(url);
  if (mappedUrl === url) throw new TypeError('Invalid URL');
  return fromChromiumUrl(new URL(mappedUrl).href);
}

/** Maps a Chromium URL back to the app's. */
export function fromChromiumUrl(url: string): string {
  return url.replace(mapped, '$1://$2');
}

/** Maps the scheme and its origins in a Content Security Policy. */
export function toChromiumPolicy(policy: string, scheme: string): string {
  return policy
    .replaceAll(new RegExp(`(?<=[\\s;]|^)${scheme}://([a-z0-9-]+)`, 'g'), `https://${scheme}.$1.localhost`)
    .replaceAll(new RegExp(`(?<=\\s)${scheme}:(?=[\\s;]|$)`, 'g'), `https://*.localhost`);
}
