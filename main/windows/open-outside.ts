import { shell } from 'electron';
import { classifyHost } from '../address/classify-host.ts';
import { parseAddress } from '../address/parse-address.ts';
import { urlLength } from '../limits.ts';
import { PosternError } from '../postern-error.ts';

const stage = 'authorization';

/**
 * The one way out of the program: a sign-in page in the person's own browser. https anywhere, http only to this
 * computer, the address as our parser prints it. Errors: BROWSER_OPEN_FAILED, URL_SCHEME, those of `parseAddress`.
 */
export async function openInBrowser(address: string): Promise<void> {
  const url = parseAddress(address, stage, urlLength.authorizationRequest);
  if (url.protocol !== 'https:' && classifyHost(url.hostname) !== 'loopback') {
    throw new PosternError('URL_SCHEME', { stage, detail: { host: url.hostname, remedy: 'none' } });
  }
  try {
    await shell.openExternal(url.href);
  } catch {
    // Its message holds the address.
    throw new PosternError('BROWSER_OPEN_FAILED', { stage, detail: { reason: 'unknown' } });
  }
}

/** Shows a folder of ours, or a file in it; never one that a server named. Errors: NOT_FOUND. */
export async function openFolder(place: string): Promise<void> {
  if ((await shell.openPath(place)) !== '')
    throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
}
