import { internalEvents } from './internal-events.ts';
import type { Page } from './page.ts';

let keys: readonly string[] = [];
const pages = new Set<Page>();

internalEvents.on('menuKeys', (accelerators) => {
  keys = accelerators;
  for (const page of pages) tellMenuKeys(page);
});

/**
 * Tells a page's isolated world which keys are the menu's: it must keep them from Chromium, which has uses of its own.
 */
export function tellMenuKeys(page: Page): void {
  if (!pages.has(page)) {
    pages.add(page);
    page.once('closed', () => pages.delete(page));
  }
  page.deliver({ op: 'keys', keys });
}
