import { displayHost } from '../address/display-host.ts';
import { windowWords } from '../window-words.ts';

/** What the window of a sign-in page is called: where it really is, and that it is not encrypted when it is not. */
export function signInTitle(address: string): string {
  const { protocol, hostname } = new URL(address);
  const host = displayHost(hostname);
  return protocol === 'https:' ? host : windowWords.notEncrypted(host);
}
