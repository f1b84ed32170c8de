import type { RunningWindow } from '../../support/launch-window.ts';

/** Whether the main window shows our page. Asked of the program: Playwright waits for a navigation that was refused. */
export async function frameIsShown(window: RunningWindow): Promise<boolean> {
  return await window
    .evaluate(async ({ BrowserWindow }) => {
      // In no order.
      const contents = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
      const ours = contents.find((one) => one.getURL().startsWith('app://postern/'));
      if (!ours || ours.isCrashed()) return false;
      return Boolean(await ours.executeJavaScript("document.querySelector('.frame')?.checkVisibility() === true"));
    })
    // While it is shown again.
    .catch(() => false);
}
