import { shell } from 'electron';
import type { BrowserAddress } from '../address/browser-address.ts';
import { PosternError } from '../postern-error.ts';

/**
 * The one way out of the program: a page in the person's own browser, whose arguments every user of this computer can
 * read. Windows takes at most 2,081 characters: a sign-in opens its one-time link, far below them, and a longer link of
 * a result fails there. Errors: BROWSER_OPEN_FAILED.
 */
export async function openInBrowser(address: BrowserAddress): Promise<void> {
  try {
    await shell.openExternal(address);
  } catch {
    // Its message holds the address.
    throw new PosternError('BROWSER_OPEN_FAILED', { stage: 'authorization', detail: { reason: 'unknown' } });
  }
}

/** Shows a folder of ours, or a file in it; never one that a server named. Errors: NOT_FOUND. */
export async function openFolder(place: string): Promise<void> {
  if ((await shell.openPath(place)) !== '') throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
}
