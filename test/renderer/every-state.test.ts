import type { Page } from '@playwright/test';
import { axeViolations } from '../support/axe-violations.ts';
import { axePath } from './open-renderer.ts';
import { expect, test } from './renderer-test.ts';
import { snapshotsOf, windowStates } from './window-states.ts';

const small = { width: 720, height: 480 };
const narrow = { width: 640, height: 480 };
/** What 200 % leaves of the window as it opens. */
const zoomed = { width: 550, height: 360 };
const large = { width: 1_400, height: 900 };

test.describe('every state of the window', () => {
  for (const state of windowStates)
    test(`${state.name} can be used by everyone in both themes, and nothing is cut off`, async ({ openWindow }) => {
      const { answers, isAsking } = state;
      const snapshots = snapshotsOf(state);
      const { page, publish } = await openWindow({ ...small, snapshots, answers, isAsking, reducedMotion: 'reduce' });
      await state.lead?.(page);
      expect((await mainButtons(page)).slice(1)).toEqual([]);
      await expect(page.locator('.dialog-body:focus-visible')).toHaveCount(0);
      expect(await violationsOf(page)).toEqual([]);
      expect(await faultsOfShape(page)).toEqual([]);
      for (const size of [narrow, zoomed]) expect(await outOfShape(page, size)).toEqual([]);
      // Languages, sizes and themes do not depend on each other. German is longer.
      await publish({ app: { ...snapshots.app, language: 'de' } });
      await expect(page.locator('html')).toHaveAttribute('lang', 'de');
      for (const size of [zoomed, narrow]) expect(await outOfShape(page, size)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await outOfShape(page, large)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
    });
});

/** The window hears of its size with the next frame. What fades in, or moves, is judged when it is there. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

async function violationsOf(page: Page): Promise<string[]> {
  await settle(page);
  return await axeViolations(page, new URL(axePath, page.url()).href);
}

/** What most people want next is one thing; a dialog is a view of its own. */
async function mainButtons(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...([...document.querySelectorAll('dialog')].at(-1) ?? document).querySelectorAll('.button.primary')]
      .filter((button) => button.checkVisibility())
      .map((button) => button.textContent),
  );
}

async function outOfShape(page: Page, size: { readonly width: number; readonly height: number }): Promise<string[]> {
  await page.setViewportSize(size);
  await settle(page);
  return await faultsOfShape(page);
}

/**
 * Parts that would have to be scrolled sideways, other than tables that say so; and heads of pages that leave too little
 * room to what the page is for: more than 72 px.
 */
async function faultsOfShape(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const parts = document.querySelectorAll('.pane, .sidebar, .dialog, .dialog-body, .tab-list, .tab-panel');
    const tooNarrow = [document.documentElement, ...parts]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => `${part.className || part.tagName}: ${part.scrollWidth} > ${part.clientWidth}`);
    const tooTall = [...document.querySelectorAll('.page-head')]
      .filter((head) => head.getBoundingClientRect().height > 72)
      .map((head) => `${head.textContent}: ${head.getBoundingClientRect().height}`);
    return [...tooNarrow, ...tooTall];
  });
}
