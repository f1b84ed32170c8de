import type { Page } from 'playwright-core';
import type { LaunchedWindow } from './launch-window.ts';

/** Shorter than the test timeout, so that the error lists the pages. A busy machine needs most of it. */
const timeout = 180_000;

/** The page whose URL contains a text, now or as soon as there is one. */
export function waitForPage(window: LaunchedWindow, urlPart: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    const watched = new Map<Page, () => void>();
    const finish = (): void => {
      clearTimeout(timer);
      stop();
      for (const [page, check] of watched) page.off('framenavigated', check);
    };
    const watch = (page: Page): void => {
      const check = (): void => {
        if (!window.urlOf(page).includes(urlPart)) return;
        finish();
        resolve(page);
      };
      if (watched.has(page)) return;
      watched.set(page, check);
      page.on('framenavigated', check);
      check();
    };
    const timer = setTimeout(() => {
      finish();
      const urls = window.pages().map((page) => window.urlOf(page));
      reject(new Error(`no page at ${urlPart}; there are ${urls.join(', ')}\n${window.output()}`));
    }, timeout);
    const stop = window.onPage(watch);
    void window.ended.then(() => {
      finish();
      reject(new Error(`the app ended before it had a page at ${urlPart}\n${window.output()}`));
    });
    for (const page of window.pages()) watch(page);
  });
}
