import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/**
 * Advances the page's clock until the question can be answered. The reading time starts after the page has rendered,
 * which on a busy machine may be later than the test expects.
 */
export async function untilAnswerable(page: Page, button: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(1_100);
      return await button.getAttribute('aria-disabled');
    })
    .toBe('false');
}
