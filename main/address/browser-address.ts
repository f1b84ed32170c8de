import { urlLength } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import { classifyHost } from './classify-host.ts';
import { parseAddress } from './parse-address.ts';

declare const forBrowser: unique symbol;

/** An address that may be opened in the person's own browser. Only this file makes one, and nothing else is opened. */
export type BrowserAddress = string & { readonly [forBrowser]: true };

/**
 * https anywhere, http to this computer alone, as our parser prints it: the system would start other programs for
 * other schemes. Errors: URL_SCHEME, those of `parseAddress`.
 */
export function browserAddress(address: string): BrowserAddress {
  const stage = 'authorization';
  const url = parseAddress(address, stage, urlLength.authorizationRequest);
  if (url.protocol !== 'https:' && classifyHost(url.hostname) !== 'loopback') {
    throw new PosternError('URL_SCHEME', { stage, detail: { host: url.hostname } });
  }
  return url.href as BrowserAddress;
}
