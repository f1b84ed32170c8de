import { internalEvents } from './internal-events.ts';
import type { Page } from './page.ts';

let keys: readonly string[] = [];
const pages = new Set<Page>();

internalEvents.on('menuKeys', (accelerators) => {
  keys = accelerators;
  for (const page of pages) sendMenuKeys(page);
});

/**
 * Sends the menu's shortcuts to a page's isolated world, which must block Chromium's own use of these keys.
 */
export function sendMenuKeys(page: Page): void {
  if (!pages.has(page)) {
    pages.add(page);
    page.once('closed', () => pages.delete(page));
  }
  page.deliver({ op: 'keys', keys });
}
