/**
 * Sign-ins that answer an embedded window with an error page, each with who says so. Facebook's refusal is of Android's
 * web views alone, and Microsoft's pages take embedded windows, so neither is here.
 */
const hosts: ReadonlySet<string> = new Set([
  // 403 disallowed_useragent, for every embedded library since September 2021:
  // https://developers.googleblog.com/en/upcoming-security-changes-to-googles-oauth-20-authorization-endpoint-in-embedded-webviews
  'accounts.google.com',
  // The same sign-in, by way of YouTube: https://developers.google.com/identity/protocols/oauth2/policies#browsers
  'accounts.youtube.com',
]);

/** Whether the sign-in at `hostname` is known to work in a real browser only. */
export function refusesEmbeddedWindows(hostname: string): boolean {
  return hosts.has(hostname);
}
