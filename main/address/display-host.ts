import { displayText } from './display-text.ts';

/** A host as it is shown: always punycode, so that `аpple.com` cannot pass for `apple.com`; at most 253 characters. */
export function displayHost(hostname: string): string {
  const host = URL.parse(`https://${hostname}/`)?.hostname;
  return displayText(host ?? hostname.replace(/[^\x21-\x7e]/g, '?'), 253);
}
