import type { RunningWindow } from '../../support/launch-window.ts';

/** Whether the main window shows our page. Asks Electron, because Playwright waits for a rejected navigation. */
export async function frameIsShown(window: RunningWindow): Promise<boolean> {
  return await window
    .evaluate(async ({ BrowserWindow }) => {
      // In no order.
      const contents = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
      const ours = contents.find((one) => one.getURL().startsWith('app://postern/'));
      if (!ours || ours.isCrashed()) return false;
      const shown = ours.executeJavaScript("document.querySelector('.frame')?.checkVisibility() === true");
      // A page that is replaced meanwhile may never answer: then ask again.
      const unanswered = new Promise((resolve) => void setTimeout(() => resolve(false), 2_000));
      return Boolean(await Promise.race([shown, unanswered]));
    })
    // While it reloads.
    .catch(() => false);
}
