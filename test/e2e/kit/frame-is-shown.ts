import type { RunningWindow } from '../../support/launch-window.ts';

/** Whether the main window shows our page. Asks Electron, because Playwright waits for a rejected navigation. */
export async function frameIsShown(window: RunningWindow): Promise<boolean> {
  return await window
    .evaluate(async ({ BrowserWindow }) => {
      // In no order.
      const contents = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
      const ours = contents.find((one) => one.getURL().startsWith('app://postern/'));
      if (!ours || ours.isCrashed()) return false;
      return Boolean(await ours.executeJavaScript("document.querySelector('.frame')?.checkVisibility() === true"));
    })
    // While it reloads.
    .catch(() => false);
}
