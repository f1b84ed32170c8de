import { displayHost } from '../address/display-host.ts';

/** What the window of a sign-in page is called: where it really is, and that it is not encrypted when it is not. */
export function signInTitle(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${displayHost(hostname)}${protocol === 'https:' ? '' : ' (not encrypted)'}`;
}
