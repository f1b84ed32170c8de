/**
 * Runs in the main world before the page's first script: lets a page with the app's scheme, which has another URL in
 * Chromium, fetch absolute URLs of that scheme.
 */
export function replaceFetch(): void {
  const [scheme = '', ...host] = location.hostname.split('.');
  if (host.at(-1) !== 'localhost' || host.length < 2) return;
  const own = new RegExp(`^${scheme}://([^/?#:]+)(?::\\d*)?(?=[/?#]|$)`, 'i');
  const original = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!own.test(url)) return original(input, init);
    const address = url.replace(own, (_, name: string) => `https://${scheme}.${name.toLowerCase()}.localhost`);
    return original(input instanceof Request ? new Request(address, input) : address, init);
  };
}
