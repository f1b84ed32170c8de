import type { CDPSession, Page } from '@playwright/test';
import { axeViolations } from '../support/axe-violations.ts';
import { axePath } from './open-renderer.ts';
import { expect, test } from './renderer-test.ts';
import { snapshotsOf, windowStates } from './window-states.ts';

const small = { width: 720, height: 480 };
const narrow = { width: 640, height: 480 };
/** The default window at 200 % zoom. */
const zoomed = { width: 550, height: 360 };
const large = { width: 1_400, height: 900 };

test.describe('every state of the window', () => {
  for (const state of windowStates)
    test(`${state.name} is accessible in both themes, and nothing is cut off`, async ({ openWindow }) => {
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
      await publish({ desktop: { ...snapshots.desktop, language: 'de' } });
      await expect(page.locator('html')).toHaveAttribute('lang', 'de');
      for (const size of [zoomed, narrow]) expect(await outOfShape(page, size)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await outOfShape(page, large)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      // The next test relies on the size that Playwright set.
      await resize(page, small);
    });
});

test('with reduced motion, another theme appears at once', async ({ openWindow }) => {
  const { page } = await openWindow({ reducedMotion: 'reduce' });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

/** A resize arrives with the next frame. Animations are awaited before checking. */
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

/** A view has at most one primary button; a dialog counts as its own view. */
async function mainButtons(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...([...document.querySelectorAll('dialog')].at(-1) ?? document).querySelectorAll('.button.primary')]
      .filter((button) => button.checkVisibility())
      .map((button) => button.textContent),
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of each page; ends with it. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Like `setViewportSize`, but does not resize the browser's window, which takes as long as the page. */
async function resize(page: Page, { width, height }: Size): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await (await session).send('Emulation.setDeviceMetricsOverride', metrics);
}

async function outOfShape(page: Page, size: Size): Promise<string[]> {
  await resize(page, size);
  await settle(page);
  return await faultsOfShape(page);
}

/**
 * Elements that scroll sideways, other than tables meant to; and page headers taller than 72 px, which leave too little
 * room for the content.
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
