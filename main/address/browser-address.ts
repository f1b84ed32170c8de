import { urlLength } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import { classifyHost } from './classify-host.ts';
import { parseAddress } from './parse-address.ts';

/**
 * An address that a person's own browser may be led to: https anywhere, http to this computer alone, as our parser
 * prints it. Errors: URL_SCHEME, those of `parseAddress`.
 */
export function browserAddress(address: string): string {
  const stage = 'authorization';
  const url = parseAddress(address, stage, urlLength.authorizationRequest);
  if (url.protocol !== 'https:' && classifyHost(url.hostname) !== 'loopback') {
    throw new PosternError('URL_SCHEME', { stage, detail: { host: url.hostname } });
  }
  return url.href;
}
