import type * as Electron from 'electron';
import { browser } from './browser.ts';
import type { Page } from './page.ts';

export type WindowState = 'normal' | 'minimized' | 'maximized' | 'fullscreen';

/** Moves a page's Chromium window. Without a window manager, window states are not supported; that is no error. */
export async function placeWindow(page: Page, place: Electron.Rectangle | WindowState): Promise<void> {
  const { connection } = await browser();
  try {
    const { windowId } = await connection.send('Browser.getWindowForTarget', { targetId: page.id });
    const bounds =
      typeof place === 'string'
        ? { windowState: place }
        : { left: place.x, top: place.y, width: place.width, height: place.height };
    await connection.send('Browser.setWindowBounds', { windowId, bounds });
  } catch {
    // The page is gone, or not in a window.
  }
}

/** The user's window position; undefined if it is gone or not in its normal state. */
export async function readWindowPlace(page: Page): Promise<Electron.Rectangle | undefined> {
  const { connection } = await browser();
  try {
    const { bounds } = await connection.send('Browser.getWindowForTarget', { targetId: page.id });
    if (bounds.windowState !== 'normal') return undefined;
    return { x: bounds.left, y: bounds.top, width: bounds.width, height: bounds.height };
  } catch {
    return undefined;
  }
}
