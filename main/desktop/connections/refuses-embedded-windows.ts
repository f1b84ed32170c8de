/** Services that answer an embedded window with an error page ("this browser or app may not be secure"). */
const hosts: ReadonlySet<string> = new Set(['accounts.google.com', 'accounts.youtube.com']);

/** Whether the sign-in at `hostname` is known to work in a real browser only. */
export function refusesEmbeddedWindows(hostname: string): boolean {
  return hosts.has(hostname);
}
