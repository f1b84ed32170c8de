/**
 * Chromium takes no new schemes over its protocol, so `app://postern/x` is `https://app.postern.localhost/x` there: a
 * secure context with an origin of its own, for which no certificate is needed since no request leaves the browser.
 */
const mapped = /^https:\/\/([a-z][a-z0-9-]*)\.([a-z0-9-]+)\.localhost(?=[/?#]|$)/;

/** Schemes that Chromium has itself. */
const own = /^(?:https?|about|data|blob|file|javascript|chrome|chrome-error|view-source|devtools|ws|wss):/;

export function isOwnScheme(url: string): boolean {
  return own.test(url);
}

/** What Chromium is told, for a URL of the program: a scheme with hosts has no ports. */
export function toChromiumUrl(url: string): string {
  if (isOwnScheme(url)) return url;
  return url.replace(
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#:]+)(?::\d*)?(?=[/?#]|$)/i,
    (_, scheme: string, host: string) => `https://${scheme.toLowerCase()}.${host.toLowerCase()}.localhost`,
  );
}

/** An address of the program, whole, as Chromium makes it. Errors: TypeError where it has no host. */
export function wholeUrl(url: string): string {
  const mappedUrl = toChromiumUrl(url);
  if (mappedUrl === url) throw new TypeError('Invalid URL');
  return fromChromiumUrl(new URL(mappedUrl).href);
}

/** What the program is told, for a URL of Chromium. */
export function fromChromiumUrl(url: string): string {
  return url.replace(mapped, '$1://$2');
}

/** A Content Security Policy that names the scheme or its origins. */
export function toChromiumPolicy(policy: string, scheme: string): string {
  return policy
    .replaceAll(new RegExp(`(?<=[\\s;]|^)${scheme}://([a-z0-9-]+)`, 'g'), `https://${scheme}.$1.localhost`)
    .replaceAll(new RegExp(`(?<=\\s)${scheme}:(?=[\\s;]|$)`, 'g'), `https://*.localhost`);
}
