import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { axeViolations } from '../../support/axe-violations.ts';

/**
 * Checks the current screen in both themes: accessible (axe), and not cut off at the side. Pictures go to the report
 * for viewing; they are not compared.
 */
export async function inspectScreen(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const body = await page.screenshot({ animations: 'disabled' });
    await test.info().attach(`${name}-${colorScheme}`, { body, contentType: 'image/png' });
    expect(await axeViolations(page), `${name}, ${colorScheme}`).toEqual([]);
  }
  expect(await partsTooNarrow(page), name).toEqual([]);
}

async function partsTooNarrow(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.pane, .sidebar, .dialog, .dialog-body, .tab-panel')]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => `${part.className || part.tagName}: ${part.scrollWidth} > ${part.clientWidth}`),
  );
}
