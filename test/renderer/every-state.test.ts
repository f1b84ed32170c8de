import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useRenderer } from './renderer-test.ts';
import { snapshotsOf, windowStates } from './window-states.ts';

const withRenderer = useRenderer();

const small = { width: 720, height: 480 };
const large = { width: 1_400, height: 900 };

describe('every state of the window', () => {
  it.each(windowStates)('$name can be used by everyone in both themes, and nothing is cut off', async (state) => {
    const { answers } = state;
    await withRenderer({ ...small, snapshots: snapshotsOf(state), answers }, async ({ page }) => {
      await state.lead?.(page);
      expect(await violationsOf(page)).toEqual([]);
      expect(await partsTooNarrow(page)).toEqual([]);
      // Sizes and themes do not depend on each other.
      await page.setViewportSize(large);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violationsOf(page)).toEqual([]);
      expect(await partsTooNarrow(page)).toEqual([]);
    });
  });
});

async function violationsOf(page: Page): Promise<string[]> {
  // What fades in is judged when it is there.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState }) => {
      return playState === 'finished' || effect?.getComputedTiming().iterations === Infinity;
    }),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
}

/** Parts that would have to be scrolled sideways, other than tables that say so. */
async function partsTooNarrow(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.pane, .sidebar, .dialog, .dialog-body, .tab-panel')]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => `${part.className || part.tagName}: ${part.scrollWidth} > ${part.clientWidth}`),
  );
}
