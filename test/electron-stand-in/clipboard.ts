import type * as Electron from 'electron';
import { strictObject } from './not-emulated.ts';
import { StandInWebContents } from './web-contents.ts';

let text = '';

/**
 * Stores what the app wrote, and copies it to the system's clipboard through a page, so that a user can paste it. Does
 * not read what other apps have copied.
 */
export const clipboard = strictObject('clipboard', {
  async writeText(value: string): Promise<void> {
    text = value;
    const [contents] = StandInWebContents.getAllWebContents();
    const page = await contents?.standIn.page.catch(() => undefined);
    await page?.evaluateInWorld(`addEventListener('copy', (event) => {
      event.clipboardData.setData('text/plain', ${JSON.stringify(value)});
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { once: true, capture: true }); document.execCommand('copy')`);
  },
  readText: async (): Promise<string> => text,
  clear: (): void => void (text = ''),
}) satisfies Pick<Electron.Clipboard, 'writeText' | 'readText' | 'clear'>;
