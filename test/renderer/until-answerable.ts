import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/**
 * Lets the time pass in which a question is only read, by the page's own clock. That time begins after the page was
 * drawn, which on a busy machine comes later than the test: it passes until the question can be answered.
 */
export async function untilAnswerable(page: Page, button: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(1_100);
      return await button.getAttribute('aria-disabled');
    })
    .toBe('false');
}
